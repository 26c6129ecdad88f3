// Connections of a company's own systems: the keys by which they ask.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { ClaimStatus, Payment, ClaimStage } from '#claims/words.contract.ts'
import { del, get, post, Refusal } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'
import { OneLine } from '#lib/one-line.ts'

/** The acts that each opens are in `src/permissions/key-rights.ts`. */
export type Right = z.infer<typeof Right>
export const Right = z.enum([
  'people:read',
  'people:write',
  'people:provision',
  'funds:read',
  'claims:read',
])

const KeyState = z.enum(['active', 'expired', 'revoked', 'maker_gone'])

export type ApiKey = z.infer<typeof ApiKey>
export const ApiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  rights: Right.array(),
  ends_on: z.iso.date(),
  made_at: z.iso.datetime(),
  made_by_name: z.string().nullable(),
  state: KeyState,
  last_used_at: z.iso.datetime().nullable(),
  /** The last characters of each secret that is good, newest first: two while it is renewed. */
  secrets: z.object({ ending: z.string(), ends_at: z.iso.datetime().nullable() }).array(),
  refusals: z.object({ rotate: Refusal, revoke: Refusal }),
})

/** The key of an identity provider, which asks by SCIM alone (src/connections/scim). */
export const isProvisioning = ({ rights }: Pick<ApiKey, 'rights'>) =>
  rights.includes('people:provision')

/** `secret` is shown this once: only its hash is kept. */
export type KeyMade = z.infer<typeof KeyMade>
export const KeyMade = z.object({ key: ApiKey, secret: z.string() })

export const NewKey = z.object({
  name: OneLine.min(2, 'Name must be at least 2 characters').max(
    60,
    'Name must be at most 60 characters',
  ),
  rights: z.array(Right).min(1, 'Choose at least one right').max(10),
  ends_on: Day(),
})

const KeyId = z.object({ id: z.uuid() })

/** A claim as money and state, without what it was for: no type, provider, family, receipt or word. */
export type PlainClaim = z.infer<typeof PlainClaim>
export const PlainClaim = z.object({
  id: z.int(),
  person_id: z.uuid(),
  category: Category,
  plan_year: z.iso.date(),
  amount_cents: z.int(),
  approved_cents: z.int().nullable(),
  currency: z.string(),
  status: ClaimStatus,
  stage: ClaimStage.nullable(),
  payment: Payment.nullable(),
  submitted_at: z.iso.datetime(),
  reviewed_at: z.iso.datetime().nullable(),
  paid_on: z.iso.date().nullable(),
})

export const connections = {
  keys: get('/connections/keys', z.object({}), ApiKey.array()),
  make_key: post('/connections/keys', NewKey, KeyMade),
  /** Makes a new secret; the one before stays good for this many hours. */
  rotate_key: post(
    '/connections/keys/:id/rotation',
    KeyId.extend({ overlap_hours: z.int().min(0).max(720) }),
    KeyMade,
  ),
  revoke_key: del('/connections/keys/:id', KeyId, ApiKey),
  /** Claims come by their number, oldest first, so that a reader can go on from the last one it knows. */
  claims: get(
    '/company/claims',
    z.object({
      status: ClaimStatus.optional(),
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(100),
    }),
    z.object({ claims: PlainClaim.array(), next: z.int().nullable() }),
  ),
}
