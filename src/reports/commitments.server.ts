// The money in claims at the end of the period: waiting, to be paid, paid.
import { categories, type Category, categoryNames } from '#categories.ts'
import type { Tx } from '#lib/db.server.ts'
import type { Cell, ReportSheet } from './document.ts'
import { currenciesOf, spanOf, Sums, type Period, type Scope } from './gather.server.ts'

export type CentsByKind = Record<string, number>
export type At = (company_id: string, category: Category | null) => CentsByKind

/** The measures, and the kinds of account of which each is the sum: what is used as `used_kinds` of the ledger has it. */
const made_of = {
  used: ['payable', 'paid'],
  held: ['held'],
  payable: ['payable'],
  paid: ['paid'],
  overpaid: ['overpaid'],
}
type Measure = keyof typeof made_of
const measures: Measure[] = ['used', 'held', 'payable', 'paid', 'overpaid']

export const sumOf = (measure: Measure, kinds: CentsByKind): number =>
  made_of[measure].reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0)

const behind = (tx: Tx, measure: Measure) =>
  tx`count(distinct person_id) filter (where ${tx(measure)} <> 0) as ${tx(measure)}`

/** How many people are behind what is used and what waits, in each place and in each sum of places. */
export async function claimantSums(tx: Tx, scope: Scope[], period: Period, at: At): Promise<Sums> {
  const sums = new Sums()
  type CommittedPeople = { currency: string; company: string; category: string } & Record<
    Measure,
    number
  >
  const found = await tx<CommittedPeople[]>`
    select currency, coalesce(company_id::text, '*') as company, coalesce(category, '*') as category,
      ${behind(tx, 'used')}, ${behind(tx, 'held')}, ${behind(tx, 'payable')}, ${behind(tx, 'paid')},
      ${behind(tx, 'overpaid')}
    from private.report_claimants(${spanOf(tx, period)})
    group by grouping sets ((currency), (currency, category), (currency, company_id),
      (currency, company_id, category))`
  const people = new Map(found.map((f) => [`${f.currency} ${f.company} ${f.category}`, f]))
  for (const measure of measures) {
    const totals = new Map<string, number>()
    const name = (place: string) => `${measure} ${place}`
    const parts = new Map<string, Set<string>>()
    const note = (place: string, amount: number) =>
      totals.set(place, (totals.get(place) ?? 0) + amount)
    const under = (sum: string, part: string) =>
      parts.set(sum, (parts.get(sum) ?? new Set()).add(part))
    for (const { company_id, currency } of scope) {
      for (const category of categories) {
        const amount = sumOf(measure, at(company_id, category))
        const own = `${currency} ${company_id} ${category}`
        const of_company = `${currency} ${company_id} *`
        const of_category = `${currency} * ${category}`
        const whole = `${currency} * *`
        for (const place of [own, of_company, of_category, whole]) note(place, amount)
        under(of_company, own)
        under(of_category, own)
        under(whole, of_company)
        under(`${whole} by category`, of_category)
      }
    }
    for (const [place, amount] of totals) {
      sums.add(name(place), { cents: amount, people: people.get(place)?.[measure] ?? 0 })
    }
    for (const [sum, places] of parts) {
      sums.line(name(sum.replace(' by category', '')), [...places].map(name))
    }
    if (measure !== 'used') continue
    for (const place of totals.keys()) sums.line(name(place), [`payable ${place}`, `paid ${place}`])
  }
  return sums
}

const commitment_columns: ReportSheet['columns'] = [
  { title: 'Waiting for a decision', kind: 'money' },
  { title: 'Approved, to be paid', kind: 'money' },
  { title: 'Paid so far', kind: 'money' },
]

/** The funds by category and by company: what may still be claimed from them, and what has left them. */
export function commitments(scope: Scope[], sums: Sums): ReportSheet[] {
  const cells = (place: string, currency: string): Cell[] =>
    (['held', 'payable', 'paid'] as const).map((measure) =>
      sums.show(`${measure} ${place}`, ({ cents }) => ({ cents, currency })),
    )
  const sheet = (name: string, second: string): ReportSheet => ({
    name,
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: second, kind: 'text' },
      ...commitment_columns,
    ],
    rows: [],
    sums: [],
  })
  const by_category = sheet('Claims by category', 'Category')
  const by_company = sheet('Claims by company', 'Company')
  for (const currency of currenciesOf(scope)) {
    for (const category of categories) {
      const place = `${currency} * ${category}`
      by_category.rows.push([currency, categoryNames[category], ...cells(place, currency)])
    }
    for (const { company_id, name } of scope.filter((c) => c.currency === currency)) {
      by_company.rows.push([currency, name, ...cells(`${currency} ${company_id} *`, currency)])
    }
    for (const each of [by_category, by_company]) {
      each.sums.push(each.rows.push([currency, 'All', ...cells(`${currency} * *`, currency)]) - 1)
    }
  }
  return scope.length > 1 ? [by_category, by_company] : [by_category]
}
