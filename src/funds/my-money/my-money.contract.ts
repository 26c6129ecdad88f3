// A person's questions about their own money. HR asks the same about anybody: see ledger.contract.ts.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { Day } from '#lib/days.ts'
import { download, get, post } from '#lib/contract.ts'
import { EntryFilter, FundAccount, FundEntry, LedgerCheck } from '#funds/ledger/ledger.contract.ts'
import { InYear, PageLimit, MyBalance, PageAfter, PlanYearKey } from '#funds/terms.contract.ts'

const MyEntries = EntryFilter.omit({ person_id: true })

/** The sum of claims for one person; for oneself without a dependent. */
const UsedFor = z.object({
  dependent_id: z.uuid().nullable(),
  name: z.string().nullable(),
  category: Category,
  claims: z.int(),
  cents: z.int(),
})

export type MyYear = z.infer<typeof MyYear>
export const MyYear = z.object({
  plan_year: PlanYearKey,
  ends_on: z.iso.date(),
  closed: z.boolean(),
  /** The group whose plan one is granted by; empty where it is the company’s again. */
  plan_group: z.string().nullable(),
  currency: z.string(),
  /** Years in which the person had an account, the latest first; the running one in any case. */
  years: PlanYearKey.array(),
  balances: MyBalance.array(),
  used: UsedFor.array(),
  /** The payments in each calendar year for claims of this plan year, once their day has come: for tax. */
  paid: z.object({ year: z.int(), cents: z.int() }).array(),
})

export const my_money = {
  my_year: get('/funds/mine/year', InYear, MyYear),
  my_accounts: get(
    '/funds/mine/accounts',
    InYear.extend({ as_of: Day().optional() }),
    FundAccount.array(),
  ),
  my_statement: get(
    '/funds/mine/statement',
    MyEntries.extend({ ...PageAfter, limit: PageLimit }),
    z.object({ entries: FundEntry.array(), next: z.string().nullable() }),
    { alone: true },
  ),
  export_my_statement: download('/funds/mine/statement.csv', MyEntries, {
    recorded: false,
  }),
  /** The whole plan year on paper. */
  print_my_statement: download('/funds/mine/statement.pdf', InYear, { recorded: false }),
  verify_mine: post('/funds/mine/verify', z.object({}), LedgerCheck),
}
