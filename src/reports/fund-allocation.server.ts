// Fund allocation summary: what was used in the period, where the money stands at its end, and what moved it.
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
import { fundDecisions, fundHappenings } from './fund-sentences.ts'
import {
  claimantSums,
  commitments,
  sumOf,
  type At,
  type CentsByKind,
} from './commitments.server.ts'
import { movements } from './movements.server.ts'
import { usedInPeriod } from './used-in-period.server.ts'
import { currenciesOf, spanOf, type Period, type Scope, type Sums } from './gather.server.ts'

type AccountBalance = { company_id: string; category: Category | null; kind: string; cents: number }

export async function fundAllocation(
  tx: Tx,
  scope: Scope[],
  _months: string[],
  period: Period,
): Promise<ReportParts> {
  const balances = await tx<AccountBalance[]>`
    select company_id, category, kind, cents from private.report_balances(${spanOf(tx, period)})`
  const at = (company_id: string, category: Category | null): CentsByKind => {
    const found = byPlace.get(`${company_id} ${category ?? ''}`) ?? []
    return Object.fromEntries(found.map(({ kind, cents }) => [kind, cents]))
  }
  const byPlace = Map.groupBy(balances, (s) => `${s.company_id} ${s.category ?? ''}`)
  const sums = await claimantSums(tx, scope, period, at)
  const money = (cents: number, currency: string): Cell => ({ cents, currency })

  const rowOf = (kinds: CentsByKind, place: string, currency: string): Cell[] => {
    const all = allocatedOf(kinds)
    const so_far = sumOf('used', kinds)
    return [
      money(all, currency),
      money(all - (kinds['pool'] ?? 0), currency),
      money(kinds['pool'] ?? 0, currency),
      sums.isHidden(`used ${place}`) ? suppressed : money(so_far, currency),
      sums.isHidden(`held ${place}`) ? suppressed : money(kinds['held'] ?? 0, currency),
      hidesAvailable(sums, place) ? suppressed : money(kinds['available'] ?? 0, currency),
      sums.isHidden(`used ${place}`) ? suppressed : percentOf(so_far, all),
    ]
  }
  const used = await usedInPeriod(tx, scope, period)

  const by_category: ReportSheet = {
    name: 'By category',
    columns: categoryColumns,
    rows: [],
    sums: [],
  }
  const charts: Chart[] = []
  const views: View[] = []
  for (const currency of currenciesOf(scope)) {
    const companies = scope.filter((c) => c.currency === currency)
    const each = categories.map((category) => ({
      category,
      kinds: add(companies.map((c) => at(c.company_id, category))),
    }))
    for (const { category, kinds } of each) {
      const cells = rowOf(kinds, `${currency} * ${category}`, currency)
      by_category.rows.push([currency, categoryNames[category], ...cells])
    }
    const cells = rowOf(add(each.map(({ kinds }) => kinds)), `${currency} * *`, currency)
    by_category.sums.push(by_category.rows.push([currency, 'All', ...cells]) - 1)
    const used_in_period = used.sheet.rows.find((row) => row[0] === currency && row[1] === 'All')
    views.push(
      viewOf(currency, companies, fundedBy(companies, at), [...cells, used_in_period?.[2] ?? null]),
    )
    charts.push(chartOf(currency, each, sums))
  }
  const by_company = byCompany(scope, at, rowOf)
  const waiting = commitments(scope, sums)
  const moved = await movements(tx, scope, period)
  return {
    happened: fundHappenings(views, by_category, waiting[0]),
    views,
    decide: fundDecisions(scope, by_company, (company) => fundedBy([company], at)),
    charts: [...charts.slice(0, 1), ...(scope.length > 1 ? [companiesChart(by_company)] : [])],
    sheets: [used.sheet, by_category, by_company, ...waiting, moved.sheet],
    hides: sums.hides || used.hides || moved.hides,
    notes: [of_when],
  }
}

const of_when =
  'Used in the period and Movements are of the period; all else is as of its end, so far since the plan year began.'

function add(all: CentsByKind[]): CentsByKind {
  const sum: CentsByKind = {}
  for (const kinds of all) {
    for (const [kind, cents] of Object.entries(kinds)) sum[kind] = (sum[kind] ?? 0) + cents
  }
  return sum
}

/** The available amount would give these away: together they are what is granted. */
const hidesAvailable = (sums: Sums, place: string) =>
  ['used', 'held', 'overpaid'].some((measure) => sums.isHidden(`${measure} ${place}`))

const fundedBy = (companies: Scope[], at: At) =>
  companies.reduce((sum, { company_id }) => sum - (at(company_id, null)['funding'] ?? 0), 0)

const allocatedOf = (kinds: CentsByKind) =>
  ['pool', 'available', 'held', 'payable', 'paid', 'overpaid'].reduce(
    (sum, kind) => sum + (kinds[kind] ?? 0),
    0,
  )

const measures: ReportSheet['columns'] = [
  { title: 'Allocated', kind: 'money' },
  { title: 'Granted', kind: 'money' },
  { title: 'Not granted', kind: 'money' },
  { title: 'Used so far', kind: 'money' },
  { title: 'Waiting', kind: 'money' },
  { title: 'Available', kind: 'money' },
  { title: 'Utilization', kind: 'percent' },
]
const categoryColumns: ReportSheet['columns'] = [
  { title: 'Currency', kind: 'text' },
  { title: 'Category', kind: 'text' },
  ...measures,
]

function viewOf(currency: string, companies: Scope[], funded: number, whole: Cell[]): View {
  const figure = (label: string, value: Cell) => ({
    label,
    kind: 'money' as const,
    value,
    before: null,
  })
  return {
    currency,
    companies: companies.length,
    figures: [
      figure('Funds managed', { cents: funded, currency }),
      figure('Allocated', whole[0] ?? null),
      figure('Used in the period', whole[7] ?? null),
      figure('Used so far', whole[3] ?? null),
      { ...figure('Utilization', whole[6] ?? null), kind: 'percent' },
    ],
  }
}

function chartOf(
  currency: string,
  each: { category: Category; kinds: CentsByKind }[],
  sums: Sums,
): Chart {
  const used = ({ category, kinds }: (typeof each)[number]) =>
    sums.isHidden(`used ${currency} * ${category}`) ? null : sumOf('used', kinds)
  return {
    title: `Allocated, granted and used so far, ${currency}`,
    shape: 'bars',
    labels: each.map(({ category }) => categoryNames[category]),
    series: [
      { name: 'Allocated', tone: 'secondary', values: each.map((e) => allocatedOf(e.kinds)) },
      {
        name: 'Granted',
        tone: 'primary',
        values: each.map((e) => allocatedOf(e.kinds) - (e.kinds['pool'] ?? 0)),
      },
      { name: 'Used so far', tone: 'accent', values: each.map(used) },
    ],
    unit: { currency },
  }
}

const charted = 15

/** The highest ones, whatever their currency. */
function companiesChart({ rows }: ReportSheet): Chart {
  const shown = rows
    .flatMap(([, name, , category, , , , , , , share]) =>
      category === 'All' && typeof name === 'string' && typeof share === 'number' && share > 0
        ? [{ name, share }]
        : [],
    )
    .toSorted((one, other) => other.share - one.share)
    .slice(0, charted)
  return {
    title: 'Utilization by company',
    shape: 'horizontal_bars',
    labels: shown.map(({ name }) => name),
    series: [{ name: 'Utilization', tone: 'accent', values: shown.map(({ share }) => share) }],
    unit: 'percent',
  }
}

function byCompany(
  scope: Scope[],
  at: At,
  rowOf: (kinds: CentsByKind, place: string, currency: string) => Cell[],
): ReportSheet {
  const sheet: ReportSheet = {
    name: 'By company',
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: 'Company', kind: 'text' },
      { title: 'Plan year', kind: 'day' },
      { title: 'Category', kind: 'text' },
      ...measures,
    ],
    rows: [],
    sums: [],
  }
  for (const { company_id, name, currency, plan_year } of scope) {
    const each = categories.map((category) => at(company_id, category))
    for (const [index, category] of categories.entries()) {
      const cells = rowOf(each[index] ?? {}, `${currency} ${company_id} ${category}`, currency)
      sheet.rows.push([currency, name, plan_year, categoryNames[category], ...cells])
    }
    const cells = rowOf(add(each), `${currency} ${company_id} *`, currency)
    sheet.sums.push(sheet.rows.push([currency, name, plan_year, 'All', ...cells]) - 1)
  }
  return sheet
}
