// The fund allocation in words: what happened to the money, and what has to be decided about it.
import { isMoney, type Cell, type ReportSheet, type View } from './document.ts'
import type { Scope } from './gather.server.ts'
import {
  allocate_more,
  ask,
  no_company,
  percent,
  plural,
  runsOut,
  say,
  toActivate,
} from './sentences.ts'

export function fundHappenings(
  views: View[],
  by_category: ReportSheet,
  waiting: ReportSheet | undefined,
) {
  const [main] = views
  if (!main) return [no_company]
  const [managed, allocated, in_period, used, share] = main.figures.map(({ value }) => value)
  const companies = plural(main.companies, 'company', 'companies')
  const claims = waiting?.rows.find(([currency, c]) => currency === main.currency && c === 'All')
  const used_of = say`${used} is used so far, ${percent(share)} of what is allocated.`
  return [
    ...say`${managed} is in the funds of ${companies}; ${allocated} of it is allocated.`,
    ...say`${in_period} was used in the period.`,
    ...(used_of.length > 0
      ? used_of
      : ['What is used is not shown: fewer than five people used it.']),
    ...mostUsed(by_category, main.currency),
    ...say`${claims?.[3]} is approved and to be paid; ${claims?.[2]} waits for a decision.`,
  ]
}

function mostUsed({ rows }: ReportSheet, currency: string): string[] {
  const of = rows.filter((row) => row[0] === currency && row[1] !== 'All')
  const cents = (row: Cell[]) => centsOf(row[5])
  const [most] = of.toSorted((one, other) => cents(other) - cents(one))
  if (!most || cents(most) === 0) return []
  return say`Most is used so far in ${most[1]}: ${most[5]}, ${percent(most[8])} of its allocation.`
}

export function fundDecisions(
  scope: Scope[],
  { rows }: ReportSheet,
  fundedOf: (company: Scope) => number,
): string[] {
  const running_out = rows.flatMap(([, company, , category, , , , , , , share]) =>
    typeof share === 'number' && runsOut(share) && category !== 'All'
      ? say`${company} has used ${percent(share)} of its allocation to ${category}: ${allocate_more}`
      : [],
  )
  const wholes = new Map(
    rows.filter((row) => row[3] === 'All').map((row) => [JSON.stringify([row[0], row[1]]), row]),
  )
  const active = scope.filter(({ status }) => status === 'active')
  const of = active.map((company) => {
    const { name, currency, employees } = company
    const whole = wholes.get(JSON.stringify([currency, name]))
    const [allocated, free] = [centsOf(whole?.[4]), centsOf(whole?.[6])]
    const funded = fundedOf(company)
    return { name, currency, employees, funded, allocated, free, loose: funded - allocated }
  })
  const amounts = (field: 'loose' | 'free', which: (one: (typeof of)[number]) => boolean) =>
    of
      .filter(which)
      .flatMap((one) => say`${one.name} (${{ cents: one[field], currency: one.currency }})`)
  const pending = scope.filter(({ status }) => status === 'pending')
  return [
    ...running_out,
    ...ask(
      amounts('loose', ({ loose }) => loose > 0),
      (list) => `Paid in, but in no category: ${list}. Ask HR to allocate it?`,
    ),
    ...ask(
      amounts('free', ({ free, allocated }) => free * 10 > allocated),
      (list) => `Allocated, but granted to nobody: ${list}. Is it planned for?`,
    ),
    ...ask(
      of.filter(({ funded, employees }) => funded === 0 && employees > 0).map(({ name }) => name),
      (list) => `Nothing paid in yet: ${list}. Ask for the contribution?`,
    ),
    ...toActivate(pending.map(({ name }) => name)),
  ]
}

const centsOf = (cell: Cell | undefined) => (cell && isMoney(cell) ? cell.cents : 0)
