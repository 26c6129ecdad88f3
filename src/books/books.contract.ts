// Out to payroll and books: what a company's own systems call each thing, and the files they read (docs/books.md).
import { z } from 'zod'
import { download, get, patch, Refusal } from '#lib/contract.ts'
import type { BookItem } from './words.contract.ts'

/** A code for each item: an item without one is left out, and an empty code removes it. (The items are in no first load.) */
export type Codes = { [Item in BookItem]?: string | undefined }
export const Codes = z.object({}).catchall(z.string().trim().max(20)) as unknown as z.ZodObject<
  Record<BookItem, z.ZodOptional<z.ZodString>>
>

const RunNumber = z.coerce.number().int().positive()
/** The payments of one run, or of a month in the company's days; without either, those of the current month so far. */
const BookPeriod = z.object({
  id: RunNumber.optional(),
  month: z
    .string()
    .regex(/^2\d{3}-(0[1-9]|1[0-2])$/)
    .optional(),
})

export type BookSums = z.infer<typeof BookSums>
const BookSums = z.object({
  postings: z.int(),
  /** The sum of the debits, which is that of the credits. */
  cents: z.int(),
  so_far: z.boolean(),
  /** The settings that the files still need, in words. */
  missing: z.string().array(),
  /** The settings that a run's file by wage type still needs. */
  missing_wage_types: z.string().array(),
  /** The reason, for each file, why it can't be made. DATEV wants more of the codes, which it names as it is made. */
  refusals: z.object({ journal: Refusal, datev: Refusal, wages: Refusal }),
})

export const books = {
  codes: get('/books/codes', z.object({}), Codes),
  change_codes: patch('/books/codes', Codes, Codes),
  /** One line for each person and wage type, with control sums. */
  wages: download('/books/wages/:id', z.object({ id: RunNumber })),
  sums: get('/books/journal', BookPeriod, BookSums),
  journal: download(
    '/books/journal/file',
    BookPeriod.extend({ format: z.enum(['csv', 'datev']).default('csv') }),
    { long: true },
  ),
}
