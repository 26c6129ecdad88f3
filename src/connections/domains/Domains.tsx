import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { useRead, useWrite } from '#ui/ask.ts'
import { Status } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { showFailure } from '#ui/failure.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { connections_api } from '../api.ts'
import { useConnectRefusal } from '../connecting.ts'
import { AddDomain } from './AddDomain.tsx'
import type { OwnDomain } from './domains.contract.ts'
import { ProveDomain } from './ProveDomain.tsx'

/** The domains of the company's addresses, and which of them are proven. */
export function Domains() {
  const domains = useRead(connections_api.domains.list, {})
  const refusal = useConnectRefusal()
  const [adding, setAdding] = useState(false)
  const [proving, setProving] = useState<string>()
  const [removing, setRemoving] = useState<string>()
  const remove = useWrite(connections_api.domains.remove, `${removing ?? 'The domain'} removed`)
  const request = useWrite(connections_api.domains.request)
  const prove = ({ domain, is_requested }: OwnDomain) => {
    if (is_requested) setProving(domain)
    // The first domain needs no adding, only proving.
    else void request.submit({ domain }).then(() => setProving(domain), showFailure)
  }
  const add = (
    <Button size="small" icon={Plus} unless={refusal} onClick={() => setAdding(true)}>
      Add a domain
    </Button>
  )
  const open = domains?.find(({ domain }) => domain === proving)
  return (
    <Card
      title="Domains"
      description="Your company vouches for the addresses at its verified domains."
      flush
      actions={domains && domains.length > 0 && add}
    >
      {!domains && (
        <div className="p-5">
          <Skeleton className="h-16 w-full" />
        </div>
      )}
      {domains?.length === 0 && (
        <Empty title="No domains yet" icon={<Globe aria-hidden />} action={add}>
          The domain of your people’s email addresses, verified by a DNS record or by email.
        </Empty>
      )}
      {domains && domains.length > 0 && (
        <ul className="divide-y divide-line">
          {domains.map((one) => (
            <DomainLine
              key={one.domain}
              one={one}
              proving={request.sent?.domain === one.domain}
              onProve={() => prove(one)}
              onRemove={() => setRemoving(one.domain)}
            />
          ))}
        </ul>
      )}
      {adding && <AddDomain onClose={() => setAdding(false)} onAdded={setProving} />}
      {open && <ProveDomain own={open} onClose={() => setProving(undefined)} />}
      <ConfirmDialog
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Remove ${removing ?? 'this domain'}?`}
        description="People who sign up with an address there no longer join your company. Those already here stay."
        does="Remove"
        act={async () => removing && remove.submit({ domain: removing })}
      />
    </Card>
  )
}

type DomainLineProps = {
  one: OwnDomain
  proving: boolean
  onProve: () => void
  onRemove: () => void
}

function DomainLine({ one, proving, onProve, onRemove }: DomainLineProps) {
  const { domain, is_first, proven_at } = one
  const refusal = useConnectRefusal()
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium wrap-anywhere">
          {domain}
          <Status tone={proven_at ? 'good' : 'accent'}>
            {proven_at ? 'Verified' : 'Not verified yet'}
          </Status>
        </p>
        <p className="mt-1 text-ui text-pretty text-soft">
          {is_first && (proven_at ? 'Your first domain · verified ' : 'Your first domain')}
          {!is_first && proven_at && 'Verified '}
          {proven_at && <DateText value={proven_at} />}
          {!proven_at && !is_first && 'Verify it by a DNS record or by email'}
        </p>
      </div>
      <div className="flex gap-2">
        {!proven_at && (
          <Button
            size="small"
            aria-label={`Verify ${domain}`}
            unless={refusal}
            loading={proving}
            onClick={onProve}
          >
            Verify
          </Button>
        )}
        {!is_first && (
          <Button size="small" aria-label={`Remove ${domain}`} onClick={onRemove}>
            Remove
          </Button>
        )}
      </div>
    </li>
  )
}
