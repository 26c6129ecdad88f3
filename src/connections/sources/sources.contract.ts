// The source of a company's list of employees, fetched each day.
import { z } from 'zod'
import { del, get, post, put } from '#lib/contract.ts'

export type Source = z.infer<typeof Source>
export const Source = z.object({
  url: z.string(),
  login: z.string().nullable(),
  /** The secret itself is shown to nobody again. */
  secret_kind: z.enum(['none', 'password', 'key']),
  /** The key of the SSH server that an admin said is theirs, and another one that was met. */
  host_key: z.string().nullable(),
  host_key_met: z.string().nullable(),
  /** The hour of the company's clock. */
  hour: z.int(),
  /** The changes that a file makes automatically: none, all but leaving, or all within the limit on leaving. */
  applies: z.enum(['ask', 'changes', 'all']),
  set_by_name: z.string().nullable(),
  next_at: z.iso.datetime().nullable(),
  fetching_at: z.iso.datetime().nullable(),
  failing_since: z.iso.datetime().nullable(),
  fetches: z
    .object({
      id: z.int(),
      at: z.string(),
      outcome: z.enum(['same', 'nothing', 'compared', 'applied', 'waiting', 'failed']),
      fault: z.string().nullable(),
      bytes: z.int().nullable(),
      import_id: z.uuid().nullable(),
    })
    .array(),
})

export const SourceInput = z.object({
  url: z.string().trim().min(1, 'Enter an address').max(1000),
  login: z.string().trim().max(200).optional(),
  secret_kind: Source.shape.secret_kind,
  /** Without a secret the current one stays; another server or kind of secret needs its own. */
  secret: z.string().max(20_000).optional(),
  hour: z.coerce.number().int().min(0).max(23),
  applies: Source.shape.applies,
})

const nothing = z.object({})
const SavedSource = z.object({ source: Source.nullable() })

export const sources = {
  find: get('/people-source', nothing, SavedSource),
  save: put('/people-source', SourceInput, SavedSource),
  trust: post('/people-source/host-key', z.object({ host_key: z.string() }), SavedSource),
  fetch: post('/people-source/fetch', nothing, SavedSource),
  remove: del('/people-source', nothing, SavedSource),
}
