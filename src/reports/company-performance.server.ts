// Company performance: companies beside each other, each by its people, its money and how it is used.
import { company_words } from '#companies/words.contract.ts'
import type { Tx } from '#lib/db.server.ts'
import { percentOf } from '#lib/percent.ts'
import { companyDecisions, companyHappenings } from './company-sentences.ts'
import {
  suppressed,
  type Cell,
  type Chart,
  type ReportParts,
  type ReportSheet,
  type View,
} from './document.ts'
import { decisionColumns, decisionsOf, sla_note, type Decisions } from './decisions.server.ts'
import {
  currenciesOf,
  isEmployeeOn,
  spanOf,
  Sums,
  type Period,
  type Scope,
} from './gather.server.ts'

type FundMoney = { allocated: number; used: number }

export async function companyPerformance(
  tx: Tx,
  scope: Scope[],
  months: string[],
  period: Period,
): Promise<ReportParts> {
  const money = await moneyOf(tx, period)
  const sums = await sumsOf(tx, scope, period, money)
  const decisions = await decisionsOf(tx, sums, scope, { months, period })
  const of = (company_id: string): FundMoney => money.get(company_id) ?? { allocated: 0, used: 0 }
  const sheet: ReportSheet = { name: 'Companies', columns: company_columns, rows: [], sums: [] }
  const views: View[] = []
  for (const currency of currenciesOf(scope)) {
    const companies = scope.filter((c) => c.currency === currency)
    const row = (place: string, employees: number, { allocated, used }: FundMoney): Cell[] => [
      employees,
      { cents: allocated, currency },
      sums.show(`used ${place}`, () => ({ cents: used, currency })),
      sums.show(`used ${place}`, () => percentOf(used, allocated)),
      sums.show(`claimants ${place}`, ({ people }) => people),
      sums.show(`claimants ${place}`, ({ people }) => percentOf(people, employees)),
      sums.show(`claim_approved ${place}`, ({ cents }) => ({ cents, currency })),
      average(sums, place, currency),
    ]
    for (const { company_id, name, status, employees } of companies) {
      const place = `${currency} ${company_id}`
      sheet.rows.push([
        currency,
        name,
        company_words[status],
        ...row(place, employees, of(company_id)),
      ])
    }
    const employees = companies.reduce((sum, company) => sum + company.employees, 0)
    const whole = companies.reduce(
      (sum, { company_id }) => ({
        allocated: sum.allocated + of(company_id).allocated,
        used: sum.used + of(company_id).used,
      }),
      { allocated: 0, used: 0 },
    )
    const cells = row(currency, employees, whole)
    sheet.sums.push(sheet.rows.push([currency, 'All', null, ...cells]) - 1)
    views.push(viewOf(currency, companies.length, cells, decisions))
  }
  const claims = claimsSheet(scope, sums, decisions)
  return {
    happened: companyHappenings(scope, views, sheet),
    views,
    decide: companyDecisions(sheet, claims),
    charts:
      scope.length > 1
        ? [
            chartOf(sheet, 'Utilization by company', 'Utilization'),
            chartOf(claims, 'Decided within the target, by company', 'Within target'),
          ]
        : [],
    sheets: [sheet, claims],
    hides: sums.hides,
    notes: [sla_note],
  }
}

function viewOf(currency: string, companies: number, cells: Cell[], decisions: Decisions): View {
  const decided = decisions.cells(currency)
  const at = decisionColumns.findIndex(({ title }) => title === 'Within target')
  const figure = (label: string, kind: 'count' | 'percent' | 'money', value: Cell | undefined) => ({
    label,
    kind,
    value: value ?? null,
    before: null,
  })
  return {
    currency,
    companies,
    figures: [
      figure('Employees', 'count', cells[0]),
      figure('Utilization', 'percent', cells[3]),
      figure('Participation', 'percent', cells[5]),
      figure('Within target', 'percent', decided[at]),
      figure('Allocated', 'money', cells[1]),
      figure('Used', 'money', cells[2]),
      figure('Approved', 'money', cells[6]),
      figure('Approved per claim', 'money', cells[7]),
    ],
  }
}

/** How a company decides on its people's claims, in the period. */
function claimsSheet(scope: Scope[], sums: Sums, decisions: Decisions): ReportSheet {
  const sheet: ReportSheet = {
    name: 'Claims',
    columns: [
      { title: 'Currency', kind: 'text' },
      { title: 'Company', kind: 'text' },
      { title: 'Submitted, number', kind: 'count' },
      ...decisionColumns,
    ],
    rows: [],
    sums: [],
  }
  const cells = (place: string): Cell[] => [
    sums.show(`claim_held ${place}`, ({ entries }) => entries),
    ...decisions.cells(place),
  ]
  for (const currency of currenciesOf(scope)) {
    for (const { company_id, name } of scope.filter((c) => c.currency === currency)) {
      sheet.rows.push([currency, name, ...cells(`${currency} ${company_id}`)])
    }
    sheet.sums.push(sheet.rows.push([currency, 'All', ...cells(currency)]) - 1)
  }
  return sheet
}

const company_columns: ReportSheet['columns'] = [
  { title: 'Currency', kind: 'text' },
  { title: 'Company', kind: 'text' },
  { title: 'Status', kind: 'text' },
  { title: 'Employees', kind: 'count' },
  { title: 'Allocated', kind: 'money' },
  { title: 'Used', kind: 'money' },
  { title: 'Utilization', kind: 'percent' },
  { title: 'People who claimed', kind: 'count' },
  { title: 'Participation', kind: 'percent' },
  { title: 'Approved', kind: 'money' },
  { title: 'Approved per claim', kind: 'money' },
]

function average(sums: Sums, place: string, currency: string): Cell {
  const { cents, entries } = sums.get(`claim_approved ${place}`)
  if (sums.isHidden(`claim_approved ${place}`)) return suppressed
  return entries > 0 ? { cents: Math.round(cents / entries), currency } : null
}

async function moneyOf(tx: Tx, period: Period): Promise<Map<string, FundMoney>> {
  const found = await tx<(FundMoney & { company_id: string })[]>`
    select company_id, sum(cents)::bigint as allocated,
      coalesce(sum(cents) filter (where kind = any (used_kinds())), 0)::bigint as used
    from private.report_balances(${spanOf(tx, period)}) where category is not null
    group by company_id`
  return new Map(found.map((money) => [money.company_id, money]))
}

async function sumsOf(
  tx: Tx,
  scope: Scope[],
  period: Period,
  money: Map<string, FundMoney>,
): Promise<Sums> {
  const sums = new Sums()
  const place = (currency: string, company_id: string | null) =>
    [currency, company_id].filter(Boolean).join(' ')
  type CompanyKey = { currency: string; company_id: string | null }
  const used = await tx<(CompanyKey & { people: number })[]>`
    select currency, company_id, count(distinct person_id) as people
    from private.report_claimants(${spanOf(tx, period)}) where used <> 0
    group by grouping sets ((currency), (currency, company_id))`
  for (const { currency, company_id, people } of used) {
    const cents = company_id
      ? (money.get(company_id)?.used ?? 0)
      : scope
          .filter((c) => c.currency === currency)
          .reduce((sum, c) => sum + (money.get(c.company_id)?.used ?? 0), 0)
    sums.add(`used ${place(currency, company_id)}`, { cents, people })
  }
  type EventSums = {
    event: string
    entries: number
    cents: number
    people: number
    employees: number
  }
  const events = await tx<(CompanyKey & EventSums)[]>`
    select m.currency, m.company_id, event, sum(entries)::bigint as entries,
      sum(cents)::bigint as cents, count(distinct person_id) as people,
      count(distinct person_id) filter (where ${isEmployeeOn(tx, 's')}) as employees
    from private.report_movements(${spanOf(tx, period)}) m
    join private.report_scope(${spanOf(tx, period)}) s on s.company_id = m.company_id
    join profiles p on p.company_id = m.company_id and p.id = m.person_id
    where event in ('claim_held', 'claim_approved')
    group by grouping sets ((m.currency, event), (m.currency, event, m.company_id))`
  for (const { currency, company_id, event, employees, ...sum } of events) {
    sums.add(`${event} ${place(currency, company_id)}`, sum)
    if (event !== 'claim_held') continue
    sums.add(`claimants ${place(currency, company_id)}`, { people: employees, entries: employees })
  }
  for (const currency of currenciesOf(scope)) {
    const companies = scope.filter((c) => c.currency === currency)
    for (const measure of ['used', 'claimants', 'claim_held', 'claim_approved']) {
      const whole = `${measure} ${currency}`
      sums.line(
        whole,
        companies.map(({ company_id }) => `${whole} ${company_id}`),
      )
    }
  }
  return sums
}

const charted = 15

/** The highest ones; a chart of a thousand companies says nothing. */
function chartOf(sheet: ReportSheet, title: string, column: string): Chart {
  const at = sheet.columns.findIndex((one) => one.title === column)
  const shown = sheet.rows
    .filter((_, row) => !sheet.sums.includes(row))
    .flatMap(({ 1: name, [at]: percent }) =>
      typeof percent === 'number' && typeof name === 'string' ? [{ name, percent }] : [],
    )
    .sort((a, b) => b.percent - a.percent)
    .slice(0, charted)
  return {
    title,
    shape: 'horizontal_bars',
    labels: shown.map(({ name }) => name),
    series: [{ name: column, tone: 'primary', values: shown.map(({ percent }) => percent) }],
    unit: 'percent',
  }
}
