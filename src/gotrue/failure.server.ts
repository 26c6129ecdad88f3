// How the auth service says no: one code per reason, in the two formats its clients know.
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { AuthOptions } from './settings.server.ts'

export class AuthFailure extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly reasons: string[] | undefined

  constructor(status: ContentfulStatusCode, code: string, message: string, reasons?: string[]) {
    super(message)
    this.status = status
    this.code = code
    this.reasons = reasons
  }
}

export const invalid = (message: string) => new AuthFailure(400, 'validation_failed', message)
export const badJson = (message: string) =>
  new AuthFailure(400, 'bad_json', `Could not parse request body as JSON: ${message}`)
export const wrongCredentials = () =>
  new AuthFailure(400, 'invalid_credentials', 'Invalid login credentials')
export const tooManyRequests = () =>
  new AuthFailure(429, 'over_request_rate_limit', 'Request rate limit reached')
export const emailTaken = (code = 'email_exists') =>
  new AuthFailure(422, code, 'A user with this email address has already been registered')
export const emailNotConfirmed = () =>
  new AuthFailure(422, 'email_not_confirmed', 'Please verify your email first.')
export const phoneTaken = () =>
  new AuthFailure(422, 'phone_exists', 'A user with this phone number has already been registered')
export const sessionGone = () =>
  new AuthFailure(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
export const busy = () =>
  new AuthFailure(503, 'unknown', 'The service is very busy, please retry after a moment')

const VERSION = '2024-01-01'

/** The newer format is for whoever names its version, as a real date. */
function wantsNewFormat(c: Context): boolean {
  const api_version = c.req.header('x-supabase-api-version') ?? ''
  if (!/^\d{4}-\d\d-\d\d$/.test(api_version)) return false
  const date = new Date(`${api_version}T00:00:00Z`)
  return (
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(api_version) &&
    api_version >= VERSION
  )
}

export function toAuthResponse(error: unknown, c: Context, log: AuthOptions['log']): Response {
  const failure = toFailure(error)
  if (failure.status >= 500) log.error({ err: error, route: c.req.routePath }, 'auth failed')
  const { status, code, message } = failure
  if (status < 500)
    log.info({ code, route: c.req.routePath, request_id: c.get('request_id') }, 'auth refused')
  const weak = failure.reasons ? { weak_password: { reasons: failure.reasons } } : {}
  c.header('x-sb-error-code', code)
  if (status === 503) c.header('retry-after', '1')
  if (!wantsNewFormat(c))
    return c.json({ code: status, error_code: code, msg: message, ...weak }, status)
  c.header('x-supabase-api-version', VERSION)
  return c.json({ code, message, ...weak }, status)
}

export function toFailure(error: unknown): AuthFailure {
  if (error instanceof AuthFailure) return error
  const { code = '', constraint } = (error ?? {}) as {
    code?: string
    constraint?: string
  }
  if (constraint === 'email_exists') return emailTaken()
  if (constraint === 'phone_exists') return phoneTaken()
  if (error instanceof RangeError) return invalid('The request is nested too deeply')
  return fromDatabase(code) ?? unexpected()
}

const unexpected = () =>
  new AuthFailure(
    500,
    'unexpected_failure',
    'Unexpected failure, please check server logs for more information',
  )

// An outage must never look like a refusal: clients sign people out on 4xx and retry on 503.
const outages = /^(CONNECT|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|08|53|57P|40001|40P01|EHOSTUNREACH)/

function fromDatabase(code: string): AuthFailure | undefined {
  if (code === '55P03') {
    return new AuthFailure(409, 'conflict', 'Too many concurrent requests on the same session')
  }
  if (code === '57014') return timedOut()
  if (code === '23503') {
    return new AuthFailure(409, 'conflict', 'The user has records that must be kept')
  }
  if (outages.test(code)) {
    return new AuthFailure(503, 'unknown', 'The service is not available, please retry')
  }
  // Text no database can hold (NUL, half characters), numbers and dates out of range, too deep
  // JSON.
  if (/^22|^54001|^23514/.test(code)) return invalid('A value of the request cannot be stored')
  return undefined
}

export const timedOut = () =>
  new AuthFailure(
    504,
    'request_timeout',
    'Processing this request timed out, please retry after a moment.',
  )
