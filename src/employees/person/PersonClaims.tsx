import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import { api } from '#api/api.ts'
import { sentOrPaid } from '#claims/sent-words.contract.ts'
import { claimState, claimStates } from '#claims/words.contract.ts'
import { paths, pathTo } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { today } from '#ui/calendar-days.ts'
import { DateText } from '#ui/DateText.tsx'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

const most_shown = 5

/** The latest claims of a person, which HR is asked about most. */
export function PersonClaims({ person_id }: { person_id: string }) {
  const found = useRead(api.review.queue, { person_id, sort: 'newest', limit: most_shown })
  const all = `?status=all&person=${person_id}`
  return (
    <section aria-label="Claims" className="border-t border-line pt-5">
      <div className="flex items-center justify-between gap-4">
        <h3 className="text-sm font-semibold">Claims</h3>
        {Boolean(found?.claims.length) && (
          <Link
            to={paths.claims + all}
            className="inline-flex items-center gap-1 rounded text-ui font-medium text-primary-ink hover:underline"
          >
            All claims
            <ArrowRight className="size-3.5" aria-hidden />
          </Link>
        )}
      </div>
      {!found && <Skeleton className="mt-3 h-6 w-40" />}
      {found?.claims.length === 0 && <p className="mt-1 text-sm text-soft">None submitted.</p>}
      <ul className="divide-y divide-line">
        {found?.claims.map((claim) => (
          <li key={claim.id} className="flex items-baseline gap-3 py-2.5 text-sm">
            <Link
              to={pathTo(paths.claim, claim.id) + all}
              className="rounded font-medium hover:underline"
            >
              #{claim.id}
            </Link>
            <span className="min-w-0 flex-1 truncate text-soft">
              {stateOf(claim)}
              {' · '}
              <DateText value={claim.submitted_at} />
            </span>
            <Money cents={claim.approved_cents ?? claim.amount_cents} currency={claim.currency} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type PersonClaim = Parameters<typeof claimState>[0] & { paid_on: string | null }

const stateOf = (claim: PersonClaim) =>
  claim.payment === 'paid' ? sentOrPaid(claim.paid_on, today()) : claimStates[claimState(claim)][0]
