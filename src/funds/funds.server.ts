// A company's money, and the acts that move it.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { categories } from '#categories.ts'
import { parts, row, rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import { preferIndexOrder } from '#lib/tuning.server.ts'
import { pageOf } from '#lib/cursor.ts'
import { keyset, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import {
  CategoryFund,
  forecast_days,
  funds,
  FundOverview,
  RebalanceDone,
} from './funds.contract.ts'
import { ledgerHandlers } from '#funds/ledger/ledger.server.ts'
import type { my_money } from '#funds/my-money/my-money.contract.ts'
import { myMoneyHandlers } from '#funds/my-money/my-money.server.ts'
import type { Draw } from '#funds/my-money/my-paper.server.ts'
import { peopleHandlers } from './people.server.ts'
import { plansHandlers } from '#funds/plans/plans.server.ts'
import { providersHandlers } from './providers.server.ts'
import { trendOf } from './trend.server.ts'
import { yearOf, type Year } from '#funds/plans/years.server.ts'

const WaitingPerson = withCursor(funds.waiting.output.shape.people.element)
const longest_first: KeysetOrder = [
  ['g.covered_from', 'date'],
  ['g.person_id', 'uuid'],
]

type CategoryAmounts = {
  prevention_cents: number
  treatment_cents: number
  solidarity_cents: number
}

const ofCompany: Omit<Handlers<typeof funds>, keyof typeof my_money> = {
  ...plansHandlers,
  ...ledgerHandlers,

  overview: async ({ tx, actor, input }) =>
    overviewOf(tx, await yearOf(tx, actor, input.plan_year)),

  waiting: async ({ tx, actor, input }) => {
    const { company_id, plan_year } = await yearOf(tx, actor, input.plan_year)
    const { after_cursor, order_by, row_cursor } = keyset(tx, longest_first, false, input.after)
    await preferIndexOrder(tx)
    const found = await rows(
      WaitingPerson,
      tx`
        select g.person_id as id, p.full_name, g.covered_from as joined_on,
          ${row_cursor} as row_cursor${lackingOf(tx)}
        from (
          select * from grants g
          where company_id = ${company_id} and plan_year = ${plan_year}
            and due_cents > granted_cents ${after_cursor}
          order by ${order_by} limit ${(input.limit + 1) * categories.length}) g
        join profiles p on p.id = g.person_id
        group by g.covered_from, g.person_id, p.full_name
        order by ${order_by} limit ${input.limit + 1}`,
    )
    const { page, next } = pageOf(found, input.limit)
    return { people: page, next }
  },

  allocate: ({ tx, actor, input }) => allocate(tx, actor, input, false),
  deallocate: ({ tx, actor, input }) => allocate(tx, actor, input, true),

  rebalance: async ({ tx, actor, input }) => {
    const { plan_year, ...change } = input
    const id = randomUUID()
    await tx`select rebalance(${actor.company_id}, ${plan_year}, ${tx.json({ ...change, act: id })})`
    return row(RebalanceDone, rebalances(tx, actor, tx`and t.source_id = ${id}`))
  },

  undo_rebalance: async ({ tx, actor, input: { id } }) => {
    await tx`select undo_rebalance(${actor.company_id}, ${id})`
    return row(RebalanceDone, rebalances(tx, actor, tx`and t.source_id = ${id}`))
  },

  rebalances: async ({ tx, actor, input }) => {
    const { plan_year } = await yearOf(tx, actor, input.plan_year)
    return rows(RebalanceDone, rebalances(tx, actor, tx`and t.plan_year = ${plan_year}`))
  },

  ...peopleHandlers,
  trend: ({ tx, actor }) => trendOf(tx, actor),
  ...providersHandlers,
}

export const fundsHandlers = (draw: Draw): Handlers<typeof funds> => ({
  ...ofCompany,
  ...myMoneyHandlers(draw),
})

const lackingOf = (tx: Tx) =>
  parts(
    categories.map(
      (category) => tx`, coalesce(sum(due_cents - granted_cents)
        filter (where category = ${category}), 0)::bigint as ${tx(`${category}_cents`)}`,
    ),
  )

async function allocate(
  tx: Tx,
  actor: Actor,
  input: CategoryAmounts & { plan_year: string; note?: string | undefined },
  back: boolean,
) {
  const year = await yearOf(tx, actor, input.plan_year)
  const allocation = { ...input, note: input.note ?? null, act: randomUUID() }
  await tx`select allocate(${year.company_id}, ${year.plan_year}, ${tx.json(allocation)}, ${back})`
  return overviewOf(tx, year)
}

const Whole = z.object({
  funded_cents: z.int(),
  unallocated_cents: z.int(),
  forfeited_cents: z.int(),
  total: FundOverview.shape.total,
  years: z.iso.date().array(),
  waiting: FundOverview.shape.waiting,
  regrant: FundOverview.shape.regrant,
  refusals: FundOverview.shape.refusals,
})

async function overviewOf(tx: Tx, year: Year): Promise<FundOverview> {
  const { company_id, plan_year, ends_on, closed, currency } = year
  const [whole, found] = await Promise.all([
    row(
      Whole,
      tx`
        with total as materialized (select kind, sum(balance_cents)::bigint as cents from fund_totals
          where company_id = ${company_id} and plan_year = ${plan_year} and category is null group by kind)
        select
          coalesce(-(select cents from total where kind = 'funding'), 0)::bigint as funded_cents,
          coalesce((select cents from total where kind = 'unallocated'), 0)::bigint as unallocated_cents,
          coalesce((select cents from total where kind = 'forfeited'), 0)::bigint as forfeited_cents,
          (select json_build_object('allocated_cents', coalesce(sum(allocated_cents), 0),
              'granted_cents', coalesce(sum(granted_cents), 0),
              'granted_percent', percent_of(sum(granted_cents), sum(allocated_cents)),
              'used_cents', coalesce(sum(used_cents), 0),
              'percent', percent_of(sum(used_cents), sum(allocated_cents)))
            from category_funds where company_id = ${company_id} and plan_year = ${plan_year}) as total,
          (select json_agg(starts_on order by starts_on desc) from plan_years
            where company_id = ${company_id}) as years,
          (select json_build_object('people', coalesce(sum(people), 0),
              'prevention_cents', coalesce(sum(prevention_cents), 0),
              'treatment_cents', coalesce(sum(treatment_cents), 0),
              'solidarity_cents', coalesce(sum(solidarity_cents), 0)) from waiting_totals
            where company_id = ${company_id} and plan_year = ${plan_year}) as waiting,
          (select json_build_object('people', people, 'people_done', people_done) from regrants
            where company_id = ${company_id} and plan_year = ${plan_year}
              and finished_at is null) as regrant,
          (select json_build_object('allocate', year_refusal(y), 'rebalance', year_refusal(y))
            from plan_years y
            where y.company_id = ${company_id} and y.starts_on = ${plan_year}) as refusals`,
    ),
    rows(
      CategoryFund,
      tx`
        select c.category${inCategory(tx)},
          percent_of(used_cents, allocated_cents) as percent,
          case when days >= whole then coalesce(used_cents, 0)
            when days >= ${forecast_days} then round(coalesce(used_cents, 0)::numeric * whole / days)::bigint
            end as forecast_cents
        from (select (ends_on - starts_on + 1)::int as whole,
            (company_today(company_id) - starts_on + 1)::int as days from plan_years
          where company_id = ${company_id} and starts_on = ${plan_year} offset 0) y
        cross join unnest(${[...categories]}::text[]) with ordinality c (category, at)
        left join category_funds f on f.company_id = ${company_id} and f.plan_year = ${plan_year}
          and f.category = c.category
        order by c.at`,
    ),
  ])
  return { plan_year, ends_on, closed, currency, ...whole, categories: found }
}

const inCategory = (tx: Tx) =>
  parts(
    ['allocated', 'granted', 'used', 'held', 'available', 'overpaid', 'free'].map(
      (kind) => tx`, coalesce(${tx(`${kind}_cents`)}, 0)::bigint as ${tx(`${kind}_cents`)}`,
    ),
  )

const rebalances = (tx: Tx, actor: Actor, which: SqlPart) => tx`
  select t.source_id as id, min(t.posted_at) as at, min(t.note) as note, min(p.full_name) as actor_name,
    bool_or(u.id is not null) as undone,
    json_agg(json_build_object('from', f.category, 'to', o.category, 'amount_cents', t.amount_cents)
      order by t.id) as moves,
    json_build_object('undo', rebalance_refusal(t.company_id, t.source_id)) as refusals
  from transfers t
  left join transfers u on u.company_id = t.company_id and u.undoes = t.id
  join accounts f on f.company_id = t.company_id and f.plan_year = t.plan_year and f.id = t.from_account
  join accounts o on o.company_id = t.company_id and o.plan_year = t.plan_year and o.id = t.to_account
  left join profiles p on p.id = t.actor_id
  where t.company_id = ${actor.company_id} and t.event = 'rebalance' ${which}
  group by t.company_id, t.source_id order by min(t.id) desc limit 50`
