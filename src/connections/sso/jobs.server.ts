// Checks that an identity provider answers and says what is needed, before anybody is sent to it.
import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { allowListOf, isRefused } from '#lib/addresses.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { fetchWithin } from '#lib/guarded-fetch.server.ts'

type Fetch = ReturnType<typeof fetchWithin>
type CheckedProvider = { kind: 'oidc' | 'saml'; issuer: string; certificates: string[] }

const ProviderInput = z.object({ company_id: z.uuid() })
const Configuration = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
const PublishedKeys = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) })

export function checkProvider(allow: readonly string[]): Task {
  const ask = fetchWithin(allowListOf(allow))
  return async (input, { sql }) => {
    const { company_id } = ProviderInput.parse(input)
    const [provider] = await sql<CheckedProvider[]>`
      select kind, issuer, certificates from identity_providers where company_id = ${company_id}`
    if (!provider) return
    const fault =
      provider.kind === 'oidc' ? await faultOf(ask, provider.issuer) : outdated(provider)
    await sql`select private.note_provider_check(${company_id}, ${fault})`
  }
}

async function faultOf(ask: Fetch, issuer: string) {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const configuration = await read(ask, address, Configuration)
  if ('fault' in configuration) return configuration.fault
  if (configuration.issuer !== issuer) return 'issuer'
  return 'fault' in (await read(ask, configuration.jwks_uri, PublishedKeys)) ? 'keys' : null
}

async function read<S extends z.ZodType>(
  ask: Fetch,
  address: string,
  shape: S,
): Promise<z.output<S> | { fault: string }> {
  try {
    const answer = await ask(address)
    if (!answer.ok) return { fault: 'answer' }
    return shape.parse(await answer.json())
  } catch (error) {
    return { fault: isRefused(error) ? 'address' : 'answer' }
  }
}

/** One valid certificate is enough: while one is replaced there are two. */
const outdated = ({ certificates }: CheckedProvider) =>
  certificates.some((one) => Date.parse(new X509Certificate(one).validTo) > Date.now())
    ? null
    : 'certificate'
