// The log of every request: its id, how long it took, what came of it. Never who, where from or what about.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { AppOptions } from '#app-options.server.ts'
import type { AnsweredPart } from '#lib/together.server.ts'
import type { Tracer } from '#lib/tracing.server.ts'

export async function identify(c: Context, next: () => Promise<void>) {
  const id = randomUUID()
  c.set('request_id', id)
  c.header('x-request-id', id)
  await next()
}

export const trace = (tracer: Tracer) => (c: Context, next: () => Promise<void>) => {
  const { method } = c.req
  const traceparent = c.req.header('traceparent') ?? ''
  return tracer.within({ name: method, kind: 'server', traceparent }, async (span) => {
    await next()
    const route = knownRouteOf(c)
    const { status } = c.res
    span.set('name', `${method} ${route}`)
    span.set('http.request.method', method)
    span.set('http.route', route)
    span.set('http.response.status_code', status)
    if (status >= 400) span.set('error.type', c.get('refused') ?? String(status))
    if (status >= 500) span.fail()
  })
}

export const measure = (options: AppOptions) => async (c: Context, next: () => Promise<void>) => {
  const began = performance.now()
  await next()
  const seconds = (performance.now() - began) / 1000
  const { status } = c.res
  if (isApiCall(c)) options.times.note(seconds * 1000, status)
  const route = knownRouteOf(c)
  options.metrics.requests.observe({ method: c.req.method, route, status }, seconds)
  for (const part of (c.get('parts') ?? []) as AnsweredPart[]) {
    const { route, status } = part
    options.metrics.requests.observe({ method: 'GET', route, status }, part.seconds)
  }
  if (status >= 500) options.metrics.faults.inc()
  else if (status >= 400) options.metrics.refusals.inc({ code: c.get('refused') ?? 'other' })
  const by = signInBy(c)
  if (by) options.metrics.sign_ins.inc({ by, outcome: status < 400 ? 'in' : 'refused' })
  options.log.debug({
    method: c.req.method,
    route,
    status,
    seconds,
    request_id: c.get('request_id'),
  })
}

const sign_ins = new Set(['password', 'pkce', 'id_token', 'web3'])

/** How somebody tries to sign in; nothing where the request is another, such as for a token that is due. */
function signInBy(c: Context): string | undefined {
  if (c.req.path !== '/auth/v1/token') return undefined
  const by = c.req.query('grant_type') ?? ''
  return sign_ins.has(by) ? by : undefined
}

/** Questions of the API. Files take as long as the sender's line; live streams are no answers. */
const isApiCall = (c: Context) =>
  c.req.path.startsWith('/api/') &&
  (c.req.method === 'GET' || /^application\/json\b/i.test(c.req.header('content-type') ?? '')) &&
  !c.res.headers.get('content-type')?.startsWith('text/event-stream')

/** The pattern, not the address: addresses hold people's ids. */
const routeOf = (c: Context) => c.req.routePath

const knownRouteOf = (c: Context) =>
  c.req.path.startsWith('/api') || c.req.path.startsWith('/auth') ? routeOf(c) : 'page'
