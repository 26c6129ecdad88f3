// Employees of the demo companies: imported from a file by HR, as in a real rollout; joiners are added as they come.
import { workOnImport } from '#employees/jobs.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { aurora, arrivalDay, yearOf, type PlannedCompany } from './companies.ts'
import { daysAfter, daysBetween, workday } from './days.ts'
import { ibanOf } from './ibans.ts'
import { employee } from './logins.ts'
import { namesIn } from './names.ts'
import { seededRandom } from './random.ts'
import type { PlannedPerson, DemoPlan } from './plan.ts'
import type { DemoStage } from './stage.ts'

export type Staff = {
  company: PlannedCompany
  id: string
  people: PlannedPerson[]
  /** Claim types of the company, once one of its people has looked. */
  types?: { id: string; name: string; category: string }[]
}

/** Each company has its own: what happens at one changes nothing at another. */
export const chanceOf = ({ domain }: PlannedCompany) =>
  seededRandom(Array.from(domain).reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7))

/** Everybody of a company, oldest first; about one in nine came during the year. */
export function staffOf({ today }: DemoPlan, company: PlannedCompany): PlannedPerson[] {
  const chance = chanceOf(company)
  const begins = yearOf(company, today)
  const name = namesIn(chance, company.domain)
  const passed = Math.max(daysBetween(begins, today) - 14, 1)
  const people = Array.from({ length: company.people }, (_, at): PlannedPerson => {
    const is_new = at > 2 && chance.chance(11)
    const days = is_new ? chance.whole(8, passed) : -chance.whole(30, 2900)
    return {
      ...name(),
      department: chance.pick(company.departments),
      phone: chance.chance(70) ? `${company.phone} ${chance.whole(1000, 9999)}` : undefined,
      joined_on: workday(daysAfter(begins, days)),
      // One in twenty has not said where to.
      iban: at % 20 === 11 ? undefined : ibanOf(company.country, chance),
      here_on: '',
    }
  })
  if (company === aurora) {
    const known = { department: 'Engineering', joined_on: daysAfter(begins, -1130), here_on: '' }
    people[0] = { ...employee, ...known, iban: people[0]!.iban, phone: `${company.phone} 4127` }
  }
  return people.sort((a, b) => a.joined_on.localeCompare(b.joined_on))
}

/** Plans the arrivals of everybody: those of before the year in one file, the others in their weeks. */
export function bringIn(plan: DemoPlan, staff: Staff) {
  const { today } = plan
  const begins = yearOf(staff.company, today)
  const before = staff.people.filter(({ joined_on }) => joined_on < begins)
  const arrive = (people: PlannedPerson[], on: string) => {
    for (const person of people) person.here_on = on
    plan.at(on, staff.company, { name: 'bring_in' }, (stage) => bring(stage, staff, people))
  }
  arrive(before, daysAfter(arrivalDay(staff.company, today), 4))
  const files = new Map<number, PlannedPerson[]>()
  for (const person of staff.people.filter((one) => !before.includes(one))) {
    // Aurora has joiners each month, a small company a few times a year.
    const month = Math.floor(daysBetween(begins, person.joined_on) / 30)
    const file = staff.company === aurora ? month : Math.floor(month / 4)
    files.set(file, [...(files.get(file) ?? []), person])
  }
  for (const people of files.values()) arrive(people, people.at(-1)!.joined_on)
}

const log = makeLog('silent')

async function bring(stage: DemoStage, { company, id }: Staff, people: PlannedPerson[]) {
  if (people.length === 0) return
  const hr = await stage.as(company.admins[0]!.email)
  const lines = people.map((p) => [p.full_name, p.email, p.phone ?? '', p.department].join(','))
  const file = new Blob([['name,email,phone,department', ...lines].join('\n')], {
    type: 'text/csv',
  })
  const file_name = people.length > 20 ? 'people.csv' : 'joiners.csv'
  const { id: import_id } = await hr.imports.upload({ file_name }, { file })
  await hr.imports.start({ id: import_id })
  await workOnImport({ company_id: id, id: import_id }, { sql: stage.sql, log })
  await stage.sql`
    update profiles p set joined_on = w.joined_on
    from json_to_recordset(${stage.sql.json(people)}::json) as w (email text, joined_on date)
    where p.company_id = ${id} and p.email = w.email`
  await stage.settleIn(people)
}

/** Four of Aurora: two who left, one who will, one who is suspended. */
export const unusual = ({ company, people }: Staff): string[] =>
  company === aurora
    ? [31, 87, 140, 201].map(
        (at) => people.filter(({ email }) => email !== employee.email)[at]!.email,
      )
    : []

/** Some of Aurora's are not simply there: on their way in, out, or kept out. */
export function accountStates(plan: DemoPlan, staff: Staff) {
  const { company } = staff
  if (company !== aurora) return
  const { today } = plan
  const hrOf = (stage: DemoStage) => stage.as(company.admins[0]!.email)
  const find = async (stage: DemoStage, email: string) => {
    const found = await (await hrOf(stage)).employees.list({ search: email })
    const [person] = found.employees
    if (!person) throw new Error(`${email} is not at ${company.name}`)
    return person
  }
  const [first, second, third, fourth] = unusual(staff) as [string, string, string, string]
  const leave = (email: string, days_ago: number, left_on: string) =>
    plan.at(
      daysAfter(today, -days_ago),
      company,
      { name: 'leave', email, left_on },
      async (stage) => {
        const { id, version } = await find(stage, email)
        await (await hrOf(stage)).employees.leave({ id, version, left_on })
      },
    )
  leave(first, 70, daysAfter(today, -45))
  leave(second, 40, daysAfter(today, -20))
  leave(third, 9, daysAfter(today, 25))
  const kept_out = { name: 'suspend_person', email: fourth } as const
  plan.at(daysAfter(today, -16), company, kept_out, async (stage) => {
    await (await hrOf(stage)).employees.suspend({ id: (await find(stage, fourth)).id })
  })
  for (const [days_ago, full_name] of [
    [6, 'Lotte Reimers'],
    [2, 'Emre Aydin'],
  ] as const)
    plan.at(daysAfter(today, -days_ago), company, { name: 'sign_up' }, (stage) =>
      stage.signUp(`${full_name.split(' ')[0]!.toLowerCase()}@aurora.example`, { full_name }),
    )
  plan.at(daysAfter(today, -3), company, { name: 'add' }, async (stage) => {
    const department = 'Customer Care'
    for (const full_name of ['Greta Lindholm', 'Tariq Haddad', 'Pia Sommer']) {
      const email = `${full_name.replace(' ', '.').toLowerCase()}@aurora.example`
      await (await hrOf(stage)).employees.add({ full_name, email, department })
    }
  })
}
