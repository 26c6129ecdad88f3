import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { NewErasure, type ErasureBlocker, type OwnErasure } from '#privacy/privacy.contract.ts'
import { problems, type ProblemCode } from '#problems.ts'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { count, money } from '#ui/figures.ts'
import { CancelButton, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextAreaField } from '#ui/TextField.tsx'

export function ErasureCard() {
  const found = useRead(lazy_api.privacy.erasure, {})
  const [confirming, setConfirming] = useState(false)
  const withdraw = useWrite(lazy_api.privacy.withdraw_erasure, 'Request withdrawn')
  const status = found?.erasure?.status
  const open = status === 'requested' || status === 'with_provider'
  const who_decides = deciders[useActor().role]
  return (
    <Card
      title="Erasure"
      description={`Your account and everything that names you is removed. ${who_decides}`}
      actions={
        open ? (
          <Button size="small" loading={withdraw.pending} onClick={() => withdraw({})}>
            Withdraw
          </Button>
        ) : (
          <Button
            size="small"
            disabled={!found}
            unless={found?.refusals.request}
            onClick={() => setConfirming(true)}
          >
            Request erasure
          </Button>
        )
      }
    >
      <div aria-busy={!found} className="flex flex-col gap-3 text-sm">
        {!found && <Skeleton className="h-10 w-full" />}
        {found && <ErasureState erasure={found.erasure} />}
        {found && open && <Blockers blockers={found.blockers} />}
      </div>
      {found && (
        <RequestErasure
          open={confirming}
          refusal={found.refusals.request}
          blockers={found.blockers}
          onClose={() => setConfirming(false)}
        />
      )}
    </Card>
  )
}

function ErasureState({ erasure }: { erasure: OwnErasure | null }) {
  if (!erasure || erasure.status === 'withdrawn') {
    return <p className="text-soft">No request yet. Export your data first.</p>
  }
  const requested_on = <DateText value={erasure.requested_at} />
  if (erasure.status === 'refused') {
    return (
      <Callout tone="accent" title={`${whose[erasure.refused_side ?? 'hr']} refused your request`}>
        {erasure.refusal} (requested on {requested_on})
      </Callout>
    )
  }
  return (
    <Callout title={erasure.status === 'requested' ? 'Waits for HR' : 'Waits for the provider'}>
      Requested on {requested_on}. You are notified of the decision, and can withdraw the request
      until then.
    </Callout>
  )
}

const whose = { hr: 'HR', provider: 'The provider' }

/** Blockers reworded for the person whose data it is; their first words are for the decider. */
const yours: Partial<Record<ErasureBlocker['code'], string>> = {
  erasure_open_claims: 'You have open claims. Withdraw them, or wait for the decision',
  erasure_unpaid_claims: 'You have approved claims that have not been paid out yet',
  erasure_overpaid: 'You were paid too much, and it has not been settled yet',
}

/** The things to settle first, each with how much of it there is. */
function Blockers({ blockers }: { blockers: ErasureBlocker[] }) {
  if (blockers.length === 0) return null
  return (
    <Callout tone="accent" title="To be settled before it can be granted">
      <ul className="mt-1 list-disc pl-4">
        {blockers.map(({ code, items, cents, currency }) => (
          <li key={code}>
            {yours[code] ?? problems[code][1]}
            {cents !== null && currency && ` (${count(items)}, ${money(cents, currency)})`}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

const goes = [
  'your name, email, phone and department, and your account with all its sessions',
  'your family members’ names, your bookings, notifications and settings',
  'your receipts with their files, and what is written on your claims',
]
const stays = [
  'amounts in the ledger, as books must be kept for ten years, under “Former member”',
  'of each claim its number, category, type, month and amounts',
  'that somebody requested erasure and who granted it',
]

type RequestErasureProps = {
  open: boolean
  refusal: ProblemCode | null
  blockers: ErasureBlocker[]
  onClose: () => void
}

function RequestErasure({ open, refusal, blockers, onClose }: RequestErasureProps) {
  const ask = useWrite(lazy_api.privacy.request_erasure, 'Erasure requested')
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title="Request erasure?"
      moot={refusal && !ask.pending ? `${problems[refusal][1]}.` : undefined}
      description="It can’t be undone once it is carried out. Health money you have not spent is lost."
    >
      <div className="mb-5 grid gap-5 text-sm sm:grid-cols-2">
        <What title="What goes" lines={goes} />
        <What title="What the law makes us keep" lines={stays} />
      </div>
      <div className="mb-5 empty:hidden">
        <Blockers blockers={blockers} />
      </div>
      <ProvenForm
        name="erasure"
        shape={NewErasure}
        onSubmit={async ({ reason }) => {
          await ask.submit(reason ? { reason } : {})
          onClose()
        }}
      >
        <TextAreaField
          name="reason"
          label="Reason"
          rows={2}
          hint="Optional. HR and the provider read it; it is erased with you."
        />
        <OwnPassword />
        <div className="flex flex-wrap justify-end gap-2">
          <CancelButton onClick={onClose} />
          <SubmitButton waiting="Requesting...">Request erasure</SubmitButton>
        </div>
      </ProvenForm>
    </Dialog>
  )
}

function What({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <ul className="mt-1.5 flex list-disc flex-col gap-1 pl-4 text-soft">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

const deciders = {
  super_admin: 'Another member of the provider’s staff decides.',
  company_admin: 'Another admin of your company decides first, if there is one, then the provider.',
  employee: 'HR decides first, then the provider.',
}
