import { clsx } from 'clsx'
import { ImageOff, SearchX } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { useMay } from '#permissions/use-may.ts'
import { paths, pathTo } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { initialsOf } from '#ui/initials.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { today } from '#ui/calendar-days.ts'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { whenOnline } from '#ui/load-again.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Age } from './Age.tsx'
import { CategoryLabel, ClaimAmount, ClaimStatusBadge } from '#claims/ClaimBadges.tsx'
import { ClaimLines } from '#claims/ClaimLines.tsx'
import { DecisionTrace } from '#claims/rules/DecisionTrace.tsx'
import type { Decide } from './DecisionFields.tsx'
import { eventNames, stageNames } from '#claims/labels.ts'
import { ReceiptComparison } from './ReceiptComparison.tsx'
import { ReceiptViewer } from '#claims/receipts/ReceiptViewer.tsx'
import { loweredSentence } from './ceiling.ts'
import { Approvals, Earlier, Available, Duplicates } from './ReviewAside.tsx'
import { ReviewClock } from './ReviewClock.tsx'
import { RestrictedReceipts } from './RestrictedReceipts.tsx'
import { ReviewActs } from './ReviewActs.tsx'
import type { ReviewedClaim } from './review.contract.ts'
import type { ClaimEvent } from '#claims/claims.contract.ts'
import { reasonNames } from '#claims/words.contract.ts'
import { PanelPart } from './PanelPart.tsx'
import { Timeline } from '#claims/Timeline.tsx'

const ClaimBlocks = lazy(async () => ({
  default: (await whenOnline(() => import('#payouts/ClaimBlocks.tsx'))).ClaimBlocks,
}))

type Props = { id: number; decide: Decide }

/** One claim before its reviewer: the receipt beside what was read from it, and all that matters. */
export const ReviewPanel = ({ id, decide }: Props) => (
  <Boundary key={id} missing={<NoClaim id={id} />}>
    <Read key={id} id={id} decide={decide} />
  </Boundary>
)

const NoClaim = ({ id }: { id: number }) => (
  <Empty
    icon={<SearchX aria-hidden />}
    title={id > 0 ? `Your company has no claim #${id}` : 'Your company has no such claim'}
    action={<ButtonLink to={paths.claims}>See all claims</ButtonLink>}
  >
    The number may be mistyped.
  </Empty>
)

function Read({ id, decide }: Props) {
  const claim = useRead(api.review.find, { id })
  return claim ? <Opened claim={claim} decide={decide} /> : <Loading />
}

function Opened({ claim, decide }: { claim: ReviewedClaim; decide: Decide }) {
  const [at, setAt] = useState(0)
  const has_receipt = claim.receipts_list.length > 0
  return (
    <article
      aria-label={`Claim #${claim.id}`}
      className="flex h-full min-h-0 flex-col print:block print:h-auto"
    >
      <div className="relative min-h-0 flex-1 overflow-y-auto print:overflow-visible">
        <Head claim={claim} />
        <Appealed claim={claim} />
        <Meanwhile claim={claim} decide={decide} />
        <Blocked claim={claim} />
        <Reversed claim={claim} />
        <div
          className={clsx(
            'grid items-start gap-x-6 gap-y-6 px-5 pb-6',
            has_receipt && 'lg:grid-cols-2 xl:grid-cols-[minmax(0,1.05fr)_minmax(0,1fr)]',
          )}
        >
          {has_receipt ? (
            <ReceiptViewer
              receipts={claim.receipts_list}
              at={at}
              onAt={setAt}
              className="h-[60dvh] lg:sticky lg:top-4 lg:h-[calc(100dvh-17rem)] lg:min-h-96"
            />
          ) : claim.restricted_receipts > 0 ? (
            <RestrictedReceipts claim={claim} />
          ) : (
            <p className={noReceiptStyles}>
              <ImageOff className="size-4 shrink-0" aria-hidden />
              No receipt attached
            </p>
          )}
          <div className="flex min-w-0 flex-col gap-6">
            {has_receipt && claim.restricted_receipts > 0 && <RestrictedReceipts claim={claim} />}
            <ReceiptComparison claim={claim} receipt={claim.receipts_list[at]} />
            <Duplicates claim={claim} />
            <ClaimText claim={claim} />
            <Available claim={claim} />
            <PanelPart title="Policy checks">
              {claim.trace.length > 0 ? (
                <DecisionTrace {...claim} person={claim.person_name} />
              ) : (
                <p className="text-sm text-soft">No rule was evaluated.</p>
              )}
            </PanelPart>
            <Approvals claim={claim} />
            <ReviewClock claim={claim} />
            <PanelPart title="What happened">
              <Timeline {...claim} />
            </PanelPart>
            <Earlier claim={claim} />
          </div>
        </div>
      </div>
      <ReviewActs claim={claim} receipt={claim.receipts_list[at]} decide={decide} />
    </article>
  )
}

/** The lines of the claim and the employee's note. */
const ClaimText = ({ claim: { lines, note, currency } }: { claim: ReviewedClaim }) => (
  <>
    {lines.length > 0 && (
      <PanelPart title="Lines">
        <ClaimLines lines={lines} currency={currency} />
      </PanelPart>
    )}
    {note && (
      <PanelPart title="Note">
        <p className="text-sm wrap-anywhere whitespace-pre-line">{note}</p>
      </PanelPart>
    )}
  </>
)

const noReceiptStyles =
  'flex items-center gap-2.5 rounded-card bg-sunken px-4 py-3 text-sm text-soft'

const Head = ({ claim }: { claim: ReviewedClaim }) => (
  <header className="flex flex-col gap-3 p-5">
    <div className="flex items-start gap-3">
      <Avatar large initials={initialsOf(claim.person_name)} />
      <div className="min-w-0 flex-1">
        <h2 className="text-lg font-semibold tracking-tight wrap-anywhere">{claim.person_name}</h2>
        <p className="text-ui wrap-anywhere text-soft">
          {[
            `Claim #${claim.id}`,
            claim.department,
            claim.for_whom && `for ${claim.for_whom}`,
            claim.suspended && 'suspended',
            claim.left_on && leavingText(claim.left_on),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <div className="text-right">
        <p className="text-xl tracking-tight sm:text-2xl">
          <ClaimAmount claim={claim} strong />
        </p>
        <p className="mt-0.5 text-ui text-soft">{claim.type_name}</p>
      </div>
    </div>
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-ui sm:pl-14">
      <ClaimStatusBadge claim={claim} stages={stageNames} />
      <CategoryLabel category={claim.category} />
      <Age claim={claim} />
      {claim.status === 'pending' && (
        <span className="font-medium empty:hidden">{loweredSentence(claim)}</span>
      )}
      <OtherHalf label="Appeal of" id={claim.appeal_of} />
      <OtherHalf label="The rest is" id={claim.appealed_as} />
    </div>
  </header>
)

const leavingText = (left_on: string) =>
  `${left_on < today() ? 'left' : 'leaves'} on ${dateText(left_on)}`

/** A link to the claim that the rest was appealed as, or the other way round. */
const OtherHalf = ({ label, id }: { label: string; id: number | null }) =>
  id !== null && (
    <span className="text-soft">
      {label}{' '}
      <Link
        to={pathTo(paths.claim, id)}
        className="rounded font-medium text-primary-ink underline underline-offset-2"
      >
        claim #{id}
      </Link>
    </span>
  )

/** The employee's appeal and the reason of the first decision, to be read before another. */
function Appealed({ claim: { events, is_appeal, status, person_name } }: { claim: ReviewedClaim }) {
  const lastOf = (name: ClaimEvent['event']) =>
    events.findLast(({ event, undone_at }) => event === name && undone_at === null)
  const appeal = lastOf('appealed')
  if (!is_appeal || status !== 'pending' || !appeal) return null
  const rejection = lastOf('rejected')
  return (
    <div className="px-5 pb-5">
      <Callout tone="accent" title={`${person_name} appeals`}>
        <p className="whitespace-pre-line">{appeal.text}</p>
        {rejection && (
          <p className="mt-1.5 whitespace-pre-line text-soft">
            {`Rejected${rejection.by_name ? ` by ${rejection.by_name}` : ''}: `}
            {[rejection.reason && reasonNames[rejection.reason], rejection.text]
              .filter(Boolean)
              .join(': ')}
          </p>
        )}
      </Callout>
    </div>
  )
}

/** A notice that somebody else acted on the claim while it was open here. */
function Meanwhile({ claim, decide }: { claim: ReviewedClaim; decide: Decide }) {
  const [shown_version] = useState(claim.version)
  const last = claim.events.findLast(({ undone_at }) => undone_at === null)
  if (claim.version === shown_version || !last || decide.decidedHere(claim.id)) return null
  const who = last.by_name ? ` by ${last.by_name}` : ''
  return (
    <output className="block px-5 pb-5">
      <Callout title={`${eventNames[last.event]}${who} just now`}>
        What you see is already up to date.
      </Callout>
    </output>
  )
}

/** The blocks on a claim that is not paid yet, for those who may read payment blocks. */
function Blocked({ claim: { id, person_id, status, payment } }: { claim: ReviewedClaim }) {
  const may = useMay()
  const comes = status === 'pending' || (status === 'approved' && payment !== 'paid')
  if (!comes || payment === 'reversed' || !may('payment_blocks.list')) return null
  return (
    <div className="flex flex-col gap-2 px-5 not-empty:pb-5">
      <Suspense>
        <ClaimBlocks person_id={person_id} claim_id={id} />
      </Suspense>
    </div>
  )
}

const Reversed = ({ claim: { payment, paid_on } }: { claim: ReviewedClaim }) =>
  payment === 'reversed' && (
    <div className="px-5 pb-5">
      {paid_on ? (
        <Callout tone="accent" title="Reversed after its payment was released">
          Pay day <DateText value={paid_on} />. What is still overpaid is withheld from their next
          payouts.
        </Callout>
      ) : (
        <Callout title="Reversed before it was paid">Nothing is withheld.</Callout>
      )}
    </div>
  )

const Loading = () => (
  <div aria-busy="true" className="flex flex-col gap-6 p-5">
    <div className="flex items-center gap-3">
      <Skeleton className="size-11 rounded-full!" />
      <Skeleton className="h-6 w-48" />
    </div>
    <div className="grid gap-6 lg:grid-cols-2">
      <Skeleton className="h-[55dvh] w-full rounded-card!" />
      <div className="flex flex-col gap-4">
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-32 w-full" />
      </div>
    </div>
  </div>
)
