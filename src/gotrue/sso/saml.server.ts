// Sign-in by SAML 2.0: an answer to our own question alone, its assertion signed, for us, taken once.
import type { Context } from 'hono'
import { openSecret, sealSecret } from '#lib/provider-secrets.server.ts'
import { onlyRow, type Auth } from '../auth.server.ts'
import { AuthFailure } from '../failure.server.ts'
import type { AuthorizationRequest } from './oidc.server.ts'
import { assertionIn, readAssertion, textOf } from './assertion.server.ts'
import { newCertificate } from './certificate.server.ts'
import {
  codeFor,
  endSsoSessions,
  goBack,
  goBackRefused,
  notTaken,
  takeState,
} from './codes.server.ts'
import { addressesOf, findProvider, isFirst, type StoredProvider } from './providers.server.ts'

// A hundred files, and few companies sign in by it: loaded with the first of them.
const library = () => import('@node-saml/node-saml')

/** Clocks differ: so much is forgiven, before and after. */
const skew_ms = 3 * 60_000

type SamlKeys = { private_key: string; certificate: string }

/** Made when they are first needed; of two servers that make some at once, one's are kept. */
async function keysOf(auth: Auth, company_id: string): Promise<SamlKeys> {
  const find = () => auth.sql<{ sealed: Uint8Array; certificate: string }[]>`
    select sealed, certificate from auth.sso_keys where company_id = ${company_id}`
  let found = await find()
  if (found.length === 0) {
    const { private_key, certificate } = await newCertificate('Healthfund')
    await auth.sql`insert into auth.sso_keys (company_id, sealed, certificate)
      values (${company_id}, ${sealSecret(auth.provider_key, company_id, private_key)}, ${certificate})
      on conflict do nothing`
    found = await find()
  }
  const { sealed, certificate } = onlyRow(found)
  return { private_key: openSecret(auth.provider_key, company_id, sealed), certificate }
}

const requestOf = (nonce: string) => `_${nonce}`

/** `nonce`: of the one question whose answer is taken. */
async function samlOf(auth: Auth, provider: StoredProvider, nonce = '') {
  const { SAML, ValidateInResponseTo } = await library()
  const { private_key, certificate } = await keysOf(auth, provider.company_id)
  const addresses = addressesOf(auth, provider.company_id)
  const saml = new SAML({
    callbackUrl: addresses.acs,
    issuer: addresses.entity,
    audience: addresses.entity,
    idpIssuer: provider.issuer,
    idpCert: provider.certificates,
    entryPoint: provider.sign_in_url ?? '',
    logoutUrl: provider.sign_out_url ?? '',
    privateKey: private_key,
    publicCert: certificate,
    decryptionPvk: private_key,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skew_ms,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestOf(nonce),
    validateInResponseTo: ValidateInResponseTo.always,
    // The question is kept in the database, and gone by now: only whether it is this one is left to check.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (nonce && id === requestOf(nonce) ? auth.at() : null),
      removeAsync: async () => null,
    },
  })
  return { saml, addresses, certificate }
}

export async function samlAddress(
  auth: Auth,
  provider: StoredProvider,
  request: AuthorizationRequest,
): Promise<string> {
  const { saml } = await samlOf(auth, provider, request.nonce)
  saml.options.forceAuthn = request.fresh
  return saml.getAuthorizeUrlAsync(request.state, undefined, {})
}

export async function samlMetadata(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  const provider = await findProvider(auth.sql, c.req.param('company_id') ?? '', 'even off')
  if (provider?.kind !== 'saml') throw new AuthFailure(404, 'saml_idp_not_found', 'Not Found')
  const { saml, addresses, certificate } = await samlOf(auth, provider)
  saml.options.logoutCallbackUrl = addresses.slo
  const metadata = saml.generateServiceProviderMetadata(certificate, certificate)
  // Signing out is taken by redirect, too, which is all that some providers know.
  const both = metadata.replace(
    /<SingleLogoutService [^>]*\/>/,
    (one) => one + one.replace('HTTP-POST', 'HTTP-Redirect'),
  )
  return c.body(both, 200, { 'content-type': 'application/samlmetadata+xml' })
}

/** The form that a browser brings back from the provider. */
export async function samlAnswered(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  let where: string | undefined
  try {
    const form = new URLSearchParams(c.get('body') as string)
    const state = await takeState(auth, form.get('RelayState') ?? '')
    where = state.redirect_to
    const provider = await findProvider(auth.sql, state.provider_id)
    if (provider?.kind !== 'saml' || provider.company_id !== c.req.param('company_id')) {
      throw notTaken('wrong address')
    }
    const identity = await read(auth, provider, form.get('SAMLResponse') ?? '', state.nonce)
    const code = await auth.sql.begin(async (tx) => {
      if (!(await isFirst(tx, provider.id, `assertion ${identity.id}`)))
        throw notTaken('seen before')
      return codeFor(auth, tx, { provider, state, identity })
    })
    return goBack(c, state.redirect_to, { code })
  } catch (error) {
    return goBackRefused(auth, c, error, where)
  }
}

/** Nothing of ours declares entities, and nothing of theirs needs to. */
function refuseEntities(message: string) {
  if (/<!(DOCTYPE|ENTITY)/i.test(Buffer.from(message, 'base64').toString()))
    throw notTaken('entities')
}

async function read(
  auth: Auth,
  provider: StoredProvider,
  SAMLResponse: string,
  nonce: string,
): Promise<ReturnType<typeof readAssertion>> {
  refuseEntities(SAMLResponse)
  const { saml, addresses } = await samlOf(auth, provider, nonce)
  const { profile } = await saml
    .validatePostResponseAsync({ SAMLResponse })
    .catch((error: unknown) => {
      auth.log.info({ err: error, provider: provider.id }, 'an assertion was not accepted')
      throw notTaken('its assertion is not valid')
    })
  const xml = profile?.getAssertionXml?.()
  if (!profile || !xml) throw notTaken('no assertion')
  const assertion = assertionIn(xml)
  const { issuer, confirmations } = assertion
  if (issuer !== provider.issuer) throw notTaken('another issuer')
  const now = auth.now().getTime()
  const confirmed = confirmations.some(
    (one) =>
      one.recipient === addresses.acs &&
      one.in_response_to === requestOf(nonce) &&
      one.not_on_or_after + skew_ms > now,
  )
  if (!confirmed) throw notTaken('for another recipient or question')
  return readAssertion(assertion)
}

/** The provider says that somebody signed out there: by redirect or by form, always signed. */
export async function samlSignedOut(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  const refused = () =>
    new AuthFailure(400, 'invalid_request', 'This logout request is not accepted')
  const provider = await findProvider(auth.sql, c.req.param('company_id') ?? '')
  const by_form = c.req.method === 'POST'
  const query = new URL(c.req.url).search.slice(1)
  const message = Object.fromEntries(
    new URLSearchParams(by_form ? (c.get('body') as string) : query),
  )
  if (provider?.kind !== 'saml' || !message['SAMLRequest']) throw refused()
  if (!by_form && !(message['Signature'] && message['SigAlg'])) throw refused()
  if (by_form) refuseEntities(message['SAMLRequest'])
  const { saml } = await samlOf(auth, provider)
  const validation = by_form
    ? saml.validatePostRequestAsync(message)
    : saml.validateRedirectAsync(message, query)
  const { profile } = await validation.catch(() => {
    throw refused()
  })
  const { ID, nameID, sessionIndex } = profile ?? {}
  if (!profile || profile.issuer !== provider.issuer || !textOf(ID) || !textOf(nameID))
    throw refused()
  await auth.sql.begin(async (tx) => {
    if (!(await isFirst(tx, provider.id, `logout ${String(ID)}`))) throw refused()
    const sid = textOf(sessionIndex) ?? null
    await endSsoSessions(auth, tx, c, provider, { subject: textOf(nameID) ?? null, sid })
  })
  if (!provider.sign_out_url) return c.body(null, 200)
  const answer = await saml.getLogoutResponseUrlAsync(
    profile,
    message['RelayState'] ?? '',
    {},
    true,
  )
  return c.redirect(answer, 303)
}
