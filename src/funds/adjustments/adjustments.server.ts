// Balances of single people, adjusted by two.
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import { peopleNamed } from '#lib/people-named.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Adjustment, adjustments } from './adjustments.contract.ts'
import { yearOf } from '#funds/plans/years.server.ts'

const page_size = 20
const ListedAdjustment = withCursor(Adjustment)
const waiting_first: KeysetOrder = [
  [`(a.status = 'waiting')`, 'boolean'],
  ['a.proposed_at', 'timestamptz'],
  ['a.id', 'uuid'],
]

export const adjustmentsHandlers: Handlers<typeof adjustments> = {
  list: async ({ tx, actor, input: { person_id, after } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, waiting_first, true, after)
    const found = await rows(
      ListedAdjustment,
      tx`select ${adjustmentColumns(tx, actor)}, ${row_cursor} as row_cursor ${source(tx)}
        where a.company_id = ${actor.company_id}
          ${person_id ? tx`and a.person_id = ${person_id}` : tx``} ${after_cursor}
        order by ${order_by} limit ${page_size + 1}`,
    )
    const { page, next } = pageOf(found, page_size)
    const refusals = await row(
      adjustments.list.output.shape.refusals,
      tx`select proposal_refusal(${person_id ?? null}, ${actor.id}) as propose`,
    )
    return { adjustments: page, next, refusals }
  },

  people: ({ tx, actor: { id, company_id }, input: { search } }) =>
    peopleNamed(
      tx,
      company_id,
      search,
      ['active', 'suspended', 'left'],
      tx`and proposal_refusal(p.id, ${id}) is null`,
    ),

  years: ({ tx, actor }) =>
    row(
      adjustments.years.output,
      tx`select o.currency, coalesce((select json_agg(y.starts_on order by y.starts_on desc)
          from plan_years y where y.company_id = o.id and y.starts_on <= company_today(o.id)
            and adjustment_year_refusal(o.id, y.starts_on) is null), '[]') as years
        from companies o where o.id = ${actor.company_id}`,
    ),

  find: ({ tx, actor, input: { id } }) => adjustmentOf(tx, actor, id),

  propose: async ({ tx, actor, input }) => {
    const { plan_year } = await yearOf(tx, actor, input.plan_year)
    const proposal = { ...input, plan_year }
    const [made] = await besideFields(
      { less_available: 'cents', pool_exhausted: 'cents', no_fund_in_year: 'category' },
      tx<[{ id: string }]>`select propose_adjustment(${tx.json(proposal)}) as id`,
    )
    return adjustmentOf(tx, actor, made.id)
  },

  confirm: ({ tx, actor, input: { id } }) => decide(tx, actor, id, 'confirm'),
  decline: ({ tx, actor, input: { id } }) => decide(tx, actor, id, 'decline'),
  withdraw: ({ tx, actor, input: { id } }) => decide(tx, actor, id, 'withdraw'),
}

async function decide(tx: Tx, actor: Actor, id: string, act: 'confirm' | 'decline' | 'withdraw') {
  await tx`select decide_adjustment(${id}, ${act})`
  return adjustmentOf(tx, actor, id)
}

const adjustmentColumns = (tx: Tx, { id, currency }: Actor) => tx`
  a.id, a.plan_year, a.person_id, p.full_name as person_name, a.category, a.cents, a.reason,
  a.status, a.proposed_at, m.full_name as proposed_by, a.decided_at,
  d.full_name as decided_by, ${currency}::text as currency, adjustment_refusals(a, ${id}) as refusals,
  case a.status when 'waiting' then adjustment_confirmers(a.company_id, a.id) else '{}' end as confirmers`

const source = (tx: Tx) => tx`
  from balance_adjustments a join profiles p on p.company_id = a.company_id and p.id = a.person_id
    left join profiles m on m.id = a.proposed_by left join profiles d on d.id = a.decided_by`

const adjustmentOf = (tx: Tx, actor: Actor, id: string) =>
  row(
    Adjustment,
    tx`select ${adjustmentColumns(tx, actor)} ${source(tx)}
      where a.company_id = ${actor.company_id} and a.id = ${id}`,
  )
