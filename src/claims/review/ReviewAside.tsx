import { Circle, CircleCheck, Copy } from 'lucide-react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import { paths, pathTo } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { DateText } from '#ui/DateText.tsx'
import { counted, money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ClaimAmount, ClaimStatusBadge } from '#claims/ClaimBadges.tsx'
import type { ClaimStep, ReviewedClaim } from './review.contract.ts'
import { alikeText, otherClaimText } from './duplicates.ts'
import { PanelPart } from './PanelPart.tsx'

type Props = { claim: ReviewedClaim }

/** A duplicate of another person's claim shows only that there is one. */
export function Duplicates({ claim }: Props) {
  const { duplicates, currency } = claim
  if (duplicates.length === 0) return null
  return (
    <div className="rounded-card bg-bad-wash px-4 py-3 text-sm">
      <p className="flex items-center gap-2 font-medium text-bad-ink">
        <Copy className="size-4" aria-hidden />
        It may have been claimed before
      </p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {duplicates.map((one, at) => (
          <li
            key={`${one.kind} ${at}`}
            className="flex flex-wrap items-baseline justify-between gap-x-3"
          >
            <span>
              {`${alikeText(one, claim)} on `}
              {one.claim_id === null ? (
                otherClaimText(one, currency)
              ) : (
                <Link
                  to={pathTo(paths.claim, one.claim_id)}
                  className="font-medium underline underline-offset-2"
                >
                  {otherClaimText(one, currency)}
                </Link>
              )}
            </span>
            <span className="figures text-ui text-soft">{one.score}% sure</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The balance, the amount of this claim, and the rest. */
export function Available({ claim }: Props) {
  const { available_cents, amount_cents, currency, status } = claim
  return (
    <PanelPart title={`${claim.person_name}’s ${categoryNames[claim.category]} fund`}>
      <p className="text-sm">
        <span className="font-medium">
          <Money cents={available_cents} currency={currency} />
        </span>{' '}
        available
        {status === 'pending' && (
          <span className="text-soft">
            {', plus '}
            <Money cents={amount_cents} currency={currency} />
            {' on hold for this claim'}
          </span>
        )}
      </p>
    </PanelPart>
  )
}

export function Approvals({ claim }: Props) {
  const { approvals, approvals_needed, steps, currency, waits_for } = claim
  if (steps.length === 0 && approvals.length === 0) return null
  const to_come = steps.filter(({ nth }) => waits_for && nth >= waits_for.nth)
  return (
    <PanelPart
      title={`Approvals, ${approvals.length} of ${Math.max(approvals_needed, approvals.length)}`}
    >
      <ol className="flex flex-col gap-1.5 text-sm">
        {approvals.map(({ by_name, at, amount_cents }) => (
          <li key={at} className="flex flex-wrap items-center gap-x-2">
            <CircleCheck className="size-4 shrink-0 text-good" aria-hidden />
            <span className="min-w-0 flex-1 wrap-anywhere">
              {by_name}, <Money cents={amount_cents} currency={currency} />
            </span>
            <span className="text-ui text-faint">
              <DateText value={at} show="moment" />
            </span>
          </li>
        ))}
        {to_come.map((step) => (
          <li key={step.nth} className="flex items-start gap-x-2 text-soft">
            <Circle className="mt-0.5 size-4 shrink-0 text-faint" aria-hidden />
            <span className="min-w-0 flex-1 wrap-anywhere">{stepToCome(step, claim)}</span>
          </li>
        ))}
      </ol>
    </PanelPart>
  )
}

const anyOf: Record<ClaimStep['who'], string> = {
  reviewers: 'Any reviewer',
  owners: 'Any owner',
  people: 'Any reviewer',
  manager: 'The manager',
}

const stepToCome = (
  { who, names, most_cents, days, deputy_name }: ClaimStep,
  { currency, appeal_of }: ReviewedClaim,
) =>
  [
    names.length > 0 ? names.join(' or ') : anyOf[who],
    most_cents !== null && `at most ${money(most_cents, currency)}${appeal_of ? ' more' : ''}`,
    days !== null && `within ${counted(days, 'working day')}`,
    deputy_name !== null && `deputy ${deputy_name}`,
  ]
    .filter(Boolean)
    .join(', ')

const shown_claims = 5

export function Earlier({ claim }: Props) {
  const { person_id } = claim
  const queue = useRead(api.review.queue, {
    person_id,
    sort: 'newest',
    limit: shown_claims + 1,
  })
  const others = queue?.claims.filter(({ id }) => id !== claim.id).slice(0, shown_claims)
  return (
    <PanelPart title={`Other claims of ${claim.person_name}`}>
      {!others && <Skeleton className="h-24 w-full" />}
      {others?.length === 0 && <p className="text-sm text-soft">This is the only one.</p>}
      <ul className="divide-y divide-line">
        {others?.map((other) => (
          <li key={other.id}>
            <Link
              to={pathTo(paths.claim, other.id)}
              className="-mx-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md px-2 py-2 text-sm hover:bg-sunken"
            >
              <span className="min-w-0 flex-1 basis-32">
                <span className="block truncate font-medium">{other.type_name}</span>
                <span className="block truncate text-ui text-soft">
                  #{other.id} · <DateText value={other.service_on} /> · {other.provider}
                </span>
              </span>
              <ClaimStatusBadge claim={other} />
              <span className="w-24 text-right">
                <ClaimAmount claim={other} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {queue?.next && (
        <Link
          to={`${paths.claims}?status=all&sort=newest&person=${person_id}`}
          className="mt-2 inline-block rounded text-ui font-medium text-primary-ink underline underline-offset-2"
        >
          All claims of {claim.person_name}
        </Link>
      )}
    </PanelPart>
  )
}
