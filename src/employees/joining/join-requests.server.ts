import { rows, type Tx } from '#lib/db.server.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Actor } from '#actor.ts'
import { EmployeeFound } from '#employees/employees.contract.ts'
import { employeeColumns, employeeRefusals } from '#employees/list.server.ts'

/** People who ask to join, the first at the top. */
export async function listJoinRequests(tx: Tx, actor: Actor, after: string | undefined) {
  const order: KeysetOrder = [
    ['p.requested_at', 'timestamptz'],
    ['p.id', 'uuid'],
  ]
  const { after_cursor, order_by, row_cursor } = keyset(tx, order, false, after)
  const found = await rows(
    withCursor(EmployeeFound),
    tx`select ${employeeColumns(tx)}, ${employeeRefusals(tx, actor)} as refusals, ${row_cursor} as row_cursor
      from profiles p where p.company_id = ${actor.company_id} and p.account_state = 'requested' ${after_cursor}
      order by ${order_by} limit 51`,
  )
  const { page, next } = pageOf(found, 50)
  return { people: page, next }
}
