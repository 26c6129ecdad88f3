// One webhook's turn: what the record tells since the last is written down as deliveries, then the next is tried.
import type { Sql } from '#lib/db.server.ts'
import type { AllowList, Resolve } from '#lib/addresses.server.ts'
import type { RecordedEntry } from './entries.server.ts'
import { eventsOf } from './events.server.ts'
import { postDelivery, type PostOutcome } from './post.server.ts'
import { openSigningSecret, signatures } from './signing.server.ts'

export type DeliveryOptions = {
  sql: Sql
  /** The key by which secrets are kept encrypted. */
  key: Buffer
  allowed: AllowList
  ending: AbortSignal
  resolve?: Resolve | undefined
}
export type WebhookKey = { company_id: string; id: string }

const entries_at_once = 500

/** After each failure, for about three days; the last tries are a day apart. */
export const pauses_s = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
/** A run of this many failures makes the rest wait with them, up to two hours. */
const failures_to_rest = 3
const longest_rest = 4

/**
 * In one transaction, with the webhook's row held: an entry is a delivery once, whoever else tries the same. What does
 * not fit stays in the record. Answers whether there was anything.
 */
export const gatherDeliveries = (sql: Sql, { company_id, id }: WebhookKey): Promise<boolean> =>
  sql.begin(async (tx) => {
    const [webhook] = await tx<{ events: string[]; reached: number }[]>`
      select events, reached from webhooks w
      where company_id = ${company_id} and id = ${id} and status = 'active' and removed_at is null
        and private.has_room(w) for no key update`
    if (!webhook) return false
    const entries = await tx<(RecordedEntry & { number: number })[]>`
      select number, audit_id,
        to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
        actor_id, actor_role, act, table_name, row_id, was, now, about
      from private.entries_sealed_since(${company_id}, ${webhook.reached}, ${entries_at_once})`
    const last = entries.at(-1)
    if (!last) return false
    const due = entries.flatMap((entry) =>
      eventsOf(entry, webhook.events).map(({ event, body }) => ({
        number: entry.number,
        event,
        body,
      })),
    )
    await tx`
      insert into webhook_deliveries (company_id, webhook_id, number, event, body)
      select ${company_id}, ${id}, t.number, t.event, t.body
      from jsonb_to_recordset(${tx.json(due)}) t (number bigint, event text, body text)`
    await tx`update webhooks set reached = ${last.number}
      where company_id = ${company_id} and id = ${id}`
    return true
  })

type DueDelivery = {
  id: number
  message_id: string
  body: string
  tries: number
  apart: boolean
  url: string
  in_order: boolean
  failures: number
  sealed: Uint8Array[]
}

/** Tries the next one. Answers whether there was one that ended in whatever way. */
export async function sendNext(options: DeliveryOptions, webhook: WebhookKey): Promise<boolean> {
  const { sql, key, allowed, ending, resolve } = options
  const { company_id, id } = webhook
  const [next] = await sql<DueDelivery[]>`
    select d.id, d.message_id, d.body, d.tries, d.apart, w.url, w.in_order, w.failures,
      array(select s.sealed from webhook_secrets s
        where s.company_id = w.company_id and s.webhook_id = w.id
          and (s.ends_at is null or s.ends_at > now()) order by s.made_at desc) as sealed
    from webhooks w cross join lateral private.next_delivery(w) d
    where w.company_id = ${company_id} and w.id = ${id} and d.id is not null`
  if (!next || ending.aborted) return false
  const message = {
    id: `msg_${next.message_id.replaceAll('-', '')}`,
    timestamp: Math.floor(Date.now() / 1000),
    body: next.body,
  }
  const secrets = next.sealed.map((sealed) => openSigningSecret(key, company_id, sealed))
  const outcome = await postDelivery({
    url: next.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Healthfund-Webhooks/1',
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': signatures(secrets, message),
    },
    body: next.body,
    allowed,
    ending,
    resolve,
  })
  if (!outcome) return false
  await note(sql, webhook, next, outcome)
  return true
}

/** Gone, says the receiver: nobody has to wait for days to know. */
const gone = 410

async function note(sql: Sql, webhook: WebhookKey, delivery: DueDelivery, outcome: PostOutcome) {
  const { company_id, id } = webhook
  const { apart, failures, in_order } = delivery
  const good = outcome.fault === null
  // A test or a replay is tried once: whoever asked for it looks.
  const pause = apart ? undefined : pauses_s[delivery.tries]
  const last = !good && pause === undefined
  const status = good ? 'delivered' : last ? 'failed' : 'waiting'
  // In order, none is left out: the webhook stops at it, and it waits.
  const stops = outcome.code === gone ? 'gone' : last && in_order ? 'failing' : null
  // Up to a tenth longer: those that failed together do not come back together.
  const pause_s = (pause ?? 0) * (1 + Math.random() / 10)
  const rest_s = pauses_s[Math.min(failures + 1 - failures_to_rest, longest_rest)] ?? 0
  await sql.begin(async (tx) => {
    await tx`
      update webhook_deliveries set status = ${status}, tries = least(tries + 1, 1000),
        tried_at = now(), next_at = now() + ${pause_s}::float8 * interval '1 second',
        code = ${outcome.code}, fault = ${outcome.fault}, took_ms = ${outcome.took_ms},
        answer = ${outcome.answer}
      where company_id = ${company_id} and id = ${delivery.id}`
    if (apart) await tx`select private.note_separate_delivery(${company_id}, ${id})`
    else if (good) await tx`select private.note_success(${company_id}, ${id})`
    else await tx`select private.note_failure(${company_id}, ${id}, ${rest_s}, ${stops})`
  })
}
