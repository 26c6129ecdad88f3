import { row, rows, type Tx } from '#lib/db.server.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { counted_max, Notification, Unread, type notifications } from './notifications.contract.ts'

const ListedNotification = withCursor(Notification)

const newest: KeysetOrder = [['n.id', 'bigint']]

export const notificationsHandlers: Handlers<typeof notifications> = {
  list: async ({ tx, actor, input: { after, limit } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest, true, after)
    const found = await rows(
      ListedNotification,
      tx`select n.id, n.kind, n.code, n.facts, ${aboutName(tx)} as about_name, n.path, n.at, n.read_at,
          n.id = any ((select done_notices())::bigint[]) as done, ${row_cursor} as row_cursor
        from notifications n where n.person_id = ${actor.id} ${after_cursor}
        order by ${order_by} limit ${limit + 1}`,
    )
    const { page, next } = pageOf(found, limit)
    return { notifications: page, next }
  },

  unread: ({ tx, actor }) => unreadOf(tx, actor.id),

  /** A notice that was read before is no error; only one that does not exist is refused. */
  read: async ({ tx, actor, input: { id } }) => {
    const read = await tx`
      update notifications set read_at = coalesce(read_at, now())
      where person_id = ${actor.id} and id = ${id} returning id`
    if (read.length === 0) throw new Problem('not_found')
    await tx`select publish(${`person:${actor.id}`})`
    return unreadOf(tx, actor.id)
  },

  read_all: async ({ tx, actor }) => {
    await tx`update notifications set read_at = now()
      where person_id = ${actor.id} and read_at is null`
    await tx`select publish(${`person:${actor.id}`})`
    return unreadOf(tx, actor.id)
  },
}

const aboutName = (tx: Tx) => tx`
  case when n.about_id is not null then coalesce(
    (select p.full_name from profiles p where p.id = n.about_id),
    (select l.full_name from inquiries l where l.id = n.about_id)) end`

const unreadOf = (tx: Tx, person_id: string) =>
  row(
    Unread,
    tx`
      select count(*) as unread from (select from notifications
        where person_id = ${person_id} and read_at is null
          and id <> all ((select done_notices())::bigint[]) limit ${counted_max}) counted`,
  )
