// People's balances: each their own, and HR those of their people.
import { categories } from '#categories.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { funds } from './funds.contract.ts'
import { MyBalance } from './terms.contract.ts'

const PersonMoney = funds.of_person.output.omit({
  plan_group: true,
  balances: true,
  if_left: true,
})
const PersonPlan = funds.of_person.output.pick({ plan_group: true })
const MyYearEnds = funds.mine.output.omit({ balances: true })
const IfLeft = funds.of_person.output.shape.if_left.unwrap()
type FundHandlers = Handlers<typeof funds>

export const peopleHandlers: Pick<FundHandlers, 'balances' | 'of_person' | 'mine'> = {
  balances: ({ tx, actor, input: { ids } }) =>
    rows(
      funds.balances.output.element,
      tx`
        select i.id as person_id,
          ${balanceIn(tx, 'prevention')}, ${balanceIn(tx, 'treatment')}, ${balanceIn(tx, 'solidarity')}
        from unnest(${ids}::uuid[]) i (id) left join accounts a on a.company_id = ${actor.company_id}
          and a.plan_year = (select current_plan_year(${actor.company_id})) and a.person_id = i.id
          and a.kind = 'available'
        group by i.id`,
    ),

  of_person: async ({ tx, actor, input: { person_id, left_on } }) => {
    const person = await row(
      PersonMoney,
      tx`
        select p.full_name, c.currency, current_plan_year(c.id) as plan_year,
          (select coalesce(sum(a.balance_cents), 0)::bigint from accounts a
            where a.company_id = c.id and a.person_id = p.id and a.kind = 'held') as held_cents
        from profiles p join companies c on c.id = p.company_id
        where p.id = ${person_id} and p.company_id = ${actor.company_id}`,
    )
    const { plan_year } = person
    if (!plan_year) return { ...person, plan_group: null, balances: [], if_left: null }
    const plan = await row(
      PersonPlan,
      tx`select ${planGroupOf(tx, actor, person_id, plan_year)} as plan_group`,
    )
    const balances = await balancesOf(tx, actor, person_id, plan_year)
    const if_left = left_on ? await ifLeft(tx, actor, plan_year, left_on) : null
    return { ...person, ...plan, balances, if_left }
  },

  mine: async ({ tx, actor }) => {
    const my_funds = await row(
      MyYearEnds,
      tx`
        select c.currency, y.starts_on as plan_year, p.left_on, least(y.ends_on, p.left_on) as use_by,
          filing_ends_on(y.ends_on, y.filing_days, p.left_on, y.leaver_filing_days) as filing_ends_on,
          has_limits() as limited
        from companies c left join profiles p on p.company_id = c.id and p.id = ${actor.id}
        left join plan_years y on y.company_id = c.id
          and y.starts_on = (select current_plan_year(${actor.company_id}))
        where c.id = ${actor.company_id}`,
    )
    const { plan_year } = my_funds
    return {
      ...my_funds,
      balances: plan_year ? await balancesOf(tx, actor, actor.id, plan_year) : [],
    }
  },
}

const ifLeft = (tx: Tx, actor: Actor, plan_year: string, left_on: string) =>
  row(
    IfLeft,
    tx`
      select u.until as filing_ends_on, case when ${left_on}::date <= y.ends_on
          then unspent_returns_on(u.until, company_today(y.company_id)) end as returns_on
      from plan_years y cross join lateral (select filing_ends_on(y.ends_on, y.filing_days,
        ${left_on}::date, y.leaver_filing_days) as until) u
      where y.company_id = ${actor.company_id} and y.starts_on = ${plan_year}`,
  )

/** The group whose plan a year's grants follow; null for the company's plan. */
export const planGroupOf = (tx: Tx, actor: Actor, person_id: string, plan_year: string) => tx`
  (select max(g.plan_group) from grants g where g.company_id = ${actor.company_id}
    and g.plan_year = ${plan_year} and g.person_id = ${person_id})`

const balanceIn = (tx: Tx, category: string) => tx`
  coalesce(sum(a.balance_cents) filter (where a.category = ${category}), 0)::bigint
    as ${tx(`${category}_cents`)}`

export const balancesOf = (tx: Tx, actor: Actor, person_id: string, plan_year: string) =>
  rows(
    MyBalance,
    tx`
      select c.category, coalesce(a.available, 0)::bigint as balance_cents,
        coalesce(g.granted_cents + g.carried_cents + g.adjusted_cents, 0)::bigint as total_cents,
        coalesce(a.held, 0)::bigint as held_cents, coalesce(a.used, 0)::bigint as used_cents,
        coalesce(a.overpaid, 0)::bigint as overpaid_cents,
        coalesce(greatest(g.due_cents - g.granted_cents, 0), 0)::bigint as waiting_cents,
        percent_of(a.available, g.granted_cents + g.carried_cents + g.adjusted_cents) as percent,
        coalesce(u.cents - u.along_cents, 0)::bigint as expires_cents,
        n.on_day as next_on, coalesce(n.cents, 0)::bigint as next_cents
      from unnest(${[...categories]}::text[]) with ordinality c (category, at)
      left join unspent_balances(${actor.company_id}, ${plan_year}, array[${person_id}::uuid]) u
        on u.category = c.category
      left join coming_grants(${person_id}, ${plan_year}) n on n.category = c.category
      left join grants g on g.company_id = ${actor.company_id} and g.plan_year = ${plan_year}
        and g.person_id = ${person_id} and g.category = c.category
      left join lateral (select
          sum(a.balance_cents) filter (where a.kind = 'available') as available,
          sum(a.balance_cents) filter (where a.kind = 'held') as held,
          sum(a.balance_cents) filter (where a.kind = any (used_kinds())) as used,
          sum(a.balance_cents) filter (where a.kind = 'overpaid') as overpaid
        from accounts a where a.company_id = ${actor.company_id} and a.plan_year = ${plan_year}
          and a.person_id = ${person_id} and a.category = c.category) a on true
      order by c.at`,
  )
