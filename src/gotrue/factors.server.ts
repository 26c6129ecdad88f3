// Second steps: enrolling and giving up an authenticator app, a phone or a passkey.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { Secret } from 'otpauth'
import { z } from 'zod'
import { record } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { requireUser, type Bearer } from './bearer.server.ts'
import { readBody, readPhone, textField } from './body.server.ts'
import { AuthFailure, invalid, sessionGone } from './failure.server.ts'
import { nameOf, notifyOwner } from './notices.server.ts'
import { refuseUnlessFresh } from './proofs.server.ts'
import { encrypt } from './secrets.server.ts'
import { dropFactor } from './sessions.server.ts'
import { isUuid } from './tokens.server.ts'
import { findUser, lockUser, type FactorRow } from './users.server.ts'

const MOST_FACTORS = 10
const UNVERIFIED_SECONDS = 300

const Enroll = z.object({
  factor_type: textField,
  friendly_name: textField,
  issuer: textField,
  phone: textField,
})
type Enroll = z.output<typeof Enroll>
type FactorType = FactorRow['factor_type']

const spelled = { phone: 'Phone' } as const

export function refuseIfOff(auth: Auth, type: FactorType, act: 'enroll' | 'verify') {
  if (type !== 'phone' || auth.settings.mfa_phone) return
  const did = act === 'enroll' ? 'MFA enroll is disabled' : 'MFA verification is disabled'
  throw new AuthFailure(422, `mfa_${type}_${act}_not_enabled`, `${did} for ${spelled.phone}`)
}

export async function enroll(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  const body = readBody(c, Enroll)
  const type = body.factor_type
  if (type !== 'totp' && type !== 'phone' && type !== 'webauthn') {
    throw invalid('factor_type needs to be totp, phone, or webauthn')
  }
  refuseIfOff(auth, type, 'enroll')
  if ((body.friendly_name?.length ?? 0) > 255) throw invalid('The friendly name is too long')
  if (type === 'phone' && !body.phone) throw invalid('Phone number required to enroll Phone factor')
  const phone = type === 'phone' && body.phone ? readPhone(body.phone) : undefined
  const factor: NewFactor = { id: randomUUID(), type, name: body.friendly_name ?? '', phone }
  const secret = type === 'totp' ? new Secret({ size: 20 }) : undefined
  await auth.sql.begin(async (tx) => {
    if (!(await lockUser(tx, bearer.user.id))) throw sessionGone()
    await admit(auth, tx, bearer, factor)
    const sealed = secret && encrypt(auth.derived.wrapping, Buffer.from(secret.bytes), factor.id)
    await tx`insert into auth.factors
        (id, user_id, factor_type, friendly_name, phone, secret, created_at, updated_at)
      values (${factor.id}, ${bearer.user.id}, ${type}, ${factor.name}, ${phone ?? null},
        ${sealed ?? null}, ${auth.at()}, ${auth.at()})`
    await record({ auth, tx, c }, 'factor_in_progress', bearer.user, { factor_id: factor.id })
  })
  const answer = { id: factor.id, type, friendly_name: factor.name }
  if (type === 'phone') return c.json({ ...answer, phone: body.phone })
  if (!secret) return c.json(answer)
  return c.json({ ...answer, totp: await showSecret(auth, bearer, body, secret) })
}

type NewFactor = { id: string; type: FactorType; name: string; phone: string | undefined }

async function admit(auth: Auth, tx: Db, bearer: Bearer, factor: NewFactor) {
  const { user, session } = bearer
  const { phone } = factor
  if (phone) {
    const verified = await tx`select from auth.factors
      where user_id = ${user.id} and phone = ${phone} and status = 'verified'`
    if (verified.length > 0) {
      const message =
        'A verified phone factor already exists, unenroll the existing factor to continue'
      throw new AuthFailure(422, 'mfa_verified_factor_exists', message)
    }
  }
  await tx`delete from auth.factors where user_id = ${user.id} and status = 'unverified'
    and (created_at < ${auth.at(-UNVERIFIED_SECONDS)} or phone = ${phone ?? null})`
  const others = await tx<Pick<FactorRow, 'friendly_name' | 'status'>[]>`
    select friendly_name, status from auth.factors where user_id = ${user.id}`
  if (others.some((other) => other.friendly_name === factor.name)) {
    const message = `A factor with the friendly name ${JSON.stringify(factor.name)} for this user already exists`
    throw new AuthFailure(422, 'mfa_factor_name_conflict', message)
  }
  if (others.length >= MOST_FACTORS) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new AuthFailure(422, 'too_many_enrolled_mfa_factors', message)
  }
  const has_verified = others.some((other) => other.status === 'verified')
  if (has_verified && session?.aal !== 'aal2') {
    throw new AuthFailure(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
  }
  await refuseUnlessFresh(auth, tx, bearer)
}

async function showSecret(auth: Auth, { user }: Bearer, body: Enroll, secret: Secret) {
  const issuer = body.issuer || new URL(auth.settings.site_url).host
  const named = encodeURIComponent(issuer)
  const account = encodeURIComponent(user.email ?? user.phone ?? '').replace('%40', '@')
  const settings = `algorithm=SHA1&digits=6&issuer=${named}&period=30&secret=${secret.base32}`
  const uri = `otpauth://totp/${named}:${account}?${settings}`
  const { toString: draw } = await import('qrcode')
  let drawn: string
  try {
    drawn = await draw(uri, { type: 'svg', margin: 2 })
  } catch {
    throw invalid('The issuer is too long')
  }
  // The client puts it into a data address, where a # would end the picture.
  const qr_code = drawn.trim().replaceAll('#ffffff', 'white').replaceAll('#000000', 'black')
  return { qr_code, secret: secret.base32, uri }
}

/** A factor of this person; whether it is another's or nobody's is not told. */
export async function findFactor(db: Db, user_id: string, c: Context): Promise<FactorRow> {
  const id = c.req.param('factor_id')
  if (!isUuid(id)) throw new AuthFailure(404, 'validation_failed', 'factor_id must be an UUID')
  const [found] = await db<FactorRow[]>`
    select * from auth.factors where id = ${id} and user_id = ${user_id}`
  if (!found) throw new AuthFailure(404, 'mfa_factor_not_found', 'Factor not found')
  return found
}

export async function unenroll(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  const { user, session } = bearer
  const factor = await findFactor(auth.sql, user.id, c)
  await auth.sql.begin(async (tx) => {
    await lockUser(tx, user.id)
    const { status, factor_type } = await findFactor(tx, user.id, c)
    const [now_at] = session
      ? await tx<{ aal: string }[]>`select aal from auth.sessions where id = ${session.id}`
      : []
    if (status === 'verified' && now_at?.aal !== 'aal2') {
      const message = 'AAL2 required to unenroll verified factor'
      throw new AuthFailure(422, 'insufficient_aal', message)
    }
    if (status === 'verified') await refuseUnlessFresh(auth, tx, bearer)
    await record({ auth, tx, c }, 'factor_unenrolled', user, { factor_id: factor.id, status })
    await dropFactor(tx, factor.id, factor_type)
    if (status === 'verified' && factor_type !== 'recovery_code') {
      const left = await findUser(tx, user.id)
      const which = left?.two_step ? 'factor_removed' : 'two_step_off'
      await notifyOwner({ auth, tx, c }, user, which, { factor: nameOf(factor) })
    }
  })
  return c.json({ id: factor.id })
}
