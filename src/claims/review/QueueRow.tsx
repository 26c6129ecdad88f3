import { clsx } from 'clsx'
import { Copy } from 'lucide-react'
import { memo } from 'react'
import { Link } from 'react-router'
import { Avatar } from '#ui/Avatar.tsx'
import { initialsOf } from '#ui/initials.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Checkbox } from '#ui/Checkbox.tsx'
import { DateText } from '#ui/DateText.tsx'
import { toast } from '#ui/toast.ts'
import { Age } from './Age.tsx'
import { CategoryLabel, ClaimAmount, ClaimStatusBadge } from '#claims/ClaimBadges.tsx'
import { assignedTo } from './assigned-to.ts'
import { shortRefusal } from './refused.ts'
import type { Decide } from './DecisionFields.tsx'
import { providerAndWhom, stageNames } from '#claims/labels.ts'
import { selectionRefusal } from './queue.ts'
import { isDoubtful, type QueuedClaim } from './review.contract.ts'

type RowProps = {
  claim: QueuedClaim
  to: string
  /** The keyboard is on this row. */
  current: boolean
  selected: boolean
  onSelect: (claim: QueuedClaim) => void
  onReach: (id: number) => void
  decide: Decide
}

/** A row keeps this id, so that the queue can scroll to it. */
export const rowId = (id: number) => `claim-${id}`

/** A claim of the queue over the whole width; on a phone a card. */
export const WideRow = memo(function WideRow(props: RowProps) {
  const { claim } = props
  return (
    <div className={clsx(rowStyles(props), wide)}>
      <Select {...props} />
      <div className="flex min-w-0 items-center gap-3 max-md:flex-1">
        <Avatar initials={initialsOf(claim.person_name)} className="max-xl:hidden" />
        <div className="min-w-0">
          <RowLink {...props}>{claim.person_name}</RowLink>
          <p className="truncate text-ui text-soft">
            <span className="figures text-faint">#{claim.id}</span> {claim.type_name}
          </p>
        </div>
      </div>
      <div className="text-right text-sm md:hidden">
        <ClaimAmount claim={claim} />
        <p className="text-ui text-soft">
          <DateText value={claim.reviewed_at ?? claim.submitted_at} />
        </p>
      </div>
      <div className="min-w-0 text-sm max-xl:hidden">
        <CategoryLabel category={claim.category} />
        <p dir="auto" className="truncate text-left text-ui text-faint">
          {providerAndWhom(claim)}
        </p>
      </div>
      <p className="flex min-w-0 basis-full pl-7.5 text-ui text-soft md:hidden">
        <CategoryLabel category={claim.category} />
        <span dir="auto" className="truncate">
          {`\u00a0· ${providerAndWhom(claim)}`}
        </span>
      </p>
      <div className="min-w-0 max-md:basis-full max-md:pl-7.5">
        <div className="flex flex-wrap items-center gap-1.5">
          <ClaimStatusBadge claim={claim} />
          <Suspicion claim={claim} />
          <span className="md:hidden">
            <Age claim={claim} />
          </span>
        </div>
        <Waits claim={claim} />
      </div>
      <div className="text-sm text-soft max-md:hidden">
        {claim.status === 'pending' ? (
          <Age claim={claim} />
        ) : (
          <DateText value={claim.reviewed_at ?? claim.submitted_at} />
        )}
      </div>
      <div className="text-right text-sm max-md:hidden">
        <ClaimAmount claim={claim} />
      </div>
      <ClaimActions {...props} />
    </div>
  )
})

/** A claim of the queue beside an open one: person, type, amount and age. */
export const NarrowRow = memo(function NarrowRow(props: RowProps) {
  const { claim } = props
  return (
    <div className={clsx(rowStyles(props), 'flex items-start gap-2.5 px-3 py-2.5')}>
      <Select {...props} />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-2 text-sm">
          <RowLink {...props}>{claim.person_name}</RowLink>
          <ClaimAmount claim={claim} />
        </div>
        <div className="mt-0.5 flex items-center justify-between gap-2 text-ui">
          <span className="flex min-w-0 items-center gap-1.5 text-soft">
            {claim.suspicion > 0 && (
              <Copy
                className={clsx(
                  'size-3.5 shrink-0',
                  isDoubtful(claim.suspicion) ? 'text-bad-ink' : 'text-accent-ink',
                )}
                aria-label="It may have been claimed before"
              />
            )}
            <span className="truncate">{claim.type_name}</span>
            {claim.is_appeal && <Badge tone="accent">Appeal</Badge>}
          </span>
          <span className="shrink-0 whitespace-nowrap">
            {claim.status === 'pending' ? (
              <Age claim={claim} />
            ) : (
              <ClaimStatusBadge claim={claim} />
            )}
          </span>
        </div>
      </div>
    </div>
  )
})

/** The step that the claim is at, and its assignees unless that is every reviewer. */
function Waits({ claim: { stage, assigned_to } }: { claim: QueuedClaim }) {
  const step = stage && stage !== 'first_review' ? stageNames[stage] : ''
  const who = assignedTo(assigned_to)
  const alone = assigned_to?.length === 0 ? 'Nobody available' : `With ${who}`
  const words = [step, who && (step ? who : alone)].filter(Boolean).join(', ')
  if (!words) return null
  return (
    <p title={words} className="mt-0.5 line-clamp-2 text-ui wrap-anywhere text-soft">
      {words}
    </p>
  )
}

const wide = clsx(
  'flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5',
  'md:grid md:min-h-16 md:grid-cols-[1.25rem_minmax(7rem,1.4fr)_minmax(6rem,1fr)_6.5rem_5.5rem_9.5rem]',
  'xl:grid-cols-[1.25rem_minmax(9rem,1.3fr)_minmax(7rem,1fr)_minmax(8.5rem,1fr)_7.5rem_6rem_9.5rem]',
)

const rowStyles = ({ current, selected }: RowProps) =>
  clsx(
    'relative transition-colors hover:bg-sunken/60',
    selected && 'bg-primary-wash/60',
    current && 'bg-primary-wash/60 shadow-[inset_3px_0_0] shadow-primary',
  )

function RowLink({ claim, to, onReach, children }: RowProps & { children: string }) {
  return (
    <Link
      id={rowId(claim.id)}
      to={to}
      onFocus={() => onReach(claim.id)}
      className={clsx(
        'block truncate text-sm font-medium after:absolute after:inset-0',
        'after:-outline-offset-2 after:outline-primary focus-visible:outline-none',
        'focus-visible:after:outline-2',
      )}
    >
      {children} <span className="sr-only">claim #{claim.id}</span>
    </Link>
  )
}

function Select({ claim, selected, onSelect }: RowProps) {
  if (claim.status !== 'pending') return <span className="size-4.5 shrink-0" />
  return (
    <Checkbox
      label={`Select claim #${claim.id}`}
      checked={selected}
      unless={selectionRefusal(claim)}
      onChange={() => onSelect(claim)}
      className="relative z-10 mt-0.5 shrink-0 self-center"
    />
  )
}

const Suspicion = ({ claim: { suspicion } }: { claim: QueuedClaim }) =>
  suspicion > 0 && (
    <Badge tone={isDoubtful(suspicion) ? 'bad' : 'accent'}>
      <Copy className="mr-1 size-3" aria-hidden />
      Possible duplicate
    </Badge>
  )

function ClaimActions({ claim, to, decide }: RowProps) {
  const { approve_whole: approve, reject } = claim.refusals
  return (
    <div className="relative z-10 flex flex-wrap justify-end gap-x-2 gap-y-1 max-md:basis-full max-md:pl-7.5">
      {claim.status === 'pending' ? (
        <>
          <Button
            size="small"
            variant="primary"
            unless={approve}
            loading={decide.isSending(claim.id)}
            aria-label={`Approve claim #${claim.id}`}
            onClick={() => decide.approve(claim)}
          >
            Approve
          </Button>
          <Button
            size="small"
            unless={reject}
            aria-label={`Reject claim #${claim.id}`}
            onClick={() => decide.ask('reject', claim)}
          >
            Reject
          </Button>
          {approve && approve !== 'information_awaited' && (
            // A note under the name for the eye; screen readers hear the whole sentence at the buttons.
            <p aria-hidden className="basis-full text-right text-xs text-soft max-md:text-left">
              {shortRefusal(approve)}
            </p>
          )}
        </>
      ) : (
        <ButtonLink
          size="small"
          to={to}
          onClick={() => toast('Opening claim details...', 'notice')}
        >
          View Details
        </ButtonLink>
      )}
    </div>
  )
}
