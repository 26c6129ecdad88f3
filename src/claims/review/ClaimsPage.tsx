import { CircleCheck, Files, Hourglass, Wallet } from 'lucide-react'
import { useParams } from 'react-router'
import { api } from '#api/api.ts'
import { useClaimsTabs } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { count, money } from '#ui/figures.ts'
import { LinkTabs } from '#ui/LinkTabs.tsx'
import { useMedia } from '#ui/media.ts'
import { Page } from '#ui/Page.tsx'
import { SavedViews } from '#views/SavedViews.tsx'
import { AwayNotice } from './AwayNotice.tsx'
import { BulkBar } from './BulkBar.tsx'
import { Figures, notApprovedText } from '#claims/Figures.tsx'
import { QueueFilters, type QueueCounts } from './QueueFilters.tsx'
import { QueueList } from './QueueList.tsx'
import { useReviewing, useReviewKeys } from './reviewing.ts'
import { ReviewDesk, ReviewPage } from './ReviewDesk.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'
import { useDeciding } from './deciding.tsx'

/** The queue, and beside it the open claim; without room for both, the claim alone. */
export function ClaimsPage() {
  const id = Number(useParams()['id'])
  const open = Number.isInteger(id) && id > 0 ? id : undefined
  const has_room = useMedia('(min-width: 80rem)')
  const tabs = useClaimsTabs()
  const summary = useRead(api.review.summary, {})
  const reviewing = useReviewing(open)
  const { decide, dialogs } = useDeciding(reviewing.after)
  useReviewKeys(reviewing, open, decide)
  return (
    <>
      {open === undefined ? (
        <Page title="Claims">
          <LinkTabs label="Claims" tabs={tabs} />
          <AwayNotice />
          <Summary summary={summary} />
          <Card flush className="overflow-hidden">
            <QueueFilters summary={summary} onKeys={() => reviewing.showKeys(true)} />
            <SavedViews page="claims" />
            <QueueList reviewing={reviewing} decide={decide} summary={summary} />
          </Card>
        </Page>
      ) : has_room ? (
        <ReviewDesk id={open} reviewing={reviewing} decide={decide} summary={summary} />
      ) : (
        <ReviewPage id={open} reviewing={reviewing} decide={decide} />
      )}
      <BulkBar chosen={reviewing.chosen} onClear={reviewing.clear} />
      {dialogs}
      <ShortcutsDialog open={reviewing.keys_shown} onClose={() => reviewing.showKeys(false)} />
    </>
  )
}

function Summary({ summary }: { summary: QueueCounts | undefined }) {
  const figure = (value: number | undefined) => (value === undefined ? undefined : count(value))
  const sum = (cents: number | undefined) =>
    summary && cents !== undefined ? money(cents, summary.currency) : undefined
  return (
    <Figures
      figures={[
        {
          label: 'Total claims',
          value: figure(summary?.total),
          note: notApprovedText(summary),
          icon: <Files aria-hidden />,
        },
        {
          label: 'Pending review',
          value: figure(summary?.pending),
          note: summary?.overdue ? (
            <span className="font-medium text-bad-ink">{`${count(summary.overdue)} overdue`}</span>
          ) : (
            'none overdue'
          ),
          icon: <Hourglass aria-hidden />,
        },
        {
          label: 'Approved',
          value: figure(summary?.approved),
          note: `${sum(summary?.approved_cents) ?? ''} in total`,
          icon: <CircleCheck aria-hidden />,
        },
        {
          label: 'Total amount',
          value: sum(summary?.claimed_cents),
          note: `claimed; ${sum(summary?.pending_cents) ?? ''} pending`,
          icon: <Wallet aria-hidden />,
        },
      ]}
    />
  )
}
