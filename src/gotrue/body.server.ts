// Reading a request: no value is coerced, null is the same as absent, unknown members are ignored.
import type { Context } from 'hono'
import { z } from 'zod'
import { AuthFailure, badJson, invalid } from './failure.server.ts'

const BODY_LIMIT = 1_048_576

export const textField = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)
export const flagField = z
  .boolean()
  .nullish()
  .transform((value) => value ?? undefined)
const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export type Members = Record<string, unknown>
export const members = z
  .custom<Members>(isObject, 'must be an object')
  .nullish()
  .transform((value) => value ?? undefined)

const tooLarge = () =>
  new AuthFailure(
    413,
    'request_entity_too_large',
    `Request body too large (max ${BODY_LIMIT} bytes)`,
  )

/** The body as text, for `readBody`. A body that is too large is refused before anything else. */
export async function readText(request: Request): Promise<string> {
  if (Number(request.headers.get('content-length')) > BODY_LIMIT) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request.body ?? []) {
    length += chunk.length
    if (length > BODY_LIMIT) throw tooLarge()
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw badJson('it is not UTF-8')
  }
}

export function readBody<S extends z.ZodType>(c: Context, shape: S): z.output<S> {
  let json: unknown
  try {
    json = JSON.parse(c.get('body') as string)
  } catch {
    throw badJson('it is empty or malformed')
  }
  if (!isObject(json)) throw badJson('it must be an object')
  const parsed = shape.safeParse(json)
  if (parsed.success) return parsed.data
  throw badJson(`${parsed.error.issues[0]?.path.join('.')} has the wrong type`)
}

export function readOptionalBody<S extends z.ZodType>(c: Context, shape: S): z.output<S> {
  return c.get('body') ? readBody(c, shape) : shape.parse({})
}

/** The address in the form in which it is kept, or a refusal; the same rule as in the forms. */
export function readEmail(address: string | undefined): string {
  if (!address) throw invalid('An email address is required')
  if (address.length > 255) throw invalid('An email address is too long')
  if (!z.email().safeParse(address).success)
    throw invalid('Unable to validate email address: invalid format')
  return address.toLowerCase()
}

export function readPhone(phone: string): string {
  const digits = phone.replace(/^\+/, '').replaceAll(' ', '')
  if (/^[1-9][0-9]{1,14}$/.test(digits)) return digits
  throw invalid('Invalid phone number format (E.164 required)')
}

const AUDIENCE = 'authenticated'
const admins = ['service_role', 'supabase_admin']
export const isAdmin = (role: unknown) => typeof role === 'string' && admins.includes(role)

/** The audience that is meant: from the header, else from the bearer (an administrator's has none). */
export function audienceOf(c: Context, claims: { aud?: unknown; role?: unknown } = {}): string {
  const audience = c.req.header('x-jwt-aud')
  if (audience) return audience
  const own = Array.isArray(claims.aud) ? claims.aud[0] : claims.aud
  return !isAdmin(claims.role) && typeof own === 'string' && own ? own : AUDIENCE
}
