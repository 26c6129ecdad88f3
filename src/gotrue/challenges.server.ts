// Challenges: asking for proof of a factor, and checking it.
import { timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { Secret, TOTP } from 'otpauth'
import { z } from 'zod'
import { record } from './audit.server.ts'
import { onlyRow, type Auth, type Db } from './auth.server.ts'
import { requireUser, type Session } from './bearer.server.ts'
import { members, readBody, readOptionalBody, textField } from './body.server.ts'
import { AuthFailure, badJson, invalid, sessionGone, tooManyRequests } from './failure.server.ts'
import { findFactor, refuseIfOff } from './factors.server.ts'
import { codeRate, refill, takeFor } from './limits.server.ts'
import { tooSoon, secondsToWait } from './mailing.server.ts'
import { nameOf, notifyOwner } from './notices.server.ts'
import { newCode } from './one-time.server.ts'
import { refuseUnlessFresh } from './proofs.server.ts'
import { decrypt, hashCode } from './secrets.server.ts'
import { addMethod, answerOf, grantOf, mfaMethods, type Grant } from './sessions.server.ts'
import { isUuid } from './tokens.server.ts'
import { lockUser, type FactorRow, type UserRow } from './users.server.ts'
import {
  beginCeremony,
  finishCeremony,
  readCeremony,
  type Ceremony,
  type Credential,
} from './webauthn.server.ts'

const CHALLENGE_SECONDS = 300
const MOST_ATTEMPTS = 5

type ChallengeRow = {
  id: string
  address: string | null
  code_hash: Uint8Array | null
  ceremony: Ceremony | null
  challenge: string | null
  attempts: number
  verified_at: string | null
  created_at: string
}

export async function challenge(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  const { user } = bearer
  const factor = await findFactor(auth.sql, user.id, c)
  auth.limit(c, 'challenge')
  const { channel = 'sms' } = readOptionalBody(c, z.object({ channel: textField }))
  const type = factor.factor_type
  refuseIfOff(auth, type, 'verify')
  refuseCodes(type)
  if (type === 'phone' && channel !== 'sms' && channel !== 'whatsapp') {
    throw invalid("Invalid channel, supported values are 'sms' or 'whatsapp'.")
  }
  // A passkey is made here, by whoever sits at the browser, so the sign-in must be fresh.
  if (type === 'webauthn' && factor.status === 'unverified') {
    await refuseUnlessFresh(auth, auth.sql, bearer)
  }
  const ceremony = type === 'webauthn' ? await beginCeremony(auth, user, factor) : undefined
  const id = await auth.sql.begin(async (tx) => {
    await lockUser(tx, user.id)
    const current = await findFactor(tx, user.id, c)
    const made = await makeChallenge(auth, tx, c, factor.id, ceremony)
    if (type === 'phone') await textCode(auth, tx, current, made)
    await tx`update auth.factors set last_challenged_at = ${auth.at()} where id = ${factor.id}`
    await record({ auth, tx, c }, 'challenge_created', user, { factor_id: factor.id })
    return made
  })
  const expires_at = Math.floor(auth.now().getTime() / 1000) + CHALLENGE_SECONDS
  return c.json({ id, type, expires_at, ...(ceremony ? { webauthn: ceremony.shown } : {}) })
}

/** Recovery codes are proven without a challenge, at an address of their own. */
function refuseCodes(type: FactorRow['factor_type']) {
  if (type === 'recovery_code') throw invalid('Recovery codes are verified without a challenge')
}

async function makeChallenge(
  auth: Auth,
  tx: Db,
  c: Context,
  factor_id: string,
  ceremony: Awaited<ReturnType<typeof beginCeremony>> | undefined,
): Promise<string> {
  const made = await tx<{ id: string }[]>`
    insert into auth.challenges (factor_id, address, ceremony, challenge, created_at)
    values (${factor_id}, ${auth.settings.client_address(c) ?? null},
      ${ceremony?.shown.type ?? null}, ${ceremony?.challenge ?? null}, ${auth.at()})
    returning id`
  return onlyRow(made).id
}

/** Text messages go where mails go, to a number instead of an address. */
async function textCode(auth: Auth, tx: Db, factor: FactorRow, challenge_id: string) {
  const seconds = secondsToWait(auth, factor.last_challenged_at)
  if (seconds > 0) throw new AuthFailure(429, 'over_sms_send_rate_limit', tooSoon(seconds))
  const code = newCode()
  await tx`update auth.challenges set code_hash = ${hashCode(auth.derived, challenge_id, code)}
    where id = ${challenge_id}`
  const message = `Your Healthfund code is ${code}`
  await auth.post(tx, {
    to: `+${factor.phone}`,
    subject: 'Your confirmation code',
    text: message,
    html: `<p>${message}</p>`,
  })
}

const Proof = z.object({ challenge_id: textField, code: textField, webauthn: members })

export async function verifyFactor(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  const factor = await findFactor(auth.sql, bearer.user.id, c)
  auth.limit(c, 'factor_verify')
  const { challenge_id, code, webauthn } = readBody(c, Proof)
  const type = factor.factor_type
  refuseCodes(type)
  if (challenge_id !== undefined && !isUuid(challenge_id)) throw badJson('challenge_id is no UUID')
  if (type !== 'webauthn' && !code) throw invalid('Code needs to be non-empty')
  refuseIfOff(auth, type, 'verify')
  const response = type === 'webauthn' ? readCeremony(webauthn) : undefined
  const { user, session } = bearer
  if (!session) throw sessionGone()
  refuseBehindBack(user, session, factor)
  const challenge_row = await findChallenge(auth, c, factor, challenge_id)
  const bucket = `codes ${factor.id}`
  if (!(await takeFor(auth, auth.sql, bucket, codeRate))) throw tooManyRequests()
  const proof = await prove(auth, factor, challenge_row, code, response)
  if (!proof) {
    await record({ auth, tx: auth.sql, c }, 'verification_attempted', bearer.user, failed(factor))
    throw wrong(type)
  }
  const grant = await auth.sql.begin(async (tx) => {
    await refill(tx, bucket)
    return accept(auth, tx, c, { user, session, factor, challenge_row, proof })
  })
  return c.json(await answerOf(auth, grant))
}

/** Somebody who knows only the password must not verify a factor that they began before the owner had one. */
function refuseBehindBack(user: UserRow, { aal }: Session, { status }: FactorRow) {
  if (status === 'verified' || !user.two_step || aal === 'aal2') return
  throw new AuthFailure(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
}

const failed = (factor: FactorRow) => ({ factor_id: factor.id, valid: false })

const wrong = (type: FactorRow['factor_type']) =>
  new AuthFailure(
    422,
    'mfa_verification_failed',
    {
      totp: 'Invalid TOTP code entered',
      phone: 'Invalid MFA Phone code entered',
      webauthn: 'Invalid passkey response',
      recovery_code: 'Invalid recovery code',
    }[type],
  )

const usedElsewhere = () =>
  new AuthFailure(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch.')

async function findChallenge(
  auth: Auth,
  c: Context,
  factor: FactorRow,
  id: string | undefined,
): Promise<ChallengeRow> {
  const [found] = await auth.sql<ChallengeRow[]>`
    select * from auth.challenges where id = ${id ?? null} and factor_id = ${factor.id}`
  if (!found) {
    const message = 'MFA factor with the provided challenge ID not found'
    throw new AuthFailure(422, 'mfa_factor_not_found', message)
  }
  const address = auth.settings.client_address(c) ?? null
  if (found.verified_at || found.address !== address) throw usedElsewhere()
  const age_ms = auth.now().getTime() - Date.parse(found.created_at)
  // Counted before the code is compared, so that parallel guesses count as well.
  const counted = await auth.sql`
    update auth.challenges set attempts = attempts + 1
    where id = ${found.id} and attempts < ${MOST_ATTEMPTS} returning id`
  if (age_ms > CHALLENGE_SECONDS * 1000 || counted.length === 0) {
    const message = `MFA challenge ${found.id} has expired, verify against another challenge or create a new challenge.`
    throw new AuthFailure(422, 'mfa_challenge_expired', message)
  }
  return found
}

type Proven = { step?: number; credential?: Credential }

async function prove(
  auth: Auth,
  factor: FactorRow,
  challenge_row: ChallengeRow,
  code: string | undefined,
  response: ReturnType<typeof readCeremony> | undefined,
): Promise<Proven | undefined> {
  if (factor.factor_type === 'webauthn') {
    if (!response || response.type !== challenge_row.ceremony || !challenge_row.challenge)
      return undefined
    const credential = await finishCeremony(auth, factor, challenge_row.challenge, response)
    return credential && { credential }
  }
  if (!code || !/^\d{6}$/.test(code)) return undefined
  if (factor.factor_type === 'phone') {
    const sent = challenge_row.code_hash
    return sent && timingSafeEqual(sent, hashCode(auth.derived, challenge_row.id, code))
      ? {}
      : undefined
  }
  if (!factor.secret) return undefined
  const secret = decrypt(auth.derived.wrapping, factor.secret, factor.id)
  const totp = new TOTP({ secret: new Secret({ buffer: new Uint8Array(secret).buffer }) })
  const timestamp = auth.now().getTime()
  const delta = totp.validate({ token: code, timestamp, window: 1 })
  return delta === null ? undefined : { step: Math.floor(timestamp / 30_000) + delta }
}

type FactorAttempt = {
  user: UserRow
  session: Session
  factor: FactorRow
  challenge_row: ChallengeRow
  proof: Proven
}

async function accept(
  auth: Auth,
  tx: Db,
  c: Context,
  { user, session, factor: { id, factor_type }, challenge_row, proof }: FactorAttempt,
): Promise<Grant> {
  const current = await lockUser(tx, user.id)
  if (!current) throw sessionGone()
  const factor = await findFactor(tx, user.id, c)
  refuseBehindBack(current, session, factor)
  const used = await tx`update auth.challenges set verified_at = ${auth.at()}
    where id = ${challenge_row.id} and verified_at is null returning id`
  if (used.length === 0) throw usedElsewhere()
  const { step } = proof
  if (step !== undefined && factor.used_steps.includes(step)) throw wrong(factor_type)
  // A code is used once. Codes of earlier time steps are refused by the clock.
  const used_steps = factor.used_steps.filter((past) => step !== undefined && past >= step - 2)
  const credential = proof.credential ?? factor.credential
  await tx`update auth.factors set status = 'verified', updated_at = ${auth.at()},
      used_steps = ${tx.json(step === undefined ? used_steps : [...used_steps, step])},
      credential = ${credential ? tx.json(credential) : null}
    where id = ${id}`
  await record({ auth, tx, c }, 'verification_attempted', user, { factor_id: id, valid: true })
  // The counter goes up by two, so that the token from before is no parent of the one that works now.
  const lifted = await tx`update auth.sessions set aal = 'aal2', factor_id = ${id},
      refresh_count = refresh_count + 2, refresh_floor = refresh_count + 2,
      refreshed_at = ${auth.at()}
    where id = ${session.id} returning id`
  if (lifted.length === 0) throw sessionGone()
  await addMethod(auth, tx, session.id, mfaMethods[factor_type])
  await tx`delete from auth.sessions where user_id = ${user.id} and aal = 'aal1'`
  await tx`delete from auth.factors where user_id = ${user.id} and status = 'unverified'
    and factor_type = ${factor_type}`
  if (factor.status === 'unverified') {
    const which = current.two_step ? 'factor_added' : 'two_step_on'
    await notifyOwner({ auth, tx, c }, current, which, { factor: nameOf(factor) })
  }
  return grantOf(tx, session.id)
}
