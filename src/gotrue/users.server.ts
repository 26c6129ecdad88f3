// Accounts as rows, and as the protocol shows them: never with anything that could sign somebody
// in.
import { onlyRow, type Auth, type Db } from './auth.server.ts'
import type { Members } from './body.server.ts'

export type UserRow = {
  id: string
  aud: string
  role: string
  email: string | null
  phone: string | null
  password_hash: string | null
  password_rules: string | null
  password_must_change: boolean
  password_vouched: boolean
  email_confirmed_at: string | null
  phone_confirmed_at: string | null
  invited_at: string | null
  confirmation_sent_at: string | null
  recovery_sent_at: string | null
  reauthentication_sent_at: string | null
  email_change: string | null
  email_change_sent_at: string | null
  email_change_halves: number
  warned_at: string | null
  last_sign_in_at: string | null
  raw_app_meta_data: Members
  raw_user_meta_data: Members
  two_step: boolean
  banned_until: string | null
  deleted_at: string | null
  created_at: string
  updated_at: string
}

export type FactorRow = {
  id: string
  user_id: string
  factor_type: 'totp' | 'phone' | 'webauthn' | 'recovery_code'
  status: 'unverified' | 'verified'
  friendly_name: string
  phone: string | null
  secret: Uint8Array | null
  used_steps: number[]
  credential: { id: string; public_key: string; counter: number; transports?: string[] } | null
  last_challenged_at: string | null
  created_at: string
  updated_at: string
}

type IdentityRow = {
  id: string
  user_id: string
  provider: string
  provider_id: string
  identity_data: Members
  last_sign_in_at: string | null
  created_at: string
  updated_at: string
}

type ShownFactor = Omit<FactorRow, 'user_id' | 'secret' | 'used_steps' | 'credential'>

/** An account with all that its owner may see of it. */
export type Account = UserRow & { identities: IdentityRow[]; factors: ShownFactor[] }

/** Identities and factors as columns beside those of the account `u`: one question, not three. */
export const accountParts = (db: Db) => db`
  (select coalesce(json_agg(i order by i.created_at, i.id), '[]')
    from auth.identities i where i.user_id = u.id) as identities,
  (select coalesce(json_agg(json_build_object('id', f.id, 'created_at', f.created_at,
      'updated_at', f.updated_at, 'status', f.status, 'friendly_name', f.friendly_name,
      'factor_type', f.factor_type, 'phone', f.phone, 'last_challenged_at', f.last_challenged_at)
      order by f.created_at, f.id), '[]')
    from auth.factors f where f.user_id = u.id) as factors`

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  const [found] = await db<UserRow[]>`select * from auth.users where id = ${id}`
  return found
}

export async function findByEmail(
  db: Db,
  email: string,
  aud: string,
): Promise<UserRow | undefined> {
  const [found] = await db<UserRow[]>`
    select * from auth.users where email = ${email} and aud = ${aud}`
  return found
}

/** The account, held until the transaction ends: whoever changes it next waits. */
export async function lockUser(tx: Db, id: string): Promise<UserRow | undefined> {
  const [found] = await tx<UserRow[]>`select * from auth.users where id = ${id} for update`
  return found
}

export async function loadAccount(db: Db, id: string): Promise<Account> {
  return onlyRow(
    await db<Account[]>`select u.*, ${accountParts(db)} from auth.users u where u.id = ${id}`,
  )
}

const omitUnset = (members: Members) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  )

export function showUser(row: Account): Members {
  const { identities, factors } = row
  const confirmations = [row.email_confirmed_at, row.phone_confirmed_at].filter((at) => at !== null)
  return {
    id: row.id,
    aud: row.aud,
    role: row.role,
    email: row.email ?? '',
    phone: row.phone ?? '',
    ...omitUnset({
      email_confirmed_at: row.email_confirmed_at,
      phone_confirmed_at: row.phone_confirmed_at,
      confirmed_at: confirmations.sort()[0],
      invited_at: row.invited_at,
      confirmation_sent_at: row.confirmation_sent_at,
      recovery_sent_at: row.recovery_sent_at,
      reauthentication_sent_at: row.reauthentication_sent_at,
      new_email: row.email_change,
      email_change_sent_at: row.email_change_sent_at,
      last_sign_in_at: row.last_sign_in_at,
      banned_until: row.banned_until,
      deleted_at: row.deleted_at,
    }),
    app_metadata: showAppMetadata(row),
    user_metadata: row.raw_user_meta_data,
    identities: identities.map(showIdentity),
    ...(factors.length === 0 ? {} : { factors: factors.map(showFactor) }),
    created_at: row.created_at,
    updated_at: row.updated_at,
    is_anonymous: false,
  }
}

/** Facts about the password (to be changed, or none) stand where only the server can write. */
export const showAppMetadata = (row: UserRow): Members => ({
  ...row.raw_app_meta_data,
  ...(row.password_must_change ? { must_change_password: true } : {}),
  ...(row.password_hash || row.deleted_at ? {} : { has_no_password: true }),
})

/** Inside JSON the database writes instants its own way. */
const instant = (at: string) => new Date(at).toISOString()

const showIdentity = (row: IdentityRow) => ({
  identity_id: row.id,
  id: row.provider_id,
  user_id: row.user_id,
  identity_data: row.identity_data,
  provider: row.provider,
  last_sign_in_at: instant(row.last_sign_in_at ?? row.created_at),
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  ...omitUnset({ email: row.identity_data['email'] }),
})

export const showFactor = (row: ShownFactor) => ({
  id: row.id,
  created_at: instant(row.created_at),
  updated_at: instant(row.updated_at),
  status: row.status,
  ...omitUnset({ friendly_name: row.friendly_name }),
  factor_type: row.factor_type,
  phone: row.phone ?? '',
  last_challenged_at: row.last_challenged_at && instant(row.last_challenged_at),
})

/** A key set to null goes, all others stay or are replaced as a whole. */
export const mergeMembers = (had: Members, changes: Members): Members =>
  Object.fromEntries(Object.entries({ ...had, ...changes }).filter(([, value]) => value !== null))

export type InsertedUser = {
  id: string
  aud: string
  role?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  password_hash?: string | undefined
  password_rules?: string | undefined
  email_confirmed?: boolean
  phone_confirmed?: boolean
  app_metadata?: Members
  user_metadata: Members
  identity_data?: Members
  placement?: Members
  password_must_change?: boolean
  password_vouched?: boolean
}

/** Makes the account, or nothing if somebody has the address (or the number) already. */
export async function insertUser(auth: Auth, tx: Db, user: InsertedUser): Promise<boolean> {
  const { id, email, phone } = user
  const at = auth.at()
  const providers = [email && 'email', phone && 'phone'].filter(Boolean)
  const app = { provider: providers[0], providers, ...user.app_metadata }
  const row = {
    id,
    aud: user.aud,
    role: user.role ?? 'authenticated',
    email: email ?? null,
    phone: phone ?? null,
    password_hash: user.password_hash ?? null,
    password_rules: user.password_rules ?? null,
    password_must_change: user.password_must_change ?? false,
    password_vouched: user.password_vouched ?? false,
    email_confirmed_at: user.email_confirmed ? at : null,
    phone_confirmed_at: user.phone_confirmed ? at : null,
    raw_app_meta_data: tx.json(app),
    raw_user_meta_data: tx.json(user.user_metadata),
    placement: user.placement ? tx.json(user.placement) : null,
    created_at: at,
    updated_at: at,
  }
  const made = await tx`
    insert into auth.users ${auth.sql(row as never)} on conflict do nothing returning id`
  if (made.length === 0) return false
  const known = { sub: id, email_verified: false, phone_verified: false, ...user.identity_data }
  if (email) {
    const data = { ...known, email, email_verified: user.email_confirmed ?? false }
    await insertIdentity(auth, tx, id, 'email', data)
  }
  if (phone) {
    const data = { ...known, phone, phone_verified: user.phone_confirmed ?? false }
    await insertIdentity(auth, tx, id, 'phone', data)
  }
  return true
}

export async function insertIdentity(
  auth: Auth,
  tx: Db,
  user_id: string,
  provider: 'email' | 'phone',
  data: Members,
) {
  await tx`insert into auth.identities
      (user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${user_id}, ${provider}, ${user_id}, ${tx.json(data)}, ${auth.at()}, ${auth.at()},
      ${auth.at()})
    on conflict (provider, provider_id) do update
      set identity_data = auth.identities.identity_data || excluded.identity_data,
        updated_at = excluded.updated_at`
}

/** The address is proven: account, its data and its identity say so. */
export async function confirmEmail(auth: Auth, tx: Db, id: string) {
  const verified = tx.json({ email_verified: true })
  await tx`update auth.users set email_confirmed_at = coalesce(email_confirmed_at, ${auth.at()}),
      raw_user_meta_data = raw_user_meta_data || ${verified}, updated_at = ${auth.at()}
    where id = ${id}`
  await tx`update auth.identities set identity_data = identity_data || ${verified},
      updated_at = ${auth.at()}
    where user_id = ${id} and provider = 'email'`
}
