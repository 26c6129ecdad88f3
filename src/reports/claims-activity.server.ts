// Claims activity: what the period's claims did to the money, what was decided, of which types, and what became of them.
import { categories, type Category, categoryNames } from '#categories.ts'
import type { Tx } from '#lib/db.server.ts'
import { claimDecisions, claimHappenings } from './claim-sentences.ts'
import type { Cell, Chart, Figure, ReportParts, ReportSheet, View } from './document.ts'
import { statusSheet } from './claim-statuses.server.ts'
import { decisionColumns, decisionsOf, sla_note, type Decisions } from './decisions.server.ts'
import { currenciesOf, spanOf, Sums, type Period, type Scope } from './gather.server.ts'

type ActivityRow = {
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

export async function claimsActivity(
  tx: Tx,
  scope: Scope[],
  months: string[],
  period: Period,
): Promise<ReportParts> {
  const sums = await sumsOf(tx, scope, months, period)
  const decisions = await decisionsOf(tx, sums, scope, { months, period })
  const statuses = await statusSheet(tx, scope, period)
  const cells = (place: string, currency: string): Cell[] =>
    measures.flatMap(([event]) => [
      sums.show(`${event} ${place}`, ({ entries }) => entries),
      sums.show(`${event} ${place}`, ({ cents }) => ({ cents, currency })),
    ])
  const by_month = sheet('By month', { title: 'Month', kind: 'month' })
  const by_category = sheet('By category', { title: 'Category', kind: 'text' })
  const by_company = sheet('By company', { title: 'Company', kind: 'text' })
  const views: View[] = []
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
    views.push(viewOf(currency, scope, whole, decisions))
  }
  const types = byType(scope, sums, decisions)
  const [main] = currenciesOf(scope)
  return {
    happened: claimHappenings(views, types),
    views,
    decide: claimDecisions(views, types, statuses.sheet),
    charts: main ? [chartOf(sums, main, months), typesChart(sums, decisions, main)] : [],
    sheets: [
      by_month,
      by_category,
      ...(scope.length > 1 ? [by_company] : []),
      decisionsByMonth(scope, months, decisions),
      types,
      statuses.sheet,
    ],
    hides: sums.hides || statuses.hides,
    notes: [sla_note],
  }
}

function viewOf(currency: string, scope: Scope[], whole: Cell[], decisions: Decisions): View {
  const figures: Figure[] = measures.flatMap(([, label], at): Figure[] => [
    { label, kind: 'money', value: whole[3 + at * 2] ?? null, before: null },
    { label: `${label}, number`, kind: 'count', value: whole[2 + at * 2] ?? null, before: null },
  ])
  const decided = decisions.cells(currency)
  const more = decisionColumns.flatMap(({ title: label, kind }, at): Figure[] =>
    headlines.includes(label) ? [{ label, kind, value: decided[at] ?? null, before: null }] : [],
  )
  const all = [...figures.filter(({ label }) => !label.startsWith('Given back')), ...more]
  const first = ['Submitted', 'Approved', 'Paid', 'Approval rate']
  const rank = ({ label }: Figure) => (first.includes(label) ? first.indexOf(label) : first.length)
  return {
    currency,
    companies: scope.filter((company) => company.currency === currency).length,
    figures: all.toSorted((one, other) => rank(one) - rank(other)),
  }
}
const headlines = ['Approval rate', 'Working days to decide', 'Within target']

/** How the decisions went, month by month: also part of the trends. */
export function decisionsByMonth(
  scope: Scope[],
  months: string[],
  decisions: Decisions,
): ReportSheet {
  const sheet: ReportSheet = {
    name: 'Decisions by month',
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: 'Month', kind: 'month' },
      ...decisionColumns,
    ],
    rows: [],
    sums: [],
  }
  for (const currency of currenciesOf(scope)) {
    for (const month of months) {
      sheet.rows.push([currency, month, ...decisions.cells(`${currency} ${month}`)])
    }
    sheet.sums.push(sheet.rows.push([currency, 'All', ...decisions.cells(currency)]) - 1)
  }
  return sheet
}

function byType(scope: Scope[], sums: Sums, decisions: Decisions): ReportSheet {
  const rows = currenciesOf(scope).flatMap((currency) =>
    categories.flatMap((category) => {
      const place = `${currency} ${category}`
      return (decisions.types.get(place) ?? []).map((type): Cell[] => {
        const of = (measure: string) => `${measure} ${place} ${type}`
        const number = (measure: string) => sums.show(of(measure), ({ entries }) => entries)
        const money = (measure: string) =>
          sums.show(of(measure), ({ cents }) => ({ cents, currency }))
        return [
          currency,
          categoryNames[category],
          type,
          number('claim_held'),
          money('claim_held'),
          number('claim_approved'),
          money('claim_approved'),
          number('rejected'),
          decisions.approvalRate(`${place} ${type}`),
        ]
      })
    }),
  )
  return { name: 'By type', columns: typeColumns, rows, sums: [] }
}

const typeColumns: ReportSheet['columns'] = [
  { title: 'Currency', kind: 'text' },
  { title: 'Category', kind: 'text' },
  { title: 'Type', kind: 'text' },
  { title: 'Submitted, number', kind: 'count' },
  { title: 'Submitted', kind: 'money' },
  { title: 'Approved, number', kind: 'count' },
  { title: 'Approved', kind: 'money' },
  { title: 'Rejected, number', kind: 'count' },
  { title: 'Approval rate', kind: 'percent' },
]

const charted_types = 12

/** The most claimed ones, of every category. */
function typesChart(sums: Sums, decisions: Decisions, currency: string): Chart {
  const shown = categories
    .flatMap((category) =>
      (decisions.types.get(`${currency} ${category}`) ?? []).map((type) => ({
        label: `${type}, ${categoryNames[category]}`,
        name: `claim_held ${currency} ${category} ${type}`,
      })),
    )
    .filter(({ name }) => !sums.isHidden(name) && sums.get(name).entries > 0)
    .sort((a, b) => sums.get(b.name).entries - sums.get(a.name).entries)
    .slice(0, charted_types)
  const values = shown.map(({ name }) => sums.get(name).entries)
  return {
    title: `Claims submitted by type, ${currency}`,
    shape: 'horizontal_bars',
    labels: shown.map(({ label }) => label),
    series: [{ name: 'Submitted', tone: 'primary', values }],
    unit: 'count',
  }
}

const sheet = (name: string, second: ReportSheet['columns'][number]): ReportSheet => ({
  name,
  columns: [
    { title: 'Currency', kind: 'text' },
    second,
    ...measures.flatMap(([, measure]): ReportSheet['columns'] => [
      { title: `${measure}, number`, kind: 'count' },
      { title: measure, kind: 'money' },
    ]),
  ],
  rows: [],
  sums: [],
})

async function sumsOf(tx: Tx, scope: Scope[], months: string[], period: Period): Promise<Sums> {
  const found = await tx<ActivityRow[]>`
    select currency, month, category, company_id, event, sum(entries)::bigint as entries,
      sum(cents)::bigint as cents, count(distinct person_id) as people
    from private.report_movements(${spanOf(tx, period)})
    where event = any (${measures.map(([event]) => event)})
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
