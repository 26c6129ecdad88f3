import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { Employee } from '#employees/employees.contract.ts'

const at_once = 25

/** A row and its neighbours, whose balances are read in one request. */
export type WithNeighbours = Employee & { neighbours: string }

/** Rows read balances in fixed groups, so that only groups on screen are asked for, however long the list is. */
export const withNeighbours = (page: readonly Employee[]): WithNeighbours[] =>
  page.map((employee, at) => {
    const from = at - (at % at_once)
    const neighbours = page.slice(from, from + at_once).map(({ id }) => id)
    return { ...employee, neighbours: neighbours.join(',') }
  })

type Balances = Awaited<ReturnType<typeof api.funds.balances>>[number]
type Props = { row: WithNeighbours; of: (balances: Balances) => number; strong?: boolean }

export function Balance({ row, of, strong }: Props) {
  const of_page = useRead(api.funds.balances, { ids: row.neighbours }, { keep: true })
  const currency = useRead(api.funds.overview, {})?.currency
  // Grants come when the invitation is accepted: until then there is no balance, rather than an empty one.
  if (row.account_state === 'pending') return <span className="text-faint">–</span>
  const balances = of_page?.find(({ person_id }) => person_id === row.id)
  if (!balances || !currency) return <Skeleton className="inline-block h-4 w-16" />
  const cents = of(balances)
  return (
    <span className={cents === 0 ? 'text-faint' : strong ? 'font-semibold' : undefined}>
      <Money cents={cents} currency={currency} />
    </span>
  )
}

export const totalOf = (balances: Balances) =>
  balances.prevention_cents + balances.treatment_cents + balances.solidarity_cents
