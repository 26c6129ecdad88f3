// Payroll and books: the codes of a company's own systems, and the files that those read (docs/books.md).
import { z } from 'zod'
import { download, get, patch, Refusal } from '#lib/contract.ts'
import type { BookItem } from './words.contract.ts'

/** A code for each item: an item left out stays as it is, an empty code removes it. (The first load has no list of items.) */
export type Codes = { [Item in BookItem]?: string | undefined }
export const Codes = z.object({}).catchall(z.string().trim().max(20)) as unknown as z.ZodObject<
  Record<BookItem, z.ZodOptional<z.ZodString>>
>

const RunNumber = z.coerce.number().int().positive()
/** The payments of one run, or of a month in the company's days; without either, of the current month so far. */
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
  /** The sum of the debits, which equals that of the credits. */
  cents: z.int(),
  so_far: z.boolean(),
  /** The settings that the files still need, in words. */
  missing: z.string().array(),
  /** The settings that a run's file by wage type still needs. */
  missing_wage_types: z.string().array(),
  /** Why each file can't be made. DATEV needs more codes than this names: making the file names them. */
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
