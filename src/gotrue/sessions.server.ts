// Sessions: made when somebody has proven who they are, and the answer that hands them over.
import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { deviceOf } from '#lib/device.ts'
import { onlyRow, type Auth, type Db } from './auth.server.ts'
import type { Members } from './body.server.ts'
import { notifyOwner } from './notices.server.ts'
import { writeRefreshToken } from './refresh-tokens.server.ts'
import { signAccessToken, type Amr } from './tokens.server.ts'
import { accountParts, showAppMetadata, showUser, type Account } from './users.server.ts'

/** A session with its person as of this transaction; the tokens are signed after it. */
export type Grant = Account & {
  session_id: string
  aal: string
  is_admin: boolean
  refresh_key: Uint8Array
  refresh_count: number
  amr: Amr[]
}

export type BySso = {
  provider_id: string
  subject: string
  sid: string | null
  second_step: boolean
  proven_at: string
}

type Start = {
  user_id: string
  method: 'password' | 'otp' | `sso/${'oidc' | 'saml'}`
  /** From their company's provider: the person, the session, and how they proved it there. */
  sso?: BySso
  /** Only while the password is still the one that was compared. */
  password?: { compared: string; kept: string; rules: string | null }
  /** The bucket that this attempt took from, full again after a success. */
  bucket?: string
}

/** One statement, so that signing in costs the database little beside the password's hash. */
export async function startSession(
  auth: Auth,
  db: Db,
  c: Context,
  { user_id, method, sso, password, bucket }: Start,
): Promise<Grant | undefined> {
  const at = auth.at()
  const agent = c.req.header('user-agent')?.slice(0, 500) ?? null
  const address = auth.settings.client_address(c) ?? null
  const proven_at = sso?.proven_at ?? at
  const proof = { method, timestamp: Math.floor(Date.parse(proven_at) / 1000) }
  const amr = [{ ...proof, ...(sso ? { provider: sso.provider_id } : {}) }]
  const allowed = sso ? db`` : db`and not auth.must_use_sso(id)`
  const changes = password
    ? db`password_hash = ${password.kept}, password_rules = ${password.rules},`
    : db``
  const still = password ? db`and password_hash = ${password.compared}` : db``
  const given_back = bucket
    ? db`, given_back as (
        delete from auth.buckets where name = ${bucket} and exists (select from u))`
    : db``
  const device = deviceOf(agent)
  const [grant] = await db<(Grant & { from_new_device: boolean })[]>`
    with u as (
      update auth.users set ${changes} last_sign_in_at = ${at}, updated_at = ${at}
        where id = ${user_id} ${still} ${allowed} returning *),
    s as (
      insert into auth.sessions (user_id, refresh_key, refreshed_at, user_agent, address, created_at,
          aal)
        select u.id, ${randomBytes(32)}, ${at}, ${agent}, ${address}, ${at},
            ${sso?.second_step ? 'aal2' : 'aal1'} from u returning *),
    proven as (
      insert into auth.amr_claims (session_id, method, at) select s.id, ${method}, ${proven_at} from s),
    by_sso as (
      insert into auth.sso_sessions (session_id, provider_id, subject, sid)
        select s.id, ${sso?.provider_id ?? null}, ${sso?.subject ?? ''}, ${sso?.sid ?? null} from s
          where ${sso !== undefined}),
    known as (
      select count(*) as devices, count(*) filter (where name = ${device}) as this_one
        from auth.devices where user_id = ${user_id}),
    seen as (
      insert into auth.devices (user_id, name, seen_at)
        select u.id, ${device}, ${at} from u where ${device}::text is not null
        on conflict (user_id, name) do update set seen_at = excluded.seen_at),
    noted as (
      insert into auth.audit_log_entries (at, action, actor_id, actor_name, address, traits)
        select ${at}, 'login', u.id, u.email, ${address}, ${db.json({ method })} from u)
    ${given_back}
    select u.*, ${accountParts(db)}, auth.is_admin(u.id) as is_admin, s.id as session_id, s.aal, s.refresh_key, s.refresh_count,
        ${db.json(amr)} as amr,
        ${device}::text is not null and k.devices > 0 and k.this_one = 0 as from_new_device
      from u, s, known k`
  if (grant?.from_new_device) await notifyOwner({ auth, tx: db, c }, grant, 'new_device')
  return grant
}

export const addMethod = (
  auth: Auth,
  tx: Db,
  session_id: string,
  method: string,
  at = auth.at(),
) => tx`
  insert into auth.amr_claims (session_id, method, at) values (${session_id}, ${method}, ${at})
  on conflict (session_id, method) do update set at = excluded.at`

export async function grantOf(tx: Db, session_id: string): Promise<Grant> {
  return onlyRow(
    await tx<Grant[]>`
      select u.*, ${accountParts(tx)}, auth.is_admin(u.id) as is_admin, s.id as session_id, s.aal, s.refresh_key, s.refresh_count,
          (select json_agg(jsonb_strip_nulls(jsonb_build_object('method', m.method,
              'timestamp', floor(extract(epoch from m.at)),
              'provider', case when m.method like 'sso/%' then o.provider_id end))
              order by m.at desc, m.method)
            from auth.amr_claims m left join auth.sso_sessions o on o.session_id = m.session_id
            where m.session_id = s.id) as amr
        from auth.sessions s join auth.users u on u.id = s.user_id where s.id = ${session_id}`,
  )
}

/** The session as a client stores it. */
export async function answerOf(auth: Auth, grant: Grant): Promise<Members> {
  const { session_id, aal, amr, is_admin } = grant
  const issued_at = Math.floor(auth.now().getTime() / 1000)
  const content = {
    sub: grant.id,
    aud: grant.aud,
    email: grant.email ?? '',
    phone: grant.phone ?? '',
    role: grant.role,
    app_metadata: showAppMetadata(grant),
    user_metadata: grant.raw_user_meta_data,
    aal,
    amr,
    session_id,
    is_anonymous: false,
  }
  const { token, expires_at } = await signAccessToken(auth, content, { issued_at, is_admin })
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: expires_at - issued_at,
    expires_at,
    refresh_token: writeRefreshToken(session_id, grant.refresh_count, grant.refresh_key),
    user: showUser(grant),
  }
}

/** Methods that raise a session to aal2. */
export const mfaMethods = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
  recovery_code: 'mfa/recovery_code',
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
          and method = any (${Object.values(mfaMethods)})) then 'aal2' else 'aal1' end
      where id = ${id}`
  }
}
