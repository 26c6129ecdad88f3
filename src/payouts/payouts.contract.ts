// Approved claims become money: pay runs, a second person, a file for payroll and one for the bank.
import { z } from 'zod'
import { NextSecondPerson } from '#users/rights.contract.ts'
import { Day } from '#lib/days.ts'
import { download, get, post, put, Refusal, SearchText } from '#lib/contract.ts'
import { BlockReason } from './blocks.contract.ts'
import { holdsAsIban } from './iban.ts'

const RunStatus = z.enum(['made', 'released', 'cancelled'])
const RunId = z.object({ id: z.coerce.number().int().positive() })

/** A number that its own check digits confirm (ISO 13616), without spaces. */
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
  /** The first day of payment if the policy lets a new or changed account wait; null once that is over. */
  pays_from_on: z.iso.date().nullable(),
})

const MyPayment = z.object({
  pay_on: z.iso.date(),
  cents: z.int(),
  /** The account's last digits; null without an account, as payroll pays then. */
  iban_end: z.string().nullable(),
})
const ComingPayment = MyPayment.extend({
  released: z.boolean(),
  /** The part for claims that were reversed after the release and not settled since: the payment comes in full anyway. */
  overpaid_cents: z.int(),
})
export type MyPayouts = z.infer<typeof MyPayouts>
export const MyPayouts = z.object({
  currency: z.string(),
  next: ComingPayment.nullable(),
  last: MyPayment.nullable(),
  /** Payments after the next one, or on the same day. */
  later: ComingPayment.array(),
  /** Approved claims in no run yet, less what is withheld. */
  waiting_cents: z.int(),
  withheld_cents: z.int(),
  /** Withheld again, because the payment it was withheld from came back. */
  withheld_again_cents: z.int(),
  /** Approved claims kept out of payouts by a block. */
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
  /** The reader made this payout. */
  made_by_you: z.boolean(),
  released_at: z.iso.datetime().nullable(),
  released_by: z.string().nullable(),
  claims: z.int(),
  people: z.int(),
  /** The sum of claims, the amount withheld for reversed ones, and the payment. */
  claims_cents: z.int(),
  withheld_cents: z.int(),
  paid_cents: z.int(),
  /** The sum of the payments that came back. */
  returned_cents: z.int(),
  /** People who get money: from the others all is withheld. Payroll pays people without an account. */
  paid_people: z.int(),
  without_account: z.int(),
  /** The last digits of the account that its bank file pays from. */
  paid_from_end: z.string().nullable(),
  /** The number of accounts that are new, changed lately, also somebody else's, or sent a payment back; 0 once released. */
  accounts_to_check: z.int(),
  currency: z.string(),
  /** The people who can release it now, by name, while it waits. */
  releasers: z.string().array(),
  /** The reason, for each act, why this very admin may not do it now. */
  refusals: z.object({ release: Refusal, cancel: Refusal }),
})

export type PayRun = z.infer<typeof PayRun>
export const PayRun = ListedPayRun.extend({
  /** Payments that the bank has made and that are no longer in its file, as their people have been erased. */
  erased: z.object({ payments: z.int(), cents: z.int() }),
  /** The refusal of the bank file and `erased` sum up all people, so only one payout has them, not each of a list. */
  refusals: ListedPayRun.shape.refusals.extend({ bank_file: Refusal }),
})

export const PayItem = z.object({
  person_id: z.uuid(),
  person_name: z.string(),
  left_on: z.iso.date().nullable(),
  iban_end: z.string().nullable(),
  /** When the account was given or changed, if that was lately; null once released. */
  account_changed_at: z.iso.datetime().nullable(),
  /** Whether somebody else is paid to the same account; false once released. */
  account_shared: z.boolean(),
  /** Whether this account sent a payment back and was not given again since; false once released. */
  account_failed: z.boolean(),
  claim_ids: z.array(z.int()),
  claims_cents: z.int(),
  withheld_cents: z.int(),
  paid_cents: z.int(),
  /** Paid by the bank's file or else with the salary; null until the release. */
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
      /** Today at the company. */
      today: z.iso.date(),
      claims: z.int(),
      people: z.int(),
      claims_cents: z.int(),
      withheld_cents: z.int(),
      paid_cents: z.int(),
      without_account: z.int(),
      /** People whose new or changed account has to wait: they are left out. */
      accounts_waiting: z.int(),
      /** Claims left out until their block is removed. */
      blocked_claims: z.int(),
      blocked_cents: z.int(),
      currency: z.string(),
      has_second_person: z.boolean(),
      /** The next admin to count as a second person, if nobody does yet. */
      next_second_person: NextSecondPerson.nullable(),
    }),
  ),
  runs: get(
    '/payouts',
    z.object({ after: z.string().max(2000).optional() }),
    z.object({ runs: ListedPayRun.array(), next: z.string().nullable() }),
  ),
  // Addresses without a number stand before those of runs: the first that matches answers.
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
  /** Settles an overpayment: paid back, it is available to the person again; written off, it stays paid out. */
  settle_overpayment: post(
    '/payouts/overpayments/:person_id/settlement',
    z.object({
      person_id: z.uuid(),
      /** The amount on screen; if it has changed, nothing is settled. */
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
  /** One's own payments that wait for the company, without the reason. */
  my_blocks: get(
    '/payouts/my-blocks',
    z.object({}),
    z.object({ everything: z.boolean(), claim_ids: z.array(z.int()) }),
  ),
  /** The employee's own account; only its last digits are shown. */
  my_account: get('/payouts/my-account', z.object({}), MyAccount.nullable()),
  set_my_account: put('/payouts/my-account', BankAccount, MyAccount),
  find: get('/payouts/:id', RunId, PayRun),
  items: get(
    '/payouts/:id/items',
    RunId.extend({
      after: z.string().max(2000).optional(),
      show: z.enum(['all', 'to_check']).default('all'),
      search: SearchText.optional(),
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
