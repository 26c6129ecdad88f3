// The auth service: every address it answers at. Mounted at /auth/v1.
import { Hono, type Context } from 'hono'
import {
  createUser,
  deleteFactor,
  deleteUser,
  listFactors,
  showOne,
  updateUser,
} from './admin.server.ts'
import { generateLink, invite } from './admin-links.server.ts'
import { listUsers } from './admin-list.server.ts'
import { openAuth, type Auth } from './auth.server.ts'
import { readText } from './body.server.ts'
import { challenge, verifyFactor } from './challenges.server.ts'
import { confirm } from './confirmation.server.ts'
import { enroll, unenroll } from './factors.server.ts'
import { AuthFailure, timedOut, toAuthResponse } from './failure.server.ts'
import { recover, resend } from './recover.server.ts'
import { dropCodes, makeCodes, renewCodes, showCodes, useCode } from './recovery-codes.server.ts'
import type { AuthOptions } from './settings.server.ts'
import { grantToken } from './sign-in.server.ts'
import { signUp } from './signup.server.ts'
import { beginSso, isSsoDomain } from './sso/begin.server.ts'
import { oidcCallback, oidcSignedOut } from './sso/oidc.server.ts'
import { samlAnswered, samlMetadata, samlSignedOut } from './sso/saml.server.ts'
import { getUser, logout, putUser, reauthenticate } from './user.server.ts'
import { verifyByGet, verifyByPost } from './verify.server.ts'

type Method = 'get' | 'post' | 'put' | 'delete'
type AuthHandler = (auth: Auth, c: Context) => Promise<Response>

const addresses: Record<string, Partial<Record<Method, AuthHandler>>> = {
  '/health': { get: health },
  '/settings': { get: settings },
  '/.well-known/jwks.json': { get: jwks },

  '/signup': { post: signUp },
  '/token': { post: grantToken },
  '/recover': { post: recover },
  '/resend': { post: resend },
  '/verify': { get: verifyByGet, post: verifyByPost },

  '/sso': { post: beginSso },
  '/sso/domain': { get: isSsoDomain },
  '/sso/oidc/:company_id': { get: oidcCallback },
  '/sso/oidc/:company_id/logout': { post: oidcSignedOut },
  '/sso/saml/:company_id/metadata': { get: samlMetadata },
  '/sso/saml/:company_id/acs': { post: samlAnswered },
  '/sso/saml/:company_id/slo': { get: samlSignedOut, post: samlSignedOut },

  '/confirmation': { post: confirm },
  '/logout': { post: logout },
  '/user': { get: getUser, put: putUser },
  '/reauthenticate': { get: reauthenticate },

  '/factors': { post: enroll },
  '/factors/recovery-codes': { get: showCodes, post: makeCodes, delete: dropCodes },
  '/factors/recovery-codes/verify': { post: useCode },
  '/factors/recovery-codes/regenerate': { post: renewCodes },
  '/factors/:factor_id': { delete: unenroll },
  '/factors/:factor_id/challenge': { post: challenge },
  '/factors/:factor_id/verify': { post: verifyFactor },

  '/admin/users': { get: listUsers, post: createUser },
  '/admin/users/:user_id': { get: showOne, put: updateUser, delete: deleteUser },
  '/admin/users/:user_id/factors': { get: listFactors },
  '/admin/users/:user_id/factors/:factor_id': { delete: deleteFactor },
  '/admin/generate_link': { post: generateLink },
  '/invite': { post: invite },
}

/** `finished`: mails that were asked for are posted, which happens after the answer. */
export function authService(options: AuthOptions) {
  const auth = openAuth(options)
  const service = new Hono()
  service.onError((error, c) => toAuthResponse(error, c, auth.log))
  service.use(crossOrigin(auth), limitTime(auth))
  for (const [path, handlers] of Object.entries(addresses)) {
    for (const [method, handler] of Object.entries(handlers)) {
      service.on(method.toUpperCase(), path, (c) => handler(auth, c))
    }
    service.all(path, (c) => {
      c.header('allow', Object.keys(handlers).join(', ').toUpperCase())
      throw new AuthFailure(405, 'unknown', 'Method Not Allowed')
    })
  }
  service.all('*', () => {
    throw new AuthFailure(404, 'unknown', 'Not Found')
  })
  return { service, finished: () => auth.afterwards.finished() }
}

/** The body is read before anything else, so that one too large is refused wherever it is sent. */
const limitTime =
  ({ settings }: Auth) =>
  async (c: Context, next: () => Promise<void>) => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timedOut()), settings.request_seconds * 1000)
    })
    const work = async () => {
      if (c.req.method !== 'GET') c.set('body', await readText(c.req.raw))
      await next()
    }
    try {
      await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }

const allowed =
  'accept, authorization, apikey, content-type, x-client-info, x-client-ip, x-jwt-aud, x-supabase-api-version'

const crossOrigin = (auth: Auth) => async (c: Context, next: () => Promise<void>) => {
  const origin = c.req.header('origin')
  const { cors_origins } = auth.settings
  if (cors_origins.length > 0) c.header('vary', 'Origin', { append: true })
  if (origin && cors_origins.includes(origin)) {
    c.header('access-control-allow-origin', origin)
    c.header('access-control-allow-credentials', 'true')
    c.header('access-control-expose-headers', 'X-Total-Count, Link, X-Supabase-Api-Version')
    if (isPreflight(c)) {
      c.header('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE')
      c.header('access-control-allow-headers', allowed)
      c.header('access-control-max-age', '600')
    }
  }
  if (isPreflight(c)) return c.body(null, 204)
  await next()
  return undefined
}

const isPreflight = (c: Context) =>
  c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined

async function health(_: Auth, c: Context): Promise<Response> {
  return c.json({ version: 'healthfund', name: 'GoTrue', description: 'Accounts of Healthfund' })
}

async function jwks(auth: Auth, c: Context): Promise<Response> {
  c.header('cache-control', 'public, max-age=600')
  return c.json({ keys: await auth.ring.jwks() })
}

const providers = [
  'anonymous_users apple azure bitbucket discord facebook figma fly github gitlab google kakao',
  'keycloak linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter',
  'vercel_marketplace workos x zoom phone',
].flatMap((names) => names.split(' '))

async function settings({ settings: set }: Auth, c: Context): Promise<Response> {
  return c.json({
    external: { ...Object.fromEntries(providers.map((name) => [name, false])), email: true },
    disable_signup: set.disable_signup,
    mailer_autoconfirm: set.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: '',
    saml_enabled: true,
  })
}
