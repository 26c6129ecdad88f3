// The status of the claims submitted in a period, at the moment the report is made.
import { categories, categoryNames } from '#categories.ts'
import type { Tx } from '#lib/db.server.ts'
import type { ReportSheet } from './document.ts'
import { currenciesOf, spanOf, Sums, type Period, type Scope } from './gather.server.ts'

/** Outcomes in people's words; behind an approval comes whether it is paid. */
const outcomes: Record<string, string> = {
  pending: 'Pending',
  unpaid: 'Approved, to be paid',
  in_run: 'Approved, in a payout',
  returned: 'Approved, payment returned',
  paid: 'Approved and paid',
  reversed: 'Approved, then reversed',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
}

type StatusRow = {
  currency: string
  category: string | null
  outcome: string | null
  entries: number
  cents: number
  people: number
}

export async function statusSheet(
  tx: Tx,
  scope: Scope[],
  period: Period,
): Promise<{ sheet: ReportSheet; hides: boolean }> {
  const found = await tx<StatusRow[]>`
    select currency, category, outcome, sum(claims)::bigint as entries, sum(cents)::bigint as cents,
      count(distinct person_id) as people
    from private.report_outcomes(${spanOf(tx, period)})
    group by grouping sets ((currency), (currency, category), (currency, outcome),
      (currency, category, outcome))`
  const sums = new Sums()
  for (const { currency, category, outcome, ...sum } of found) {
    sums.add([currency, category ?? '*', outcome ?? '*'].join(' '), sum)
  }
  const sheet: ReportSheet = {
    name: 'What became of them',
    columns: status_columns,
    rows: [],
    sums: [],
  }
  const all_outcomes = Object.keys(outcomes)
  for (const currency of currenciesOf(scope)) {
    for (const outcome of [...all_outcomes, '*']) {
      sums.line(
        `${currency} * ${outcome}`,
        categories.map((c) => `${currency} ${c} ${outcome}`),
      )
    }
    for (const category of [...categories, '*']) {
      const place = `${currency} ${category}`
      sums.line(
        `${place} *`,
        all_outcomes.map((outcome) => `${place} ${outcome}`),
      )
    }
  }
  for (const currency of currenciesOf(scope)) {
    for (const outcome of [...all_outcomes, '*']) {
      const places = [...categories, '*'].map((category) => `${currency} ${category} ${outcome}`)
      const row = [
        currency,
        outcomes[outcome] ?? 'All',
        ...places.map((place) => sums.show(place, ({ entries }) => entries)),
        sums.show(places.at(-1) ?? '', ({ cents }) => ({ cents, currency })),
      ]
      const at = sheet.rows.push(row) - 1
      if (outcome === '*') sheet.sums.push(at)
    }
  }
  return { sheet, hides: sums.hides }
}

const status_columns: ReportSheet['columns'] = [
  { title: 'Currency', kind: 'text' },
  { title: 'Status now', kind: 'text' },
  ...categories.map((category) => ({ title: categoryNames[category], kind: 'count' as const })),
  { title: 'All', kind: 'count' },
  { title: 'Amount claimed', kind: 'money' },
]
