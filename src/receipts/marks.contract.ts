// A receipt as it was read: the values, where they stand on it, and what is black there now.
import { z } from 'zod'

/** A line of a receipt: its page, from one on, and shares of that page's width and height. */
export type Spot = z.infer<typeof Spot>
const Spot = z.object({
  page: z.int(),
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
})
/** The places where it was read, as far as they are known. */
export type ReadMarks = z.infer<typeof ReadMarks>
export const ReadMarks = z.object({ amount: Spot, on: Spot, provider: Spot }).partial()

/** Values read where it is black now. */
export type BlackedRead = z.infer<typeof BlackedRead>
export const BlackedRead = ReadMarks.keyof()

/** A receipt, for its person and for those who decide. */
export const ReceiptFacts = z.object({
  id: z.uuid(),
  file_name: z.string(),
  size_bytes: z.int(),
  read_state: z.enum(['waiting', 'reading', 'read', 'unreadable']),
  /** Values read, to be proposed: null where nothing certain was found. */
  read_amount_cents: z.int().nullable(),
  read_currency: z.string().nullable(),
  read_on: z.iso.date().nullable(),
  read_provider: z.string().nullable(),
  read_marks: ReadMarks,
  /** Reviewers decide without it. */
  restricted: z.boolean(),
  /** How often parts of it were blacked out by whose it is. */
  blacked_times: z.int(),
  blacked_reads: BlackedRead.array(),
})
