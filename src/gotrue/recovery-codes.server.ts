// Recovery codes: ten of them stand in for a lost phone, each once. Kept by keyed hash, shown once.
import { randomInt, randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import { record } from './audit.server.ts'
import type { Auth, Db } from './auth.server.ts'
import { requireUser, type Bearer } from './bearer.server.ts'
import { readBody, readOptionalBody, textField } from './body.server.ts'
import { AuthFailure, invalid, sessionGone } from './failure.server.ts'
import { codeRate, refill, takeFor } from './limits.server.ts'
import { notifyOwner } from './notices.server.ts'
import { refuseUnlessFresh } from './proofs.server.ts'
import { hashCode } from './secrets.server.ts'
import { addMethod, answerOf, dropFactor, grantOf, mfaMethods } from './sessions.server.ts'
import { lockUser, type FactorRow } from './users.server.ts'

const HOW_MANY = 10
/** Four groups of four, of letters and digits that nobody takes for another: 80 bits. */
const LENGTH = 16
const characters = 'abcdefghjkmnpqrstuvwxyz23456789'
const type = 'recovery_code'

const newCode = () =>
  Array.from({ length: LENGTH }, () => characters[randomInt(characters.length)] ?? '').join('')

type Set = Pick<FactorRow, 'id' | 'friendly_name'>

async function findSet(db: Db, user_id: string): Promise<Set | undefined> {
  const [found] = await db<Set[]>`
    select id, friendly_name from auth.factors where user_id = ${user_id} and factor_type = ${type}`
  return found
}

const noSet = () => new AuthFailure(404, 'mfa_factor_not_found', 'There are no recovery codes')

/** Recovery codes open an account like a second step, so making and removing them needs the same proof. */
async function refuseUnproven(auth: Auth, bearer: Bearer) {
  if (bearer.session?.aal !== 'aal2') {
    throw new AuthFailure(403, 'insufficient_aal', 'AAL2 required to manage recovery codes')
  }
  await refuseUnlessFresh(auth, auth.sql, bearer)
}

/** GET: how many there are, and how many of them are left. */
export async function showCodes(auth: Auth, c: Context): Promise<Response> {
  const { user } = await requireUser(auth, c)
  const set = await findSet(auth.sql, user.id)
  if (!set) throw noSet()
  const [counted] = await auth.sql<{ total: number; remaining: number }[]>`
    select count(*) as total, count(*) filter (where used_at is null) as remaining
    from auth.recovery_codes where factor_id = ${set.id}`
  return c.json({ id: set.id, type, ...counted })
}

/** POST: the first set. */
export async function makeCodes(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  auth.limit(c, 'challenge')
  const { friendly_name = 'Recovery codes' } = readOptionalBody(
    c,
    z.object({ friendly_name: textField }),
  )
  if (friendly_name.length > 255) throw invalid('The friendly name is too long')
  await refuseUnproven(auth, bearer)
  return answerWithNew(auth, c, bearer, async (tx) => {
    if (await findSet(tx, bearer.user.id)) {
      const message = 'There are recovery codes already, regenerate them'
      throw new AuthFailure(422, 'mfa_verified_factor_exists', message)
    }
    const set = { id: randomUUID(), friendly_name }
    await tx`insert into auth.factors
        (id, user_id, factor_type, status, friendly_name, created_at, updated_at)
      values (${set.id}, ${bearer.user.id}, ${type}, 'verified', ${friendly_name}, ${auth.at()},
        ${auth.at()})`
    return set
  })
}

/** POST …/regenerate: makes a new set; all earlier codes stop working at the same moment. */
export async function renewCodes(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  auth.limit(c, 'challenge')
  await refuseUnproven(auth, bearer)
  return answerWithNew(auth, c, bearer, async (tx) => {
    const set = await findSet(tx, bearer.user.id)
    if (!set) throw noSet()
    await tx`delete from auth.recovery_codes where factor_id = ${set.id}`
    await refill(tx, bucketOf(bearer.user.id))
    await notifyOwner({ auth, tx, c }, bearer.user, 'codes_made')
    return set
  })
}

async function answerWithNew(
  auth: Auth,
  c: Context,
  { user }: Bearer,
  find: (tx: Db) => Promise<Set>,
): Promise<Response> {
  const codes = Array.from({ length: HOW_MANY }, newCode)
  const set = await auth.sql.begin(async (tx) => {
    const current = await lockUser(tx, user.id)
    if (!current) throw sessionGone()
    if (!current.two_step) {
      const message = 'Recovery codes stand in for a second step, so set one up first'
      throw new AuthFailure(422, 'mfa_recovery_codes_sole_factor', message)
    }
    const found = await find(tx)
    const rows = codes.map((code) => ({
      factor_id: found.id,
      code_hash: hashCode(auth.derived, `recovery ${found.id}`, code),
    }))
    await tx`insert into auth.recovery_codes ${auth.sql(rows)}`
    await record({ auth, tx, c }, 'factor_in_progress', user, { factor_id: found.id })
    return found
  })
  return c.json({ ...set, type, total: HOW_MANY, codes })
}

const bucketOf = (user_id: string) => `recovery codes ${user_id}`
const wrong = () => new AuthFailure(422, 'mfa_verification_failed', 'This is not one of your codes')

/** POST …/verify { code }: raises the session as a factor would, and ends those below. */
export async function useCode(auth: Auth, c: Context): Promise<Response> {
  const { user, session } = await requireUser(auth, c)
  auth.limit(c, 'factor_verify')
  const { code = '' } = readBody(c, z.object({ code: textField }))
  if (!session) throw sessionGone()
  if (!(await takeFor(auth, auth.sql, bucketOf(user.id), codeRate))) {
    const message = 'Too many wrong codes, please wait'
    throw new AuthFailure(429, 'mfa_recovery_codes_locked', message)
  }
  const typed = code.toLowerCase().replace(/[\s-]/g, '')
  const grant = await auth.sql.begin(async (tx) => {
    const current = await lockUser(tx, user.id)
    const set = current && (await findSet(tx, user.id))
    if (!set) return undefined
    const used = await tx`update auth.recovery_codes set used_at = ${auth.at()}
      where factor_id = ${set.id} and used_at is null
        and code_hash = ${hashCode(auth.derived, `recovery ${set.id}`, typed)} returning factor_id`
    if (used.length === 0) return undefined
    const lifted = await tx`update auth.sessions set aal = 'aal2', factor_id = ${set.id},
        refresh_count = refresh_count + 2, refresh_floor = refresh_count + 2,
        refreshed_at = ${auth.at()}
      where id = ${session.id} returning id`
    if (lifted.length === 0) throw sessionGone()
    await addMethod(auth, tx, session.id, mfaMethods[type])
    await tx`delete from auth.sessions where user_id = ${user.id} and aal = 'aal1'`
    await refill(tx, bucketOf(user.id))
    await record({ auth, tx, c }, 'verification_attempted', user, {
      factor_id: set.id,
      valid: true,
    })
    const [left] = await tx<{ left: number }[]>`
      select count(*) as left from auth.recovery_codes
      where factor_id = ${set.id} and used_at is null`
    await notifyOwner({ auth, tx, c }, current, 'code_used', { left: left?.left ?? 0 })
    return grantOf(tx, session.id)
  })
  if (grant) return c.json(await answerOf(auth, grant))
  await record({ auth, tx: auth.sql, c }, 'verification_attempted', user, { type, valid: false })
  throw wrong()
}

export async function dropCodes(auth: Auth, c: Context): Promise<Response> {
  const bearer = await requireUser(auth, c)
  await refuseUnproven(auth, bearer)
  const { user } = bearer
  const set = await auth.sql.begin(async (tx) => {
    await lockUser(tx, user.id)
    const found = await findSet(tx, user.id)
    if (!found) throw noSet()
    await record({ auth, tx, c }, 'factor_unenrolled', user, { factor_id: found.id })
    await dropFactor(tx, found.id, type)
    return found
  })
  return c.json({ id: set.id })
}
