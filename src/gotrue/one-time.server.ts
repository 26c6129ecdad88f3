// One-time tokens: a long one for links and six digits to type, kept as hashes only.
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Auth, Db } from './auth.server.ts'
import { mailedCodeRate, refill, takeFor } from './limits.server.ts'
import { hashCode, sha256 } from './secrets.server.ts'

export type OneTimeKind =
  | 'confirmation'
  | 'recovery'
  | 'email_change_new'
  | 'email_change_current'
  | 'reauthentication'
export type OneTime = { link: string; code: string }
export type TokenRow = {
  user_id: string
  kind: OneTimeKind
  relates_to: string
  link_hash: Uint8Array
}

// Five guesses at a million codes. The link stays good: else anybody who knows an address could make the links mailed to it void.
const MOST_ATTEMPTS = 5

export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0')

type NewOneTime = { kind: OneTimeKind; user_id: string; address: string; seconds?: number }

/** A newer one replaces the older of its kind. */
export async function makeOneTime(
  auth: Auth,
  tx: Db,
  { kind, user_id, address, seconds = auth.settings.link_seconds }: NewOneTime,
): Promise<OneTime> {
  const made = { link: randomBytes(28).toString('hex'), code: newCode() }
  const code_hash = hashCode(auth.derived, `${user_id} ${kind}`, made.code)
  await tx`
    insert into auth.one_time_tokens
      (user_id, kind, relates_to, link_hash, code_hash, created_at, expires_at)
    values (${user_id}, ${kind}, ${address}, ${sha256(made.link)}, ${code_hash}, ${auth.at()},
      ${auth.at(seconds)})
    on conflict (user_id, kind) do update set relates_to = excluded.relates_to,
      link_hash = excluded.link_hash, code_hash = excluded.code_hash, attempts = 0,
      created_at = excluded.created_at, expires_at = excluded.expires_at`
  return made
}

export async function findByLink(
  auth: Auth,
  link: string,
  kinds: readonly OneTimeKind[],
): Promise<TokenRow | undefined> {
  const [found] = await auth.sql<TokenRow[]>`
    select user_id, kind, relates_to, link_hash from auth.one_time_tokens
    where link_hash = ${sha256(link)} and kind = any (${kinds}) and expires_at > ${auth.at()}`
  return found
}

type TokenCandidate = TokenRow & { code_hash: Uint8Array }

/**
 * Counts the try before it compares the code, even if the request fails: for this code, and for the account, whose count goes on
 * with a new code. When the account's count is used up only links work.
 */
export async function findByCode(
  auth: Auth,
  code: string,
  kinds: readonly OneTimeKind[],
  address: string,
  aud: string,
): Promise<TokenRow | undefined> {
  const candidates = await auth.sql<TokenCandidate[]>`
    update auth.one_time_tokens t set attempts = attempts + 1 from auth.users u
    where u.id = t.user_id and u.aud = ${aud} and t.relates_to = ${address}
      and t.kind = any (${kinds}) and t.expires_at > ${auth.at()} and t.attempts < ${MOST_ATTEMPTS}
    returning t.user_id, t.kind, t.relates_to, t.link_hash, t.code_hash`
  const left = new Map<string, boolean>()
  for (const bucket of new Set(candidates.map(bucketOf))) {
    left.set(bucket, await takeFor(auth, auth.sql, bucket, mailedCodeRate))
  }
  const found = candidates.find(
    (row) =>
      left.get(bucketOf(row)) &&
      timingSafeEqual(row.code_hash, hashCode(auth.derived, `${row.user_id} ${row.kind}`, code)),
  )
  if (found) await refill(auth.sql, bucketOf(found))
  return found
}

/**
 * Codes that anybody can try are counted apart from codes that need a session: a stranger must not use up the
 * latter.
 */
const bucketOf = ({ user_id, kind }: TokenCandidate) =>
  `${kind === 'reauthentication' ? 'own' : 'mailed'} codes ${user_id}`

/** Uses it up. False if somebody else did so first, or a newer one has come. */
export async function consume(tx: Db, { user_id, kind, link_hash }: TokenRow): Promise<boolean> {
  const used = await tx`delete from auth.one_time_tokens
    where user_id = ${user_id} and kind = ${kind} and link_hash = ${link_hash} returning kind`
  return used.length > 0
}

/** Deletes all mailed links and codes of an account, after any success and any change of password. */
export const clearOneTimes = (tx: Db, user_id: string) =>
  tx`delete from auth.one_time_tokens where user_id = ${user_id}`
