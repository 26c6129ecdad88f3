// Access tokens: what they say, and whom we believe.
import { decodeProtectedHeader, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { Recent } from '#lib/recent.ts'
import { openAuth, type Auth } from './auth.server.ts'
import { AuthFailure } from './failure.server.ts'
import type { AuthOptions, AuthSettings } from './settings.server.ts'

/** `provider`: whose word it is, where it was a company's identity provider. */
export type Amr = { method: string; timestamp: number; provider?: string }
type TokenContent = {
  sub: string
  aud: string
  email: string
  phone: string
  role: string
  app_metadata: object
  user_metadata: object
  aal: string
  amr: Amr[]
  session_id: string
  is_anonymous: boolean
}
/** The claims that the product may rely on in a token that `tokenVerifier` let through. */
type TokenClaims = TokenContent & { iss: string; iat: number; exp: number }

// A token travels in a header, and servers refuse headers beyond 16 KiB: nobody may lock
// themselves out.
const MOST_METADATA = 4096

/** An admin's tokens are renewed well within the time after which their session counts as left. */
const lifeOf = ({ access_token_seconds, admin_idle_seconds }: AuthSettings, is_admin: boolean) =>
  is_admin && admin_idle_seconds > 0
    ? Math.min(access_token_seconds, Math.ceil(admin_idle_seconds / 3))
    : access_token_seconds

export async function signAccessToken(
  auth: Auth,
  content: TokenContent,
  { issued_at, is_admin }: { issued_at: number; is_admin: boolean },
) {
  const { kid, key } = await auth.ring.signer()
  const { sub, aud, user_metadata, ...rest } = content
  const metadata = JSON.stringify(user_metadata).length > MOST_METADATA ? {} : user_metadata
  const expires_at = issued_at + lifeOf(auth.settings, is_admin)
  const token = await new SignJWT({ ...rest, user_metadata: metadata })
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
    .setSubject(sub)
    .setAudience(aud)
    .setIssuer(auth.settings.external_url)
    .setIssuedAt(issued_at)
    .setExpirationTime(expires_at)
    .sign(key)
  return { token, expires_at }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
export const isUuid = (text: unknown): text is string => typeof text === 'string' && uuid.test(text)

/**
 * Signature and times. A key is found by its name alone; without a known one only HS256 is left.
 */
async function verify(auth: Auth, token: string): Promise<JWTPayload> {
  const { alg, kid } = decodeProtectedHeader(token)
  const known =
    typeof kid === 'string' && alg === 'ES256' ? await auth.ring.verifier(kid) : undefined
  const options = { currentDate: auth.now() }
  if (known) return (await jwtVerify(token, known, { ...options, algorithms: ['ES256'] })).payload
  if (alg !== 'HS256')
    throw new Unrecognized(`unrecognized JWT kid ${kid ?? '<nil>'} for algorithm ${alg}`)
  const { api } = auth.derived
  return (await jwtVerify(token, api, { ...options, algorithms: ['HS256'] })).payload
}

class Unrecognized extends Error {}

/** The claims of a bearer for our own endpoints, or the protocol's refusal. */
export async function readBearer(auth: Auth, token: string): Promise<JWTPayload> {
  try {
    return await verify(auth, token)
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason) throw error
    const message = `invalid JWT: unable to parse or verify signature, ${reason}`
    throw new AuthFailure(403, 'bad_jwt', message)
  }
}

function reasonOf(error: unknown): string | undefined {
  if (error instanceof errors.JWTExpired) return 'token has invalid claims: token is expired'
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `token has invalid claims: ${error.claim === 'nbf' ? 'token is not valid yet' : error.message}`
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) {
    return 'token signature is invalid: signature is invalid'
  }
  if (error instanceof Unrecognized) return `token is unverifiable: ${error.message}`
  // jose's own errors and TypeErrors are about the token; anything else is about us.
  const about_token = error instanceof errors.JOSEError || error instanceof TypeError
  return about_token ? 'token is malformed' : undefined
}

const MOST_TOKENS = 10_000

/**
 * For the product's own requests. A token once verified is known by its whole text until it ends, so
 * that the check costs next to nothing. Whether its session still lives is for `become()` to say.
 */
export function tokenVerifier(
  options: AuthOptions,
): (token: string) => Promise<TokenClaims | undefined> {
  const auth = openAuth(options)
  const known = new Recent<string, TokenClaims>(MOST_TOKENS)
  return async (token) => {
    const cached = known.get(token)
    if (cached) {
      if (cached.exp * 1000 > auth.now().getTime()) return cached
      known.delete(token)
      return undefined
    }
    const claims = await productClaims(auth, token)
    if (!claims) return undefined
    known.set(token, claims)
    return claims
  }
}

async function productClaims(auth: Auth, token: string): Promise<TokenClaims | undefined> {
  try {
    const { alg, kid } = decodeProtectedHeader(token)
    const key = alg === 'ES256' && kid ? await auth.ring.verifier(kid) : undefined
    if (!key) return undefined
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      audience: 'authenticated',
      requiredClaims: ['sub', 'exp', 'aud'],
      currentDate: auth.now(),
    })
    const meant_for_us = payload['role'] === 'authenticated' && payload.aud === 'authenticated'
    if (!meant_for_us || !isUuid(payload.sub) || !isUuid(payload['session_id'])) return undefined
    return payload as unknown as TokenClaims
  } catch (error) {
    if (reasonOf(error)) return undefined
    throw error
  }
}
