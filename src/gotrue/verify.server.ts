// Following a mailed link, or typing its code: the address is proven, and its owner signed in.
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import { onlyRow, type Auth, type Db } from './auth.server.ts'
import { banned, isBanned, refuseWhereSsoIsRequired } from './bearer.server.ts'
import {
  audienceOf,
  readBody,
  readEmail,
  readPhone,
  textField,
  type Members,
} from './body.server.ts'
import { AuthFailure, invalid, toFailure } from './failure.server.ts'
import { notifyOwner } from './notices.server.ts'
import {
  clearOneTimes,
  consume,
  findByCode,
  findByLink,
  type OneTimeKind,
  type TokenRow,
} from './one-time.server.ts'
import { hashPassword, refuseTooLong, refuseWeak } from './passwords.server.ts'
import { redirectOf } from './redirects.server.ts'
import { addMethod, answerOf, startSession, type Grant } from './sessions.server.ts'
import { setPassword } from './user.server.ts'
import { confirmEmail, insertIdentity, lockUser, type UserRow } from './users.server.ts'

const kinds_by_type = new Map<string, readonly OneTimeKind[]>([
  ['signup', ['confirmation']],
  ['invite', ['confirmation']],
  ['recovery', ['recovery']],
  ['magiclink', ['recovery']],
  ['email', ['confirmation', 'recovery']],
  ['email_change', ['email_change_current', 'email_change_new']],
])
const phoneTypes = ['sms', 'phone_change']
const HALF = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

const expired = (message: string) => new AuthFailure(403, 'otp_expired', message)
const badLink = () => expired('Email link is invalid or has expired')
const badCode = () => expired('Token has expired or is invalid')

const Verify = z.object({
  type: textField,
  token: textField,
  token_hash: textField,
  email: textField,
  phone: textField,
  redirect_to: textField,
  /** The account's password once its address is proven. Beyond the protocol; other clients set it afterwards. */
  password: textField,
  /** Anything: only looks whether the link still works, and uses nothing up. Beyond the protocol as well. */
  looks: textField,
})

export async function verifyByPost(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'verify')
  const body = readBody(c, Verify)
  const { type = '', token, token_hash, email, phone } = body
  if (!type) throw invalid('Verify requires a verification type')
  if (Boolean(token) === Boolean(token_hash)) {
    throw invalid('Verify requires either a token or a token hash')
  }
  const kinds = kinds_by_type.get(type)
  if (!kinds && !phoneTypes.includes(type)) throw invalid('Unsupported verification type')
  if (token_hash) {
    if (email || phone || body.redirect_to) {
      throw invalid('Only the token_hash and type should be provided')
    }
    const link = await byLink(auth, type, token_hash)
    if (body.looks) return c.json({ msg: 'Link works', code: '200' })
    return answer(auth, c, await accept(auth, c, link, badLink, await hashOf(auth, body)))
  }
  if (Boolean(email) === Boolean(phone)) {
    throw invalid('Only an email address or phone number should be provided on verify')
  }
  if (phone) {
    readPhone(phone)
    if (!phoneTypes.includes(type)) throw invalid('Type provided requires an email address')
    // No phone number can be proven here yet, so every code for one is a wrong one.
    throw badCode()
  }
  if (phoneTypes.includes(type)) throw invalid('Type provided requires a phone number')
  const address = readEmail(email)
  const found = await findByCode(auth, token ?? '', kinds ?? [], address, audienceOf(c))
  if (!found) throw badCode()
  return answer(auth, c, await accept(auth, c, found, badCode, await hashOf(auth, body)))
}

async function byLink(auth: Auth, type: string, link: string): Promise<TokenRow> {
  const kinds = kinds_by_type.get(type)
  if (!kinds) throw invalid('Invalid email verification type')
  const found = await findByLink(auth, link, kinds)
  if (!found) throw badLink()
  return found
}

/** Refused before the link is used up. */
async function hashOf(auth: Auth, { password, email }: z.output<typeof Verify>) {
  if (!password) return undefined
  refuseTooLong(password)
  await refuseWeak(auth, password, [email])
  return hashPassword(auth, password)
}

const answer = async (auth: Auth, c: Context, grant: Grant | 'half') =>
  c.json(grant === 'half' ? { msg: HALF, code: '200' } : await answerOf(auth, grant))

/** Uses the token up and does what it was mailed for, together. */
const accept = (
  auth: Auth,
  c: Context,
  token: TokenRow,
  refusal: () => AuthFailure,
  password_hash?: string,
): Promise<Grant | 'half'> =>
  auth.sql.begin<Grant | 'half'>(async (tx) => {
    const user = await lockUser(tx, token.user_id)
    if (!user || !(await consume(tx, token))) throw refusal()
    if (await isBanned(auth, tx, user)) throw banned(403)
    let was_set = false
    if (token.kind === 'email_change_current' || token.kind === 'email_change_new') {
      if (!(await changeEmail(auth, tx, c, user))) return 'half'
    } else {
      was_set = await prove(auth, tx, c, user, password_hash)
    }
    await clearOneTimes(tx, user.id)
    await refuseWhereSsoIsRequired(tx, user.id)
    const grant = await startSession(auth, tx, c, { user_id: user.id, method: 'otp' })
    if (grant && was_set) await addMethod(auth, tx, grant.session_id, 'password')
    return onlyRow(grant ? [grant] : [])
  })

/** True where the password that came along is the account's now. */
async function prove(
  auth: Auth,
  tx: Db,
  c: Context,
  user: UserRow,
  password_hash?: string,
): Promise<boolean> {
  if (user.email_confirmed_at) return false
  // Until now anybody could be signed in to an account they prepared in the name of this address, by a
  // password that is theirs: the owner chooses their own, or sends it along.
  await tx`delete from auth.sessions where user_id = ${user.id}`
  await tx`update auth.users set password_hash = null, password_rules = null,
    password_must_change = true where id = ${user.id} and not password_vouched`
  if (password_hash) await setPassword(auth, tx, user.id, password_hash)
  await record({ auth, tx, c }, 'user_signedup', user, { provider: 'email' })
  await confirmEmail(auth, tx, user.id)
  return password_hash !== undefined
}

/** Both addresses have to agree, in either order. False while one is missing. */
async function changeEmail(auth: Auth, tx: Db, c: Context, user: UserRow): Promise<boolean> {
  const email = user.email_change
  if (!email) throw badLink()
  const needs_both = Boolean(user.email)
  if (needs_both && user.email_change_halves === 0) {
    await tx`update auth.users set email_change_halves = 1 where id = ${user.id}`
    return false
  }
  const verified = tx.json({ email, email_verified: true })
  await tx`update auth.users set email = ${email}, email_change = null, email_change_halves = 0,
      email_confirmed_at = coalesce(email_confirmed_at, ${auth.at()}),
      raw_user_meta_data = raw_user_meta_data || ${verified}, updated_at = ${auth.at()}
    where id = ${user.id}`
  const identity: Members = { sub: user.id, email, email_verified: true, phone_verified: false }
  await insertIdentity(auth, tx, user.id, 'email', identity)
  await record({ auth, tx, c }, 'user_modified', user)
  // The owner of the old address must learn of a change that was not theirs.
  await notifyOwner({ auth, tx, c }, user, 'email_changed', { email })
  return true
}

const oauthErrors: Record<number, string> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

export async function verifyByGet(auth: Auth, c: Context): Promise<Response> {
  auth.limit(c, 'verify')
  const { type = '', token = '' } = c.req.query()
  if (!type) throw invalid('Verify requires a verification type')
  if (!token) throw invalid('Verify requires a token or a token hash')
  const target = redirectOf(auth, c)
  try {
    const grant = await accept(auth, c, await byLink(auth, type, token), badLink)
    if (grant === 'half') return redirect(c, target, { message: HALF, sb: '' })
    const session = await answerOf(auth, grant)
    const names = ['access_token', 'expires_at', 'expires_in', 'refresh_token']
    const params = Object.fromEntries(names.map((name) => [name, String(session[name])]))
    return redirect(c, target, { ...params, sb: '', token_type: 'bearer', type })
  } catch (error) {
    const { status, code, message } = toFailure(error)
    if (status >= 500) throw error
    const known = oauthErrors[status]
    return redirect(c, target, {
      ...(known ? { error: known } : {}),
      error_code: code,
      error_description: message,
      sb: '',
    })
  }
}

const redirect = (c: Context, target: string, params: Record<string, string>) =>
  c.redirect(`${target.replace(/#.*$/s, '')}#${new URLSearchParams(params)}`, 303)
