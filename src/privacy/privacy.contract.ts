import { z } from 'zod'
import { download, get, post, Refusal } from '#lib/contract.ts'

export type DataExport = z.infer<typeof DataExport>
export const DataExport = z.object({
  id: z.uuid(),
  status: z.enum(['waiting', 'making', 'ready', 'failed']),
  percent: z.int(),
  /** Why it failed, as a sentence. */
  fault: z.string().nullable(),
  size_bytes: z.int().nullable(),
  requested_at: z.iso.datetime(),
  made_at: z.iso.datetime().nullable(),
  expires_at: z.iso.datetime().nullable(),
  downloads: z.int(),
  downloaded_at: z.iso.datetime().nullable(),
})

/** Why whoever asks may not request it now: an export, or erasure. */
export const RequestRefusals = z.object({ request: Refusal })

/** A thing to settle first; `items` of it, worth `cents` where it is about money. */
export type ErasureBlocker = z.infer<typeof ErasureBlocker>
export const ErasureBlocker = z.object({
  code: z.enum([
    'erasure_last_super_admin',
    'erasure_only_admin',
    'erasure_open_claims',
    'erasure_unpaid_claims',
    'erasure_overpaid',
  ]),
  items: z.int(),
  cents: z.int().nullable(),
  currency: z.string().nullable(),
})

/** The data removed by an erasure, and how much of each. */
export type ItemsToErase = z.infer<typeof ItemsToErase>
export const ItemsToErase = z.object({
  kind: z.enum([
    'record',
    'own_acts',
    'family',
    'claims',
    'receipts',
    'bookings',
    'notifications',
    'mails',
    'file_rows',
    'inquiries',
  ]),
  items: z.int(),
})

const ErasureStatus = z.enum([
  'requested',
  'with_provider',
  'refused',
  'withdrawn',
  'under_way',
  'done',
])

export type OwnErasure = z.infer<typeof OwnErasure>
export const OwnErasure = z.object({
  id: z.uuid(),
  status: ErasureStatus,
  requested_at: z.iso.datetime(),
  refusal: z.string().nullable(),
  refused_side: z.enum(['hr', 'provider']).nullable(),
  ended_at: z.iso.datetime().nullable(),
})

export type Erasure = z.infer<typeof Erasure>
export const Erasure = OwnErasure.extend({
  person_id: z.uuid(),
  person_name: z.string(),
  person_email: z.string(),
  company_name: z.string().nullable(),
  reason: z.string().nullable(),
  hr_name: z.string().nullable(),
  hr_at: z.iso.datetime().nullable(),
  provider_name: z.string().nullable(),
  provider_at: z.iso.datetime().nullable(),
  /** Why whoever looks at it may not answer it now. */
  refusals: z.object({ approve: Refusal, refuse: Refusal }),
  blockers: ErasureBlocker.array(),
  going: ItemsToErase.array(),
})

export const NewErasure = z.object({
  reason: z.string().trim().max(500, 'At most 500 characters').optional(),
})
export const ErasureRefusal = z.object({
  refusal: z.string().trim().min(5, 'Say why, in a sentence').max(500, 'At most 500 characters'),
})

const None = z.object({})
const ById = z.object({ id: z.uuid() })
const After = z.object({ after: z.string().max(2000).optional() })

export const privacy = {
  exports: get(
    '/privacy/exports',
    None,
    z.object({ exports: DataExport.array(), refusals: RequestRefusals }),
  ),
  request_export: post('/privacy/exports', None, DataExport, { idempotent: true }),
  retry_export: post('/privacy/exports/:id/retry', ById, DataExport),
  download_export: download('/privacy/exports/:id/file', ById, { recorded: false }),

  /** One's own request, the newest, and what stands against it as things are. */
  erasure: get(
    '/privacy/erasure',
    None,
    z.object({
      erasure: OwnErasure.nullable(),
      blockers: ErasureBlocker.array(),
      refusals: RequestRefusals,
    }),
  ),
  request_erasure: post('/privacy/erasure', NewErasure, OwnErasure, { idempotent: true }),
  withdraw_erasure: post('/privacy/erasure/withdrawal', None, OwnErasure),

  /** Requests that wait for HR or the provider, and what became of others. */
  erasures_waiting: get(
    '/privacy/erasures/waiting',
    None,
    /** How many, and who has waited longest. */
    z.object({ waiting: z.int(), person_name: z.string().nullable() }),
  ),
  erasures: get(
    '/privacy/erasures',
    After.extend({ show: z.enum(['open', 'ended']).default('open') }),
    z.object({ erasures: Erasure.array(), next: z.string().nullable() }),
  ),
  find_erasure: get('/privacy/erasures/:id', ById, Erasure),
  approve_erasure: post('/privacy/erasures/:id/approval', ById, Erasure),
  refuse_erasure: post('/privacy/erasures/:id/refusal', ById.extend(ErasureRefusal.shape), Erasure),
}
