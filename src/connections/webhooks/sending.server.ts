// Sends deliveries to webhooks: many at once, each webhook by one worker at a time.
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { Sql } from '#lib/db.server.ts'
import type { Log } from '#lib/log.server.ts'
import { streamTo } from '#lib/several-hosts.server.ts'
import { allowListOf, type Resolve } from '#lib/addresses.server.ts'
import { webhookKey } from './signing.server.ts'
import { gatherDeliveries, sendNext, type DeliveryOptions, type WebhookKey } from './turn.server.ts'

const every_ms = 1000
const soon_ms = 50
/** Webhooks served at once: a slow receiver holds up no other. */
const at_once = 64
/** After this many tries other webhooks have their turn. */
const tries_in_turn = 50

type SenderOptions = {
  url: string
  sql: Sql
  log: Log
  installation_key: Buffer
  /** `WEBHOOK_ALLOW`. */
  allow: readonly string[]
  resolve?: Resolve
}

export function openSender({ url, sql, log, installation_key, allow, resolve }: SenderOptions) {
  const closing = new AbortController()
  const sending = { sql, key: webhookKey(installation_key), allowed: allowListOf(allow), resolve }
  const claims = new WebhookLocks(url, log)
  const under_way = new Map<string, Promise<boolean>>()

  /** Begins the turns that are due; answers whether there may be more. */
  async function begin() {
    const most = at_once - under_way.size
    if (most <= 0 || closing.signal.aborted) return false
    const due = await sql<WebhookKey[]>`
      select company_id, id from private.due_webhooks(${most}, ${[...under_way.keys()]}::uuid[])`
    for (const webhook of due) {
      const turn = claims
        .within(webhook.id, closing.signal, (ending) => turnOf({ ...sending, ending }, webhook))
        .catch(async (error: unknown) => {
          log.error({ err: error, webhook: webhook.id }, 'a webhook’s turn failed')
          await sql`update webhooks set rests_until = now() + interval '1 minute'
            where company_id = ${webhook.company_id} and id = ${webhook.id}`.catch(() => {})
          return false
        })
        .finally(() => under_way.delete(webhook.id))
      under_way.set(webhook.id, turn)
    }
    return due.length === most
  }

  const byTheClock = async () => {
    while (!closing.signal.aborted) {
      const more = await begin().catch((error: unknown) => {
        log.warn({ err: error }, 'could not look for webhooks that are due')
        return false
      })
      if (more) await Promise.race(under_way.values())
      const wait_ms = more ? soon_ms : every_ms
      await pause(wait_ms, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  let clock: Promise<void> | undefined

  return {
    /** Sends all that can be sent now; deliveries whose time has not come, or that another worker has, are left. */
    async drain() {
      for (;;) {
        await begin()
        const turns = await Promise.all(under_way.values())
        if (!turns.includes(true)) return
      }
    },
    start() {
      clock ??= byTheClock()
      return this
    },
    /** Deliveries on their way are given up, and sent again by the next sender. */
    async close() {
      closing.abort()
      await clock
      await Promise.all(under_way.values())
      await claims.close()
    },
  }
}

async function turnOf(options: DeliveryOptions, webhook: WebhookKey): Promise<boolean> {
  let did = await gatherDeliveries(options.sql, webhook)
  for (let tries = 0; tries < tries_in_turn && !options.ending.aborted; tries += 1) {
    if (!(await sendNext(options, webhook))) break
    did = true
  }
  return did
}

type LockSession = { client: Client; lost: AbortController; last: Promise<unknown> }

/**
 * The turn of a webhook is an advisory lock, and all locks of a worker belong to one session. A worker that dies loses its
 * connection and its turns at once; one that only loses the connection gives up what it was sending.
 */
class WebhookLocks {
  readonly #url: string
  readonly #log: Log
  #session: Promise<LockSession> | undefined

  constructor(url: string, log: Log) {
    this.#url = url
    this.#log = log
  }

  async within(
    name: string,
    closing: AbortSignal,
    work: (ending: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    const session = await (this.#session ??= this.#open())
    if (!(await this.#ask(session, 'pg_try_advisory_lock', name))) return false
    try {
      return await work(AbortSignal.any([closing, session.lost.signal]))
    } finally {
      await this.#ask(session, 'pg_advisory_unlock', name).catch(() => {}) // lost, and free with it
    }
  }

  /** One question after the other, as a session takes them. */
  #ask(session: LockSession, what: string, name: string): Promise<boolean> {
    const answer = session.last.then(async () => {
      const { rows } = await session.client.query(
        `select ${what}(hashtextextended('webhook ' || $1, 0)) as yes`,
        [name],
      )
      return rows[0].yes === true
    })
    session.last = answer.catch(() => {})
    return answer
  }

  async #open(): Promise<LockSession> {
    const client = new Client({
      connectionString: this.#url,
      ...streamTo(this.#url),
      application_name: 'healthfund webhooks',
    })
    const lost = new AbortController()
    const lose = (error?: Error) => {
      if (error) this.#log.warn(`The connection of the webhooks broke: ${error.message}`)
      this.#session = undefined
      lost.abort()
    }
    client.on('error', lose).on('end', () => lose())
    try {
      await client.connect()
      // A machine that vanishes closes nothing: with keepalives its turns are free within a minute.
      await client.query(`select set_config('tcp_keepalives_idle', '30', false),
        set_config('tcp_keepalives_interval', '10', false), set_config('tcp_keepalives_count', '3', false)`)
    } catch (error) {
      lose()
      throw error
    }
    return { client, lost, last: Promise.resolve() }
  }

  async close() {
    const session = await this.#session?.catch(() => undefined)
    await session?.client.end().catch(() => {})
  }
}
