// Companies' money as the provider sees it: in sum, never by person.
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import { hiddenIn } from '#lib/suppress.ts'
import { CompanyFundSums, funds } from './funds.contract.ts'
import { findPlan } from '#funds/plans/plans.server.ts'

const FundWithoutPlan = CompanyFundSums.omit({ plan: true })

type FundHandlers = Handlers<typeof funds>

export const providersHandlers: Pick<FundHandlers, 'of_companies' | 'of_company' | 'managed'> = {
  of_companies: async ({ tx, input: { ids } }) => {
    const found = await rows(
      funds.of_companies.output.element,
      tx`
        select i.id as company_id, ${use(tx)}
        from unnest(${ids}::uuid[]) i (id)
        left join lateral (select * from fund_totals f
          where f.company_id = i.id and f.plan_year = current_plan_year(i.id) offset 0) t on true
        group by i.id`,
    )
    const hide = await makeHider(tx)
    return found.map((fund) => hide(fund.company_id, fund))
  },

  of_company: async ({ tx, input: { company_id } }) => {
    const [year] = await tx<{ plan_year: string }[]>`
      select plan_year from current_plan_years where company_id = ${company_id}`
    if (!year) throw new Problem('not_found')
    const { plan_year } = year
    const [plan, sums, hide] = await Promise.all([
      findPlan(tx, company_id, plan_year),
      row(
        FundWithoutPlan,
        tx`
          select (select currency from companies where id = ${company_id}) as currency, ${use(tx)},
            coalesce(sum(t.balance_cents) filter (where t.kind = 'unallocated'), 0)::bigint
              as unallocated_cents
          from fund_totals t where t.company_id = ${company_id} and t.plan_year = ${plan_year}`,
      ),
      makeHider(tx),
    ])
    return { ...hide(company_id, sums), plan }
  },

  managed: async ({ tx }) => {
    const found = await rows(
      funds.managed.output.element,
      tx`
        select y.currency, count(distinct t.company_id)::int as companies, ${use(tx)}
        from current_plan_years y
        join fund_totals t on t.company_id = y.company_id and t.plan_year = y.plan_year
        group by y.currency having sum(t.balance_cents) filter (where t.kind = 'funding') < 0
        order by total_cents desc, y.currency`,
    )
    const hide = await makeHider(tx)
    return found.map((sums) => hide(sums.currency, sums))
  },
}

/** Hides sums used by fewer than five people, and those from which they could be derived. */
async function makeHider(tx: Tx) {
  const hidden = hiddenIn(await tx`select * from used_by_few(0)`)
  return <T extends object>(name: string, sums: T): T =>
    hidden.has(name) ? { ...sums, used_cents: null, percent: null } : sums
}

const use = (tx: Tx) => tx`
  coalesce(-sum(t.balance_cents) filter (where t.kind = 'funding'), 0)::bigint as total_cents,
  coalesce(sum(t.balance_cents) filter (where t.kind = any (used_kinds())), 0)::bigint
    as used_cents,
  percent_of(sum(t.balance_cents) filter (where t.kind = any (used_kinds())),
    -sum(t.balance_cents) filter (where t.kind = 'funding')) as percent`
