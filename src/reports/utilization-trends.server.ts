// Utilization trends: how the year goes, month by month and category by category.
import { categories, type Category, categoryNames } from '#categories.ts'
import type { Tx } from '#lib/db.server.ts'
import { percentOf } from '#lib/percent.ts'
import {
  suppressed,
  type Cell,
  type Chart,
  type ReportParts,
  type ReportSheet,
  type View,
} from './document.ts'
import { trendDecisions, trendHappenings } from './trend-sentences.ts'
import { decisionsByMonth } from './claims-activity.server.ts'
import { decisionsOf, sla_note } from './decisions.server.ts'
import {
  currenciesOf,
  isEmployeeOn,
  spanOf,
  Sums,
  type Period,
  type Scope,
  type Sum,
} from './gather.server.ts'

type TrendKey = { currency: string; month: string; category: Category | null }
const nameOf = ({ currency, month, category }: TrendKey) =>
  `${currency} ${month} ${category ?? '*'}`

export async function utilizationTrends(
  tx: Tx,
  scope: Scope[],
  months: string[],
  period: Period,
): Promise<ReportParts> {
  const allocated = new Map<string, number>()
  const sums = await sumsOf(tx, scope, { months, period }, allocated)
  const decisions = await decisionsOf(tx, sums, scope, { months, period })
  const employees = await employeesOf(tx, period)
  const shown = months.filter((month) => employees.has(month))
  const share = (place: string): Cell =>
    sums.show(`used ${place}`, ({ cents }) => percentOf(cents, allocated.get(place) ?? 0))
  const by_month: ReportSheet = { name: 'By month', columns: monthColumns, rows: [], sums: [] }
  const by_category: ReportSheet = {
    name: 'By category',
    columns: categoryColumns,
    rows: [],
    sums: [],
  }
  for (const currency of currenciesOf(scope)) {
    const money = (name: string): Cell => sums.show(name, ({ cents }) => ({ cents, currency }))
    for (const month of shown) {
      const place = nameOf({ currency, month, category: null })
      const people = employees.get(month)?.get(currency) ?? 0
      by_month.rows.push([
        currency,
        month,
        people,
        sums.show(`claimants ${currency} ${month}`, (sum) => sum.people),
        sums.show(`claimants ${currency} ${month}`, (sum) => percentOf(sum.people, people)),
        { cents: allocated.get(place) ?? 0, currency },
        money(`used ${place}`),
        share(place),
        money(`approved ${place}`),
      ])
      for (const category of categories) {
        const place = nameOf({ currency, month, category })
        by_category.rows.push([
          currency,
          month,
          categoryNames[category],
          { cents: allocated.get(place) ?? 0, currency },
          money(`used ${place}`),
          share(place),
          money(`approved ${place}`),
        ])
      }
    }
  }
  const views = viewsOf(by_month, scope)
  const [main] = currenciesOf(scope)
  return {
    happened: trendHappenings(views, by_month),
    views,
    decide: trendDecisions(by_category),
    charts: main ? [chartOf(main, shown, share), usersChart(main, by_month)] : [],
    sheets: [by_month, by_category, decisionsByMonth(scope, shown, decisions)],
    hides: sums.hides,
    notes: [sla_note],
  }
}

const monthColumns: ReportSheet['columns'] = [
  { title: 'Currency', kind: 'text' },
  { title: 'Month', kind: 'month' },
  { title: 'Employees', kind: 'count', backdrop: true },
  { title: 'People who claimed', kind: 'count' },
  { title: 'Participation', kind: 'percent' },
  { title: 'Allocated', kind: 'money', backdrop: true },
  { title: 'Used so far', kind: 'money' },
  { title: 'Utilization', kind: 'percent' },
  { title: 'Approved in the month', kind: 'money' },
]
const categoryColumns: ReportSheet['columns'] = [
  { title: 'Currency', kind: 'text' },
  { title: 'Month', kind: 'month' },
  { title: 'Category', kind: 'text' },
  { title: 'Allocated', kind: 'money', backdrop: true },
  { title: 'Used so far', kind: 'money' },
  { title: 'Utilization', kind: 'percent' },
  { title: 'Approved in the month', kind: 'money' },
]

async function sumsOf(
  tx: Tx,
  scope: Scope[],
  { months, period }: { months: string[]; period: Period },
  allocated: Map<string, number>,
): Promise<Sums> {
  const sums = new Sums()
  const ended = await tx<(TrendKey & { allocated: number; used: number; people: number })[]>`
    with ended as (select currency, month, category, sum(allocated)::bigint as allocated,
        sum(used)::bigint as used from private.report_trend(${spanOf(tx, period)})
        group by grouping sets ((currency, month), (currency, month, category))),
    person as (select e.currency, e.month, u.category, u.person_id
        from private.report_month_ends(${spanOf(tx, period)}) e
        join private.report_usage(${spanOf(tx, period)}) u on u.company_id = e.company_id
          and u.plan_year = e.plan_year and u.month <= e.month
        group by grouping sets ((e.currency, e.month, u.person_id),
          (e.currency, e.month, u.category, u.person_id))
        having sum(u.cents) <> 0),
    people as (select currency, month, category, count(*) as people from person
        group by currency, month, category)
    select e.currency, e.month, e.category, e.allocated, e.used, coalesce(p.people, 0) as people
    from ended e left join people p on p.currency = e.currency and p.month = e.month
      and p.category is not distinct from e.category`
  for (const { allocated: all, used: cents, people, ...place } of ended) {
    allocated.set(nameOf(place), all)
    sums.add(`used ${nameOf(place)}`, { cents, people })
  }
  type TrendMovement = TrendKey & { event: string; employees: number } & Sum
  const moved = await tx<TrendMovement[]>`
    select event, m.currency, m.month, category, sum(cents)::bigint as cents,
      sum(entries)::bigint as entries, count(distinct person_id) as people,
      count(distinct person_id) filter (where ${isEmployeeOn(tx, 'e')}) as employees
    from private.report_movements(${spanOf(tx, period)}) m
    join private.report_month_ends(${spanOf(tx, period)}) e
      on e.company_id = m.company_id and e.month = m.month
    join profiles p on p.company_id = m.company_id and p.id = m.person_id
    where event in ('claim_approved', 'claim_held')
    group by grouping sets ((event, m.currency, m.month), (event, m.currency, m.month, category))`
  for (const { event, employees, cents, entries, people, ...place } of moved) {
    if (event === 'claim_approved')
      sums.add(`approved ${nameOf(place)}`, { cents, entries, people })
    else if (place.category === null)
      sums.add(`claimants ${place.currency} ${place.month}`, {
        people: employees,
        entries: employees,
      })
  }
  addLines(sums, scope, months)
  return sums
}

/** Months add up over categories; and what a month adds is what lies between two ends of months. */
function addLines(sums: Sums, scope: Scope[], months: string[]) {
  for (const currency of currenciesOf(scope)) {
    for (const [at, month] of months.entries()) {
      const name = (category: Category | null, of = month) =>
        nameOf({ currency, month: of, category })
      for (const measure of ['used', 'approved']) {
        sums.line(
          `${measure} ${name(null)}`,
          categories.map((category) => `${measure} ${name(category)}`),
        )
      }
      const before = months[at - 1]
      if (!before) continue
      for (const category of [null, ...categories]) {
        const parts = [`used ${name(category, before)}`, `approved ${name(category)}`]
        sums.line(`used ${name(category)}`, parts)
      }
    }
  }
}

async function employeesOf(tx: Tx, period: Period): Promise<Map<string, Map<string, number>>> {
  const found = await tx<{ month: string; currency: string; people: number }[]>`
    select e.month, e.currency, count(p.id) as people
    from private.report_month_ends(${spanOf(tx, period)}) e
      left join profiles p on p.company_id = e.company_id and ${isEmployeeOn(tx, 'e')}
    group by e.month, e.currency`
  const counts = new Map<string, Map<string, number>>()
  for (const { month, currency, people } of found) {
    counts.set(month, (counts.get(month) ?? new Map<string, number>()).set(currency, people))
  }
  return counts
}

/** The figures at the end of the last month. */
function viewsOf(by_month: ReportSheet, scope: Scope[]): View[] {
  return currenciesOf(scope).flatMap((currency) => {
    const last = by_month.rows.findLast(([of]) => of === currency)
    if (!last) return []
    const value = (at: number) => ({ value: last[at] ?? null, before: null })
    return {
      currency,
      companies: scope.filter((company) => company.currency === currency).length,
      figures: [
        { label: 'Utilization', kind: 'percent' as const, ...value(7) },
        { label: 'Used', kind: 'money' as const, value: last[6] ?? suppressed, before: null },
        { label: 'Allocated', kind: 'money' as const, ...value(5) },
        { label: 'Employees', kind: 'count' as const, ...value(2) },
        { label: 'Participation in the last month', kind: 'percent' as const, ...value(4) },
      ],
    }
  })
}

function usersChart(currency: string, { rows }: ReportSheet): Chart {
  const of = rows.filter(([each]) => each === currency)
  return {
    title: `People who claimed, by month, ${currency}`,
    shape: 'bars',
    labels: of.map(([, month]) => (typeof month === 'string' ? month : '')),
    series: [
      {
        name: 'People who claimed',
        tone: 'primary',
        values: of.map(({ 3: people }) => (typeof people === 'number' ? people : null)),
      },
    ],
    unit: 'count',
  }
}

function chartOf(currency: string, months: string[], share: (place: string) => Cell): Chart {
  return {
    title: `Utilization by category, ${currency}`,
    shape: 'lines',
    labels: months,
    series: categories.map((category) => ({
      name: categoryNames[category],
      tone: category,
      values: months.map((month) => {
        const value = share(nameOf({ currency, month, category }))
        return typeof value === 'number' ? value : null
      }),
    })),
    unit: 'percent',
  }
}
