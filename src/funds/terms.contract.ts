// The words of the money: accounts, events, amounts.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'

export type AccountKind = z.infer<typeof AccountKind>
export const AccountKind = z.enum([
  'funding',
  'unallocated',
  'pool',
  'forfeited',
  'available',
  'held',
  'payable',
  'paid',
  'overpaid',
])

export type FundEvent = z.infer<typeof FundEvent>
export const FundEvent = z.enum([
  'contribution',
  'contribution_reversed',
  'allocation',
  'deallocation',
  'rebalance',
  'rebalance_undone',
  'grant',
  'grant_lowered',
  'adjusted_up',
  'adjusted_down',
  'claim_held',
  'claim_appealed',
  'claim_released',
  'release_undone',
  'claim_approved',
  'claim_undone',
  'claim_paid',
  'payment_returned',
  'claim_reversed',
  'overpaid_recovered',
  'overpaid_paid_back',
  'overpaid_written_off',
  'written_off_returned',
  'left',
  'expired',
  'carried_over',
  'year_closed',
])

const too_large = 'This amount is too large'
/** Whole minor units of the company's currency. Zod's `int` refuses what a number can't hold exactly. */
const WholeCents = z.int({
  error: ({ code, expected, input }) => {
    if (input === undefined) return undefined
    if (code !== 'invalid_type') return too_large
    return expected === 'int' ? 'Enter whole cents' : 'Enter an amount'
  },
})
export const Cents = WholeCents.min(0, 'An amount can’t be negative')
export const PositiveCents = WholeCents.positive('Enter an amount above zero')
/** The most that one person may be given in a year. */
export const GrantCents = Cents.max(1e12, too_large)
export const Note = z.string().trim().min(3, 'Say in a few words why').max(500)
export const PlanYearKey = Day()
export const InYear = z.object({ plan_year: PlanYearKey.optional() })
export const OfCompany = z.object({ company_id: z.uuid() })

export const PageAfter = { after: z.string().max(2000).optional() }
export const PageLimit = z.coerce.number().int().min(1).max(200).default(50)

export const Ids = z
  .string()
  .max(200 * 37)
  .transform((ids) => ids.split(',').filter(Boolean))
  .pipe(z.uuid().array().max(200))

export type MyBalance = z.infer<typeof MyBalance>
export const MyBalance = z.object({
  category: Category,
  balance_cents: z.int(),
  /** The sum of which the balance is a part: granted, adjusted and carried over. */
  total_cents: z.int(),
  held_cents: z.int(),
  used_cents: z.int(),
  /** Paid for claims that were reversed afterwards, and not settled yet. */
  overpaid_cents: z.int(),
  waiting_cents: z.int(),
  percent: z.int(),
  /** The next grant and its day, of a plan by month or of a group’s plan to come. */
  next_on: z.iso.date().nullable(),
  next_cents: z.int(),
  /** The part of the balance that is lost unless it is claimed by `filing_ends_on`. */
  expires_cents: z.int(),
})
