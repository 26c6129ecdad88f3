// Payment blocks: on one claim, or on all payments to a person, with a reason, until somebody removes them.
import { z } from 'zod'
import { del, get, post, Refusal } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'

/** Why a payment is blocked, or an overpayment settled. */
export const BlockReason = z.string().trim().min(3, 'Explain why in one sentence').max(500)

export type PaymentBlock = z.infer<typeof PaymentBlock>
export const PaymentBlock = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  person_name: z.string(),
  /** Null: everything of theirs. */
  claim_id: z.int().nullable(),
  /** The amount it keeps out of payouts now. */
  cents: z.int(),
  reason: z.string(),
  placed_at: z.iso.datetime(),
  placed_by: z.string().nullable(),
  refusals: z.object({ remove: Refusal }),
})

/** A person's payments that the next payout could make. */
export type DuePayment = z.infer<typeof DuePayment>
export const DuePayment = z.object({
  person_id: z.uuid(),
  person_name: z.string(),
  /** Once that day is over payroll may have no salary to pay it with. */
  left_on: z.iso.date().nullable(),
  /** The claims; less what is withheld of those that are paid, it is what they get. Below zero it is given back. */
  cents: z.int(),
  withheld_cents: z.int(),
  /** The person's bank account is new or changed, and waits. */
  waits: z.boolean(),
  /** The person gave no bank account yet. */
  without_account: z.boolean(),
  /** All of theirs is blocked. */
  blocked: z.boolean(),
  /** None where money is owed back alone. */
  claims: z.array(z.object({ id: z.int(), cents: z.int(), blocked: z.boolean() })),
  /** The last payment of one of these claims that came back, by the bank or from payroll. */
  returned: z
    .object({
      at: z.iso.datetime({ offset: true }),
      because: z.string().nullable(),
      by_bank: z.boolean(),
      /** The bank account that it came back from is still theirs. */
      same_account: z.boolean(),
    })
    .nullable(),
  refusals: z.object({ block: Refusal }),
})

const BlockId = z.object({ id: z.uuid() })
const after = z.string().max(2000).optional()
const more = { next: z.string().nullable(), currency: z.string() }

export const payment_blocks = {
  /**
   * Blocks in force, the newest first; with a claim the ones that keep it back: its own, and those of all of
   * its person.
   */
  list: get(
    '/payment-blocks',
    z.object({
      person_id: z.uuid().optional(),
      claim_id: z.coerce.number().int().positive().optional(),
      after,
    }),
    z.object({
      blocks: PaymentBlock.array(),
      /** The reason why the person asked about can get no other block. */
      refusals: z.object({ block: Refusal }),
      ...more,
    }),
  ),
  due: get(
    '/payment-blocks/due',
    z.object({
      cut_off_on: Day().optional(),
      search: z.string().trim().max(100).optional(),
      after,
    }),
    z.object({ people: DuePayment.array(), ...more }),
  ),
  /** The payments in an open payout leave that payout. */
  add: post(
    '/payment-blocks',
    z.object({
      person_id: z.uuid(),
      claim_id: z.int().positive().nullable(),
      reason: BlockReason,
    }),
    BlockId,
    { idempotent: true },
  ),
  /** The next payout takes it. */
  remove: del('/payment-blocks/:id', BlockId, BlockId),
}
