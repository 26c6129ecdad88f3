import { z } from 'zod'
import { get, post } from '#lib/contract.ts'

export type Notification = z.infer<typeof Notification>
export const Notification = z.object({
  id: z.int(),
  kind: z.enum(['claims', 'funds', 'health', 'account']),
  /** A code of `words.contract.ts`, which has its sentence. */
  code: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** The person it is about, by their present name, for readers who may see them. */
  about_name: z.string().nullable(),
  path: z.string(),
  at: z.iso.datetime(),
  read_at: z.iso.datetime().nullable(),
  /** Unread, but there is nothing to do any more: somebody did it, or withdrew it. */
  done: z.boolean(),
})

/** Counts stop here and are shown as '99+'. */
export const counted_max = 100

export const Unread = z.object({ unread: z.int().max(counted_max) })

export const notifications = {
  list: get(
    '/notifications',
    z.object({
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    z.object({ notifications: Notification.array(), next: z.string().nullable() }),
  ),
  unread: get('/notifications/unread', z.object({}), Unread),
  read: post(
    '/notifications/:id/reading',
    z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    Unread,
  ),
  read_all: post('/notifications/reading', z.object({}), Unread),
}
