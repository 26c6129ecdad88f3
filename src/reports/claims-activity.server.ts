// Claims activity: what the period's claims did to the money, by month, category and company.
import type { Tx } from '#lib/db.server.ts'
import type { Cell, Chart, Document, Sheet } from './document.ts'
import {
  categories,
  categoryNames,
  currenciesOf,
  Sums,
  type Category,
  type Scope,
} from './gather.server.ts'

type Parts = Pick<Document, 'figures' | 'charts' | 'sheets'> & { hides: boolean }
type Found = {
  currency: string
  month: string | null
  category: Category | null
  company_id: string | null
  event: string
  entries: number
  cents: number
  people: number
}

const measures = [
  ['claim_held', 'Submitted'],
  ['claim_approved', 'Approved'],
  ['claim_released', 'Given back'],
  ['claim_paid', 'Paid'],
] as const

export async function claimsActivity(tx: Tx, scope: Scope[], months: string[]): Promise<Parts> {
  const sums = await sumsOf(tx, scope, months)
  const cells = (place: string, currency: string): Cell[] =>
    measures.flatMap(([event]) => [
      sums.show(`${event} ${place}`, ({ entries }) => entries),
      sums.show(`${event} ${place}`, ({ cents }) => ({ cents, currency })),
    ])
  const by_month = sheet('By month', { title: 'Month', kind: 'month' })
  const by_category = sheet('By category', { title: 'Category', kind: 'text' })
  const by_company = sheet('By company', { title: 'Company', kind: 'text' })
  const figures: Document['figures'] = []
  for (const currency of currenciesOf(scope)) {
    const whole: Cell[] = [currency, 'All', ...cells(currency, currency)]
    for (const month of months) {
      by_month.rows.push([currency, month, ...cells(`${currency} ${month}`, currency)])
    }
    for (const category of categories) {
      const place = `${currency} ${category}`
      by_category.rows.push([currency, categoryNames[category], ...cells(place, currency)])
    }
    for (const { company_id, name } of scope.filter((c) => c.currency === currency)) {
      by_company.rows.push([currency, name, ...cells(`${currency} ${company_id}`, currency)])
    }
    for (const each of [by_month, by_category, by_company])
      each.sums.push(each.rows.push(whole) - 1)
    for (const [at, [, name]] of measures.entries()) {
      const value = whole[3 + at * 2] ?? null
      const entries = whole[2 + at * 2]
      const note = typeof entries === 'number' ? `${entries} · ${currency}` : currency
      figures.push({ label: name, value, kind: 'money', note })
    }
  }
  const charts = currenciesOf(scope)
    .slice(0, 3)
    .map((currency) => chartOf(sums, currency, months))
  return { figures, charts, sheets: [by_month, by_category, by_company], hides: sums.hides }
}

const sheet = (name: string, second: Sheet['columns'][number]): Sheet => ({
  name,
  columns: [
    { title: 'Currency', kind: 'text' },
    second,
    ...measures.flatMap(([, measure]): Sheet['columns'] => [
      { title: `${measure}, number`, kind: 'count' },
      { title: measure, kind: 'money' },
    ]),
  ],
  rows: [],
  sums: [],
})

async function sumsOf(tx: Tx, scope: Scope[], months: string[]): Promise<Sums> {
  const found = await tx<Found[]>`
    select currency, month, category, company_id, event, sum(entries)::bigint as entries,
      sum(cents)::bigint as cents, count(distinct person_id) as people
    from moved where event = any (${measures.map(([event]) => event)})
    group by grouping sets ((currency, event), (currency, event, month), (currency, event, category),
      (currency, event, company_id))`
  const sums = new Sums()
  for (const { currency, event, month, category, company_id, ...sum } of found) {
    sums.add([event, currency, month ?? category ?? company_id].filter(Boolean).join(' '), sum)
  }
  for (const currency of currenciesOf(scope)) {
    for (const [event] of measures) {
      const whole = `${event} ${currency}`
      const companies = scope.filter((c) => c.currency === currency)
      const parts = [months, [...categories], companies.map(({ company_id }) => company_id)]
      for (const each of parts)
        sums.line(
          whole,
          each.map((part) => `${whole} ${part}`),
        )
    }
  }
  return sums
}

function chartOf(sums: Sums, currency: string, months: string[]): Chart {
  const values = (event: string) =>
    months.map((month) => {
      const name = `${event} ${currency} ${month}`
      return sums.isHidden(name) ? null : sums.get(name).cents
    })
  return {
    title: `Submitted, approved and paid by month, ${currency}`,
    shape: 'bars',
    labels: months,
    series: [
      { name: 'Submitted', tone: 'secondary', values: values('claim_held') },
      { name: 'Approved', tone: 'primary', values: values('claim_approved') },
      { name: 'Paid', tone: 'accent', values: values('claim_paid') },
    ],
    unit: { currency },
  }
}
