// Who is asking: the bearer's checks, in the order in which the protocol makes them.
import type { Context } from 'hono'
import type { JWTPayload } from 'jose'
import type { Auth, Db } from './auth.server.ts'
import { isAdmin } from './body.server.ts'
import { AuthFailure, sessionGone } from './failure.server.ts'
import { findSession, type SessionRow } from './sessions.server.ts'
import { isUuid, readBearer } from './tokens.server.ts'
import { findUser, type UserRow } from './users.server.ts'

export type Bearer = { claims: JWTPayload; user: UserRow; session: SessionRow | undefined }

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
  if (!claims.sub) throw badJwt('invalid claim: missing sub claim')
  if (!isUuid(claims.sub)) throw badJwt('invalid claim: sub claim must be a UUID', 400)
  const user = await findUser(auth.sql, claims.sub)
  if (!user) {
    throw new AuthFailure(403, 'user_not_found', 'User from sub claim in JWT does not exist')
  }
  const session = await sessionIn(auth, claims)
  if (await isBanned(auth, auth.sql, user)) throw banned(403)
  return { claims, user, session }
}

async function sessionIn(auth: Auth, claims: JWTPayload): Promise<SessionRow | undefined> {
  const id = claims['session_id']
  if (id === undefined || id === '' || id === NIL) return undefined
  if (!isUuid(id)) throw badJwt('invalid claim: session_id claim must be a UUID')
  const session = await findSession(auth.sql, id)
  if (session && session.user_id === claims.sub?.toLowerCase()) return session
  throw sessionGone()
}

export const banned = (status: 400 | 403, message = 'User is banned') =>
  new AuthFailure(status, 'user_banned', message)

/** Banned by an administrator of the service, or suspended in the product. */
export async function isBanned(auth: Auth, db: Db, user: UserRow): Promise<boolean> {
  if (user.banned_until && Date.parse(user.banned_until) > auth.now().getTime()) return true
  const [found] = await db<{ barred: boolean }[]>`select auth.barred(${user.id}) as barred`
  return found?.barred ?? false
}

/** Administrators are known by the `role` of their token alone: never by a key beside it, never by metadata. */
export async function requireAdmin(auth: Auth, c: Context): Promise<JWTPayload> {
  const claims = await readClaims(auth, c)
  if (claims['session_id'] && claims['session_id'] !== NIL) await whoIs(auth, claims)
  if (isAdmin(claims['role'])) return claims
  throw new AuthFailure(403, 'not_admin', 'User not allowed')
}
