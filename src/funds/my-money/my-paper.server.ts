// A plan year of one person on paper, for them and their tax office: drawn as reports are.
import { decimalsOf, formatOf } from '#lib/currencies.ts'
import { categories, categoryNames, type Category } from '#categories.ts'
import type { Cell, ReportDocument, ReportSheet } from '#reports/document.ts'
import type { FundEntry } from '#funds/ledger/ledger.contract.ts'
import type { MyYear } from './my-money.contract.ts'
import { memberName, nameOfOwnEntry, ownAccountName, wasOverpaid } from '#funds/words.ts'

/** Renders a document as a PDF; a process of its own does. */
export type Draw = (document: ReportDocument) => Promise<Uint8Array<ArrayBuffer>>

export type PaidClaim = {
  id: number
  paid_on: string
  service_on: string
  category: Category
  type_name: string
  provider: string
  name: string | null
  cents: number
}

type YearPaper = MyYear & {
  full_name: string
  company_name: string
  paid_claims: PaidClaim[]
  entries: FundEntry[]
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const dayName = (value: string) => day.format(new Date(value))

export function paperOf(paper: YearPaper): ReportDocument {
  const { plan_year, ends_on, full_name, company_name, currency, paid } = paper
  const amount = amountIn(currency)
  const sentences = paid.map(
    ({ year, cents }) =>
      `${amount(cents)} was paid to ${full_name} in ${year} for claims of this plan year.`,
  )
  return {
    title: `Statement of health money · ${full_name}`,
    type: 'Statement',
    description:
      'Your allowance, what you used and what was paid in the plan year, by category and family member, and every entry.',
    scope: `${full_name} · ${company_name}`,
    period: `${dayName(plan_year)} – ${dayName(ends_on)}`,
    period_before: '',
    made_at: new Date().toISOString(),
    happened: sentences.length > 0 ? sentences : ['Nothing was paid for claims of this plan year.'],
    views: [],
    decide: [],
    charts: [],
    sheets: [byCategory(paper), byMember(paper), paidSheet(paper), entriesSheet(paper)],
    notes: [
      'Amounts are as they stood when this statement was made.',
      'Paid are claims that were paid by then and not reversed since; the day is the one the payout is due on.',
      'An entry of a payment has the day on which it was sent.',
    ],
  }
}

const amountIn = (currency: string) => (cents: number) =>
  formatOf('en', currency).format(cents / 10 ** decimalsOf(currency))

const text = (title: string) => ({ title, kind: 'text' }) as const
const money = (title: string) => ({ title, kind: 'money' }) as const

function byCategory({ balances, currency }: YearPaper): ReportSheet {
  type Balance = (typeof balances)[number]
  const columns: [title: string, cents: (one: Balance) => number][] = [
    ['Allowance', (one) => one.total_cents],
    ['Used', (one) => one.used_cents],
    ['On hold', (one) => one.held_cents],
    ...(wasOverpaid(balances)
      ? [['Overpaid', (one) => one.overpaid_cents] satisfies [string, (one: Balance) => number]]
      : []),
    ['Available', (one) => one.balance_cents],
  ]
  const row = (name: string, of: Balance[]): Cell[] => [
    name,
    ...columns.map(([, cents]) => ({
      cents: of.reduce((sum, one) => sum + cents(one), 0),
      currency,
    })),
  ]
  return {
    name: 'By category',
    columns: [text('Category'), ...columns.map(([title]) => money(title))],
    rows: [
      ...balances.map((one) => row(categoryNames[one.category], [one])),
      row('Total', balances),
    ],
    sums: [balances.length],
  }
}

function byMember({ used, full_name, currency }: YearPaper): ReportSheet {
  const rows = new Map<string, Map<Category, number>>()
  for (const one of used) {
    const name = memberName(one, full_name)
    const key = `${one.dependent_id ?? ''} ${name}`
    const line = rows.get(key) ?? new Map<Category, number>()
    line.set(one.category, (line.get(one.category) ?? 0) + one.cents)
    rows.set(key, line)
  }
  const of = (cents: number): Cell => ({ cents, currency })
  const total = (line: Map<Category, number>) => [...line.values()].reduce((a, b) => a + b, 0)
  return {
    name: 'Used, by family member',
    columns: [
      text('For whom'),
      ...categories.map((one) => money(categoryNames[one])),
      money('Total'),
    ],
    rows: [...rows].map(([key, line]): Cell[] => [
      key.slice(key.indexOf(' ') + 1),
      ...categories.map((one) => of(line.get(one) ?? 0)),
      of(total(line)),
    ]),
    sums: [],
  }
}

function paidSheet({ paid_claims, currency, full_name }: YearPaper): ReportSheet {
  const total = paid_claims.reduce((sum, { cents }) => sum + cents, 0)
  return {
    name: 'Paid to you',
    columns: [
      text('Paid on'),
      text('Claim'),
      text('For whom'),
      text('Category'),
      text('Type'),
      text('Provider'),
      text('Service date'),
      money('Amount'),
    ],
    rows: [
      ...paid_claims.map((claim): Cell[] => [
        dayName(claim.paid_on),
        `#${claim.id}`,
        claim.name ?? full_name,
        categoryNames[claim.category],
        claim.type_name,
        claim.provider,
        dayName(claim.service_on),
        { cents: claim.cents, currency },
      ]),
      ['Total', '', '', '', '', '', '', { cents: total, currency }],
    ],
    sums: [paid_claims.length],
  }
}

function entriesSheet({ entries, currency }: YearPaper): ReportSheet {
  return {
    name: 'Every entry',
    columns: [
      text('No.'),
      { title: 'Day', kind: 'day' },
      text('What'),
      text('From'),
      text('To'),
      money('Amount'),
      money('Left there'),
      money('Then there'),
    ],
    rows: entries.map((entry): Cell[] => [
      entry.number === null ? null : String(entry.number),
      entry.occurred_on,
      nameOfOwnEntry(entry) + (entry.claim_id === null ? '' : ` #${entry.claim_id}`),
      ownAccountName(entry.from),
      ownAccountName(entry.to),
      { cents: entry.amount_cents, currency },
      balance(entry.from.balance_cents, currency),
      balance(entry.to.balance_cents, currency),
    ]),
    sums: [],
  }
}

const balance = (cents: number | null, currency: string): Cell =>
  cents === null ? null : { cents, currency }
