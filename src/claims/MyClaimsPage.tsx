import { CircleCheck, Files, Hourglass, Plus, Wallet } from 'lucide-react'
import { useState } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { api } from '#api/api.ts'
import { paths, pathTo } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { UnfinishedClaim } from '#shared/unfinished-claim.tsx'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { count, money } from '#ui/figures.ts'
import { Page } from '#ui/Page.tsx'
import type { ClaimCounts } from './claims.contract.ts'
import { Figures, notApprovedText } from './Figures.tsx'
import { MyClaimsList } from './MyClaimsList.tsx'
import { NewClaim } from '#claims/form/NewClaim.tsx'
import { PayoutAccount } from './PayoutAccount.tsx'
import { SubmitPrompt } from '#claims/form/SubmitPrompt.tsx'
import type { z } from 'zod'

export function MyClaimsPage() {
  const summary = useRead(api.claims.my_summary, {})
  const [search, setSearch] = useSearchParams()
  const [dropped, setDropped] = useState<File[]>([])
  const from = Number(search.get('from'))
  // Notices and mails from before a claim had its own page still open it here.
  const linked_id = Number(search.get('claim'))
  const change = (open: boolean) => {
    const next = new URLSearchParams(search)
    next.delete('from')
    if (open) next.set('new', '')
    else next.delete('new')
    setSearch(next, { replace: !open })
  }
  if (Number.isInteger(linked_id) && linked_id > 0) {
    return <Navigate replace to={pathTo(paths.my_claim, linked_id)} />
  }
  return (
    <Page
      title="My Claims"
      actions={
        <ButtonLink variant="primary" to="?new" icon={Plus}>
          Submit New Claim
        </ButtonLink>
      }
    >
      <Summary summary={summary} />
      <Overpaid />
      {!search.has('new') && <UnfinishedClaim />}
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <SubmitPrompt
          listens={!search.has('new')}
          onFiles={(files) => {
            setDropped(files)
            change(true)
          }}
        />
        <Boundary>
          <PayoutAccount />
        </Boundary>
      </div>
      <Card flush>
        <MyClaimsList
          total={summary?.total}
          submit={
            <ButtonLink variant="primary" to="?new">
              Submit your first claim
            </ButtonLink>
          }
        />
      </Card>
      <NewClaim
        open={search.has('new')}
        from={Number.isInteger(from) && from > 0 ? from : undefined}
        dropped={dropped}
        onClose={() => {
          setDropped([])
          change(false)
        }}
      />
    </Page>
  )
}

/** Shown only if a claim was reversed after its payment was released. */
function Overpaid() {
  const overpayment = useRead(lazy_api.payouts.my_overpayment, {}, { quiet: true })
  if (!overpayment?.cents) return null
  return (
    <Callout
      tone="accent"
      title={`Overpayment of ${money(overpayment.cents, overpayment.currency)}`}
    >
      A claim was reversed after its payment was released. The amount is withheld from your next
      payouts, or HR settles it with you.
    </Callout>
  )
}

function Summary({ summary }: { summary: z.infer<typeof ClaimCounts> | undefined }) {
  const sum = (cents: number | undefined) =>
    summary && cents !== undefined ? money(cents, summary.currency) : undefined
  const figure = (value: number | undefined) => (value === undefined ? undefined : count(value))
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
          label: 'Pending',
          value: figure(summary?.pending),
          note: `${sum(summary?.pending_cents) ?? ''} waiting`,
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
          note: 'claimed, whatever became of it',
          icon: <Wallet aria-hidden />,
        },
      ]}
    />
  )
}
