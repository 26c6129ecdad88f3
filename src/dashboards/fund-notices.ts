// Acts that a company's figures ask of HR.
import type { Category } from '#categories.ts'
import type { FundOverview } from '#funds/funds.contract.ts'

export type FundNotice =
  | { kind: 'high_use'; category: Category; percent: number }
  | { kind: 'waiting'; people: number; amount_cents: number }
  | { kind: 'unallocated'; amount_cents: number }

const high_percent = 60

/** The most pressing first. */
export function noticesOf({ categories, waiting, unallocated_cents }: FundOverview): FundNotice[] {
  const { people, prevention_cents, treatment_cents, solidarity_cents } = waiting
  const amount_cents = prevention_cents + treatment_cents + solidarity_cents
  const notices: FundNotice[] = categories
    .filter(({ percent }) => percent >= high_percent)
    .toSorted((a, b) => b.percent - a.percent)
    .map(({ category, percent }) => ({ kind: 'high_use', category, percent }))
  if (people) notices.push({ kind: 'waiting', people, amount_cents })
  if (unallocated_cents) notices.push({ kind: 'unallocated', amount_cents: unallocated_cents })
  return notices
}
