// POST /token: signing in with a password. Refreshing lives next door.
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { banned, isBanned } from './bearer.server.ts'
import { audienceOf, readBody, text } from './body.server.ts'
import { AuthFailure, invalid, tooManyRequests, wrongCredentials } from './failure.server.ts'
import { refill, signInRate, takeFor } from './limits.server.ts'
import {
  hashPassword,
  isOutdated,
  matches,
  rulesOf,
  weaknessOf,
  type Weakness,
} from './passwords.server.ts'
import { refresh } from './refresh.server.ts'
import { sha256 } from './secrets.server.ts'
import { answerOf, startSession } from './sessions.server.ts'
import { findByEmail, type UserRow } from './users.server.ts'

export async function grantToken(auth: Auth, c: Context): Promise<Response> {
  const grant = c.req.query('grant_type')
  if (grant !== 'password' && grant !== 'refresh_token') {
    throw new AuthFailure(400, 'invalid_credentials', 'unsupported_grant_type')
  }
  auth.limit(c, 'token')
  return grant === 'password' ? signIn(auth, c) : refresh(auth, c)
}

const SignIn = z.object({ email: text, phone: text, password: text })

async function signIn(auth: Auth, c: Context): Promise<Response> {
  const { email, phone, password = '' } = readBody(c, SignIn)
  if (email && phone) {
    throw invalid('Only an email address or phone number should be provided on login.')
  }
  if (phone) throw new AuthFailure(422, 'phone_provider_disabled', 'Phone logins are disabled')
  if (!email) throw invalid('missing email or phone')
  const user = await findByEmail(auth.sql, email.toLowerCase(), audienceOf(c))
  const bucket = await bucketOf(auth, c, email, user)
  // Taken before the password is looked at, given back after a success: a flood of guesses at once
  // gets no further than one after the other.
  if (!(await takeFor(auth, auth.sql, bucket, signInRate))) throw tooManyRequests()
  if (!(await matches(password, user?.password_hash)) || !user) throw wrongCredentials()
  if (await isBanned(auth, auth.sql, user)) throw banned(400)
  if (!user.email_confirmed_at && !auth.settings.allow_unverified_sign_in) {
    throw new AuthFailure(400, 'email_not_confirmed', 'Email not confirmed')
  }
  const weak_password = await judge(auth, user, password)
  const rehashed = isOutdated(user.password_hash ?? '') ? await hashPassword(password) : undefined
  const grant = await auth.sql.begin(async (tx) => {
    await keepCurrent(auth, tx, user, rehashed, weak_password)
    await record(auth, tx, c, 'login', user, { provider: 'email' })
    await refill(tx, bucket)
    return startSession(auth, tx, c, user.id, 'password')
  })
  return c.json({ ...(await answerOf(auth, grant)), ...(weak_password ? { weak_password } : {}) })
}

/**
 * Failures count per address of the account, known or not. Where its owner is signed in already, they
 * count apart: a stranger who guesses must not keep the owner out.
 */
async function bucketOf(auth: Auth, c: Context, email: string, user: UserRow | undefined) {
  const account = `sign-in ${sha256(email.toLowerCase()).toString('base64url')}`
  const address = auth.settings.client_address(c)
  if (!user || !address) return account
  const [at_home] = await auth.sql`
    select from auth.sessions where user_id = ${user.id} and address = ${address} limit 1`
  return at_home ? `${account} ${address}` : account
}

/** A password of before a rule still signs in; whoever uses it is told. Judged once per rule. */
async function judge(auth: Auth, user: UserRow, password: string): Promise<Weakness | undefined> {
  if (user.password_rules === rulesOf(auth)) return undefined
  return weaknessOf(auth, password, [user.email])
}

/** Fails if the password was changed while we compared: its sessions have just been ended. */
async function keepCurrent(
  auth: Auth,
  tx: Db,
  user: UserRow,
  rehashed: string | undefined,
  weakness: Weakness | undefined,
) {
  const kept = await tx`
    update auth.users set password_hash = ${rehashed ?? user.password_hash},
      password_rules = ${weakness ? null : rulesOf(auth)}
    where id = ${user.id} and password_hash = ${user.password_hash} returning id`
  if (kept.length === 0) throw wrongCredentials()
}
