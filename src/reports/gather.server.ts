// The figures of a report, all from one snapshot of the ledger.
import type { CompanyStatus } from '#companies/companies.contract.ts'
import type { SqlPart, Tx } from '#lib/db.server.ts'
import { hiddenOf, type SumLine } from '#lib/suppress.ts'
import { suppressed, type Cell } from './document.ts'

export type Period = { of_company: string | null; from_on: string; to_on: string }

export type Scope = {
  company_id: string
  name: string
  status: CompanyStatus
  currency: string
  plan_year: string | null
  employees: number
  /** Whether the period has ended in the company's own time zone. */
  is_over: boolean
}

/** The arguments of each function of figures.sql and claim-figures.sql. */
export const spanOf = (tx: Tx, { of_company, from_on, to_on }: Period): SqlPart =>
  tx`${of_company}::uuid, ${from_on}::date, ${to_on}::date`

/** Whether the person of `p` is an employee at the end that the row of this name says. */
export const isEmployeeOn = (tx: Tx, row: string): SqlPart =>
  tx`private.is_employee_on(p.role, p.account_state, p.joined_on, p.left_on, ${tx(row)}.end_on)`

/** Answers the companies, those of the currency that most have first. */
export async function gather(tx: Tx, period: Period): Promise<Scope[]> {
  await tx`set local work_mem = '64MB'`
  await tx`set local statement_timeout = '4min'`
  return tx<Scope[]>`
    select s.company_id, s.name, s.status, s.currency, s.plan_year, s.ended_at <= now() as is_over,
      (select count(*) from profiles p where p.company_id = s.company_id
        and ${isEmployeeOn(tx, 's')}) as employees
    from private.report_scope(${spanOf(tx, period)}) s
    order by count(*) over (partition by currency) desc, currency, lower(name), company_id`
}

export const currenciesOf = (scope: readonly Scope[]) => [
  ...new Set(scope.map(({ currency }) => currency)),
]

/** A sum over people: how much, how often, and by how many. */
export type Sum = { cents: number; entries: number; people: number }
const nothing: Sum = { cents: 0, entries: 0, people: 0 }

/** Sums by name; each knows whether it may be shown. */
export class Sums {
  readonly #sums = new Map<string, Sum>()
  readonly #lines: SumLine[] = []
  #hidden: Set<string> | undefined

  add(name: string, sum: Partial<Sum>) {
    this.#sums.set(name, { ...nothing, ...sum })
  }

  has(name: string): boolean {
    return this.#sums.has(name)
  }

  /** The parts add up to the sum, so none may be hidden alone. */
  line(sum: string, parts: string[]) {
    this.#lines.push({ sum, parts })
  }

  isHidden(name: string): boolean {
    this.#hidden ??= hiddenOf(
      new Map(
        [...this.#sums].map(([name, { people, cents, entries }]) => [
          name,
          { people, size: cents || entries },
        ]),
      ),
      this.#lines,
    )
    return this.#hidden.has(name)
  }

  get(name: string): Sum {
    return this.#sums.get(name) ?? nothing
  }

  /** The value as a table shows it. */
  show(name: string, cell: (sum: Sum) => Cell): Cell {
    return this.isHidden(name) ? suppressed : cell(this.get(name))
  }

  get hides(): boolean {
    return [...this.#sums.keys()].some((name) => this.isHidden(name))
  }
}

export const privacy_note =
  'Figures with fewer than five people behind them are suppressed, and so are others that would give them away by subtraction.'
