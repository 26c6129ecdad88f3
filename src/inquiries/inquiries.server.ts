import { createHmac, timingSafeEqual } from 'node:crypto'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { Inquiry, type inquiries, type InquiryState } from './inquiries.contract.ts'

const ListedInquiry = withCursor(Inquiry)

const least_ms = 3_000
const most_ms = 7 * 24 * 3_600_000

/** `key` signs when a form was opened; without it nobody can say that they took their time. */
export const inquiriesHandlers = (key: Buffer): Handlers<typeof inquiries> => ({
  form: async () => ({ stamp: stampAt(key, Date.now()) }),

  send: async ({ tx, input: { stamp, website, ...inquiry } }) => {
    const suspect = website !== '' || !tookTheirTime(key, stamp, Date.now())
    await tx`select submit_inquiry(${tx.json(inquiry)}, ${suspect})`
    return { received: true } as const
  },

  list: ({ tx, input }) => listInquiries(tx, input),
  find: ({ tx, input: { id } }) => findInquiry(tx, id),

  answer: async ({ tx, actor, input: { id, answered } }) => {
    await tx`
      update inquiries set answered_at = case when ${answered} then now() end,
        answered_by = case when ${answered} then ${actor.id}::uuid end
      where id = ${id} and (answered_at is null) = ${answered}`
    await tx`select publish('supers')`
    return findInquiry(tx, id)
  },

  remove: async ({ tx, input: { id } }) => {
    const gone = await tx`delete from inquiries where id = ${id} returning id`
    if (gone.length === 0) throw new Problem('not_found')
    await tx`select publish('supers')`
    return { id }
  },
})

export function stampAt(key: Buffer, at_ms: number): string {
  const when = at_ms.toString(36)
  return `${when}.${createHmac('sha256', key).update(`contact ${when}`).digest('base64url')}`
}

/** A person takes more than a moment to write; a form from last month is not one that was opened. */
export function tookTheirTime(key: Buffer, stamp: string, now_ms: number): boolean {
  const [when = ''] = stamp.split('.')
  const opened_ms = parseInt(when, 36)
  if (!Number.isSafeInteger(opened_ms)) return false
  const [sent, expected] = [Buffer.from(stamp), Buffer.from(stampAt(key, opened_ms))]
  const is_ours = sent.length === expected.length && timingSafeEqual(sent, expected)
  const took_ms = now_ms - opened_ms
  return is_ours && took_ms >= least_ms && took_ms <= most_ms
}

const inquiryColumns = (tx: Tx) => tx`
  l.id, l.full_name, l.email, l.company, l.people, l.message, l.suspect, l.received_at,
  l.answered_at, p.full_name as answered_by_name`

const findInquiry = (tx: Tx, id: string) =>
  row(
    Inquiry,
    tx`select ${inquiryColumns(tx)} from inquiries l left join profiles p on p.id = l.answered_by
      where l.id = ${id}`,
  )

const order: KeysetOrder = [
  ['l.received_at', 'timestamptz'],
  ['l.id', 'uuid'],
]

type InquirySearch = { state?: InquiryState | undefined; after?: string | undefined; limit: number }

async function listInquiries(tx: Tx, { state, after, limit }: InquirySearch) {
  const { after_cursor, order_by, row_cursor } = keyset(tx, order, true, after)
  const conditions = {
    open: tx`not l.suspect and l.answered_at is null`,
    answered: tx`not l.suspect and l.answered_at is not null`,
    suspect: tx`l.suspect`,
  }[state ?? 'open']
  const [found, [counted]] = await Promise.all([
    rows(
      ListedInquiry,
      tx`select ${inquiryColumns(tx)}, ${row_cursor} as row_cursor
        from inquiries l left join profiles p on p.id = l.answered_by
        where ${state ? conditions : tx`not l.suspect`} ${after_cursor}
        order by ${order_by} limit ${limit + 1}`,
    ),
    tx<[{ open: number }]>`
      select count(*)::int as open from inquiries where not suspect and answered_at is null`,
  ])
  const { page, next } = pageOf(found, limit)
  return { inquiries: page, next, open: counted.open }
}
