import { z } from 'zod'
import { del, download, get, post, put, Refusal, upload } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'
import { OneLine } from '#lib/one-line.ts'

export const import_limits = { bytes: 64 * 1024 * 1024, rows: 250_000 } as const

export const list_fields = [
  'full_name',
  'first_name',
  'last_name',
  'email',
  'personnel_number',
  'department',
  'phone',
  'joined_on',
  'left_on',
] as const
export type ListField = (typeof list_fields)[number]
/** `none`: the company has said that the column is no field. */
export const ColumnField = z.enum([...list_fields, 'none'])
export type ColumnField = z.infer<typeof ColumnField>

/** The field of each plain heading, as the company has matched them. */
export const ColumnFields = z.record(z.string().min(1).max(200), ColumnField)
export type ColumnFields = z.infer<typeof ColumnFields>

export const encodings = ['utf-8', 'windows-1252', 'windows-1250', 'utf-16le', 'utf-16be'] as const
export type Encoding = z.infer<typeof Encoding>
export const Encoding = z.enum(encodings)

export type ListedImport = z.infer<typeof ListedImport>
export const ListedImport = z.object({
  id: z.uuid(),
  file_name: z.string(),
  /** The file is the list of all employees: it changes people, and says who is missing. */
  full_list: z.boolean(),
  /** There is no file: the people were selected in the list. */
  chosen: z.boolean(),
  /** The encoding, or `xlsx`; null for files from before that was recorded. */
  encoding: z.string().nullable(),
  /** `waiting`: more people would leave by it than one admin may decide, so another one has to approve. */
  status: z.enum(['reading', 'checked', 'waiting', 'importing', 'done', 'undoing', 'undone']),
  rows: z.int(),
  fresh: z.int(),
  here: z.int(),
  duplicate: z.int(),
  address_taken: z.int(),
  skipped: z.int(),
  invalid: z.int(),
  /** Counts of a full list: people it changes, people it says nothing new of, and employees who are not in it. */
  changes: z.int(),
  same: z.int(),
  missing: z.int(),
  /** Whether the missing leave, and on which day; set when the import is started. */
  leaves: z.boolean(),
  left_on: z.iso.date().nullable(),
  /** People left as they are, because somebody changed them since the file was compared. */
  untouched: z.int(),
  taken: z.int(),
  /** People of an undone file who had joined meanwhile, and stay. */
  kept: z.int(),
  /** How many of the new rows are done, while it is under way. */
  done: z.int(),
  /** People whom a full list changed, and those whose last day it set, once it is done; null in a list of imports. */
  applied: z.object({ changed: z.int(), left: z.int() }).nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  started_by_name: z.string().nullable(),
  refusals: z.object({ approve: Refusal, leave: Refusal }),
})
export type Import = z.infer<typeof Import>
export const Import = ListedImport.extend({
  /** Undo depends on whether one of its people has joined: looked up for one import, not for each of a list. */
  refusals: ListedImport.shape.refusals.extend({ start: Refusal, undo: Refusal }),
})

export type Finding = z.infer<typeof Finding>
export const Finding = z.enum([
  'fresh',
  'here',
  'duplicate',
  'address_taken',
  'skipped',
  'invalid',
  'taken',
  'adopted',
  'undone',
  'changes',
  'changed',
  'same',
  'missing',
  'left',
  'admin',
  'suspended',
  'gone',
  'conflict',
  'untouched',
  'kept',
])

export type ImportRow = z.infer<typeof ImportRow>
export const ImportRow = z.object({
  line: z.int(),
  full_name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  department: z.string().nullable(),
  finding: Finding,
  /** Codes of faults, one after the other: a field's name, a row_fault, or a problem's code. */
  reason: z.string().nullable(),
})

/** A field of a person, as it is and as the file has it. */
export type FieldChange = z.infer<typeof FieldChange>
export const FieldChange = z.object({
  field: z.enum(['full_name', 'phone', 'department', 'personnel_number', 'joined_on', 'left_on']),
  was: z.string().nullable(),
  becomes: z.string(),
})

/** `staying`: admins and suspended people who are missing in a full list. */
export const kinds_of_people = [
  'fresh',
  'changes',
  'missing',
  'staying',
  'untouched',
  'kept',
] as const

export type ComparedPerson = z.infer<typeof ComparedPerson>
export const ComparedPerson = ImportRow.omit({ phone: true }).extend({
  person_id: z.uuid().nullable(),
  personnel_number: z.string().nullable(),
  joined_on: z.iso.date().nullable(),
  changes: FieldChange.array(),
})

/** The effect of a row's changes on its person's money; a plan is named by its group, and null is the company's. */
export type ChangeEffect = z.infer<typeof ChangeEffect>
export const ChangeEffect = z.object({
  line: z.int(),
  plan_was: z.string().nullable(),
  plan_becomes: z.string().nullable(),
  less_cents: z.int(),
  more_cents: z.int(),
})

/** Somebody whose last day the file sets: what they still have, and their claims that wait for a decision or a payment. */
export type Leaver = z.infer<typeof Leaver>
export const Leaver = z.object({
  line: z.int(),
  person_id: z.uuid(),
  full_name: z.string().nullable(),
  email: z.string().nullable(),
  department: z.string().nullable(),
  available_cents: z.int(),
  open_cents: z.int(),
  open_claims: z.int(),
})

/** How a company's files are read, and how many people may leave by one admin's decision. */
export type Reading = z.infer<typeof Reading>
export const Reading = z.object({
  columns: ColumnFields,
  /** Null: the file decides. */
  encoding: Encoding.nullable(),
  date_order: z.enum(['dmy', 'mdy']),
  leave_percent: z.int().min(0).max(100),
  /** The share in force: a raised one takes effect a day later. */
  leave_percent_now: z.int(),
})

const ImportId = z.object({ id: z.uuid() })
const After = ImportId.extend({ after: z.coerce.number().int().min(0).default(0) })
/** Values of a query are always text. */
const Yes = z.enum(['true', 'false']).or(z.boolean()).transform(String)

export const imports = {
  reading: get('/imports/reading', z.object({}), Reading),
  match: put(
    '/imports/reading',
    Reading.pick({ columns: true, encoding: true, date_order: true }),
    Reading,
  ),
  set_leaver_limit: put('/imports/leaver-limit', Reading.pick({ leave_percent: true }), Reading),
  /** The names and contents of a file's columns: nothing of it is kept. */
  look: upload(
    '/imports/look',
    z.object({ encoding: Encoding.optional() }),
    z.object({
      encoding: z.string(),
      rows: z.int(),
      columns: z
        .object({ heading: z.string(), field: ColumnField, samples: z.string().array() })
        .array(),
    }),
    { limit_bytes: import_limits.bytes },
  ),
  upload: upload(
    '/imports',
    z.object({
      file_name: OneLine.min(1, 'Give the file a name').max(200),
      full_list: Yes.optional(),
    }),
    /** The headings of columns of which nothing is read; said once, as the file comes in. */
    Import.extend({ unused_columns: z.string().array() }),
    { limit_bytes: import_limits.bytes },
  ),
  list: get('/imports', z.object({}), ListedImport.array()),
  find: get('/imports/:id', ImportId, Import),
  /** The rows that are not taken, in the file's order. */
  rows: get(
    '/imports/:id/rows',
    After,
    z.object({ rows: ImportRow.array(), next: z.int().nullable() }),
  ),
  /**
   * The grants of the file's new people, now and in the whole plan year, what its changes take from people and give them, and
   * what the pools lack for all that and for those who come first.
   */
  price: get(
    '/imports/:id/price',
    ImportId,
    z.object({
      currency: z.string(),
      need_cents: z.int(),
      year_cents: z.int(),
      pool_cents: z.int(),
      missing_cents: z.int(),
      /** People who come first: they wait for a grant or are invited. */
      people_before: z.int(),
      less_cents: z.int(),
      people_less: z.int(),
      more_cents: z.int(),
      people_more: z.int(),
    }),
  ),
  /** The new, changed and missing people; once applied, those not changed and those who stay. */
  people: get(
    '/imports/:id/people',
    After.extend({ kind: z.enum(kinds_of_people) }),
    z.object({ people: ComparedPerson.array(), next: z.int().nullable() }),
  ),
  /** Of the same page of changed people: those whose money changes, before anything is applied. */
  effects: get(
    '/imports/:id/effects',
    After,
    z.object({ effects: ChangeEffect.array(), currency: z.string() }),
  ),
  leavers: get(
    '/imports/:id/leavers',
    After,
    z.object({
      leavers: Leaver.array(),
      next: z.int().nullable(),
      people: z.int(),
      available_cents: z.int(),
      open_cents: z.int(),
      open_claims: z.int(),
      currency: z.string(),
      /** Days in which leavers can still submit claims. */
      filing_days: z.int().nullable(),
    }),
  ),
  rejected: download('/imports/:id/rejected', ImportId),
  start: post(
    '/imports/:id/start',
    ImportId.extend({
      /** Whether people who are not in a full list leave. */
      leaves: z.boolean().optional(),
      /** The leavers' last day; today if none is given. */
      left_on: Day().optional(),
    }),
    Import,
  ),
  approve: post('/imports/:id/approval', ImportId, Import),
  undo: post('/imports/:id/undo', ImportId, Import),
  discard: del('/imports/:id', ImportId, ImportId),
}
