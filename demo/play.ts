// The year is played: everything that happens in the demo world, by the product's own acts.
import { sealAll } from '#funds/jobs.server.ts'
import { openServices, type Services } from '#services.server.ts'
import type { Config } from '#lib/config.server.ts'
import { requestReports, catchUp, moveDays, readNews } from './afterwards.ts'
import { claimsOf } from './claims.ts'
import { aurora, arrivalDay, companies, foundCompany, suspended_days, yearOf } from './companies.ts'
import { daysAfter } from './days.ts'
import { families } from './family.ts'
import { firstYear } from './first-year.ts'
import { healthChecks } from './health-checks.ts'
import { admin, employee, logins, password, provider } from './logins.ts'
import { changePlan, fund } from './money.ts'
import { bringIn, staffOf, accountStates, type Staff } from './people.ts'
import { handle } from './reviews.ts'
import { DemoPlan } from './plan.ts'
import { writeRecord } from './record.ts'
import { openStage } from './stage.ts'
import { Timeline } from './timeline.ts'

export async function make(config: Config, url: string) {
  const fast = new URL(url)
  fast.searchParams.set('synchronous_commit', 'off')
  const services = await openServices(config, fast.href)
  try {
    const setup = await services.setupLink()
    if (!setup) return
    await services.sql.owner.begin(async (held) => {
      // The lock is held for as long as this process may write: whoever would remove half a world waits for it.
      await held`select pg_advisory_xact_lock(hashtext('healthfund demo making'))`
      await play(services, new URL(setup).searchParams.get('token') ?? '')
    })
  } finally {
    await services.close()
  }
}

/** Public for a test, which plays it in a world of its own. */
export async function play(services: Services, token: string) {
  const sql = services.sql.owner
  const [{ now }] = await sql<[{ now: string }]>`select now()::text as now`
  const plan = planOf(new Date(now))
  const { today } = plan
  await sql`insert into demo_world (logins) values (${sql.json(logins)})`
  await services.completeSetup({ token, ...provider, password })
  const stage = openStage(services, today)
  await new Timeline(sql, today).play(plan, stage, now)
  await moveDays(sql)
  await catchUp(stage)
  await readNews(stage)
  await requestReports(stage, provider.email)
  await Promise.all([admin, employee].map(({ email }) => stage.givePassword(email, password)))
  await stage.close()
  await writeRecord(sql)
  await sealAll(sql)
  await sql`update demo_world set finished_at = now()`
  await sql`analyze`
}

/** The whole year, as it will be played at this moment. */
export function planOf(moment: Date): DemoPlan {
  const plan = DemoPlan.at(moment, companies)
  for (const company of companies) story(plan, { company, id: '', people: staffOf(plan, company) })
  plan.at(daysAfter(plan.today, -4), undefined, { name: 'sign_up' }, (stage) =>
    stage.signUp('tom.alder@healthfund.example', { full_name: 'Tom Alder', role: 'super_admin' }),
  )
  return plan
}

/** Everything that will happen at a company, planned for its days. */
function story(plan: DemoPlan, staff: Staff) {
  const { company } = staff
  const { today } = plan
  const first = company.second_year ? { ...company, month: company.month + 12 } : company
  plan.at(arrivalDay(first, today), company, { name: 'found' }, async (stage) => {
    staff.id = await foundCompany(stage, company, provider.email)
    await changePlan(stage, company, yearOf(first, today))
  })
  if (company.second_year) firstYear(plan, staff, provider.email)
  else bringIn(plan, staff)
  fund(plan, staff, provider.email)
  accountStates(plan, staff)
  const kin = families(plan, staff)
  if (company.ends !== 'pending') handle(plan, staff, claimsOf(plan, staff, kin))
  if (company === aurora) healthChecks(plan, staff, provider.email)
  if (company.ends === 'suspended') {
    plan.at(
      daysAfter(today, -suspended_days),
      company,
      { name: 'suspend_company' },
      async (stage) => {
        await (await stage.asConfirmed(provider.email)).companies.suspend({ id: staff.id })
      },
    )
  }
}
