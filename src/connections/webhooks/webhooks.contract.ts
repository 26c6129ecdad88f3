// Webhooks notify a company's own systems of what happens.
import { z } from 'zod'
import { del, get, post, put, Refusal } from '#lib/contract.ts'
import { event_names } from './events.ts'

const EventName = z.enum(event_names)

export type Webhook = z.infer<typeof Webhook>
export const Webhook = z.object({
  id: z.uuid(),
  url: z.string(),
  events: EventName.array(),
  in_order: z.boolean(),
  status: z.enum(['active', 'paused', 'stopped']),
  /** Why it was stopped automatically: no success for days, or a 410. */
  stopped_for: z.enum(['failing', 'gone']).nullable(),
  made_at: z.iso.datetime(),
  made_by_name: z.string().nullable(),
  /** The last successful delivery, and the first failure since. */
  delivered_at: z.iso.datetime().nullable(),
  failing_since: z.iso.datetime().nullable(),
  /** How many deliveries wait to be sent. */
  waiting: z.int(),
  /** The last characters of each secret that signs, newest first: two while it is renewed. */
  secrets: z.object({ ending: z.string(), ends_at: z.iso.datetime().nullable() }).array(),
  refusals: z.object({ pause: Refusal, resume: Refusal, test: Refusal }),
})

/** `secret` is shown this once. */
const WebhookMade = z.object({ webhook: Webhook, secret: z.string() })

export const NewWebhook = z.object({
  url: z
    .string()
    .trim()
    .min(8, 'Enter an address that begins with https://')
    .max(1000, 'Address must be at most 1,000 characters'),
  events: z.array(EventName).min(1, 'Choose at least one event').max(100),
  /** Whether each waits until the one before it is delivered. */
  in_order: z.boolean(),
})

export type Delivery = z.infer<typeof Delivery>
export const Delivery = z.object({
  id: z.int(),
  /** The message's id, as in the header `webhook-id`. */
  message: z.string(),
  event: z.string(),
  status: z.enum(['waiting', 'delivered', 'failed']),
  tries: z.int(),
  made_at: z.iso.datetime(),
  tried_at: z.iso.datetime().nullable(),
  next_at: z.iso.datetime(),
  took_ms: z.int().nullable(),
  code: z.int().nullable(),
  /** The fault of the last try. */
  fault: z
    .enum(['answer', 'redirect', 'time', 'address', 'name', 'certificate', 'connection'])
    .nullable(),
  /** The beginning of what was answered. */
  answer: z.string().nullable(),
  refusals: z.object({ replay: Refusal }),
})

const WebhookId = z.object({ id: z.uuid() })

export const webhooks = {
  list: get('/webhooks', z.object({}), Webhook.array()),
  make: post('/webhooks', NewWebhook, WebhookMade),
  change: put('/webhooks/:id', WebhookId.extend(NewWebhook.shape), Webhook),
  /** Makes a new secret; the old one signs as well for this many hours. */
  rotate: post(
    '/webhooks/:id/rotation',
    WebhookId.extend({ overlap_hours: z.int().min(0).max(720) }),
    WebhookMade,
  ),
  pause: post('/webhooks/:id/pause', WebhookId, Webhook),
  resume: post('/webhooks/:id/resumption', WebhookId, Webhook),
  remove: del('/webhooks/:id', WebhookId, z.object({})),
  test: post('/webhooks/:id/test', WebhookId, Webhook),
  /** Newest first; `before`: those older than this number. */
  deliveries: get(
    '/webhooks/:id/deliveries',
    WebhookId.extend({ before: z.coerce.number().int().positive().optional() }),
    z.object({ deliveries: Delivery.array(), next: z.int().nullable() }),
  ),
  replay: post(
    '/webhooks/deliveries/:id/replay',
    z.object({ id: z.coerce.number().int().positive() }),
    Delivery,
  ),
}
