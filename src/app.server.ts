// Every address the product answers at, in the order in which a request meets them.
import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import { keyCaller } from '#connections/caller.server.ts'
import { serveScim } from '#connections/scim/service.server.ts'
import { contracts } from '#contracts.ts'
import { handlersOf } from '#handlers.server.ts'
import { jsonAnswer } from '#lib/json-answer.server.ts'
import type { Caller } from '#lib/transactions.server.ts'
import type { Config } from '#lib/config.server.ts'
import { addressOf, isAtThisMachine, isOurName } from '#lib/hosts.server.ts'
import { Buckets, type Rate } from '#lib/limits.server.ts'
import { openapi } from '#lib/openapi.ts'
import { toResponse } from '#lib/failures.server.ts'
import { askedAddresses, serveTogether, type Feature } from '#lib/together.server.ts'
import { serve as serveAt, type Handlers, type ServeTools } from '#lib/serve.server.ts'
import type { Contract } from '#lib/contract.ts'
import { call, seatOf } from '#permissions/authorize.ts'
import { callers } from '#policy.ts'
import { Problem, problems } from '#problems.ts'
import { public_contracts } from '#permissions/key-rights.ts'
import { place as unsubscribe_at, unsubscribePages } from '#notifications/unsubscribe.server.ts'
import { docsPage } from '#system/docs.server.ts'
import { mailbox } from '#system/mailbox.server.ts'
import { health } from '#system/health.server.ts'
import { identify, measure, trace } from '#system/requests.server.ts'
import type { AppOptions } from './app-options.server.ts'

export function makeApp(options: AppOptions): Hono {
  const { config, log } = options
  const app = new Hono()
  app.onError((error, c) => toResponse(error, c, log))
  app.use('/api/*', crossOrigin(config), refuseWhenBusy(options))
  app.use('/scim/*', refuseWhenBusy(options))
  if (options.tracer) app.use(trace(options.tracer))
  app.use(identify, measure(options), guard(config))
  app.route('/', health(options))
  app.use(requireOurName(config))
  app.route('/auth/v1', options.auth.service)
  if (!config.SMTP_URL) app.route('/dev', mailbox(options.sql.owner, isAtThisMachine(config)))
  app.route(unsubscribe_at, unsubscribePages(options.unsubscribe_links, options.sql.owner))
  app.use('/api/*', limit(config, rate_of_one))
  app.post('/api/inquiries', limit(config, written_by_one))
  app.get('/api/openapi.json', (c) => jsonAnswer(c, openapi(contracts)))
  app.get('/api/docs', docsPage(contracts))
  app.get('/api/v1/openapi.json', (c) => jsonAnswer(c, openapi(public_contracts, '/api/v1')))
  app.get('/api/v1/docs', docsPage(public_contracts, '/api/v1'))
  app.use('/scim/*', limit(config, rate_of_one))
  serveFeatures(app, options)
  app.all('/api/*', (c) => {
    throw new Problem(otherMethods(c, app) ? 'method_not_allowed' : 'not_found')
  })
  return app
}

/** Refuses before anything of a request is read, logged or measured: refusing many must not slow down those already let in. */
const refuseWhenBusy = ({ transactions, by_key, metrics }: AppOptions) => {
  const [status, title] = problems.busy
  const body = JSON.stringify({ code: 'busy', title, status })
  const headers = {
    'content-type': 'application/json',
    'retry-after': '2',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  return async (c: Context, next: () => Promise<void>) => {
    const path_transactions = /^\/(?:api\/v1|scim)\//.test(c.req.path) ? by_key : transactions
    if (!path_transactions.isBusy(c.req.method === 'GET' ? 'reads' : 'writes')) return next()
    metrics.refused.inc()
    return new Response(body, { status, headers })
  }
}

function serveFeatures(app: Hono, options: AppOptions) {
  const by_session: ServeTools = {
    app,
    prefix: '/api',
    transactions: options.transactions,
    caller: callerOf(options),
    refusal: (who, act) => call(who, act as keyof typeof callers),
    seat: (who, act) => seatOf(who, act as keyof typeof callers),
    openToAll: (act) => callers[act as keyof typeof callers] === 'anyone',
    isLocal: isAtThisMachine(options.config),
    publish: (topics) => options.live.publish(topics),
    elsewhere: options.elsewhere,
  }
  const { by_key: transactions } = options
  const by_key = { ...by_session, prefix: '/api/v1', transactions, caller: keyCaller(options) }
  serveScim({ ...options, app, transactions, caller: by_key.caller, publish: by_session.publish })
  const handlers: Record<string, Handlers<Contract>> = handlersOf(options)
  const features = Object.entries<Contract>(contracts).map(([feature, contract]): Feature => [
    feature,
    contract,
    handlers[feature] as Handlers<Contract>,
  ])
  serveTogether(by_session, features, options.log)
  for (const [feature, contract, acts] of features) {
    serveAt(by_session, feature, contract, acts)
    const open = public_contracts[feature]
    if (open) serveAt(by_key, feature, open, acts)
  }
}

function callerOf({ auth, config }: AppOptions) {
  const addressIn = addressOf(config)
  return async (c: Context): Promise<Caller | undefined> => {
    const header = c.req.header('authorization')
    if (!header) return undefined
    const claims = await auth.verify(header.replace(/^bearer /i, ''))
    if (!claims) throw new Problem('not_signed_in')
    c.set('caller', claims.sub)
    const address = addressIn(c) ?? ''
    return {
      user_id: claims.sub,
      session_id: claims.session_id,
      address,
      request_id: c.get('request_id'),
    }
  }
}

/** The page's headers guard its parts: sent with each of forty files they were a twentieth of a first visit. */
const isPart = (c: Context) => c.req.path.startsWith('/assets/') && c.res.ok

const guard = (config: Config) => {
  const https = config.SITE_URL?.startsWith('https:')
  return async (c: Context, next: () => Promise<void>) => {
    await next()
    const { headers } = c.res
    headers.set('x-content-type-options', 'nosniff')
    if (isPart(c)) {
      headers.delete('x-request-id')
      return
    }
    headers.set('referrer-policy', 'same-origin')
    headers.set('x-frame-options', 'DENY')
    headers.set('cross-origin-opener-policy', 'same-origin')
    headers.set('permissions-policy', 'geolocation=(), microphone=(), camera=(self)')
    if (https) headers.set('strict-transport-security', 'max-age=31536000; includeSubDomains')
    if (!headers.has('content-security-policy')) {
      headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    }
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store')
  }
}

/** Monitoring asks the server by its address; the answer says nothing, or wants a token. */
const requireOurName = (config: Config) => {
  const isOurs = isOurName(config)
  return async (c: Context, next: () => Promise<void>) => {
    if (!isOurs(c)) throw new Problem('wrong_host')
    await next()
  }
}

/** Requests from our own pages pass by the CORS library, whose headers cost a tenth of a short answer. */
const crossOrigin = (config: Config) => {
  const origin = config.CORS_ORIGINS
  const letIn = cors({
    origin,
    credentials: true,
    allowHeaders: ['authorization', 'content-type', 'idempotency-key'],
    exposeHeaders: ['x-request-id', 'retry-after'],
  })
  return (c: Context, next: () => Promise<void>) =>
    origin.includes(c.req.header('origin') ?? '') ? letIn(c, next) : next()
}

const rate_of_one = { burst: 300, per_second: 20 }
/** Messages to the provider: five at once, then one every ten minutes. */
const written_by_one = { burst: 5, per_second: 1 / 600 }

const limit = (config: Config, rate: Rate) => {
  const buckets = new Buckets(rate)
  const isLocal = isAtThisMachine(config)
  const addressIn = addressOf(config)
  return async (c: Context, next: () => Promise<void>) => {
    const many = askedAddresses(c).length || 1
    if (!isLocal(c) && !buckets.take(addressIn(c) ?? '', { many }))
      throw new Problem('too_many_requests')
    await next()
  }
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
function otherMethods(c: Context, app: Hono): boolean {
  const matches = (method: string) =>
    app.router
      .match(method, c.req.path)[0]
      .some(([[, route]]) => route.path !== '*' && !route.path.endsWith('/*'))
  return methods.some(matches)
}
