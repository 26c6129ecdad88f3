// Payments that payouts leave out: the blocks, what could be blocked, and both acts.
import { row, rows } from '#lib/db.server.ts'
import { keyset, patternOf, searchWords, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { DuePayment, payment_blocks, PaymentBlock } from './blocks.contract.ts'

const page_size = 50
const ListedBlock = withCursor(PaymentBlock)
const ListedDue = withCursor(DuePayment)
const newest_first: KeysetOrder = [
  ['b.placed_at', 'timestamptz'],
  ['b.id', 'uuid'],
]
const by_name: KeysetOrder = [
  ['p.sort_name', 'text'],
  ['p.id', 'uuid'],
]

export const blocksHandlers: Handlers<typeof payment_blocks> = {
  list: async ({ tx, actor, input: { person_id, claim_id, after } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest_first, true, after)
    const of_whole_person = person_id ? tx`or b.claim_id is null` : tx``
    const found = await rows(
      ListedBlock,
      tx`select b.id, b.person_id, p.full_name as person_name, b.claim_id, b.reason, b.placed_at,
          blocked_cents(b.person_id, b.claim_id) as cents,
          m.full_name as placed_by, json_build_object('remove',
            own_money_refusal('finance', b.person_id, ${actor.id})) as refusals,
          ${row_cursor} as row_cursor
        from payment_blocks b join profiles p on p.company_id = b.company_id and p.id = b.person_id
        left join profiles m on m.id = b.placed_by
        where b.company_id = ${actor.company_id} and b.removed_at is null
          ${person_id ? tx`and b.person_id = ${person_id}` : tx``}
          ${claim_id ? tx`and (b.claim_id = ${claim_id} ${of_whole_person})` : tx``} ${after_cursor}
        order by ${order_by} limit ${page_size + 1}`,
    )
    const { page, next } = pageOf(found, page_size)
    const refusals = await row(
      payment_blocks.list.output.shape.refusals,
      tx`select own_money_refusal('finance', ${person_id ?? null}, ${actor.id}) as block`,
    )
    return { blocks: page, next, refusals, currency: actor.currency ?? '' }
  },

  due: async ({ tx, actor, input: { cut_off_on, search, after } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, by_name, false, after)
    const found = await rows(
      ListedDue,
      tx`select d.person_id, p.full_name as person_name, p.left_on, d.cents, d.withheld_cents, d.waits,
          d.without_account, d.blocked, d.claims, d.returned, json_build_object('block',
            own_money_refusal('finance', d.person_id, ${actor.id})) as refusals,
          ${row_cursor} as row_cursor
        from due_payments(coalesce(${cut_off_on ?? null}::date,
            company_today(${actor.company_id}))) d
        join profiles p on p.company_id = ${actor.company_id} and p.id = d.person_id
        where without_accents(p.full_name || ' ' || p.email)
          like all (${searchWords(search).map(patternOf)}) ${after_cursor}
        order by ${order_by} limit ${page_size + 1}`,
    )
    const { page, next } = pageOf(found, page_size)
    return { people: page, next, currency: actor.currency ?? '' }
  },

  add: ({ tx, input: { person_id, claim_id, reason } }) =>
    row(
      payment_blocks.add.output,
      tx`select block_payment(${person_id}, ${claim_id}, ${reason}) as id`,
    ),

  remove: async ({ tx, input: { id } }) => {
    await tx`select unblock_payment(${id})`
    return { id }
  },
}
