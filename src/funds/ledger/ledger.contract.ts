import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { download, get, post, Refusal } from '#lib/contract.ts'
import {
  AccountKind,
  FundEvent,
  InYear,
  PageLimit,
  Note,
  OfCompany,
  PageAfter,
  PlanYearKey,
  PositiveCents,
} from '#funds/terms.contract.ts'
import { OneLine } from '#lib/one-line.ts'

export type FundAccount = z.infer<typeof FundAccount>
export const FundAccount = z.object({
  /** Null for the sum of all people's accounts of a kind. */
  id: z.int().nullable(),
  kind: AccountKind,
  category: Category.nullable(),
  person_name: z.string().nullable(),
  balance_cents: z.int(),
})

const EntrySide = z.object({
  id: z.int(),
  kind: AccountKind,
  category: Category.nullable(),
  /** The balance after the entry; null for an account that the reader may not see. */
  balance_cents: z.int().nullable(),
})
export type FundEntry = z.infer<typeof FundEntry>
export const FundEntry = z.object({
  id: z.int(),
  /** The entry's number in the sealed chain; null for the seconds until it has one. */
  number: z.int().nullable(),
  posted_at: z.iso.datetime(),
  occurred_on: z.iso.date(),
  event: FundEvent,
  note: z.string().nullable(),
  /** The claim it is about, and whether the reader can open that. */
  claim_id: z.int().nullable(),
  claim_opens: z.boolean(),
  person_name: z.string().nullable(),
  actor_name: z.string().nullable(),
  from: EntrySide,
  to: EntrySide,
  /** The change of the account, if the list is of one account. */
  amount_cents: z.int(),
  balance_cents: z.int().nullable(),
})
export const EntryFilter = InYear.extend({
  account_id: z.coerce.number().int().optional(),
  /** All entries of one person's accounts. */
  person_id: z.uuid().optional(),
  from: Day().optional(),
  to: Day().optional(),
})
/** Entries of one account, or of all accounts of a kind, of a category, or of both: what was paid of Prevention. */
export type CompanyEntryFilter = z.infer<typeof CompanyEntryFilter>
export const CompanyEntryFilter = EntryFilter.extend({
  kind: AccountKind.optional(),
  category: Category.optional(),
})

export type UsedAndPaidSums = z.infer<typeof UsedAndPaidSums>
/** Sums of a plan year's claims within some days: approved less reversed, and paid less returned. */
export const UsedAndPaidSums = z.object({
  category: Category,
  used_cents: z.int(),
  paid_cents: z.int(),
})

export type Contribution = z.infer<typeof Contribution>
export const Contribution = z.object({
  id: z.int(),
  plan_year: PlanYearKey,
  amount_cents: z.int(),
  occurred_on: z.iso.date(),
  reference: z.string(),
  posted_at: z.iso.datetime(),
  actor_name: z.string().nullable(),
  reversed_at: z.iso.datetime().nullable(),
  /** Why it was reversed. */
  reversed_because: z.string().nullable(),
  refusals: z.object({ reverse: Refusal }),
})

export type LedgerCheck = z.infer<typeof LedgerCheck>
export const LedgerCheck = z.object({
  transfers: z.int(),
  accounts: z.int(),
  good: z.boolean(),
  sentence: z.string(),
  transfer_id: z.int().nullable(),
  account_id: z.int().nullable(),
  as_of: z.iso.datetime(),
})

export const ledger = {
  accounts: get(
    '/funds/accounts',
    InYear.extend({ as_of: Day().optional(), person_id: z.uuid().optional() }),
    FundAccount.array(),
  ),
  statement: get(
    '/funds/statement',
    CompanyEntryFilter.extend({ ...PageAfter, limit: PageLimit }),
    z.object({ entries: FundEntry.array(), next: z.string().nullable() }),
    { alone: true },
  ),
  export_statement: download('/funds/statement.csv', CompanyEntryFilter, { long: true }),
  used_and_paid: get(
    '/funds/used-and-paid',
    EntryFilter.pick({ plan_year: true, from: true, to: true }),
    UsedAndPaidSums.array(),
  ),
  verify: post('/funds/verify', OfCompany.partial(), LedgerCheck, { long: true }),

  contribute: post(
    '/companies/:company_id/contributions',
    OfCompany.extend({
      amount_cents: PositiveCents,
      occurred_on: Day('Choose the day on which the money came in'),
      reference: OneLine.min(1, 'Reference required').max(100),
      /** The provider has confirmed an amount that looks like a typo. */
      confirmed: z.boolean().default(false),
    }),
    Contribution,
    { idempotent: true },
  ),
  reverse_contribution: post(
    '/companies/:company_id/contributions/:id/reversal',
    OfCompany.extend({ id: z.coerce.number().int(), reason: Note }),
    Contribution,
  ),
  contributions: get(
    '/companies/:company_id/contributions',
    OfCompany.extend({ ...PageAfter, limit: PageLimit }),
    z.object({ contributions: Contribution.array(), next: z.string().nullable() }),
    { alone: true },
  ),
}
