import { z } from 'zod'
import { rows, type Tx } from '#lib/db.server.ts'
import { keyed, type Order } from '#lib/keyed.server.ts'
import { pageOf } from '#lib/page-key.ts'
import type { Actor } from '#actor.ts'
import { EmployeeFound } from './employees.contract.ts'
import { columns } from './list.server.ts'

/** Those who ask to join, whoever asked first at the top. */
export async function listAsking(tx: Tx, { id, company_id }: Actor, after: string | undefined) {
  const order: Order = [
    ['p.asked_at', 'timestamptz'],
    ['p.id', 'uuid'],
  ]
  const { beyond, in_order, page_key } = keyed(tx, order, false, after)
  const found = await rows(
    EmployeeFound.extend({ page_key: z.string().array() }),
    tx`select ${columns(tx)}, person_refusals(p, ${id}) as refusals, ${page_key} as page_key
      from profiles p where p.company_id = ${company_id} and p.standing = 'asking' ${beyond}
      order by ${in_order} limit 51`,
  )
  const { page, next } = pageOf(found, 50, ({ page_key }) => page_key)
  return { people: page, next }
}
