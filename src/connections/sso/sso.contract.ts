// A company's identity provider: which, and by what rules its people come in.
import { z } from 'zod'
import { del, get, post, put, Refusal } from '#lib/contract.ts'
import { OneLine } from '#lib/one-line.ts'

export const DepartmentRule = z.object({
  attribute: z.string().trim().min(1).max(200),
  value: z.string().trim().min(1).max(200),
  department: OneLine.min(2).max(100),
})

const Rules = z.object({
  required: z.boolean(),
  /** The person whose password still works when all others must sign in through the provider. */
  break_glass_id: z.uuid().nullable(),
  second_step_by: z.array(z.string().trim().min(1).max(200)).max(20),
  department_rules: z.array(DepartmentRule).max(100),
})

export type Provider = z.infer<typeof Provider>
export const Provider = Rules.extend({
  kind: z.enum(['oidc', 'saml']),
  issuer: z.string(),
  client_id: z.string().nullable(),
  /** The last characters of the client secret. */
  ending: z.string().nullable(),
  sign_in_url: z.string().nullable(),
  certificates: z.int(),
  enabled: z.boolean(),
  checking: z.boolean(),
  checked_at: z.iso.datetime().nullable(),
  fault: z.enum(['address', 'answer', 'issuer', 'keys', 'certificate']).nullable(),
  /** People whose password works even if the provider is required: their address is at none of the company's domains. */
  people_outside: z.int(),
  /** The owners whose password can go on working. */
  owners: z.object({ id: z.uuid(), full_name: z.string() }).array(),
  /** `change` is about settings that decide who signs in and how safely; the secret can always be renewed. */
  refusals: z.object({ switch: Refusal, require: Refusal, change: Refusal }),
})

const SsoAddress = z.enum(['oidc', 'oidc_logout', 'entity', 'acs', 'slo'])

export type Sso = z.infer<typeof Sso>
export const Sso = z.object({
  provider: Provider.nullable(),
  /** The values to enter at the provider. */
  addresses: z.record(SsoAddress, z.string()),
})

export const NewOidc = z.object({
  issuer: z.string().trim().min(1).max(1000),
  client_id: z.string().trim().min(1).max(500),
  /** Never shown again; left out, it stays. */
  client_secret: z.string().trim().min(4).max(1000).optional(),
})

export const NewSaml = z.object({
  metadata: z.string().trim().min(1).max(500_000),
})

export const sso = {
  find: get('/connections/sso', z.object({}), Sso),
  connect_oidc: put('/connections/sso/oidc', NewOidc, Sso),
  connect_saml: put('/connections/sso/saml', NewSaml, Sso),
  /** Queues a test of the provider; a job does it, and screens are told. */
  test: post('/connections/sso/test', z.object({}), Sso),
  switch: put('/connections/sso/enabled', z.object({ enabled: z.boolean() }), Sso),
  change_rules: put('/connections/sso/rules', Rules, Sso),
  remove: del('/connections/sso', z.object({}), Sso),
}
