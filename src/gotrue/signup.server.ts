// Signing up. Whether an address is known, its owner learns by mail; the answer has one shape for
// all.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import { refuseWhereSsoIsRequired } from './bearer.server.ts'
import { onlyRow, type Auth, type Db } from './auth.server.ts'
import { nameLine, SignUpNames } from '#lib/one-line.ts'
import { audienceOf, members, readBody, readEmail, textField, type Members } from './body.server.ts'
import { AuthFailure, invalid } from './failure.server.ts'
import {
  mailConfirmation,
  mailSignUpAttempt,
  refuseWhenSentJustNow,
  refuseWhenMailIsSpent,
  spendMail,
} from './mailing.server.ts'
import { hashPassword, refuseTooLong, refuseWeak, rulesOf } from './passwords.server.ts'
import { redirectOf } from './redirects.server.ts'
import { answerOf, startSession, type Grant } from './sessions.server.ts'
import {
  findByEmail,
  insertUser,
  loadAccount,
  lockUser,
  type InsertedUser,
  type UserRow,
} from './users.server.ts'

const SignUpInput = z.object({
  email: textField,
  phone: textField,
  password: textField,
  data: members,
})

export async function signUp(auth: Auth, c: Context): Promise<Response> {
  const body = readBody(c, SignUpInput)
  if (!body.email && !body.phone) {
    const message = 'Anonymous sign-ins are disabled'
    throw new AuthFailure(422, 'anonymous_provider_disabled', message)
  }
  auth.limit(c, 'signup')
  const { email, password } = await refuseUnfit(auth, body)
  refuseUnknownAudience(auth, c)
  await refuseWhenMailIsSpent(auth, c, email, 'anybody')
  await refuseWhenSentJustNow(auth, 'confirmation', email)
  const password_hash = await hashPassword(auth, password)
  const user = newUser(auth, { email, aud: audienceOf(c), data: body.data, password_hash })
  const outcome = await auth.sql.begin((tx) => register(auth, tx, c, user))
  if (outcome.is === 'taken') {
    throw new AuthFailure(422, 'user_already_exists', 'User already registered')
  }
  if (outcome.is === 'signed_in') return c.json(await answerOf(auth, outcome.grant))
  return c.json(announced(auth, user))
}

/** Each audience has accounts of its own: one that nobody serves would only take an address. */
function refuseUnknownAudience({ settings }: Auth, c: Context) {
  if (!settings.audiences.includes(audienceOf(c))) throw invalid('This audience is not served here')
}

async function refuseUnfit(auth: Auth, body: z.output<typeof SignUpInput>) {
  const { password = '' } = body
  if (auth.settings.disable_signup) {
    throw new AuthFailure(422, 'signup_disabled', 'Signups not allowed for this instance')
  }
  if (!password) throw invalid('Signup requires a valid password')
  refuseTooLong(password)
  await refuseWeak(auth, password, [body.email])
  if (body.email && body.phone) {
    throw invalid('Only an email address or phone number should be provided on signup.')
  }
  if (body.phone) {
    throw new AuthFailure(400, 'phone_provider_disabled', 'Phone signups are disabled')
  }
  const email = readEmail(body.email)
  refuseUnfitNames(body.data)
  return { email, password }
}

/** The protocol asks for no name, and what nobody sees is none; one that is given is as the form takes it. */
function refuseUnfitNames(data: Members = {}) {
  const { full_name, company_name } = SignUpNames.shape
  for (const [shape, name] of [
    [full_name, data['full_name']],
    [company_name, data['company_name']],
  ] as const) {
    if (typeof name !== 'string' || !nameLine(name)) continue
    const fault = shape.safeParse(name).error?.issues[0]
    if (fault) throw invalid(fault.message)
  }
}

type FreshUser = InsertedUser & { email: string }
type SignupValues = { email: string; aud: string; data: Members | undefined; password_hash: string }

function newUser(auth: Auth, { email, aud, data, password_hash }: SignupValues): FreshUser {
  const id = randomUUID()
  const own = { sub: id, email, email_verified: auth.settings.autoconfirm, phone_verified: false }
  return {
    id,
    aud,
    email,
    password_hash,
    password_rules: rulesOf(auth),
    email_confirmed: auth.settings.autoconfirm,
    user_metadata: { ...data, ...own },
    identity_data: { ...data, ...own },
  }
}

type SignUpOutcome = { is: 'taken' } | { is: 'mailed' } | { is: 'signed_in'; grant: Grant }

async function register(auth: Auth, tx: Db, c: Context, user: FreshUser): Promise<SignUpOutcome> {
  const { autoconfirm } = auth.settings
  // The first of several sign-ups that race for an address inserts it; the others wait here and find
  // it known.
  if (await insertUser(auth, tx, user)) return welcome(auth, tx, c, user.id)
  const found = await findByEmail(tx, user.email, user.aud)
  const known = found && (await lockUser(tx, found.id))
  if (!known) throw new AuthFailure(409, 'conflict', 'The account has just changed, please retry')
  if (known.email_confirmed_at || autoconfirm) {
    await record({ auth, tx, c }, 'user_repeated_signup', known, { provider: 'email' })
    if (!autoconfirm) await mailSignUpAttempt(auth, tx, known)
    return autoconfirm ? { is: 'taken' } : { is: 'mailed' }
  }
  return toConfirm(auth, tx, c, known)
}

async function welcome(auth: Auth, tx: Db, c: Context, id: string): Promise<SignUpOutcome> {
  const row = await loadAccount(tx, id)
  if (!auth.settings.autoconfirm) return toConfirm(auth, tx, c, row)
  await record({ auth, tx, c }, 'user_signedup', row, { provider: 'email' })
  await refuseWhereSsoIsRequired(tx, id)
  const grant = await startSession(auth, tx, c, { user_id: id, method: 'password' })
  return { is: 'signed_in', grant: onlyRow(grant ? [grant] : []) }
}

async function toConfirm(auth: Auth, tx: Db, c: Context, user: UserRow): Promise<SignUpOutcome> {
  await record({ auth, tx, c }, 'user_confirmation_requested', user, { provider: 'email' })
  await spendMail(auth, tx, 'anybody')
  await mailConfirmation(auth, tx, user, redirectOf(auth, c))
  return { is: 'mailed' }
}

/**
 * The new account as every asker sees it: whether it is one, or somebody had the address,
 * shows neither in the members nor in their order.
 */
function announced(auth: Auth, { id, aud, email, user_metadata }: FreshUser): Members {
  const at = auth.at()
  const identity = { identity_id: randomUUID(), id, user_id: id, identity_data: user_metadata }
  const times = { last_sign_in_at: at, created_at: at, updated_at: at }
  return {
    id,
    aud,
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: at,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata,
    identities: [{ ...identity, provider: 'email', ...times, email }],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  }
}
