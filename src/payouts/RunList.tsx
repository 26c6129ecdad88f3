import { Banknote } from 'lucide-react'
import { useMemo } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { Card } from '#ui/Card.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { count, money } from '#ui/figures.ts'
import { LongTable } from '#ui/LongTable.tsx'
import { Money } from '#ui/Money.tsx'
import type { TableProps } from '#ui/Table.tsx'
import { useUrlState } from '#ui/url-state.ts'
import type { ListedPayRun } from './payouts.contract.ts'
import { RunSheet } from './RunSheet.tsx'
import { RunStatusBadge } from './RunStatusBadge.tsx'

type RunRow = { id: string; run: ListedPayRun }

export function RunList() {
  const [open, setOpen] = useUrlState('payout')
  const { pages, more, failed } = useCursorList(lazy_api.payouts.runs, {})
  const rows = useMemo(
    () => pages?.flatMap(({ runs }) => runs).map((run): RunRow => ({ run, id: String(run.id) })),
    [pages],
  )
  return (
    <Card title="Payouts" flush>
      <LongTable
        label="Payouts"
        rows={rows}
        more={more}
        failed={failed}
        total={null}
        skeletons={3}
        onPress={({ id }) => setOpen(id)}
        empty={
          <Empty icon={<Banknote aria-hidden />} title="No payouts yet">
            The first one is made above, once a claim is approved.
          </Empty>
        }
        columns={run_columns}
      />
      <RunSheet id={open ? Number(open) : undefined} onClose={() => setOpen('')} />
    </Card>
  )
}

const run_columns: TableProps<RunRow>['columns'] = {
  Payout: {
    width: 'sm:w-[26%]',
    cell: ({ run }: RunRow) => (
      <span className="min-w-0">
        <span className="block">Payout {run.id}</span>
        <span className="line-clamp-1 text-ui font-normal text-soft max-sm:hidden">
          made by {run.made_by ?? 'an admin'}
        </span>
        <span className="block text-ui font-normal text-soft sm:hidden">
          pay on <DateText value={run.pay_on} />
        </span>
      </span>
    ),
  },
  Status: {
    phone: 'below_end',
    width: 'sm:w-44',
    cell: ({ run }: RunRow) => <RunStatusBadge status={run.status} />,
  },
  'Approved up to': {
    wide_only: true,
    roomy: true,
    cell: ({ run }: RunRow) => <DateText value={run.cut_off_on} />,
  },
  'Pay on': { cell: ({ run }: RunRow) => <DateText value={run.pay_on} /> },
  People: { end: true, width: 'sm:w-24', cell: ({ run }: RunRow) => count(run.people) },
  Amount: {
    end: true,
    phone: 'end',
    width: 'sm:w-36',
    cell: ({ run }: RunRow) => (
      <span>
        <span className="block font-medium">
          <Money cents={run.paid_cents} currency={run.currency} />
        </span>
        {run.returned_cents > 0 && (
          <span className="block text-ui text-bad-ink">
            {`${money(run.returned_cents, run.currency)} returned`}
          </span>
        )}
      </span>
    ),
  },
}
