// A person's own money: the entries, as of any day, a year's view, the proof, and all of it on paper.
import { z } from 'zod'
import { row, rows, type SqlPart, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { LedgerResult, myLedgerSentence } from '#funds/ledger/ledger-sentence.ts'
import { accountsOf, entriesAsCsv, entriesOf, everyEntry } from '#funds/ledger/entries.server.ts'
import { FundAccount, type FundEntry } from '#funds/ledger/ledger.contract.ts'
import { MyYear, type my_money } from './my-money.contract.ts'
import { paperOf, type Draw, type PaidClaim } from './my-paper.server.ts'
import { balancesOf, planGroupOf } from '#funds/people.server.ts'
import { yearOf, type Year } from '#funds/plans/years.server.ts'

export const myMoneyHandlers = (draw: Draw): Handlers<typeof my_money> => ({
  my_year: async ({ tx, actor, input }) =>
    myYear(tx, actor, await yearOf(tx, actor, input.plan_year)),

  my_accounts: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    return rows(FundAccount, accountsOf(tx, year, input.as_of ?? null, actor.id))
  },

  my_statement: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    await refuseOthers(tx, actor, input.account_id)
    return entriesOf(tx, year, { ...input, person_id: actor.id })
  },

  export_my_statement: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    await refuseOthers(tx, actor, input.account_id)
    return entriesAsCsv(tx, year, { ...input, person_id: actor.id })
  },

  print_my_statement: async ({ tx, actor, input }) => {
    const year = await yearOf(tx, actor, input.plan_year)
    const my_year = await myYear(tx, actor, year)
    const about = await row(PaperOwner, aboutMe(tx, actor))
    const paid = await rows(PaidRow, paidClaims(tx, actor, year))
    const entries: FundEntry[] = []
    for await (const batch of everyEntry(tx, year, { person_id: actor.id })) entries.push(...batch)
    const paper = paperOf({ ...about, ...my_year, paid_claims: paid, entries })
    return {
      name: `statement-${year.plan_year}.pdf`,
      type: 'application/pdf',
      body: () => draw(paper),
    }
  },

  verify_mine: async ({ tx }) => {
    const found = await row(LedgerResult, tx`select *, now() as as_of from verify_my_ledger()`)
    return { ...found, good: !found.fault, sentence: myLedgerSentence(found) }
  },
})

/** The company's own accounts are at the other end of entries, but nobody's to read. */
async function refuseOthers(tx: Tx, actor: Actor, account_id: number | undefined) {
  if (account_id === undefined) return
  const [account] = await tx`select from accounts where company_id = ${actor.company_id}
    and person_id = ${actor.id} and id = ${account_id}`
  if (!account) throw new Problem('not_found')
}

const YearFigures = MyYear.pick({
  plan_group: true,
  years: true,
  used: true,
  paid: true,
})

async function myYear(tx: Tx, actor: Actor, year: Year): Promise<MyYear> {
  const { company_id, plan_year, ends_on, closed, currency } = year
  const [balances, other_funds] = await Promise.all([
    balancesOf(tx, actor, actor.id, plan_year),
    row(
      YearFigures,
      tx`
        select ${planGroupOf(tx, actor, actor.id, plan_year)} as plan_group,
          (select coalesce(json_agg(y.starts_on order by y.starts_on desc), '[]') from plan_years y
            where y.company_id = ${company_id} and (y.starts_on = ${plan_year}
              or y.starts_on = (select current_plan_year(${company_id})) or exists (select from accounts a
                where a.company_id = y.company_id and a.plan_year = y.starts_on
                  and a.person_id = ${actor.id}))) as years,
          (select coalesce(json_agg(json_build_object('dependent_id', u.dependent_id,
                'name', d.full_name, 'category', u.category, 'claims', u.claims, 'cents', u.cents)
              order by u.dependent_id is not null, d.full_name, u.dependent_id, u.claims = 0), '[]')
            from used_by_whom(${plan_year}) u left join dependents d
              on d.company_id = ${company_id} and d.id = u.dependent_id) as used,
          (select coalesce(json_agg(json_build_object('year', p.year, 'cents', p.cents)
              order by p.year), '[]')
            from (select extract(year from c.paid_on)::int as year,
                sum(c.approved_cents)::bigint as cents
              from claims c where ${paidIn(tx, actor, plan_year)} group by 1) p) as paid`,
    ),
  ])
  return { plan_year, ends_on, closed, currency, balances, ...other_funds }
}

const paidIn = (tx: Tx, actor: Actor, plan_year: string): SqlPart => tx`
  c.company_id = ${actor.company_id} and c.person_id = ${actor.id} and c.plan_year = ${plan_year}
    and c.payment = 'paid' and c.paid_on <= company_today(c.company_id)`

const PaperOwner = z.object({ full_name: z.string(), company_name: z.string() })
const aboutMe = (tx: Tx, actor: Actor) => tx`
  select p.full_name, c.name as company_name from profiles p join companies c on c.id = p.company_id
  where p.id = ${actor.id}`

const PaidRow: z.ZodType<PaidClaim> = z.object({
  id: z.int(),
  paid_on: z.iso.date(),
  service_on: z.iso.date(),
  category: MyYear.shape.used.element.shape.category,
  type_name: z.string(),
  provider: z.string(),
  name: z.string().nullable(),
  cents: z.int(),
})
const paidClaims = (tx: Tx, actor: Actor, { company_id, plan_year }: Year) => tx`
  select c.id, c.paid_on, c.service_on, c.category, c.type_name, c.provider, d.full_name as name,
    c.approved_cents as cents
  from claims c left join dependents d on d.company_id = ${company_id} and d.id = c.dependent_id
  where ${paidIn(tx, actor, plan_year)}
  order by c.paid_on, c.id limit 10000`
