// Sign-in by OpenID Connect: authorization code with PKCE, nonce, and the issuer's signature on the ID token.
import type { Context } from 'hono'
import { createLocalJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { openSecret } from '#lib/provider-secrets.server.ts'
import type { Auth } from '../auth.server.ts'
import { AuthFailure } from '../failure.server.ts'
import {
  codeFor,
  endSsoSessions,
  goBack,
  goBackRefused,
  notTaken,
  takeState,
  type ProviderIdentity,
} from './codes.server.ts'
import { addressIn, identityOf } from './claims.server.ts'
import { addressesOf, findProvider, isFirst, type StoredProvider } from './providers.server.ts'

export type AuthorizationRequest = {
  state: string
  nonce: string
  verifier: string
  /** The person must prove who they are again there, and the provider states when they did. */
  fresh: boolean
}

/** Asked again each time: a key that was exchanged counts at once, and one that was withdrawn no more. */
async function configurationOf(auth: Auth, provider: StoredProvider) {
  const issuer = new URL(provider.issuer)
  const secret = openSecret(auth.provider_key, provider.company_id, provider.sealed ?? Buffer.of())
  const { protocol } = issuer
  return client
    .discovery(issuer, provider.client_id ?? '', {}, client.ClientSecretBasic(secret), {
      // Plain http is for those whom the operator allows: `ask` refuses all others.
      execute: [
        client.enableNonRepudiationChecks,
        ...(protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
      [client.customFetch]: (url, options) => auth.ask(url, options),
    })
    .catch((error: unknown) => {
      auth.log.warn({ err: error, provider: provider.id }, 'an identity provider did not answer')
      throw new AuthFailure(
        422,
        'sso_provider_unreachable',
        'The identity provider does not answer',
      )
    })
}

export async function oidcAddress(
  auth: Auth,
  provider: StoredProvider,
  request: AuthorizationRequest,
): Promise<string> {
  const configuration = await configurationOf(auth, provider)
  const { state, nonce, verifier, fresh } = request
  return client.buildAuthorizationUrl(configuration, {
    redirect_uri: addressesOf(auth, provider.company_id).oidc,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh ? { max_age: '0' } : {}),
  }).href
}

export async function oidcCallback(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  let where: string | undefined
  try {
    const answer = new URL(c.req.url).searchParams
    const sent_state = answer.get('state') ?? ''
    const state = await takeState(auth, sent_state)
    where = state.redirect_to
    const provider = await findProvider(auth.sql, state.provider_id)
    // An answer that came to another company's address was another provider's to give.
    if (provider?.kind !== 'oidc' || provider.company_id !== c.req.param('company_id'))
      throw notTaken('wrong address')
    const came_to = new URL(`${addressesOf(auth, provider.company_id).oidc}?${answer}`)
    const identity = await read(auth, provider, came_to, { ...state, sent_state })
    const code = await auth.sql.begin((tx) => codeFor(auth, tx, { provider, state, identity }))
    return goBack(c, state.redirect_to, { code })
  } catch (error) {
    return goBackRefused(auth, c, error, where)
  }
}

type OidcSecrets = { sent_state: string; nonce: string; verifier: string }

async function read(
  auth: Auth,
  provider: StoredProvider,
  came_to: URL,
  checks: OidcSecrets,
): Promise<ProviderIdentity> {
  const configuration = await configurationOf(auth, provider)
  try {
    const tokens = await client
      .authorizationCodeGrant(configuration, came_to, {
        expectedState: checks.sent_state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      })
      .catch(async (error: unknown) => {
        if (refusesUs(error)) await auth.sql`select auth.notify_of_sso_refusal(${provider.id})`
        throw error
      })
    const claims = tokens.claims()
    if (!claims) throw notTaken('no ID token')
    const { userinfo_endpoint } = configuration.serverMetadata()
    if (!addressIn(claims) && userinfo_endpoint) {
      const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      return identityOf({ ...more, ...claims })
    }
    return identityOf(claims)
  } catch (error) {
    throw error instanceof AuthFailure ? error : notTaken(reasonOf(error))
  }
}

/** The client itself, and so everybody who comes: as a rule its secret has run out. */
const refusesUs = (error: unknown) =>
  error instanceof client.WWWAuthenticateChallengeError ||
  (error instanceof client.ResponseBodyError &&
    ['invalid_client', 'unauthorized_client'].includes(error.error))

/** Never what the answer itself says: it would be shown on our page. */
function reasonOf(error: unknown): string {
  const { code, error: refused } = error as { code?: string; error?: string }
  const error_code = refused ?? code ?? 'invalid'
  return /^[\w.-]{1,60}$/.test(error_code) ? error_code : 'invalid'
}

const sign_out_event = 'http://schemas.openid.net/event/backchannel-logout'

/** OpenID Connect Back-Channel Logout 1.0. */
export async function oidcSignedOut(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  c.header('cache-control', 'no-store')
  const provider = await findProvider(auth.sql, c.req.param('company_id') ?? '')
  const token = new URLSearchParams(c.get('body') as string).get('logout_token')
  const refused = () => new AuthFailure(400, 'invalid_request', 'This logout token is not accepted')
  if (!token || provider?.kind !== 'oidc') throw refused()
  const { jwks_uri = '' } = (await configurationOf(auth, provider)).serverMetadata()
  const keys = createLocalJWKSet(await (await auth.ask(jwks_uri)).json())
  const { payload } = await jwtVerify(token, keys, {
    issuer: provider.issuer,
    audience: provider.client_id ?? '',
    algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    maxTokenAge: 300,
    clockTolerance: 120,
    currentDate: auth.now(),
  }).catch(() => {
    throw refused()
  })
  const { sub: subject = null, jti, nonce, events } = payload
  const sid = typeof payload['sid'] === 'string' ? payload['sid'] : null
  const is_one = Object.hasOwn(Object(events), sign_out_event)
  if (!is_one || nonce !== undefined || !jti || (!subject && !sid)) throw refused()
  await auth.sql.begin(async (tx) => {
    if (!(await isFirst(tx, provider.id, `logout ${jti}`))) throw refused()
    await endSsoSessions(auth, tx, c, provider, { subject, sid })
  })
  return c.body(null, 200)
}
