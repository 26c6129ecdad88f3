import { z } from 'zod'
import { del, download, get, post, upload } from '#lib/contract.ts'
import { isProblemCode, problems } from '#problems.ts'
import { Department, Email, FullName, Phone } from './employees.contract.ts'

export const import_limits = { bytes: 64 * 1024 * 1024, rows: 250_000 } as const

export type Import = z.infer<typeof Import>
export const Import = z.object({
  id: z.uuid(),
  file_name: z.string(),
  status: z.enum(['reading', 'checked', 'importing', 'done', 'undoing', 'undone']),
  rows: z.int(),
  fresh: z.int(),
  here: z.int(),
  twice: z.int(),
  elsewhere: z.int(),
  skipped: z.int(),
  invalid: z.int(),
  taken: z.int(),
  /** Of those to take back: who had come in meanwhile and stays. */
  kept: z.int(),
  /** How many of the new rows are dealt with, while it is under way. */
  done: z.int(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
})

export type Finding = z.infer<typeof Finding>
export const Finding = z.enum([
  'fresh',
  'here',
  'twice',
  'elsewhere',
  'skipped',
  'invalid',
  'taken',
  'adopted',
  'undone',
])

/** Why a row is not taken. Never which company an address belongs to. */
const findingSentences: Record<Finding, string> = {
  fresh: 'New',
  here: 'Already in your company',
  twice: 'The same email stands in an earlier row',
  elsewhere: 'This email already has an account that can’t be added here',
  skipped: 'Name or email is missing',
  invalid: 'Invalid',
  taken: 'Added',
  adopted: 'Added, with the account they already have',
  undone: 'Taken back',
}

type ImportRow = z.infer<typeof ImportRow>
export const ImportRow = z.object({
  line: z.int(),
  full_name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  department: z.string().nullable(),
  finding: Finding,
  /** Codes, one after the other: fields by their names, row_faults, or a problem's. */
  reason: z.string().nullable(),
})

const ById = z.object({ id: z.uuid() })

export const imports = {
  upload: upload('/imports', z.object({ file_name: z.string().trim().min(1).max(200) }), Import, {
    limit_bytes: import_limits.bytes,
  }),
  list: get('/imports', z.object({}), Import.array()),
  find: get('/imports/:id', ById, Import),
  /** The rows that are not taken, in the file's order. */
  rows: get(
    '/imports/:id/rows',
    ById.extend({ after: z.coerce.number().int().min(0).default(0) }),
    z.object({ rows: ImportRow.array(), next: z.int().nullable() }),
  ),
  rejected: download('/imports/:id/rejected', ById),
  start: post('/imports/:id/start', ById, Import),
  undo: post('/imports/:id/undo', ById, Import),
  discard: del('/imports/:id', ById, ById),
}

/** What is wrong with a row besides its fields, each of which is known by its name. */
export const row_faults = {
  too_long: 'This row is too long',
  open_quote: 'A quote is opened here and never closed: everything after it was read as this row',
  formula: 'This looks like a formula',
  odd_characters: 'Unreadable characters',
}
export const row_shapes = {
  full_name: FullName,
  email: Email,
  phone: Phone,
  department: Department,
}
type Field = keyof typeof row_shapes
const isField = (code: string): code is Field => code in row_shapes
const isFault = (code: string): code is keyof typeof row_faults => code in row_faults

/** What a row's own reasons say, else what was found. Once reasons were kept as sentences. */
export function whyNot(row: Pick<ImportRow, 'finding' | 'reason' | Field>) {
  if (!row.reason) return findingSentences[row.finding]
  const codes = row.reason.split(' ')
  const said = codes.map((code) => {
    if (isField(code))
      return row_shapes[code].safeParse(row[code]).error?.issues[0]?.message ?? 'Invalid'
    if (isFault(code)) return row_faults[code]
    return isProblemCode(code) ? problems[code][1] : null
  })
  return said.includes(null) ? row.reason : said.join('. ')
}
