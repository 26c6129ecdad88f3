// Problems with a receipt.
import { receipt_limits } from './limits.contract.ts'

export const receipt_problems = {
  receipt_empty: [422, 'This file is empty'],
  receipt_kind: [422, 'Only JPEG, PNG, WebP and PDF files are accepted, and this is none of them'],
  receipt_heic: [
    422,
    'HEIC and AVIF photos are not accepted. Choose “Most Compatible” in the camera’s settings, or send a JPEG',
  ],
  receipt_broken: [
    422,
    'This file is damaged and can’t be read. Try another copy, or a photo of it',
  ],
  receipt_locked: [422, 'This PDF is protected by a password. Save it without one and try again'],
  receipt_too_small: [422, 'This picture is too small to be read'],
  receipt_too_many_pixels: [
    422,
    'This picture has more than 50 megapixels. Take it with a lower resolution',
  ],
  receipt_too_many_pages: [
    422,
    `This PDF has more than ${receipt_limits.pages} pages. Send only those of the receipt`,
  ],
  receipt_too_heavy: [422, 'This file is too heavy to process. Try a photo or a simpler PDF'],
  receipts_already_waiting: [
    422,
    `${receipt_limits.unattached} receipts wait for their claim already. Remove some, or send the claim first`,
  ],
  receipt_gone: [409, 'One of the receipts no longer exists. Add it again'],
  receipts_not_for_you: [
    403,
    'Only reviewers with the Receipts right can open restricted receipts',
  ],
  receipt_attached: [409, 'This receipt belongs to a claim, so it stays'],
  receipt_in_claim: [409, 'This receipt is already on a claim, so nothing can be blacked out'],
  receipt_being_read: [409, 'This receipt is being read. Try again in a moment'],
  receipt_blacked_meanwhile: [
    409,
    'Parts of this receipt were blacked out in the meantime. Look at it again',
  ],
  blacked_off_page: [422, 'A box is not on a page of this receipt. Draw it again'],
} as const satisfies Record<string, readonly [status: number, title: string]>
