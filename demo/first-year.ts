// One company is in its second year: its first is closed, and a part of what its people had left was carried over.
import { claimsOf } from './claims.ts'
import { yearOf, type PlannedCompany } from './companies.ts'
import { daysAfter, workday } from './days.ts'
import type { Ending } from './endings.ts'
import { fund } from './money.ts'
import { bringIn, type Staff } from './people.ts'
import type { PlannedPerson, DemoPlan } from './plan.ts'
import { handle, pay } from './reviews.ts'
import type { DemoStage } from './stage.ts'

/** Its first year, lived as by a company in the twelfth month; then the second opens, and the first is closed. */
export function firstYear(plan: DemoPlan, staff: Staff, provider: string) {
  const { company } = staff
  const begins = yearOf(company, plan.today)
  const year = plan.until(daysAfter(begins, -1))
  const [came_then, came_now] = [true, false].map((then) =>
    staff.people.filter(({ joined_on }) => joined_on < begins === then),
  ) as [PlannedPerson[], PlannedPerson[]]
  const then = partOf(staff, { ...company, month: 12 }, came_then)
  bringIn(year, then)
  bringIn(plan, partOf(staff, company, came_now))
  fund(year, then, provider)
  // Claims of its last weeks would be left for reviewers of the year after.
  const last = daysAfter(year.today, -16)
  const claims = claimsOf(year, then, new Map())
  handle(
    year,
    then,
    claims.filter(({ submitted_on, ending }) => submitted_on < last && isDecided(ending)),
  )
  plan.at(begins, company, { name: 'open_year' }, (stage) => open(stage, staff.id, begins))
  const closes = workday(daysAfter(begins, 16))
  plan.at(closes, company, { name: 'close_year' }, async (stage) => {
    await pay(stage, company)
    await close(stage, company, staff.id, yearOf(then.company, year.today))
  })
}

/** Some of its people, in one of its years; its number is known once it was founded. */
const partOf = (staff: Staff, company: PlannedCompany, people: PlannedPerson[]): Staff => ({
  company,
  people,
  get id() {
    return staff.id
  },
})

const isDecided = (ending: Ending) =>
  ending.how !== 'waits' && (ending.how !== 'asked' || ending.answer !== null)

/** Opens a year as the daily job does, but without seals: what is played is moved to its day before it is sealed. */
async function open({ sql, today }: DemoStage, id: string, plan_year: string) {
  await sql`select private.plan_next_year(${id}, ${today})`
  for (const enrolls of [true, false])
    await sql`select private.regrant_some(${id}, ${plan_year}, null, 1000, ${enrolls})`
  await sql`update plan_years set opened_at = now() where company_id = ${id} and starts_on = ${plan_year}`
}

/** Two weeks after its end it takes no more claims. */
async function close(stage: DemoStage, company: PlannedCompany, id: string, plan_year: string) {
  const hr = await stage.as(company.admins[0]!.email)
  const { ends_on: _, closed: __, has_money: ___, ...now } = await hr.funds.plan({ plan_year })
  await hr.funds.change_plan({ ...now, filing_days: 14 })
  // The first call is for its people, the second for the year.
  for (const after of [null, 'ffffffff-ffff-ffff-ffff-ffffffffffff'])
    await stage.sql`select private.close_year_for_some(${id}, ${plan_year}, company_today(${id}),
      ${after}, 1000)`
}
