// Links that an administrator asks for, to pass on in their own way, or mailed as an invitation.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import { record, type AuthActContext } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { requireAdmin } from './bearer.server.ts'
import { audienceOf, members, readBody, readEmail, textField, type Members } from './body.server.ts'
import { AuthFailure, emailTaken, invalid } from './failure.server.ts'
import { mailLink, markSent, spendMail } from './mailing.server.ts'
import { makeOneTime, type OneTimeKind, type OneTime } from './one-time.server.ts'
import { hashPassword, refuseWeak, rulesOf } from './passwords.server.ts'
import { actionLink, redirectOf } from './redirects.server.ts'
import {
  findByEmail,
  insertUser,
  loadAccount,
  lockUser,
  mergeMembers,
  showUser,
  type UserRow,
} from './users.server.ts'

const types = {
  signup: 'confirmation',
  invite: 'confirmation',
  magiclink: 'recovery',
  recovery: 'recovery',
  email_change_current: 'email_change_current',
  email_change_new: 'email_change_new',
} as const satisfies Record<string, OneTimeKind>
type LinkType = keyof typeof types

const LinkBody = z.object({
  type: textField,
  email: textField,
  new_email: textField,
  password: textField,
  data: members,
  redirect_to: textField,
})
type LinkBody = z.output<typeof LinkBody>

export async function generateLink(auth: Auth, c: Context): Promise<Response> {
  const claims = await requireAdmin(auth, c)
  // Each link opens an account: a stolen service key must not open all accounts through this at once.
  auth.limit(c, 'generate_link')
  const body = readBody(c, LinkBody)
  const email = readEmail(body.email)
  if (!Object.hasOwn(types, body.type ?? '')) {
    throw invalid(`Invalid email action link type requested: ${body.type ?? ''}`)
  }
  let type = body.type as LinkType
  const aud = audienceOf(c, claims)
  const redirect_to = redirectOf(auth, c, body.redirect_to)
  const known = await findByEmail(auth.sql, email, aud)
  if (!known && type === 'magiclink') type = 'signup'
  const makes_account = type === 'signup' || type === 'invite'
  if (!known && !makes_account) {
    throw new AuthFailure(404, 'user_not_found', 'User with this email not found')
  }
  if (makes_account && known?.email_confirmed_at) throw emailTaken()
  const fresh = known ? undefined : await freshAccount(auth, { ...body, email }, type, aud)
  const made = await auth.sql.begin(async (tx) => {
    if (fresh && !(await insertUser(auth, tx, fresh))) throw emailTaken()
    const user = await lockUser(tx, fresh?.id ?? known?.id ?? '')
    if (!user) throw new AuthFailure(404, 'user_not_found', 'User with this email not found')
    return makeLink({ auth, tx, c }, user, type, body)
  })
  const link_type = type.startsWith('email_change') ? 'email_change' : type
  return c.json({
    ...showUser(await loadAccount(auth.sql, made.user_id)),
    action_link: actionLink(auth, made.link, link_type, redirect_to),
    email_otp: made.code,
    hashed_token: made.link,
    verification_type: type,
    redirect_to,
  })
}

/** An account for a link to somebody new. Only a sign-up brings its password along. */
async function freshAccount(
  auth: Auth,
  body: LinkBody & { email: string },
  type: LinkType,
  aud: string,
) {
  const id = randomUUID()
  const needs_password = type === 'signup' && body.type === 'signup'
  const { email, password = '', data } = body
  if (needs_password && !password) throw invalid('Signup requires a valid password')
  if (needs_password) await refuseWeak(auth, password, [email])
  return {
    id,
    aud,
    email,
    user_metadata: data ?? {},
    ...(needs_password
      ? {
          password_hash: await hashPassword(auth, password),
          password_rules: rulesOf(auth),
          password_vouched: true,
        }
      : {}),
  }
}

async function makeLink(
  context: AuthActContext,
  user: UserRow,
  type: LinkType,
  body: LinkBody,
): Promise<OneTime & { user_id: string }> {
  const { auth, tx } = context
  const address = await addressFor(auth, tx, user, type, body)
  const made = await makeOneTime(auth, tx, { kind: types[type], user_id: user.id, address })
  if (type === 'invite') {
    await record(context, 'user_invited', undefined, { user_id: user.id })
    await markSent(auth, tx, user.id, 'invite')
  } else if (type === 'signup') {
    const merged = mergeMembers(user.raw_user_meta_data, body.data ?? {})
    await tx`update auth.users set raw_user_meta_data = ${tx.json(merged)} where id = ${user.id}`
    await markSent(auth, tx, user.id, 'confirmation')
  } else if (type === 'magiclink' || type === 'recovery') {
    await record(context, 'user_recovery_requested', user)
    await markSent(auth, tx, user.id, 'recovery')
  }
  return { ...made, user_id: user.id }
}

/** The address that a link proves. A change of address is pending from the first of its two links on. */
async function addressFor(auth: Auth, tx: Db, user: UserRow, type: LinkType, body: LinkBody) {
  if (!type.startsWith('email_change')) return user.email ?? ''
  const email = readEmail(body.new_email)
  if (await findByEmail(tx, email, user.aud)) throw emailTaken()
  if (user.email_change !== email) {
    // The consent was to another address.
    await tx`delete from auth.one_time_tokens
      where user_id = ${user.id} and kind in ('email_change_new', 'email_change_current')`
  }
  await tx`update auth.users set email_change = ${email}, email_change_sent_at = ${auth.at()},
      email_change_halves = 0, updated_at = ${auth.at()}
    where id = ${user.id}`
  return type === 'email_change_new' ? email : (user.email ?? '')
}

export async function invite(auth: Auth, c: Context): Promise<Response> {
  const claims = await requireAdmin(auth, c)
  const body = readBody(c, z.object({ email: textField, data: members }))
  const email = readEmail(body.email)
  const aud = audienceOf(c, claims)
  const id = await auth.sql.begin(async (tx) => {
    const user = await invited(auth, tx, email, aud, body.data ?? {})
    await record({ auth, tx, c }, 'user_invited', undefined, {
      user_id: user.id,
      user_email: email,
    })
    await spendMail(auth, tx, 'anybody')
    await mailLink(auth, tx, { mail_kind: 'invite', user, redirect_to: redirectOf(auth, c) })
    return user.id
  })
  return c.json(showUser(await loadAccount(auth.sql, id)))
}

async function invited(auth: Auth, tx: Db, email: string, aud: string, data: Members) {
  await insertUser(auth, tx, { id: randomUUID(), aud, email, user_metadata: data })
  const found = await findByEmail(tx, email, aud)
  const user = found && (await lockUser(tx, found.id))
  if (!user || user.email_confirmed_at) throw emailTaken()
  return user
}
