// Payment blocks: on one claim, or on all payments to a person, with a reason, until somebody removes them.
import { z } from 'zod'
import { del, get, post, Refusal, SearchText } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'

/** Why a payment is blocked, or an overpayment settled. */
export const BlockReason = z.string().trim().min(3, 'Explain why in one sentence').max(500)

export type PaymentBlock = z.infer<typeof PaymentBlock>
export const PaymentBlock = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  person_name: z.string(),
  /** Null: all payments to the person. */
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
  /** After that day payroll may have no salary to pay it with. */
  left_on: z.iso.date().nullable(),
  /** The sum of the claims. The person gets this, less what is withheld; below zero is given back to them. */
  cents: z.int(),
  withheld_cents: z.int(),
  /** The person's bank account is new or changed, and waits. */
  waits: z.boolean(),
  /** The person gave no bank account yet. */
  without_account: z.boolean(),
  /** All payments to the person are blocked. */
  blocked: z.boolean(),
  /** Empty if only money that was withheld is given back. */
  claims: z.array(z.object({ id: z.int(), cents: z.int(), blocked: z.boolean() })),
  /** The last payment of one of these claims that the bank returned or payroll could not make. */
  returned: z
    .object({
      at: z.iso.datetime({ offset: true }),
      because: z.string().nullable(),
      by_bank: z.boolean(),
      /** The account that sent it back is still the person's. */
      same_account: z.boolean(),
    })
    .nullable(),
  refusals: z.object({ block: Refusal }),
})

const BlockId = z.object({ id: z.uuid() })
const after = z.string().max(2000).optional()
const more = { next: z.string().nullable(), currency: z.string() }

export const payment_blocks = {
  /** Blocks in force, the newest first. With a claim: its own, and those of all payments to its person. */
  list: get(
    '/payment-blocks',
    z.object({
      person_id: z.uuid().optional(),
      claim_id: z.coerce.number().int().positive().optional(),
      after,
    }),
    z.object({
      blocks: PaymentBlock.array(),
      /** Why the asker may not block payments to this person. */
      refusals: z.object({ block: Refusal }),
      ...more,
    }),
  ),
  due: get(
    '/payment-blocks/due',
    z.object({
      cut_off_on: Day().optional(),
      search: SearchText.optional(),
      after,
    }),
    z.object({ people: DuePayment.array(), ...more }),
  ),
  /** Payments that are in an open payout leave it. */
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
  /** The next payout pays what was blocked. */
  remove: del('/payment-blocks/:id', BlockId, BlockId),
}
