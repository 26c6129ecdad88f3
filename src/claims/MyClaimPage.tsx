import { ArrowLeft, SearchX } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { CategoryLabel, ClaimStatusBadge } from './ClaimBadges.tsx'
import { ClaimFacts } from './ClaimFacts.tsx'
import { ClaimLines } from './ClaimLines.tsx'
import { ClaimReceipts } from '#claims/receipts/ClaimReceipts.tsx'
import type { ClaimDetail } from './claims.contract.ts'
import { ClockStops, stopsOf } from './ClockStops.tsx'
import { DecisionTrace } from '#claims/rules/DecisionTrace.tsx'
import { MyClaimActs } from './MyClaimActs.tsx'
import { MyClaimNow } from './MyClaimNow.tsx'
import { stageForEmployee } from './labels.ts'
import { Timeline } from './Timeline.tsx'

export function MyClaimPage() {
  const id = Number(useParams()['id'])
  return (
    <>
      <Back />
      <Page title={Number.isInteger(id) && id > 0 ? `Claim #${id}` : 'Claim'}>
        <Boundary key={id} missing={<NoClaim id={id} />}>
          <MyClaim id={Number.isInteger(id) && id > 0 ? id : 0} />
        </Boundary>
      </Page>
    </>
  )
}

const NoClaim = ({ id }: { id: number }) => (
  <Empty
    icon={<SearchX aria-hidden />}
    title={id > 0 ? `You have no claim #${id}` : 'You have no such claim'}
    action={<ButtonLink to={paths.my_claims}>See your claims</ButtonLink>}
  >
    The number may be mistyped, or the claim is somebody else’s.
  </Empty>
)

const Back = () => (
  <div className="mx-auto -mb-4 w-full max-w-6xl px-4 pt-5 sm:px-6 lg:-mb-6 lg:px-10">
    <Link
      to={paths.my_claims}
      className="-ml-1 inline-flex items-center gap-1.5 rounded px-1 text-ui text-soft hover:text-ink"
    >
      <ArrowLeft className="size-3.5" aria-hidden />
      My Claims
    </Link>
  </div>
)

export function MyClaim({ id }: { id: number }) {
  const claim = useRead(api.claims.find, { id })
  return claim ? <ShownClaim claim={claim} /> : <Loading />
}

const ShownClaim = ({ claim }: { claim: ClaimDetail }) => (
  <>
    <div className="-mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-soft lg:-mt-6">
      <ClaimStatusBadge claim={claim} stages={stageForEmployee} />
      <CategoryLabel category={claim.category} />
      <span className="min-w-0 wrap-anywhere">
        {claim.type_name}, <bdi>{claim.provider}</bdi>
      </span>
    </div>
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
      <MyClaimNow claim={claim} />
      <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-20 lg:row-span-2">
        <ClaimFacts claim={claim} />
        <MyClaimActs claim={claim} />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        {claim.lines.length > 0 && (
          <Card title="Lines">
            <ClaimLines lines={claim.lines} currency={claim.currency} />
          </Card>
        )}
        <Card title="What happened">
          <Timeline {...claim} is_own />
        </Card>
        {(claim.status === 'pending' || stopsOf(claim.events).length > 0) && (
          <Card {...deadline[claim.status === 'pending' ? 'open' : 'over']}>
            <ul className="flex flex-col gap-1.5 text-sm">
              <ClockStops claim={claim} />
            </ul>
          </Card>
        )}
        <Card title="Receipts">
          <ClaimReceipts receipts={claim.receipts_list} />
        </Card>
        {claim.trace.length > 0 && (
          <Card
            title={claim.status === 'pending' ? 'Checks so far' : 'Checks'}
            description="Every check and its result"
          >
            <DecisionTrace {...claim} />
          </Card>
        )}
      </div>
    </div>
  </>
)

const deadline = {
  open: {
    title: 'When HR decides',
    description:
      'If the review runs late, the claim stays open. A delay never approves or rejects it.',
  },
  over: { title: 'When the deadline was paused' },
}

const Loading = () => (
  <div aria-busy="true" className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
    <div className="flex flex-col gap-6">
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
    <Skeleton className="h-80 w-full" />
  </div>
)
