// The steps after the identity provider: a code for the browser, and the session for the code.
import { createHash, randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from '../audit.server.ts'
import type { Auth, Db } from '../auth.server.ts'
import { readBody, textField } from '../body.server.ts'
import { AuthFailure, invalid, toFailure } from '../failure.server.ts'
import { sha256 } from '../secrets.server.ts'
import { answerOf, startSession, type BySso } from '../sessions.server.ts'
import type { ProviderKind, StoredProvider } from './providers.server.ts'

const state_seconds = 600
const code_seconds = 300

type SsoState = {
  provider_id: string
  redirect_to: string
  code_challenge: string
  nonce: string
  verifier: string
}

/** The person as a provider described them, in either protocol. */
export type ProviderIdentity = {
  subject: string
  sid: string | null
  email: string
  full_name: string | undefined
  issuer: string
  /** When they proved there who they are, where it tells. */
  proven_at: Date | undefined
  /** How: values of acr and amr, or the authentication context. */
  proofs: string[]
  attributes: Record<string, string[]>
}

/** Taken once: whoever sends the same answer again finds no state. */
export async function takeState(auth: Auth, state: string): Promise<SsoState> {
  const [found] = await auth.sql<SsoState[]>`
    delete from auth.sso_states where state_hash = ${sha256(state)}
      and created_at > ${auth.at(-state_seconds)}
      returning provider_id, redirect_to, code_challenge, nonce, verifier`
  if (found) return found
  throw new AuthFailure(400, 'bad_oauth_state', 'This sign-in is over. Please begin again')
}

export const notTaken = (why: string) =>
  new AuthFailure(
    400,
    'bad_oauth_callback',
    `The identity provider’s answer was not accepted: ${why}`,
  )

const refusals: Record<string, [status: 403 | 404 | 422, sentence: string]> = {
  sso_provider_not_found: [404, 'No SSO provider assigned for this domain'],
  email_address_not_authorized: [
    403,
    'This address is not at a domain that the company has proven',
  ],
  email_exists: [422, 'This address belongs to an account of somebody else'],
  user_banned: [403, 'User is banned'],
}

/** The person is let in by the company's rules; the browser gets a code for it. */
export async function codeFor(
  auth: Auth,
  db: Db,
  {
    provider,
    state,
    identity,
  }: { provider: StoredProvider; state: SsoState; identity: ProviderIdentity },
): Promise<string> {
  const { email, full_name, issuer, attributes } = identity
  const about = db.json({ email, full_name: full_name ?? null, iss: issuer, attributes })
  const [entered] = await db<{ user_id: string | null; refusal: string | null }[]>`
    select * from auth.enter_by_sso(${provider.id}, ${identity.subject}, ${about})`
  if (!entered?.user_id) {
    const code = entered?.refusal ?? 'sso_provider_not_found'
    const [status, message] = refusals[code] ?? [403, 'This person may not sign in here']
    throw new AuthFailure(status, code, message)
  }
  const code = randomBytes(32).toString('base64url')
  const second_step = provider.second_step_by.some((value) => identity.proofs.includes(value))
  // The provider may not say when it asked for the proof. An hour ago stands for that: old enough to be asked again.
  const now = auth.now().getTime()
  const proven_at = new Date(Math.min(identity.proven_at?.getTime() ?? now - 3_600_000, now))
  await db`
    insert into auth.sso_codes (code_hash, user_id, provider_id, kind, subject, sid, code_challenge,
      second_step, proven_at, created_at)
    values (${sha256(code)}, ${entered.user_id}, ${provider.id}, ${provider.kind}, ${identity.subject},
      ${identity.sid}, ${state.code_challenge}, ${second_step}, ${proven_at.toISOString()}, ${auth.at()})`
  return code
}

export const goBack = (c: Context, where: string, params: Record<string, string>) => {
  const url = new URL(where)
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return c.redirect(url.href, 303)
}

/** A refusal is told on the page that they came from; what is our own fault is not one. */
export function goBackRefused(auth: Auth, c: Context, error: unknown, where?: string): Response {
  const { status, code, message } = toFailure(error)
  if (status >= 500) throw error
  auth.log.info({ code, why: message, request_id: c.get('request_id') }, 'sign-in refused')
  return goBack(c, where ?? `${auth.settings.site_url}/auth/sso`, {
    error: 'access_denied',
    error_code: code,
    error_description: message,
  })
}

export const CodeProof = z.object({ auth_code: textField, code_verifier: textField })
type StoredCode = Omit<BySso, 'proven_at'> & {
  user_id: string
  kind: ProviderKind
  code_challenge: string
  proven_at: string
}

const codeGone = () =>
  new AuthFailure(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found')

/** Taken once, and only by the browser that began. */
export async function takeCode(auth: Auth, proof: z.output<typeof CodeProof>): Promise<StoredCode> {
  const { auth_code, code_verifier } = proof
  if (!auth_code || !code_verifier) {
    throw invalid('Both the code and what proves it are needed')
  }
  const [code] = await auth.sql<StoredCode[]>`
    delete from auth.sso_codes where code_hash = ${sha256(auth_code)}
      and created_at > ${auth.at(-code_seconds)} returning *`
  if (!code) throw codeGone()
  const challenge = createHash('sha256').update(code_verifier).digest('base64url')
  if (challenge === code.code_challenge) return code
  const message = 'This is not what the code was asked with'
  throw new AuthFailure(400, 'bad_code_verifier', message)
}

export async function exchangeCode(auth: Auth, c: Context): Promise<Response> {
  const { user_id, kind, ...sso } = await takeCode(auth, readBody(c, CodeProof))
  const grant = await auth.sql.begin((tx) =>
    startSession(auth, tx, c, { user_id, method: `sso/${kind}`, sso }),
  )
  if (!grant) throw codeGone()
  return c.json(await answerOf(auth, grant))
}

/** The provider says that somebody is signed out there. */
export async function endSsoSessions(
  auth: Auth,
  db: Db,
  c: Context,
  { id }: StoredProvider,
  { subject, sid }: { subject: string | null; sid: string | null },
): Promise<void> {
  await db`select auth.end_sso_sessions(${id}, ${subject}, ${sid})`
  await record({ auth, tx: db, c }, 'logout', undefined, { provider: `sso:${id}` })
}
