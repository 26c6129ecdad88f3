// The newest claims, on the dashboards of those who make them and of those who decide.
import { clsx } from 'clsx'
import { ReceiptText } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { categoryNames } from '#categories.ts'
import type { Claim } from '#claims/claims.contract.ts'
import { claimState, claimStates } from '#claims/words.contract.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { toast } from '#ui/toast.ts'

const most_shown = 5

/** The company's newest claims; a reader who can decide on one reviews it from here. */
export function RecentClaims() {
  const navigate = useNavigate()
  const found = useRead(api.review.queue, { sort: 'newest', limit: most_shown })
  return (
    <ClaimsCard
      claims={found?.claims}
      all={paths.claims}
      none="What your people claim appears here the moment they send it."
      line={(claim) => (
        <ClaimLine
          key={claim.id}
          claim={claim}
          title={claim.person_name}
          to={paths.claim.replace(':id', String(claim.id))}
          act={
            claim.refusals.approve === null && (
              <Button
                size="small"
                aria-label={`Review claim #${claim.id}`}
                onClick={() => {
                  toast('Opening claim details...', 'notice')
                  void navigate(paths.claim.replace(':id', String(claim.id)))
                }}
              >
                Review
              </Button>
            )
          }
        />
      )}
    />
  )
}

/** One's own newest claims. */
export function MyRecentClaims() {
  const found = useRead(api.claims.mine, { limit: most_shown })
  return (
    <ClaimsCard
      claims={found?.claims}
      all={paths.my_claims}
      none="Paid for your health? Send the receipt and get it back."
      line={(claim) => (
        <ClaimLine
          key={claim.id}
          claim={claim}
          title={claim.type_name}
          to={paths.my_claim.replace(':id', String(claim.id))}
        />
      )}
    />
  )
}

type CardProps<C> = {
  claims: C[] | undefined
  all: string
  none: string
  line: (claim: C) => React.ReactNode
}

function ClaimsCard<C extends Claim>({ claims, all, none, line }: CardProps<C>) {
  return (
    <Card
      flush
      title="Recent claims"
      actions={
        <ButtonLink to={all} size="small" variant="quiet">
          All claims
        </ButtonLink>
      }
    >
      {!claims && <Skeleton className="m-5 h-48" />}
      {claims?.length === 0 && (
        <Empty icon={<ReceiptText aria-hidden />} title="No claims yet">
          {none}
        </Empty>
      )}
      <ul className="divide-y divide-line text-sm">{claims?.map(line)}</ul>
    </Card>
  )
}

type ClaimLineProps = { claim: Claim; title: string; to: string; act?: React.ReactNode }

function ClaimLine({ claim, title, to, act }: ClaimLineProps) {
  const [name, tone] = claimStates[claimState(claim)]
  return (
    <li className="flex items-center gap-x-4 px-5 py-3">
      <span className="min-w-0 flex-1">
        <Link to={to} className="block font-medium wrap-anywhere hover:underline">
          {title}
        </Link>
        <span className="block text-ui text-soft">
          {`#${claim.id}, `}
          <span className="max-sm:hidden">{`${categoryNames[claim.category]}, `}</span>
          <DateText value={claim.submitted_at} />
        </span>
      </span>
      <span className="flex flex-col items-end gap-x-4 gap-y-1 sm:flex-row sm:items-center">
        <span className="font-medium">
          <Money cents={claim.approved_cents ?? claim.amount_cents} currency={claim.currency} />
        </span>
        {/* A phone has two lines: what can be reviewed is pending. */}
        <span className={clsx('flex justify-end sm:w-25', Boolean(act) && 'max-sm:hidden')}>
          <Status tone={tone}>{name}</Status>
        </span>
        {act !== undefined && <span className="flex justify-end sm:w-17">{act}</span>}
      </span>
    </li>
  )
}
