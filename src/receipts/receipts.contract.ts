import { z } from 'zod'
import { del, download, get, post, Refusal, upload, stepwise } from '#lib/contract.ts'
import { receipt_limits } from './limits.contract.ts'
import { ReceiptFacts } from './marks.contract.ts'
import { OneLine } from '#lib/one-line.ts'

export const receipt_types = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

const share = z.number().min(0).max(1)
const side = z.number().min(receipt_limits.part_side).max(1)
/** A part of a page to be blacked out, as `Spot` says where. */
export const BlackedPart = z.object({
  page: z.int().min(1).max(receipt_limits.pages),
  left: share,
  top: share,
  width: side,
  height: side,
})

export type Receipt = z.infer<typeof Receipt>
export const Receipt = ReceiptFacts.extend({
  claim_id: z.int().nullable(),
  media_type: z.enum(receipt_types),
  pages: z.int(),
  width: z.int(),
  height: z.int(),
  refusals: z.object({ black_out: Refusal }),
  created_at: z.iso.datetime(),
})

export type ReceiptOpening = z.infer<typeof ReceiptOpening>
export const ReceiptOpening = z.object({
  id: z.int(),
  opener_name: z.string(),
  opener_role: z.enum(['company_admin', 'employee']),
  /** A look at the large picture, or the file itself. */
  what: z.enum(['picture', 'file']),
  /** Why they opened what is restricted. */
  purpose: z.string().nullable(),
  at: z.iso.datetime(),
})

/** 240 pixels wide in a list; 1400 in the review panel, which is an opening. */
const PictureSize = z.enum(['small', 'large'])

const ReceiptId = z.object({ id: z.uuid() })

export const receipts = {
  upload: upload(
    '/receipts',
    z.object({ file_name: OneLine.min(1, 'Give the file a name').max(200) }),
    Receipt,
    {
      limit_bytes: receipt_limits.bytes,
    },
  ),
  /** Receipts of a claim; without one, one's own that wait for theirs. */
  list: get(
    '/receipts',
    z.object({ claim_id: z.coerce.number().int().optional() }),
    Receipt.array(),
  ),
  find: get('/receipts/:id', ReceiptId, Receipt),
  /** One's own, while no claim has it. */
  remove: del('/receipts/:id', ReceiptId, ReceiptId),
  /** Burns the parts into it, for good: the file as it was is removed. Of one's own that no claim has. */
  black_out: stepwise(
    '/receipts/:id/black-out',
    ReceiptId.extend({
      /** The count of blackings when the receipt was looked at. */
      blacked_times: z.int().min(0),
      parts: BlackedPart.array().min(1).max(receipt_limits.parts),
    }),
    Receipt,
  ),
  /** Copies the same files, unattached, for claiming a rejected claim again. */
  reuse: post(
    '/receipts/reuse',
    z.object({ ids: z.uuid().array().min(1).max(receipt_limits.each_claim) }),
    Receipt.array(),
  ),
  thumbnail: download(
    '/receipts/:id/thumbnail',
    ReceiptId.extend({
      size: PictureSize.default('small'),
      page: z.coerce.number().int().min(1).max(receipt_limits.pages).default(1),
    }),
    { recorded: false },
  ),
  /** Opening somebody else's is recorded for its owner: `opens`. */
  file: download('/receipts/:id/file', ReceiptId, { recorded: false }),
  /** The people who opened one's receipt, newest first; without oneself. */
  opens: get('/receipts/:id/opens', ReceiptId, ReceiptOpening.array()),
}
