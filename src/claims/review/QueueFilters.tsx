import { clsx } from 'clsx'
import { ArrowDownWideNarrow, CircleAlert, Keyboard, ListFilter, X } from 'lucide-react'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { useRead } from '#ui/ask.ts'
import { Button, IconButton } from '#ui/Button.tsx'
import { count } from '#ui/figures.ts'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { Menu, MenuChoice } from '#ui/Menu.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { useAddress, useFilter } from '#ui/url-state.ts'
import type { ClaimCounts } from '#claims/claims.contract.ts'
import { ClaimState, claimStates } from '#claims/words.contract.ts'
import { all_status, first_status, useQueueFilter, useQueueOrder } from './queue.ts'

export type QueueCounts = z.infer<typeof ClaimCounts> & { overdue: number }
type Props = { summary: QueueCounts | undefined; narrow?: boolean; onKeys: () => void }

export const QueueFilters = ({ summary, narrow, onKeys }: Props) =>
  narrow ? (
    <div className="flex flex-col gap-2 border-b border-line p-3">
      <SearchField wide label="Search name, provider or number" />
      <div className="flex flex-wrap items-center gap-2">
        <StatusMenu />
        <FilterMenu label="Category" name="category" options={categoryNames} />
        <OverdueOnly summary={summary} />
        <Sort />
        <OnePerson />
      </div>
    </div>
  ) : (
    <div className="flex flex-col gap-3 border-b border-line p-4 sm:px-5">
      <StatusChoice summary={summary} />
      <div className="flex flex-wrap items-center gap-2">
        <SearchField label="Search name, provider or number" />
        <FilterMenu label="Category" name="category" options={categoryNames} />
        <OverdueOnly summary={summary} />
        <Sort />
        <OnePerson />
        <span className="ml-auto hidden pointer-fine:inline">
          <IconButton label="Review by keyboard" icon={Keyboard} onClick={onKeys} />
        </span>
      </div>
    </div>
  )

const statuses = [
  ...ClaimState.options.map((state) => [state, claimStates[state][0]] as const),
  [all_status, 'All'],
] as const

/** A new status drops the filter for overdue, as only waiting claims are, and the order, as each status has its own. */
function useStatus() {
  const [search, say] = useAddress()
  const status = search.get('status') ?? first_status
  const change = (value: string) =>
    say({ status: value === first_status ? '' : value, overdue: '', sort: '' })
  return [status, change] as const
}

/** The counts are of all claims, so they are hidden while another filter narrows the list. */
function useIsFiltered(own?: 'overdue') {
  const { search, category, overdue, person_id } = useQueueFilter()
  return Boolean(search || category || person_id || (own !== 'overdue' && overdue))
}

function StatusChoice({ summary }: { summary: QueueCounts | undefined }) {
  const [status, change] = useStatus()
  const filtered = useIsFiltered()
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Status</legend>
      <div className="relative -mx-1 flex gap-1 overflow-x-auto px-1 py-0.5">
        {statuses.map(([value, title]) => (
          <button
            key={value}
            type="button"
            aria-pressed={status === value}
            onClick={() => change(value)}
            className={clsx(
              'shrink-0 rounded-control px-2.5 py-1.5 text-ui font-medium text-soft',
              'hover:bg-sunken hover:text-ink',
              'aria-pressed:bg-primary-wash aria-pressed:text-primary-ink',
            )}
          >
            {title}
            {summary && !filtered && (
              <span className="figures ml-1.5 font-normal opacity-80">
                {count(value === all_status ? summary.total : summary[value])}
              </span>
            )}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

function StatusMenu() {
  const [status, change] = useStatus()
  const options = Object.fromEntries(statuses)
  return (
    <Menu
      label="Status"
      align="start"
      trigger={
        <Button icon={ListFilter} faint>
          {options[status] ?? 'All'}
        </Button>
      }
    >
      <MenuChoice label="Status" value={status} options={options} onChange={change} />
    </Menu>
  )
}

/** The filter for one person's claims, which a claim of theirs leads to. */
function OnePerson() {
  const [person, change] = useFilter('person')
  const id = z.uuid().safeParse(person).data
  const found = useRead(api.review.queue, id ? { person_id: id, limit: 1 } : undefined)
  if (!id) return null
  return (
    <Button icon={X} faint onClick={() => change('')}>
      <span className="max-w-40 truncate">{found?.claims[0]?.person_name ?? 'One person'}</span>
      <span className="sr-only">only; show everybody’s</span>
    </Button>
  )
}

function OverdueOnly({ summary }: { summary: QueueCounts | undefined }) {
  const [overdue, change] = useFilter('overdue')
  const filtered = useIsFiltered('overdue')
  if (!overdue && !summary?.overdue) return null
  return (
    <Button
      aria-pressed={Boolean(overdue)}
      icon={<CircleAlert className="size-4 text-bad-ink" aria-hidden />}
      onClick={() => change(overdue ? '' : 'yes')}
      className="aria-pressed:border-bad/50! aria-pressed:bg-bad-wash!"
    >
      Overdue
      {!filtered && <span className="figures text-soft">{count(summary?.overdue ?? 0)}</span>}
    </Button>
  )
}

const orders = {
  oldest: 'Oldest first',
  newest: 'Newest first',
  '-amount': 'Largest amount first',
  amount: 'Smallest amount first',
}

function Sort() {
  const { sort: chosen, change } = useQueueOrder()
  return (
    <Menu
      label="Order"
      align="start"
      trigger={
        <Button icon={ArrowDownWideNarrow} faint>
          {orders[chosen]}
        </Button>
      }
    >
      <MenuChoice label="Order" value={chosen} options={orders} onChange={change} />
    </Menu>
  )
}
