// The refresh grant: rotation that forgives a lost answer and racing tabs, and ends a stolen
// session.
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { banned, isBanned } from './bearer.server.ts'
import { readBody, textField } from './body.server.ts'
import { AuthFailure, invalid } from './failure.server.ts'
import { isSignedWith, readRefreshToken, type RefreshToken } from './refresh-tokens.server.ts'
import { answerOf, grantOf, type Grant } from './sessions.server.ts'
import { findUser } from './users.server.ts'

const RACE_MS = 10_000
const prefix = 'Invalid Refresh Token'
const notFound = () =>
  new AuthFailure(400, 'refresh_token_not_found', `${prefix}: Refresh Token Not Found`)

type SessionRow = {
  id: string
  user_id: string
  refresh_key: Uint8Array
  refresh_count: number
  refresh_floor: number
  refreshed_at: string | null
  created_at: string
}

export async function refresh(auth: Auth, c: Context): Promise<Response> {
  const { refresh_token = '' } = readBody(c, z.object({ refresh_token: textField }))
  const token = readRefreshToken(refresh_token)
  // The protocol's older tokens are well-formed, but we have issued none.
  if (!token && /^[a-z0-9]{12}$/.test(refresh_token)) throw notFound()
  if (!token) throw invalid('Refresh token is not valid')
  // A refusal comes out of the transaction as a value: what it revokes must be committed.
  const outcome = await auth.sql.begin((tx) => rotate(auth, tx, c, token))
  if (outcome instanceof AuthFailure) throw outcome
  return c.json(await answerOf(auth, outcome))
}

async function rotate(
  auth: Auth,
  tx: Db,
  c: Context,
  token: RefreshToken,
): Promise<Grant | AuthFailure> {
  await tx`set local lock_timeout = '5s'`
  const [session] = await tx<SessionRow[]>`
    select * from auth.sessions where id = ${token.session_id} for update`
  if (!session || !isSignedWith(token, session.refresh_key)) return notFound()
  const user = await findUser(tx, session.user_id)
  if (!user) return notFound()
  if (await isBanned(auth, tx, user)) return banned(400, `${prefix}: User Banned`)
  if (hasExpired(auth, session, await isAdmin(tx, user.id))) {
    return new AuthFailure(400, 'session_expired', `${prefix}: Session Expired`)
  }
  const behind = session.refresh_count - token.count
  if (behind < 0) return invalid(`${prefix}: Not Issued By This Server`)
  const races = auth.now().getTime() - lastUse(session) < RACE_MS
  const used = new AuthFailure(400, 'refresh_token_already_used', `${prefix}: Already Used`)
  if (behind >= 2 && !races) {
    await tx`delete from auth.sessions where id = ${session.id}`
    await record({ auth, tx, c }, 'token_revoked', user, { session_id: session.id })
    return used
  }
  if (token.count < session.refresh_floor) return used
  await tx`update auth.sessions set refresh_count = refresh_count + ${behind === 0 ? 1 : 0},
      refreshed_at = ${auth.at()}, address = coalesce(${auth.settings.client_address(c) ?? null}, address)
    where id = ${session.id}`
  await record({ auth, tx, c }, 'token_refreshed', user)
  return grantOf(tx, session.id)
}

const lastUse = ({ refreshed_at, created_at }: SessionRow) => Date.parse(refreshed_at ?? created_at)

/** Asked at each refresh: whoever became an admin meanwhile has an admin's session. */
async function isAdmin(tx: Db, user_id: string): Promise<boolean> {
  const [found] = await tx<{ is_admin: boolean }[]>`select auth.is_admin(${user_id}) as is_admin`
  return found?.is_admin ?? false
}

function hasExpired({ settings, now }: Auth, session: SessionRow, is_admin: boolean): boolean {
  const at = now().getTime()
  const isOver = (seconds: number, since: number) => seconds > 0 && at - since > seconds * 1000
  const began = Date.parse(session.created_at)
  return (
    isOver(settings.session_seconds, began) ||
    isOver(settings.session_idle_seconds, lastUse(session)) ||
    (is_admin && isOver(settings.admin_session_seconds, began)) ||
    (is_admin && isOver(settings.admin_idle_seconds, lastUse(session)))
  )
}
