import { z } from 'zod'
import { Day } from '#lib/days.ts'
import { download, get, post, SearchText } from '#lib/contract.ts'

export type AuditAct = z.infer<typeof AuditAct>
export const AuditAct = z.enum(['insert', 'update', 'delete'])

const RowValues = z.record(z.string(), z.unknown())

export type AuditEntry = z.infer<typeof AuditEntry>
export const AuditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  /** The same for all entries of one act. */
  act_id: z.string(),
  actor_id: z.uuid().nullable(),
  /** Null for the system, for the provider’s staff as a company sees them, and for an account that was removed. */
  actor_name: z.string().nullable(),
  actor_role: z.string(),
  address: z.string().nullable(),
  act: AuditAct,
  table_name: z.string(),
  row_id: z.string(),
  /** The name of the thing that the entry is about, if it has one. */
  subject: z.string().nullable(),
  company_name: z.string().nullable(),
  currency: z.string().nullable(),
  before: RowValues.nullable(),
  after: RowValues.nullable(),
  /** Facts of the thing that the entry itself leaves out. */
  context: RowValues.nullable(),
  /** Erased at a person’s request: all that the entry said, or only the address it was done from. */
  erased: z.enum(['all', 'address']).nullable(),
})

const AuditFilter = z.object({
  search: SearchText.optional(),
  from: Day().optional(),
  to: Day().optional(),
  table: z
    .string()
    .regex(/^[a-z_]{1,60}$/, 'Choose what it is about')
    .optional(),
  act: AuditAct.optional(),
  actor_id: z.uuid().optional(),
  /** The changes to a person, and to their family. */
  about: z.uuid().optional(),
})

export type SignIn = z.infer<typeof SignIn>
export const SignIn = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  full_name: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
  act: z.enum(['login', 'logout']),
})

export type AuditCheck = z.infer<typeof AuditCheck>
export const AuditCheck = z.object({
  entries: z.int(),
  good: z.boolean(),
  sentence: z.string(),
  audit_id: z.int().nullable(),
  as_of: z.iso.datetime(),
})

export const audit = {
  list: get(
    '/audit',
    AuditFilter.extend({
      after: z.string().max(2000).optional(),
      /** The page is longer than this if its last act has further entries: an act is never cut. */
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    z.object({
      entries: AuditEntry.array(),
      /** People whom the entries name by id. */
      names: z.record(z.string(), z.string()),
      next: z.string().nullable(),
      /** How far back a search has looked: it looks through one part at a time. */
      searched_to: z.iso.datetime().nullable(),
    }),
    { alone: true },
  ),
  /** The people who may have done it: to choose one by part of their name, or to name one. */
  actors: get(
    '/audit/actors',
    z.object({ search: SearchText.optional(), actor_id: z.uuid().optional() }),
    z.array(z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })),
  ),
  export: download('/audit.csv', AuditFilter, { long: true }),
  /** Sign-ins of the provider's staff, or of the company's admins: never those of employees. */
  sign_ins: get(
    '/audit/sign-ins',
    z.object({
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    z.object({ sign_ins: SignIn.array(), next: z.string().nullable() }),
  ),
  export_sign_ins: download('/audit/sign-ins.csv', z.object({}), { long: true }),
  verify: post('/audit/verify', z.object({}), AuditCheck, { long: true }),
}
