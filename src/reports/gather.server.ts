// The figures of a report, all from one snapshot of the ledger.
import type { Tx } from '#lib/db.server.ts'
import { hiddenOf, type Line } from '#lib/suppress.ts'
import { suppressed, type Cell } from './document.ts'

export type Period = { of_company: string | null; from_on: string; to_on: string }

export type Scope = {
  company_id: string
  name: string
  status: string
  currency: string
  plan_year: string | null
  employees: number
}

/** Answers the companies, those of the currency that most have first. */
export async function gather(tx: Tx, { of_company, from_on, to_on }: Period): Promise<Scope[]> {
  await tx`set transaction isolation level repeatable read`
  await tx`set local work_mem = '64MB'`
  await tx`set local statement_timeout = '4min'`
  await tx`select private.gather_report(${of_company}, ${from_on}, ${to_on})`
  return tx<Scope[]>`
    select company_id, name, status, currency, plan_year, employees from scope
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
  readonly #lines: Line[] = []
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

  /** What a table shows of it. */
  show(name: string, cell: (sum: Sum) => Cell): Cell {
    return this.isHidden(name) ? suppressed : cell(this.get(name))
  }

  get hides(): boolean {
    return [...this.#sums.keys()].some((name) => this.isHidden(name))
  }
}

export const privacy_note =
  'Figures that fewer than five people are behind are suppressed, and so are others that would give them away by subtraction.'

/** In tenths of a percent. */
export const shareOf = (part: number, whole: number): number | null =>
  whole > 0 ? Math.round((1000 * part) / whole) / 10 : null
