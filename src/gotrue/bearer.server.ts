// The bearer's checks, in the order in which the protocol makes them.
import type { Context } from 'hono'
import type { JWTPayload } from 'jose'
import type { Auth, Db } from './auth.server.ts'
import { isAdmin } from './body.server.ts'
import { AuthFailure, sessionGone } from './failure.server.ts'
import { isUuid, readBearer } from './tokens.server.ts'
import { accountParts, type Account, type UserRow } from './users.server.ts'

export type Session = { id: string; aal: string; created_at: string }
export type Bearer = { claims: JWTPayload; user: Account; session: Session | undefined }
type BearerRow = Account & {
  barred: boolean
  session_id: string | null
  session_aal: string
  session_at: string
}

const NIL = '00000000-0000-0000-0000-000000000000'
const badJwt = (message: string, status: 400 | 403 = 403) =>
  new AuthFailure(status, 'bad_jwt', message)

async function readClaims(auth: Auth, c: Context): Promise<JWTPayload> {
  const [, token] = /^bearer (\S+)$/i.exec(c.req.header('authorization') ?? '') ?? []
  if (token) return readBearer(auth, token)
  const message = 'This endpoint requires a valid Bearer token'
  throw new AuthFailure(401, 'no_authorization', message)
}

/** A person with a live session. */
export async function requireUser(auth: Auth, c: Context): Promise<Bearer> {
  return whoIs(auth, await readClaims(auth, c))
}

async function whoIs(auth: Auth, claims: JWTPayload): Promise<Bearer> {
  const { sub, session_id } = claims
  if (!sub) throw badJwt('invalid claim: missing sub claim')
  if (!isUuid(sub)) throw badJwt('invalid claim: sub claim must be a UUID', 400)
  const [found] = await auth.sql<BearerRow[]>`
    select u.*, ${accountParts(auth.sql)}, auth.is_barred(u.id) as barred,
        s.id as session_id, s.aal as session_aal, s.created_at as session_at
      from auth.users u
      left join auth.sessions s on s.user_id = u.id and s.id = ${isUuid(session_id) ? session_id : null}
      where u.id = ${sub}`
  if (!found) {
    throw new AuthFailure(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  }
  const { barred, session_id: id, session_aal, session_at, ...user } = found
  const names_one = session_id !== undefined && session_id !== '' && session_id !== NIL
  if (names_one && !isUuid(session_id)) {
    throw badJwt('invalid claim: session_id claim must be a UUID')
  }
  if (names_one && !id) throw sessionGone()
  if (barred || isInForce(auth, user.banned_until)) throw banned(403)
  const session = id ? { id, aal: session_aal, created_at: session_at } : undefined
  return { claims, user, session }
}

export const banned = (status: 400 | 403, message = 'User is banned') =>
  new AuthFailure(status, 'user_banned', message)

export const isInForce = (auth: Auth, until: string | null) =>
  until !== null && Date.parse(until) > auth.now().getTime()

/** Banned by an administrator of the service, or suspended in the product. */
export async function isBanned(auth: Auth, db: Db, user: UserRow): Promise<boolean> {
  if (isInForce(auth, user.banned_until)) return true
  const [found] = await db<{ barred: boolean }[]>`select auth.is_barred(${user.id}) as barred`
  return found?.barred ?? false
}

/**
 * Sessions of people with required single sign-on are opened by their company's identity provider, and by
 * nothing else.
 */
export async function refuseWhereSsoIsRequired(db: Db, user_id: string) {
  const [found] = await db<{ due: boolean }[]>`select auth.must_use_sso(${user_id}) as due`
  if (found?.due) throw ssoRequired()
}

export const ssoRequired = () =>
  new AuthFailure(
    403,
    'user_sso_managed',
    'Your company asks you to sign in by its identity provider',
  )

/**
 * Administrators are known by the `role` of their token alone: never by a key beside it, never by
 * metadata.
 */
export async function requireAdmin(auth: Auth, c: Context): Promise<JWTPayload> {
  const claims = await readClaims(auth, c)
  if (claims['session_id'] && claims['session_id'] !== NIL) await whoIs(auth, claims)
  if (isAdmin(claims['role'])) return claims
  throw new AuthFailure(403, 'not_admin', 'User not allowed')
}
