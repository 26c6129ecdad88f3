// One webhook's turn: new entries of the record become deliveries, then the next delivery is tried.
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

/** The pause after each failure, for about three days; the last tries are a day apart. */
export const pauses_s = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const
/** After this many failures in a row all deliveries of the webhook wait, up to two hours. */
const failures_to_rest = 3
const longest_rest = 4

/**
 * Makes deliveries of new entries, in one transaction with the webhook's row locked: an entry becomes a delivery once, though
 * several try. Entries without room stay in the record. Answers whether there was anything.
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

/** Tries the next delivery. Answers whether there was one, however it ended. */
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

/** The status for "gone": the webhook stops at once instead of after days. */
const gone = 410

async function note(sql: Sql, webhook: WebhookKey, delivery: DueDelivery, outcome: PostOutcome) {
  const { company_id, id } = webhook
  const { apart, failures, in_order } = delivery
  const good = outcome.fault === null
  // A test or a replay is tried once, as the admin who asked for it looks at the result.
  const pause = apart ? undefined : pauses_s[delivery.tries]
  const last = !good && pause === undefined
  const status = good ? 'delivered' : last ? 'failed' : 'waiting'
  // A webhook in order leaves no delivery out: it stops at this one.
  const stops = outcome.code === gone ? 'gone' : last && in_order ? 'failing' : null
  // The pause is up to a tenth longer, so that deliveries that failed together do not return together.
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
