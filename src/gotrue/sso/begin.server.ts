// POST /sso: an address leads to its company's identity provider. With a code challenge alone: the browser that comes
// back must be the one that went.
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Auth } from '../auth.server.ts'
import { flagField, readBody, textField } from '../body.server.ts'
import { AuthFailure, invalid } from '../failure.server.ts'
import { redirectOf } from '../redirects.server.ts'
import { sha256 } from '../secrets.server.ts'
import { oidcAddress, type AuthorizationRequest } from './oidc.server.ts'
import { samlAddress } from './saml.server.ts'
import { findProvider, providerOfDomain } from './providers.server.ts'

const Begin = z.object({
  provider_id: textField,
  domain: textField,
  redirect_to: textField,
  skip_http_redirect: flagField,
  fresh: flagField,
  code_challenge: textField,
  code_challenge_method: textField,
})

const noProvider = () =>
  new AuthFailure(404, 'sso_provider_not_found', 'No SSO provider assigned for this domain')

export async function beginSso(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  const { provider_id, domain, redirect_to, skip_http_redirect, fresh, ...pkce } = readBody(
    c,
    Begin,
  )
  if (Boolean(provider_id) === Boolean(domain)) {
    throw invalid('A provider_id or domain needs to be provided, and only one of them')
  }
  const { code_challenge = '', code_challenge_method = '' } = pkce
  if (!/^[\w-]{43}$/.test(code_challenge) || code_challenge_method.toLowerCase() !== 's256') {
    throw invalid('A code_challenge by S256 is required')
  }
  const provider = await (provider_id
    ? findProvider(auth.sql, provider_id)
    : providerOfDomain(auth.sql, domain ?? ''))
  if (!provider) throw noProvider()
  const request: AuthorizationRequest = {
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    fresh: fresh ?? false,
  }
  const addressAt = { oidc: oidcAddress, saml: samlAddress }[provider.kind]
  const address = await addressAt(auth, provider, request)
  await auth.sql`
    insert into auth.sso_states
      (state_hash, provider_id, redirect_to, code_challenge, nonce, verifier, created_at)
    values (${sha256(request.state)}, ${provider.id}, ${redirectOf(auth, c, redirect_to)},
      ${code_challenge}, ${request.nonce}, ${request.verifier}, ${auth.at()})`
  return skip_http_redirect ? c.json({ url: address }) : c.redirect(address, 303)
}

const secret = () => randomBytes(32).toString('base64url')

/** Whether addresses at a domain lead to a provider: no more is told, and not of whom. */
export async function isSsoDomain(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'sso')
  const provider = await providerOfDomain(auth.sql, c.req.query('domain') ?? '')
  return c.json({ sso: provider !== undefined })
}
