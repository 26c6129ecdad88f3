// Marks on a receipt: where something was read, and what is black there now.
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
