import { ArrowLeft, ChevronDown, ChevronUp, Keyboard } from 'lucide-react'
import { useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { IconButton } from '#ui/Button.tsx'
import type { QueueCounts } from './QueueFilters.tsx'
import type { Decide } from './DecisionFields.tsx'
import { QueueFilters } from './QueueFilters.tsx'
import { QueueList } from './QueueList.tsx'
import { ReviewPanel } from './ReviewPanel.tsx'
import type { Reviewing } from './reviewing.ts'

type Props = { id: number; reviewing: Reviewing; decide: Decide }

/** The queue at the left, the open claim at the right, each scrolling by itself. */
export const ReviewDesk = (props: Props & { summary: QueueCounts | undefined }) => (
  <div className="grid h-[calc(100dvh-3.5625rem)] grid-cols-[21.5rem_minmax(0,1fr)] print:block print:h-auto">
    <title>{`Claim #${props.id} · Healthfund`}</title>
    <div className="flex min-h-0 flex-col border-r border-line bg-surface print:hidden">
      <Steps {...props} />
      <QueueFilters narrow summary={props.summary} onKeys={() => props.reviewing.showKeys(true)} />
      <QueueList narrow {...props} />
    </div>
    <div className="min-h-0 bg-surface">
      <ReviewPanel id={props.id} decide={props.decide} />
    </div>
  </div>
)

/** The claim alone, where there is no room for the queue beside it. */
export const ReviewPage = (props: Props) => (
  <div className="flex h-[calc(100dvh-3.5625rem)] flex-col bg-surface print:block print:h-auto">
    <title>{`Claim #${props.id} · Healthfund`}</title>
    <Steps {...props} />
    <div className="min-h-0 flex-1">
      <ReviewPanel id={props.id} decide={props.decide} />
    </div>
  </div>
)

function Steps({ id, reviewing }: Props) {
  // The desk is as high as the window, so a kept scroll position would hide its head.
  useLayoutEffect(() => {
    scrollTo(0, 0)
  }, [])
  return (
    <div className="flex items-center gap-1 border-b border-line px-3 py-2 print:hidden">
      <Link
        to={reviewing.pathOf(undefined)}
        className="mr-auto inline-flex min-w-0 items-center gap-2 rounded-md px-1.5 py-1 text-sm text-soft hover:text-ink"
      >
        <ArrowLeft className="size-4" aria-hidden />
        <h1 className="truncate font-medium text-ink">
          Claims<span className="sr-only">, claim #{id}</span>
        </h1>
      </Link>
      <IconButton
        size="small"
        label="Previous claim"
        icon={ChevronUp}
        onClick={() => reviewing.step(-1)}
      />
      <IconButton
        size="small"
        label="Next claim"
        icon={ChevronDown}
        onClick={() => reviewing.step(1)}
      />
      <IconButton
        size="small"
        label="Review by keyboard"
        className="hidden! pointer-fine:inline-flex!"
        icon={Keyboard}
        onClick={() => reviewing.showKeys(true)}
      />
    </div>
  )
}
