// Webhooks of a company, and what was sent to them.
import type { Config } from '#lib/config.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { allowListOf, urlRefusal } from '#lib/addresses.server.ts'
import { test_event } from './events.ts'
import { bodyOf } from './events.server.ts'
import { newSecret } from './signing.server.ts'
import { Delivery, Webhook, type webhooks } from './webhooks.contract.ts'

const page = 30

export function webhooksHandlers(
  { WEBHOOK_ALLOW }: Pick<Config, 'WEBHOOK_ALLOW'>,
  key: Buffer,
): Handlers<typeof webhooks> {
  const allowed = allowListOf(WEBHOOK_ALLOW)
  const check = (url: string) => {
    const refused = urlRefusal(url, allowed)
    if (refused) throw Problem.at('url', refused)
  }
  return {
    list: ({ tx }) => rows(Webhook, tx`${selectWebhooks(tx)} order by w.made_at desc, w.id`),

    make: async ({ tx, actor, input: { url, events, in_order } }) => {
      check(url)
      const { secret, sealed, ending } = newSecret(key, actor.company_id ?? '')
      const [made] = await tx<[{ id: string }]>`
        select make_webhook(${url}, ${[...new Set(events)]}, ${in_order}, ${sealed}, ${ending}) as id`
      return { webhook: await find(tx, made.id), secret }
    },

    change: async ({ tx, input: { id, url, events, in_order } }) => {
      check(url)
      await tx`select change_webhook(${id}, ${url}, ${[...new Set(events)]}, ${in_order})`
      return find(tx, id)
    },

    rotate: async ({ tx, actor, input: { id, overlap_hours } }) => {
      const { secret, sealed, ending } = newSecret(key, actor.company_id ?? '')
      await tx`select rotate_webhook_secret(${id}, ${overlap_hours}, ${sealed}, ${ending})`
      return { webhook: await find(tx, id), secret }
    },

    pause: async ({ tx, input: { id } }) => {
      await tx`select pause_webhook(${id})`
      return find(tx, id)
    },

    resume: async ({ tx, input: { id } }) => {
      await tx`select resume_webhook(${id})`
      return find(tx, id)
    },

    remove: async ({ tx, input: { id } }) => {
      await tx`select remove_webhook(${id})`
      return {}
    },

    test: async ({ tx, input: { id } }) => {
      const body = bodyOf(test_event, new Date().toISOString(), {})
      await tx`select test_webhook(${id}, ${body})`
      return find(tx, id)
    },

    deliveries: async ({ tx, input: { id, before = null } }) => {
      await find(tx, id)
      const found = await rows(
        Delivery,
        tx`${selectDeliveries(tx)} where d.webhook_id = ${id} and (${before}::bigint is null or d.id < ${before})
          order by d.id desc limit ${page + 1}`,
      )
      const deliveries = found.slice(0, page)
      return { deliveries, next: found.length > page ? (deliveries.at(-1)?.id ?? null) : null }
    },

    replay: async ({ tx, input: { id } }) => {
      await tx`select replay_delivery(${id})`
      return row(Delivery, tx`${selectDeliveries(tx)} where d.id = ${id}`)
    },
  }
}

const selectWebhooks = (tx: Tx) => tx`
  select w.id, w.url, w.events, w.in_order, w.status, w.stopped_for, w.made_at,
      p.full_name as made_by_name, w.delivered_at, w.failing_since,
      (select count(*)::integer from webhook_deliveries d where d.company_id = w.company_id
        and d.webhook_id = w.id and d.status = 'waiting') as waiting,
      coalesce((select json_agg(json_build_object('ending', s.ending, 'ends_at',
            to_char(s.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by s.made_at desc) from webhook_secrets s
        where s.company_id = w.company_id and s.webhook_id = w.id
          and (s.ends_at is null or s.ends_at > now())), '[]') as secrets,
      json_build_object('pause', webhook_refusal('pause', w),
        'resume', webhook_refusal('resume', w), 'test', webhook_refusal('test', w)) as refusals
    from webhooks w left join profiles p on p.id = w.made_by
    where w.removed_at is null`

const find = (tx: Tx, id: string) => row(Webhook, tx`${selectWebhooks(tx)} and w.id = ${id}`)

const selectDeliveries = (tx: Tx) => tx`
  select d.id, 'msg_' || replace(d.message_id::text, '-', '') as message, d.event, d.status,
      d.tries, d.made_at, d.tried_at, d.next_at, d.took_ms, d.code, d.fault, d.answer,
      json_build_object('replay', delivery_refusal(d)) as refusals
    from webhook_deliveries d`
