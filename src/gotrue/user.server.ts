// The parts of their own account that a person may see and change.
import type { Context } from 'hono'
import { z } from 'zod'
import { record, type AuthActContext } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { requireUser, type Bearer } from './bearer.server.ts'
import { audienceOf, members, readBody, readEmail, readPhone, textField } from './body.server.ts'
import {
  AuthFailure,
  emailNotConfirmed,
  invalid,
  phoneTaken,
  sessionGone,
} from './failure.server.ts'
import { mailEmailChange, mailReauthentication, refuseTooManyMails } from './mailing.server.ts'
import { notifyOwner } from './notices.server.ts'
import { clearOneTimes, consume, findByCode } from './one-time.server.ts'
import { isTheirs } from './own-password.server.ts'
import { hashPassword, matches, refuseWeak, rulesOf } from './passwords.server.ts'
import { proofsOf, reauthenticationNeeded } from './proofs.server.ts'
import { redirectOf } from './redirects.server.ts'
import { addMethod } from './sessions.server.ts'
import {
  insertIdentity,
  loadAccount,
  lockUser,
  mergeMembers,
  showUser,
  type UserRow,
} from './users.server.ts'

export async function getUser(auth: Auth, c: Context): Promise<Response> {
  const { claims, user } = await requireUser(auth, c)
  if (typeof claims.aud !== 'string' || claims.aud !== audienceOf(c, claims)) {
    throw invalid("Token audience doesn't match request audience")
  }
  return c.json(showUser(user))
}

const Change = z.object({
  email: textField,
  phone: textField,
  password: textField,
  current_password: textField,
  nonce: textField,
  data: members,
  app_metadata: members,
})
type Change = z.output<typeof Change>

export async function putUser(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  auth.limit(c, 'user')
  const { user } = bearer
  const change = readBody(c, Change)
  if (change.email) change.email = readEmail(change.email)
  if (change.phone) change.phone = readPhone(change.phone)
  if (change.password !== undefined) await refuseWeak(auth, change.password, [user.email])
  if (change.app_metadata) {
    throw new AuthFailure(403, 'not_admin', 'Updating app_metadata requires admin privileges')
  }
  const email = change.email && change.email !== user.email ? change.email : undefined
  const phone = change.phone && change.phone !== user.phone ? change.phone : undefined
  refuseWithoutSecondStep(bearer, Boolean(change.password ?? email ?? phone))
  if (email && user.email && !user.email_confirmed_at) throw emailNotConfirmed()
  if (phone) await refusePhone(auth, phone, user)
  const password_hash = await newHash(auth, bearer, change)
  if (email) {
    const sent_at = user.email_change_sent_at
    await refuseTooManyMails(auth, c, { user, to: email, sent_at, purpose: 'anybody' })
  }
  await auth.sql.begin(async (tx) => {
    const current = await lockUser(tx, user.id)
    if (!current || !(await stillLives(tx, bearer))) throw sessionGone()
    if (password_hash) await changePassword({ auth, tx, c }, bearer, current, password_hash)
    if (change.data) await mergeData(auth, tx, current, change.data)
    if (email) await mailEmailChange(auth, tx, current, email, redirectOf(auth, c))
    await record({ auth, tx, c }, 'user_modified', user)
  })
  return c.json(showUser(await loadAccount(auth.sql, user.id)))
}

/** The row decides, not the token: a second step was enrolled, or fell, since it was issued. */
function refuseWithoutSecondStep({ user, session }: Bearer, touches_credentials: boolean) {
  if (!touches_credentials || !user.two_step || session?.aal === 'aal2') return
  const message = 'AAL2 session is required to update email or password when MFA is enabled.'
  throw new AuthFailure(401, 'insufficient_aal', message)
}

async function refusePhone(auth: Auth, phone: string, user: UserRow) {
  const taken = await auth.sql`
    select from auth.users where phone = ${phone} and aud = ${user.aud}`
  if (taken.length > 0) throw phoneTaken()
  throw new AuthFailure(400, 'phone_provider_disabled', 'Phone logins are disabled')
}

const DAY_MS = 86_400_000

/**
 * Everything that must hold before a password may change; then its hash, made outside the
 * transaction.
 */
async function newHash(auth: Auth, bearer: Bearer, change: Change): Promise<string | undefined> {
  const { user, session } = bearer
  const { password, nonce } = change
  if (!password) return undefined
  const is_old = !session || auth.now().getTime() - Date.parse(session.created_at) > DAY_MS
  const reauthenticates = auth.settings.require_reauthentication && is_old
  if (reauthenticates) {
    await useNonce(auth, user, nonce, 'Password update requires reauthentication')
  }
  await refuseUnproven(auth, bearer, change, reauthenticates)
  if (user.password_hash && (await matches(auth, password, user.password_hash))) {
    const message = 'New password should be different from the old password.'
    throw new AuthFailure(422, 'same_password', message)
  }
  return hashPassword(auth, password)
}

/**
 * By a mailed link a password is chosen once and within minutes, or until there is one of the person's own. Later the
 * session is one like any other: somebody else may sit at it.
 */
async function refuseUnproven(
  auth: Auth,
  bearer: Bearer,
  change: Change,
  reauthenticated: boolean,
) {
  if (!auth.settings.require_current_password) return
  const { user } = bearer
  const { fresh_by_link, by_link, fresh_by_sso } = await proofsOf(auth, auth.sql, bearer)
  if (fresh_by_link || (by_link && user.password_must_change)) return
  if (!user.password_hash) {
    if (fresh_by_sso || reauthenticated) return
    const message = 'Setting a first password requires reauthentication'
    return useNonce(auth, user, change.nonce, message)
  }
  const message = 'Current password required when setting new password.'
  const { current_password } = change
  if (!current_password) throw new AuthFailure(400, 'current_password_required', message)
  if (!(await isTheirs(auth, user, current_password))) {
    throw new AuthFailure(400, 'current_password_invalid', message)
  }
}

async function useNonce(auth: Auth, user: UserRow, nonce: string | undefined, message: string) {
  if (!nonce) throw reauthenticationNeeded(message)
  const found = await findByCode(auth, nonce, ['reauthentication'], user.email ?? '', user.aud)
  if (found && (await auth.sql.begin((tx) => consume(tx, found)))) return
  throw new AuthFailure(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}

async function stillLives(tx: Db, { session }: Bearer): Promise<boolean> {
  if (!session) return true
  return (await tx`select from auth.sessions where id = ${session.id} for share`).length > 0
}

/** Every other session ends, and with it whatever was mailed before. */
async function changePassword(
  context: AuthActContext,
  { user, session }: Bearer,
  current: UserRow,
  password_hash: string,
) {
  const { auth, tx } = context
  // Somebody else changed it while we compared: what we compared with is not the password any more.
  if (current.password_hash !== user.password_hash) {
    throw new AuthFailure(409, 'conflict', 'The password has just been changed, please retry')
  }
  await setPassword(auth, tx, user.id, password_hash)
  if (session) await addMethod(auth, tx, session.id, 'password')
  await tx`delete from auth.sessions where user_id = ${user.id} and id <> ${session?.id ?? user.id}`
  await record(context, 'user_updated_password', user)
  // A person who sets their first password has just been asked to.
  if (current.password_hash && !current.password_must_change) {
    await notifyOwner(context, current, 'password_changed')
  }
  if (!current.password_hash && user.email) {
    const verified = Boolean(current.email_confirmed_at)
    const data = { sub: user.id, email: user.email, email_verified: verified }
    await insertIdentity(auth, tx, user.id, 'email', data)
  }
}

export async function setPassword(auth: Auth, tx: Db, user_id: string, password_hash: string) {
  await tx`update auth.users set password_hash = ${password_hash}, password_rules = ${rulesOf(auth)},
      password_must_change = false, password_vouched = false, updated_at = ${auth.at()}
    where id = ${user_id}`
  await clearOneTimes(tx, user_id)
}

async function mergeData(auth: Auth, tx: Db, user: UserRow, data: Record<string, unknown>) {
  const merged = mergeMembers(user.raw_user_meta_data, data)
  await tx`update auth.users set raw_user_meta_data = ${tx.json(merged)},
      updated_at = ${auth.at()}
    where id = ${user.id}`
}

export async function reauthenticate(auth: Auth, c: Context): Promise<Response> {
  const { user } = await requireUser(auth, c)
  auth.limit(c, 'reauthenticate')
  const { email } = user
  if (!email) {
    throw invalid('Reauthentication requires the user to have an email or a phone number')
  }
  if (!user.email_confirmed_at) throw emailNotConfirmed()
  const sent_at = user.reauthentication_sent_at
  await refuseTooManyMails(auth, c, { user, to: email, sent_at, purpose: 'owner' })
  await auth.sql.begin(async (tx) => {
    const current = await lockUser(tx, user.id)
    if (!current) throw sessionGone()
    await record({ auth, tx, c }, 'user_reauthenticate_requested', user)
    await mailReauthentication(auth, tx, current, email)
  })
  return c.json({})
}

export async function logout(auth: Auth, c: Context): Promise<Response> {
  const { user, session } = await requireUser(auth, c)
  const scope = c.req.query('scope') || 'global'
  if (!['global', 'local', 'others'].includes(scope)) {
    throw invalid(`Unsupported logout scope "${scope}"`)
  }
  const session_id = session?.id ?? null
  await auth.sql.begin(async (tx) => {
    await record({ auth, tx, c }, 'logout', user, { scope })
    await tx`delete from auth.sessions where user_id = ${user.id} and (
      ${scope} = 'global' or ${session_id}::uuid is null or (id = ${session_id}) = (${scope} = 'local'))`
  })
  return c.body(null, 204)
}
