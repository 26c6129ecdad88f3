// Companies beside each other, in words.
import { in_time_min } from './claim-sentences.ts'
import type { Cell, ReportSheet, View } from './document.ts'
import type { Scope } from './gather.server.ts'
import { ask, no_company, percent, plural, say, toActivate } from './sentences.ts'

export function companyHappenings(scope: Scope[], views: View[], { rows }: ReportSheet): string[] {
  const [main] = views
  if (!main) return [no_company]
  const employees = scope.reduce((sum, company) => sum + company.employees, 0)
  const active = scope.filter(({ status }) => status === 'active').length
  const [, share, participation, in_time] = main.figures.map(({ value }) => value)
  const shareOf = (row: Cell[]) => (typeof row[6] === 'number' ? row[6] : 0)
  const [first] = rows
    .filter((row) => row[2] !== null)
    .toSorted((one, other) => shareOf(other) - shareOf(one))
  const companies = plural(scope.length, 'company', 'companies')
  return [
    ...say`${companies} with ${plural(employees, 'employee', 'employees')}.`,
    ...(active < scope.length ? say`${active} of them ${active === 1 ? 'is' : 'are'} active.` : []),
    ...say`Of what is allocated in ${main.currency}, ${percent(share)} is used.`,
    ...(scope.length > 1 && first && shareOf(first) > 0
      ? say`${first[1]} uses most of what is allocated to it: ${percent(first[6])}.`
      : []),
    ...say`${percent(participation)} of the people in ${main.currency} companies claimed something.`,
    ...say`${percent(in_time)} of the decisions there came within the target.`,
  ]
}

/** Percent of the people. Where fewer claim, many don’t know what they have. */
const participation_min = 25

export function companyDecisions({ rows }: ReportSheet, claims: ReportSheet): string[] {
  const pending = rows.filter(([, , status]) => status === 'Pending')
  const unaware = rows.filter(([, , status, employees]) => status === 'Active' && employees !== 0)
  const late = claims.rows.filter(([, name]) => name !== 'All')
  return [
    ...ask(
      lowest(late, -1, in_time_min),
      (list) => `Decisions come late at ${list}: does HR need help?`,
    ),
    ...ask(
      lowest(unaware, 8, participation_min),
      (list) => `Few people claimed at ${list}: do they know about their fund?`,
    ),
    ...toActivate(
      pending.flatMap(([, name, , people]) => say`${name} (${plural(people, 'person', 'people')})`),
    ),
  ]
}

/** The companies whose share in this column is below, the lowest first; hidden ones are not named. */
function lowest(rows: Cell[][], column: number, least: number): string[] {
  return rows
    .flatMap((row) => {
      const share = row.at(column)
      return typeof share === 'number' && share < least ? [{ name: row[1] ?? null, share }] : []
    })
    .toSorted((one, other) => one.share - other.share)
    .flatMap(({ name, share }) => say`${name} (${percent(share)})`)
}
