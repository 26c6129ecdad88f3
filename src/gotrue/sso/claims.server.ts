// The person in an ID token, as the providers in use write it.
import type { IDToken, UserInfoResponse } from 'openid-client'
import { notTaken, type ProviderIdentity } from './codes.server.ts'

export type IdClaims = IDToken | (UserInfoResponse & IDToken)

const textOf = (value: unknown) => (typeof value === 'string' && value ? value : undefined)

/** Microsoft's directory has the address under other names where a person has no mailbox. */
export function addressIn(claims: IdClaims): string | undefined {
  const { email_verified: verified } = claims as Record<string, unknown>
  // A provider that says anything has to say yes, which some write as text; Microsoft's says nothing.
  if (claims['email'] && verified !== undefined && verified !== true && verified !== 'true') {
    return undefined
  }
  return [claims['email'], claims['preferred_username'], claims['upn']]
    .map(textOf)
    .find((value) => value?.includes('@'))
}

export function identityOf(claims: IdClaims): ProviderIdentity {
  const email = addressIn(claims)
  if (!email) throw notTaken('no verified email address')
  const { sub, iss, acr, amr, auth_time } = claims
  const proofs = [acr, ...(Array.isArray(amr) ? amr : [])]
  return {
    subject: sub,
    sid: textOf(claims['sid']) ?? null,
    email,
    full_name: textOf(claims['name']),
    issuer: iss,
    proven_at: typeof auth_time === 'number' ? new Date(auth_time * 1000) : undefined,
    proofs: proofs.flatMap((value) => textOf(value) ?? []),
    attributes: attributesOf(claims),
  }
}

/** Claims that are a text, or several: groups, department, office. */
const attributesOf = (claims: IdClaims) =>
  Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => {
      const values = (Array.isArray(value) ? value : [value]).flatMap((one) => textOf(one) ?? [])
      return values.length > 0 ? [[name, values.slice(0, 200)]] : []
    }),
  )
