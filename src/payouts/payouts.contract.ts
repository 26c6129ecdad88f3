// Approved claims become money: pay runs, a second person, a file for payroll and one for the bank.
import { z } from 'zod'
import { NextSecondPerson } from '#users/rights.contract.ts'
import { Day } from '#lib/days.ts'
import { download, get, post, put, Refusal } from '#lib/contract.ts'
import { BlockReason } from './blocks.contract.ts'
import { holdsAsIban } from './iban.ts'

const RunStatus = z.enum(['made', 'released', 'cancelled'])
const RunId = z.object({ id: z.coerce.number().int().positive() })

/** Checked by its own digits (ISO 13616); spaces are taken out. */
const Iban = z
  .string()
  .transform((iban) => iban.replace(/\s/g, '').toUpperCase())
  .pipe(
    z
      .string()
      .regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'This is not an IBAN')
      .refine(holdsAsIban, 'This IBAN isn’t valid. Check it for a typo'),
  )

export const BankAccount = z.object({
  holder: z.string().trim().min(2, 'Enter the account holder').max(70),
  iban: Iban,
})

const MyAccount = z.object({
  holder: z.string(),
  iban_end: z.string(),
  /** The company's policy lets a new or changed account wait; nothing where that is over. */
  pays_from_on: z.iso.date().nullable(),
})

const MyPayment = z.object({
  pay_on: z.iso.date(),
  cents: z.int(),
  /** The end of the account's number; null where there is none, and payroll pays it. */
  iban_end: z.string().nullable(),
})
const ComingPayment = MyPayment.extend({
  released: z.boolean(),
  /** For a claim that was reversed after the release, and not withheld or settled since: it comes all the same. */
  overpaid_cents: z.int(),
})
export type MyPayouts = z.infer<typeof MyPayouts>
export const MyPayouts = z.object({
  currency: z.string(),
  next: ComingPayment.nullable(),
  last: MyPayment.nullable(),
  /** After the next, or on the same day. */
  later: ComingPayment.array(),
  /** Approved and in no run yet, less what is withheld of it. */
  waiting_cents: z.int(),
  withheld_cents: z.int(),
  /** Withheld before, from a payment that came back. */
  withheld_again_cents: z.int(),
  /** Approved, and kept out of payouts for now. */
  blocked_cents: z.int(),
})

export type ListedPayRun = z.infer<typeof ListedPayRun>
export const ListedPayRun = z.object({
  id: z.int(),
  version: z.int(),
  status: RunStatus,
  cut_off_on: z.iso.date(),
  pay_on: z.iso.date(),
  made_at: z.iso.datetime(),
  made_by: z.string().nullable(),
  /** By the reader. */
  made_by_you: z.boolean(),
  released_at: z.iso.datetime().nullable(),
  released_by: z.string().nullable(),
  claims: z.int(),
  people: z.int(),
  /** The sum of claims, the amount withheld for reversed ones, and the payment. */
  claims_cents: z.int(),
  withheld_cents: z.int(),
  paid_cents: z.int(),
  /** The part of the payment that came back. */
  returned_cents: z.int(),
  /** People who get money: of the others all is withheld. Payroll pays people without an account. */
  paid_people: z.int(),
  without_account: z.int(),
  /** The end of the account that its bank file pays from: the company's until its pay day is over, or the first since. */
  paid_from_end: z.string().nullable(),
  /** Until its release: how many of its accounts are new, changed lately, somebody else's, too, or sent one back. */
  accounts_to_check: z.int(),
  currency: z.string(),
  /** The people who can release it now, by name, while it waits. */
  releasers: z.string().array(),
  /** The reason, for each act, why this very admin may not do it now. */
  refusals: z.object({ release: Refusal, cancel: Refusal }),
})

export type PayRun = z.infer<typeof PayRun>
export const PayRun = ListedPayRun.extend({
  /** Sent by the bank, and no longer in its file: who was paid has been erased since. */
  erased: z.object({ payments: z.int(), cents: z.int() }),
  /** The bank file's adds up all people, as `erased` does: for one payout, not for each of a list. */
  refusals: ListedPayRun.shape.refusals.extend({ bank_file: Refusal }),
})

export const PayItem = z.object({
  person_id: z.uuid(),
  person_name: z.string(),
  left_on: z.iso.date().nullable(),
  iban_end: z.string().nullable(),
  /** Until the release: when the account was given or changed, if it was lately. */
  account_changed_at: z.iso.datetime().nullable(),
  /** Until the release: whether somebody else is paid to the same account. */
  account_shared: z.boolean(),
  /** Until the release: whether the bank sent a payment back from it, and it was not given again since. */
  account_failed: z.boolean(),
  claim_ids: z.array(z.int()),
  claims_cents: z.int(),
  withheld_cents: z.int(),
  paid_cents: z.int(),
  /** Paid by the bank's file, else with the salary; null until the release. */
  by_bank: z.boolean().nullable(),
  returned_at: z.iso.datetime().nullable(),
  returned_because: z.string().nullable(),
  refusals: z.object({ return_item: Refusal, block: Refusal }),
})

export type Overpayment = z.infer<typeof Overpayment>
export const Overpayment = z.object({
  person_id: z.uuid(),
  person_name: z.string(),
  has_left: z.boolean(),
  cents: z.int(),
  refusals: z.object({ settle_overpayment: Refusal }),
})

export const payouts = {
  /** The payments of the next run. */
  preview: get(
    '/payouts/preview',
    z.object({ cut_off_on: Day().optional() }),
    z.object({
      cut_off_on: z.iso.date(),
      /** The company's day. */
      today: z.iso.date(),
      claims: z.int(),
      people: z.int(),
      claims_cents: z.int(),
      withheld_cents: z.int(),
      paid_cents: z.int(),
      without_account: z.int(),
      /** People whose new or changed account has to wait: they are left out. */
      accounts_waiting: z.int(),
      /** Left out until their block is removed. */
      blocked_claims: z.int(),
      blocked_cents: z.int(),
      currency: z.string(),
      has_second_person: z.boolean(),
      /** The next who will be a second person, where nobody is one yet. */
      next_second_person: NextSecondPerson.nullable(),
    }),
  ),
  runs: get(
    '/payouts',
    z.object({ after: z.string().max(2000).optional() }),
    z.object({ runs: ListedPayRun.array(), next: z.string().nullable() }),
  ),
  // Before the runs by number: an address is answered by the first that fits.
  company_account: get('/payouts/company-account', z.object({}), BankAccount.nullable()),
  set_company_account: put('/payouts/company-account', BankAccount, BankAccount),
  /** The people who were paid for claims that were reversed since, the largest amounts first. */
  overpayments: get(
    '/payouts/overpayments',
    z.object({
      person_id: z.uuid().optional(),
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(50),
    }),
    z.object({ people: Overpayment.array(), next: z.string().nullable(), currency: z.string() }),
  ),
  /** Paid back, it is available to the person again; written off, it stays paid out. */
  settle_overpayment: post(
    '/payouts/overpayments/:person_id/settlement',
    z.object({
      person_id: z.uuid(),
      /** The amount that was seen: no other is settled. */
      cents: z.int().positive(),
      how: z.enum(['paid_back', 'written_off']),
      reason: BlockReason,
    }),
    z.object({ person_id: z.uuid() }),
  ),
  my_overpayment: get(
    '/payouts/my-overpayment',
    z.object({}),
    z.object({ cents: z.int(), currency: z.string() }),
  ),
  /** The next payout, as far as it is known: the day of a run that was made, else what waits for one. */
  my_next: get('/payouts/mine', z.object({}), MyPayouts),
  /** Which of one's own payments wait until the company lets them go; never why. */
  my_blocks: get(
    '/payouts/my-blocks',
    z.object({}),
    z.object({ everything: z.boolean(), claim_ids: z.array(z.int()) }),
  ),
  /** The employee's own. Only its end is ever shown. */
  my_account: get('/payouts/my-account', z.object({}), MyAccount.nullable()),
  set_my_account: put('/payouts/my-account', BankAccount, MyAccount),
  find: get('/payouts/:id', RunId, PayRun),
  items: get(
    '/payouts/:id/items',
    RunId.extend({
      after: z.string().max(2000).optional(),
      show: z.enum(['all', 'to_check']).default('all'),
      search: z.string().trim().max(100).optional(),
    }),
    z.object({ items: PayItem.array(), next: z.string().nullable() }),
  ),
  /** `pay_on` may be any day from today: payroll knows no banking days, and a bank pays on its next one. */
  make: post('/payouts', z.object({ cut_off_on: Day(), pay_on: Day() }), PayRun, {
    idempotent: true,
  }),
  release: post('/payouts/:id/release', RunId.extend({ version: z.int() }), PayRun),
  cancel: post('/payouts/:id/cancellation', RunId.extend({ version: z.int() }), PayRun),
  /** The bank sent one person's payment back, or payroll could not pay them: their claims are approved and unpaid again. */
  return_item: post(
    '/payouts/:id/returns',
    RunId.extend({
      person_id: z.uuid(),
      reason: z.string().trim().min(3, 'Say in a few words why').max(300),
    }),
    PayRun,
  ),
  payroll_file: download('/payouts/:id/payroll.csv', RunId),
  bank_file: download('/payouts/:id/pain.001.xml', RunId),
}
