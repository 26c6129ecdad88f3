// The caller at /api/v1: a company's own system, by its key.
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import type { Config } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { addressOf } from '#lib/hosts.server.ts'
import { Buckets } from '#lib/limits.server.ts'
import { Recent } from '#lib/recent.ts'
import type { Caller } from '#lib/transactions.server.ts'
import { Problem } from '#problems.ts'

/** 200 at once, then ten a second, for each key. */
const rate_of_key = { burst: 200, per_second: 10 }
const noted_every_ms = 60_000
/** The pattern of a key, so that scanners for secrets know one: 256 random bits behind its prefix. */
const shape = /^hfk_[\w-]{43}$/

export const hashOfKey = (secret: string): Buffer => createHash('sha256').update(secret).digest()

type Options = { config: Config; sql: { owner: Sql } }

export function keyCaller({ config, sql }: Options) {
  const addressIn = addressOf(config)
  const buckets = new Buckets(rate_of_key)
  const noted = new Recent<string, number>(10_000)
  return async (c: Context): Promise<Caller> => {
    const secret = /^bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (!shape.test(secret)) throw new Problem('key_needed')
    const key = hashOfKey(secret)
    const known = key.toString('hex')
    if (!buckets.take(known)) {
      c.header('retry-after', '1')
      throw new Problem('too_many_requests')
    }
    c.set('caller', `key ${known.slice(0, 12)}`)
    const now = performance.now()
    if (now - (noted.get(known) ?? -noted_every_ms) >= noted_every_ms) {
      noted.set(known, now)
      await sql.owner`select private.note_key_used(${key})`
    }
    const [address, request_id] = [addressIn(c) ?? '', c.get('request_id')]
    return { user_id: '', session_id: `key ${known}`, address, request_id, key }
  }
}
