// POST /token: signing in with a password. Refreshing lives next door.
import type { Context } from 'hono'
import { z } from 'zod'
import { onlyRow, type Auth } from './auth.server.ts'
import { banned, isInForce, ssoRequired } from './bearer.server.ts'
import { audienceOf, readBody, textField } from './body.server.ts'
import { AuthFailure, invalid, tooManyRequests, wrongCredentials } from './failure.server.ts'
import { signInRate } from './limits.server.ts'
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
import { exchangeCode } from './sso/codes.server.ts'
import type { UserRow } from './users.server.ts'

export async function grantToken(auth: Auth, c: Context): Promise<Response> {
  const grant = c.req.query('grant_type')
  if (grant !== 'password' && grant !== 'refresh_token' && grant !== 'pkce') {
    throw new AuthFailure(400, 'invalid_credentials', 'unsupported_grant_type')
  }
  auth.limit(c, 'token')
  if (grant === 'pkce') return exchangeCode(auth, c)
  return grant === 'password' ? signIn(auth, c) : refresh(auth, c)
}

const SignInInput = z.object({ email: textField, phone: textField, password: textField })

async function signIn(auth: Auth, c: Context): Promise<Response> {
  const { email, phone, password = '' } = readBody(c, SignInInput)
  if (email && phone) {
    throw invalid('Only an email address or phone number should be provided on login.')
  }
  if (phone) throw new AuthFailure(422, 'phone_provider_disabled', 'Phone logins are disabled')
  if (!email) throw invalid('missing email or phone')
  const { bucket, taken, barred, by_sso, ...user } = await beginSignIn(auth, c, email.toLowerCase())
  if (!taken) throw tooManyRequests()
  const { id, password_hash } = user
  if (!(await matches(auth, password, password_hash)) || !id || !password_hash)
    throw wrongCredentials()
  if (barred || isInForce(auth, user.banned_until)) throw banned(400)
  if (by_sso) throw ssoRequired()
  if (!user.email_confirmed_at && !auth.settings.allow_unverified_sign_in) {
    throw new AuthFailure(400, 'email_not_confirmed', 'Email not confirmed')
  }
  const weak_password = await judge(auth, user, password)
  const kept = isOutdated(auth, password_hash) ? await hashPassword(auth, password) : password_hash
  const rules = weak_password ? null : rulesOf(auth)
  const grant = await startSession(auth, auth.sql, c, {
    user_id: id,
    method: 'password',
    password: { compared: password_hash, kept, rules },
    bucket,
  })
  // The password was changed while we compared, and its sessions ended: this one must not begin.
  if (!grant) throw wrongCredentials()
  return c.json({ ...(await answerOf(auth, grant)), ...(weak_password ? { weak_password } : {}) })
}

type SignInAccount = Omit<UserRow, 'id'> & {
  id: string | null
  barred: boolean
  by_sso: boolean
  bucket: string
  taken: boolean
}

/**
 * The account and its bucket, in one question. An attempt is taken from the bucket before the password
 * is looked at and given back after a success: a flood of guesses at once gets no further than one
 * after the other. Buckets are by address, known or not. Where the owner is signed in already attempts
 * count apart: a stranger who guesses must not keep the owner out. Nobody waits for the disk: a crash may forget
 * the attempts of its last moment, nothing else is written here.
 */
async function beginSignIn(auth: Auth, c: Context, email: string): Promise<SignInAccount> {
  const { burst, per_second } = signInRate
  const account = `sign-in ${sha256(email).toString('base64url')}`
  const address = auth.settings.client_address(c) ?? null
  return onlyRow(
    await auth.sql<SignInAccount[]>`
      with u as (select * from auth.users where email = ${email} and aud = ${audienceOf(c)}),
      b as (select concat_ws(' ', ${account}::text, case when exists (
          select from auth.sessions s join u on u.id = s.user_id
          where s.address = ${address}) then ${address}::text end) as bucket)
      select u.*, auth.is_barred(u.id) as barred, auth.must_use_sso(u.id) as by_sso, b.bucket,
          auth.take_from_bucket(b.bucket, ${burst}, ${per_second}, ${auth.at()}) as taken
        from b left join u on true
          cross join set_config('synchronous_commit', 'off', true)`,
  )
}

/** A password of before a rule still signs in; whoever uses it is told. Judged once per rule. */
async function judge(
  auth: Auth,
  user: Pick<UserRow, 'email' | 'password_rules'>,
  password: string,
): Promise<Weakness | undefined> {
  if (user.password_rules === rulesOf(auth)) return undefined
  return weaknessOf(auth, password, [user.email])
}
