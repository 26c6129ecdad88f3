// Sessions: made when somebody has proven who they are, and the answer that hands them over.
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { only, type Auth, type Db } from './auth.server.ts'
import type { Members } from './body.server.ts'
import { writeRefreshToken } from './refresh-tokens.server.ts'
import { signAccessToken, type Amr } from './tokens.server.ts'
import { accountOf, showAppMetadata, showUser, type Account, type UserRow } from './users.server.ts'

export type SessionRow = {
  id: string
  user_id: string
  factor_id: string | null
  aal: 'aal1' | 'aal2'
  refresh_key: Uint8Array
  refresh_count: number
  refreshed_at: string | null
  user_agent: string | null
  address: string | null
  created_at: string
}

/** A session with its person as of this transaction; the tokens are signed after it. */
export type Grant = { account: Account; session: SessionRow; amr: Amr[] }

export async function startSession(
  auth: Auth,
  tx: Db,
  c: Context,
  user_id: string,
  method: 'password' | 'otp',
): Promise<Grant> {
  const at = auth.at()
  const agent = c.req.header('user-agent')?.slice(0, 500) ?? null
  const started = await tx<{ id: string }[]>`
    insert into auth.sessions (user_id, refresh_key, refreshed_at, user_agent, address, created_at)
    values (${user_id}, ${randomBytes(32)}, ${at}, ${agent},
      ${auth.settings.client_address(c) ?? null}, ${at})
    returning id`
  const { id } = only(started)
  await Promise.all([
    addMethod(auth, tx, id, method),
    tx`update auth.users set last_sign_in_at = ${at}, updated_at = ${at} where id = ${user_id}`,
    tx`update auth.identities set last_sign_in_at = ${at} where user_id = ${user_id}`,
  ])
  return grantOf(tx, id)
}

export const addMethod = (auth: Auth, tx: Db, session_id: string, method: string) => tx`
  insert into auth.amr_claims (session_id, method, at) values (${session_id}, ${method}, ${auth.at()})
  on conflict (session_id, method) do update set at = excluded.at`

export async function findSession(db: Db, id: string): Promise<SessionRow | undefined> {
  const [found] = await db<SessionRow[]>`select * from auth.sessions where id = ${id}`
  return found
}

export async function grantOf(tx: Db, session_id: string): Promise<Grant> {
  const [session, [row], amr] = await Promise.all([
    findSession(tx, session_id),
    tx<UserRow[]>`
      select u.* from auth.sessions s join auth.users u on u.id = s.user_id
      where s.id = ${session_id}`,
    tx<Amr[]>`
      select method, floor(extract(epoch from at))::float8 as timestamp from auth.amr_claims
      where session_id = ${session_id} order by at desc, method`,
  ])
  if (!session || !row) throw new Error('The session is gone')
  return { account: await accountOf(tx, row), session, amr: [...amr] }
}

/** What a client stores as its session. */
export async function answerOf(auth: Auth, { account, session, amr }: Grant): Promise<Members> {
  const { row } = account
  const issued_at = Math.floor(auth.now().getTime() / 1000)
  const content = {
    sub: row.id,
    aud: row.aud,
    email: row.email ?? '',
    phone: row.phone ?? '',
    role: row.role,
    app_metadata: showAppMetadata(row),
    user_metadata: row.raw_user_meta_data,
    aal: session.aal,
    amr,
    session_id: session.id,
    is_anonymous: false,
  }
  const { token, expires_at } = await signAccessToken(auth, content, issued_at)
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: auth.settings.access_token_seconds,
    expires_at,
    refresh_token: writeRefreshToken(session.id, session.refresh_count, session.refresh_key),
    user: showUser(account),
  }
}

/** Methods that raise a session to aal2. */
export const mfaMethods = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
} as const

/** Sessions that this factor had lifted fall, unless another second step still holds them. */
export async function dropFactor(tx: Db, factor_id: string, type: keyof typeof mfaMethods) {
  const lifted = await tx<{ id: string }[]>`
    select id from auth.sessions where factor_id = ${factor_id} for update`
  await tx`delete from auth.factors where id = ${factor_id}`
  for (const { id } of lifted) {
    await tx`delete from auth.amr_claims where session_id = ${id} and method = ${mfaMethods[type]}`
    await tx`update auth.sessions set factor_id = null, aal = case when exists (
        select from auth.amr_claims where session_id = ${id}
          and method in ${tx(Object.values(mfaMethods))}) then 'aal2' else 'aal1' end
      where id = ${id}`
  }
}
