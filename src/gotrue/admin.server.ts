// The acts on accounts that holders of the service key may do.
import { createHash, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { requireAdmin } from './bearer.server.ts'
import {
  flagField,
  members,
  readBody,
  readEmail,
  readOptionalBody,
  readPhone,
  textField,
} from './body.server.ts'
import { audienceOf } from './body.server.ts'
import { readDuration } from './durations.server.ts'
import { AuthFailure, emailTaken, invalid, phoneTaken } from './failure.server.ts'
import { findFactor } from './factors.server.ts'
import { clearOneTimes } from './one-time.server.ts'
import { hashPassword, readHash, refuseTooLong, refuseWeak } from './passwords.server.ts'
import { dropFactor } from './sessions.server.ts'
import { isUuid } from './tokens.server.ts'
import { setPassword } from './user.server.ts'
import {
  confirmEmail,
  insertIdentity,
  insertUser,
  loadAccount,
  lockUser,
  mergeMembers,
  accountParts,
  showFactor,
  showUser,
  type Account,
  type UserRow,
} from './users.server.ts'

const UserBody = z.object({
  id: textField,
  aud: textField,
  role: textField,
  email: textField,
  phone: textField,
  password: textField,
  password_hash: textField,
  email_confirm: flagField,
  phone_confirm: flagField,
  user_metadata: members,
  app_metadata: members,
  ban_duration: textField,
})
type UserBody = z.output<typeof UserBody>

/** The account that the path names. */
async function userOf(auth: Auth, c: Context): Promise<Account> {
  const id = c.req.param('user_id')
  if (!isUuid(id)) throw new AuthFailure(404, 'validation_failed', 'user_id must be an UUID')
  const [user] = await auth.sql<Account[]>`
    select u.*, ${accountParts(auth.sql)} from auth.users u where u.id = ${id}`
  if (!user) throw new AuthFailure(404, 'user_not_found', 'User not found')
  return user
}

const about = ({ id, email, phone }: UserRow) => ({
  user_id: id,
  user_email: email,
  user_phone: phone,
})

export async function createUser(auth: Auth, c: Context): Promise<Response> {
  const claims = await requireAdmin(auth, c)
  const body = readBody(c, UserBody)
  if (!body.email && !body.phone) {
    throw invalid('Cannot create a user without either an email or phone')
  }
  const aud = body.aud || audienceOf(c, claims)
  const email = body.email ? readEmail(body.email) : undefined
  const phone = body.phone ? readPhone(body.phone) : undefined
  if (body.password !== undefined && body.password_hash) {
    throw invalid('Only a password or a password hash should be provided')
  }
  if (body.id && !isUuid(body.id)) throw invalid('ID must conform to the uuid v4 format')
  if (body.id && /^[0-]+$/.test(body.id)) throw invalid('ID cannot be a nil uuid')
  const banned_until = banUntil(auth, body.ban_duration)
  await refuseTaken(auth.sql, aud, email, phone)
  const password_hash = await hashOf(auth, body)
  const id = body.id?.toLowerCase() || randomUUID()
  const confirmed = body.email_confirm ?? false
  await auth.sql.begin(async (tx) => {
    const made = await insertUser(auth, tx, {
      id,
      aud,
      role: body.role || undefined,
      email,
      phone,
      password_hash,
      password_vouched: true,
      email_confirmed: confirmed && Boolean(email),
      phone_confirmed: (body.phone_confirm ?? false) && Boolean(phone),
      app_metadata: body.app_metadata ?? {},
      user_metadata: { ...body.user_metadata, ...(confirmed ? { email_verified: true } : {}) },
    })
    if (!made) throw await takenBy(tx, aud, email, phone, id)
    if (banned_until !== undefined) await ban(tx, id, banned_until)
    const traits = { user_id: id, user_email: email, provider: email ? 'email' : 'phone' }
    await record({ auth, tx, c }, 'user_signedup', undefined, traits)
  })
  return c.json(showUser(await loadAccount(auth.sql, id)))
}

/** Undefined without a password: the account waits for a link to set one. */
async function hashOf(
  auth: Auth,
  { password, password_hash }: UserBody,
): Promise<string | undefined> {
  if (password_hash) return readHash(password_hash)
  if (!password) return undefined
  refuseTooLong(password)
  return hashPassword(auth, password)
}

async function refuseTaken(db: Db, aud: string, email?: string, phone?: string, except?: string) {
  const found = await db<{ email: string | null }[]>`
    select email from auth.users where aud = ${aud} and id is distinct from ${except ?? null}
      and (email = ${email ?? null} or phone = ${phone ?? null})`
  if (found.length === 0) return
  throw email && found.some((other) => other.email === email) ? emailTaken() : phoneTaken()
}

/** Finds which of address, number and id another account was faster to take. */
async function takenBy(tx: Db, aud: string, email?: string, phone?: string, id?: string) {
  await refuseTaken(tx, aud, email, phone)
  return invalid(`A user with the id ${id} already exists`)
}

/** The end of a ban: undefined leaves it, null lifts it. */
function banUntil(auth: Auth, duration: string | undefined): string | null | undefined {
  if (!duration) return undefined
  if (duration === 'none') return null
  const seconds = readDuration(duration)
  if (seconds === undefined) throw invalid(`invalid format for ban duration: ${duration}`)
  return seconds === 0 ? null : auth.at(seconds)
}

const ban = (tx: Db, id: string, until: string | null) =>
  tx`update auth.users set banned_until = ${until} where id = ${id}`

export async function showOne(auth: Auth, c: Context): Promise<Response> {
  await requireAdmin(auth, c)
  return c.json(showUser(await userOf(auth, c)))
}

export async function updateUser(auth: Auth, c: Context): Promise<Response> {
  await requireAdmin(auth, c)
  const user = await userOf(auth, c)
  const body = readBody(c, UserBody)
  if (body.email) body.email = readEmail(body.email)
  if (body.phone) body.phone = readPhone(body.phone)
  const banned_until = banUntil(auth, body.ban_duration)
  if (body.password !== undefined) await refuseWeak(auth, body.password, [user.email])
  await refuseTaken(auth.sql, user.aud, body.email, body.phone, user.id)
  const password_hash = body.password ? await hashPassword(auth, body.password) : undefined
  await auth.sql.begin(async (tx) => {
    const current = await lockUser(tx, user.id)
    if (!current) throw new AuthFailure(404, 'user_not_found', 'User not found')
    if (password_hash) {
      await setPassword(auth, tx, user.id, password_hash)
      await tx`update auth.users set password_vouched = true where id = ${user.id}`
      await tx`delete from auth.sessions where user_id = ${user.id}`
    }
    await changeIdentifiers(auth, tx, current, body)
    await changeRest(auth, tx, current, body)
    if (banned_until !== undefined) await ban(tx, user.id, banned_until)
    await record({ auth, tx, c }, 'user_modified', undefined, about(user))
  })
  return c.json(showUser(await loadAccount(auth.sql, user.id)))
}

async function changeIdentifiers(auth: Auth, tx: Db, { id, ...had }: UserRow, body: UserBody) {
  const { email, phone } = body
  if (email && email !== had.email) {
    // Links that were mailed to the old address must not confirm the new one.
    await clearOneTimes(tx, id)
    await tx`update auth.users set email = ${email}, email_change = null where id = ${id}`
  }
  if (email) {
    const email_verified = body.email_confirm ?? email === had.email
    await insertIdentity(auth, tx, id, 'email', { sub: id, email, email_verified })
  }
  if (phone) {
    const phone_verified = body.phone_confirm ?? false
    await tx`update auth.users set phone = ${phone} where id = ${id}`
    await insertIdentity(auth, tx, id, 'phone', { sub: id, phone, phone_verified })
  }
  if (body.email_confirm) await confirmEmail(auth, tx, id)
  if (body.phone_confirm) {
    await tx`update auth.users set phone_confirmed_at = coalesce(phone_confirmed_at, ${auth.at()})
      where id = ${id}`
  }
}

async function changeRest(auth: Auth, tx: Db, { id }: UserRow, body: UserBody) {
  const current = await loadAccount(tx, id)
  const app = mergeMembers(current.raw_app_meta_data, body.app_metadata ?? {})
  const own = mergeMembers(current.raw_user_meta_data, body.user_metadata ?? {})
  await tx`update auth.users set role = ${body.role || current.role},
      raw_app_meta_data = ${tx.json(app)}, raw_user_meta_data = ${tx.json(own)},
      updated_at = ${auth.at()}
    where id = ${id}`
}

export async function deleteUser(auth: Auth, c: Context): Promise<Response> {
  await requireAdmin(auth, c)
  const user = await userOf(auth, c)
  const { should_soft_delete } = readOptionalBody(c, z.object({ should_soft_delete: flagField }))
  await auth.sql.begin(async (tx) => {
    await record({ auth, tx, c }, 'user_deleted', undefined, { user_id: user.id })
    if (!should_soft_delete) await tx`delete from auth.users where id = ${user.id}`
    else if (!user.deleted_at) await forget(auth, tx, user)
  })
  return c.json({})
}

/** The row stays, the person goes, and their address is free again. */
async function forget(auth: Auth, tx: Db, user: UserRow) {
  const hashed = (value: string | null) =>
    value && createHash('sha256').update(`${user.id}${value}`).digest('base64url')
  await clearOneTimes(tx, user.id)
  await tx`delete from auth.sessions where user_id = ${user.id}`
  await tx`delete from auth.factors where user_id = ${user.id}`
  await tx`update auth.identities set identity_data = '{}', provider_id = ${hashed(user.id)}
    where user_id = ${user.id}`
  await tx`update auth.users set email = ${hashed(user.email)}, phone = ${hashed(user.phone)},
      password_hash = null, email_change = null, raw_app_meta_data = '{}', raw_user_meta_data = '{}',
      deleted_at = ${auth.at()}, updated_at = ${auth.at()}
    where id = ${user.id}`
}

export async function listFactors(auth: Auth, c: Context): Promise<Response> {
  await requireAdmin(auth, c)
  const { factors } = await userOf(auth, c)
  return c.json(factors.map(showFactor))
}

export async function deleteFactor(auth: Auth, c: Context): Promise<Response> {
  await requireAdmin(auth, c)
  const user = await userOf(auth, c)
  const factor = await findFactor(auth.sql, user.id, c)
  await auth.sql.begin(async (tx) => {
    await lockUser(tx, user.id)
    const traits = { user_id: user.id, factor_id: factor.id }
    await record({ auth, tx, c }, 'factor_deleted', undefined, traits)
    await dropFactor(tx, factor.id, factor.factor_type)
  })
  return c.json(showFactor(factor))
}
