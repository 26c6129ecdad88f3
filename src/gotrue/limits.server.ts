// How often an address may ask, and how often anything may be tried.
import type { Context } from 'hono'
import { Buckets, type Rate } from '#lib/limits.server.ts'
import type { Tag as Db } from '#lib/db.server.ts'
import { tooManyRequests } from './failure.server.ts'
import type { AuthSettings } from './settings.server.ts'

const per = (times: number, seconds: number) => times / seconds
const BURST = 30
const refills = {
  token: per(150, 300),
  verify: per(30, 300),
  signup: per(30, 300),
  recover: per(30, 300),
  resend: per(30, 300),
  user: per(30, 300),
  reauthenticate: per(30, 300),
  challenge: per(15, 60),
  factor_verify: per(15, 60),
  sso: per(60, 60),
  generate_link: per(30, 300),
} as const
export type LimitName = keyof typeof refills

/**
 * Buckets for each address are in memory: refusing a flood must cost the database nothing. With N server processes an address
 * gets at most N times as much. Limits that protect one account hold across processes (`takeFor`).
 */
export function addressLimits(settings: AuthSettings, now: () => Date) {
  const limits = new Map<LimitName, Buckets>()
  for (const [bucket, per_second] of Object.entries(refills))
    limits.set(bucket as LimitName, new Buckets({ burst: BURST, per_second }))
  return (c: Context, bucket: LimitName) => {
    const network = networkOf(settings, c)
    if (network && !limits.get(bucket)?.take(network, { now: now().getTime() }))
      throw tooManyRequests()
  }
}

/**
 * The caller's network; undefined for this very machine. A household or server has a whole /64 of IPv6 addresses, so that counts
 * as one.
 */
export function networkOf(settings: AuthSettings, c: Context): string | undefined {
  const address = settings.client_address(c)
  if (!address || settings.is_local(c)) return undefined
  if (!address.includes(':') || address.toLowerCase().startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const missing =
    tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  return [...groups, ...Array<string>(Math.max(missing, 0)).fill('0')].slice(0, 4).join(':')
}

/** Failed sign-ins of one account: fifty at once, then ten in a quarter of an hour. */
export const signInRate: Rate = { burst: 50, per_second: per(10, 900) }
/** Wrong codes from the mails of one account, however many of them were mailed: twenty in a day. */
export const mailedCodeRate: Rate = { burst: 20, per_second: per(20, 86_400) }
/** Wrong codes of one factor. */
export const codeRate: Rate = { burst: 10, per_second: per(10, 900) }
/** A part of the hour's mails; if those are few, at least five. */
export function mailRate({ mail_per_hour }: AuthSettings, part = 1): Rate {
  const mails = Math.min(mail_per_hour, Math.max(5, Math.floor(mail_per_hour * part)))
  return { burst: mails, per_second: per(mails, 3600) }
}

type Clock = { now: () => Date; at: () => string }

/** Takes one from a bucket all processes share; false if it is empty. */
export async function takeFor(auth: Clock, db: Db, name: string, rate: Rate): Promise<boolean> {
  const [taken] = await db<{ taken: boolean }[]>`
    select auth.take_from_bucket(${name}, ${rate.burst}, ${rate.per_second}, ${auth.at()}) as taken`
  return taken?.taken ?? false
}

export async function hasOneLeft(
  auth: Clock & { sql: Db },
  name: string,
  rate: Rate,
): Promise<boolean> {
  const [found] = await auth.sql<{ level: number; at: string }[]>`
    select level, at from auth.buckets where name = ${name}`
  if (!found) return true
  const seconds = Math.max(auth.now().getTime() - Date.parse(found.at), 0) / 1000
  return found.level + seconds * rate.per_second >= 1
}

export const refill = (db: Db, name: string) => db`delete from auth.buckets where name = ${name}`
