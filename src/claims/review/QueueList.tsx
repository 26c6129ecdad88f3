import { Inbox } from 'lucide-react'
import type { QueuedClaim } from './review.contract.ts'
import { Empty, MoreFailed, NoMatch } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { QueueCounts } from './QueueFilters.tsx'
import type { Decide } from './DecisionFields.tsx'
import { NarrowRow, WideRow } from './QueueRow.tsx'
import { RowsOfColumn, RowsOfPage } from './QueueRows.tsx'
import type { Reviewing } from './reviewing.ts'

type Props = {
  reviewing: Reviewing
  decide: Decide
  summary: QueueCounts | undefined
  narrow?: boolean
}

const wide_px = 65
const narrow_px = 62

export function QueueList({ reviewing, decide, summary, narrow }: Props) {
  const { rows, more, failed, see, total, filter, ids, current, target } = reviewing
  if (!rows) return <Loading narrow={narrow} />
  if (rows.length === 0) return <Nothing summary={summary} filter={filter} />
  const Row = narrow ? NarrowRow : WideRow
  const List = narrow ? RowsOfColumn : RowsOfPage
  return (
    <>
      <List
        rows={rows}
        more={more}
        failed={failed}
        see={see}
        total={total}
        row_px={narrow ? narrow_px : wide_px}
        target={target}
        draw={(claim: QueuedClaim) => (
          <Row
            claim={claim}
            to={reviewing.pathOf(claim.id)}
            current={claim.id === current}
            selected={ids.has(claim.id)}
            onSelect={reviewing.toggle}
            onReach={reviewing.reach}
            decide={decide}
          />
        )}
      />
      <p
        aria-live="polite"
        className={`figures text-ui text-soft ${narrow ? 'border-t border-line px-3 py-2' : 'px-5 py-3'}`}
      >
        {count(rows.length)} of {total == null ? 'many' : count(total)}
      </p>
      {failed && more && (
        <p className={narrow ? 'px-3 pb-2' : 'px-5 pb-3'}>
          <MoreFailed onPress={more} />
        </p>
      )}
    </>
  )
}

type NothingProps = { summary: QueueCounts | undefined; filter: Reviewing['filter'] }

function Nothing({ summary, filter }: NothingProps) {
  const bare = !filter.search && !filter.category && !filter.overdue && !filter.person_id
  if (summary?.total === 0) {
    return (
      <Empty icon={<Inbox aria-hidden />} title="No claims yet">
        Your people’s claims appear here, oldest first, for you to approve or reject.
      </Empty>
    )
  }
  return bare && filter.status === 'pending' ? (
    <Empty icon={<Inbox aria-hidden />} title="All done">
      Nothing is waiting for a decision. New claims appear here automatically.
    </Empty>
  ) : (
    <NoMatch title="No matching claims" filters={['search', 'category', 'overdue', 'person']} />
  )
}

const Loading = ({ narrow }: { narrow: boolean | undefined }) => (
  <div aria-busy="true" className="divide-y divide-line">
    {Array.from({ length: 8 }, (_, at) => (
      <div key={at} className={`flex items-center gap-4 px-5 ${narrow ? 'h-15.5' : 'h-16'}`}>
        {!narrow && <Skeleton className="size-8 rounded-full!" />}
        <Skeleton className="h-4 w-36" />
        <Skeleton className="ml-auto h-4 w-20" />
      </div>
    ))}
  </div>
)
