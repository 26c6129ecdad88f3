import { KeyRound, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { GivenRight, Holder } from '#users/giving.contract.ts'
import { rights_api } from '#api/rights-api.ts'
import { right_words } from '#users/rights.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { account_tones, account_words } from '#users/words.contract.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Invite, Remove } from './AdminDialogs.tsx'
import { ConfirmRights, type RightsToConfirm } from './ConfirmRights.tsx'
import { EndRight, type RightToEnd } from './EndRight.tsx'
import { GiveRight } from './GiveRight.tsx'
import { rightSpan } from './right-span.ts'

type RightDialog =
  | 'invite'
  | 'give'
  | { remove: Holder }
  | { confirm: RightsToConfirm }
  | { end: RightToEnd }

/** The rights of people for the company, since when and by whom; given and ended by owners. */
export function RightsCard() {
  const found = useRead(rights_api.list, {})
  const [open, setOpen] = useState<RightDialog>()
  const close = () => setOpen(undefined)
  return (
    <Card>
      {!found ? (
        <Skeleton className="h-20 w-full" />
      ) : (
        <div className="flex flex-col gap-4">
          <ul className="divide-y divide-line">
            {found.holders.map((one) => (
              <HolderLine key={one.id} one={one} onOpen={setOpen} />
            ))}
          </ul>
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              icon={UserPlus}
              unless={found.refusals.invite}
              onClick={() => setOpen('invite')}
            >
              Invite admin
            </Button>
            <Button icon={KeyRound} onClick={() => setOpen('give')}>
              Give a right
            </Button>
          </div>
        </div>
      )}
      {open === 'invite' && <Invite onClose={close} />}
      {open === 'give' && <GiveRight onClose={close} />}
      {typeof open === 'object' && 'remove' in open && (
        <Remove admin={open.remove} onClose={close} />
      )}
      {typeof open === 'object' && 'confirm' in open && (
        <ConfirmRights {...open.confirm} onClose={close} />
      )}
      {typeof open === 'object' && 'end' in open && <EndRight {...open.end} onClose={close} />}
    </Card>
  )
}

function HolderLine({ one, onOpen }: { one: Holder; onOpen: (open: RightDialog) => void }) {
  const { id: person_id, full_name: name } = one
  // Removing somebody ends all their rights.
  const refusal = one.rights.map(({ refusals }) => refusals.end).find((code) => code !== null)
  const confirm = (ids: string[]) => onOpen({ confirm: { person_id, name, ids } })
  const confirmable = one.rights.filter(({ refusals }) => refusals.confirm === null)
  return (
    <li className="flex flex-col gap-2 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-48">
          <span className="block font-medium wrap-anywhere">{name}</span>
          <span className="block text-soft wrap-anywhere">{one.email}</span>
        </span>
        <Badge tone={account_tones[one.status]}>{account_words[one.status]}</Badge>
        {confirmable.length > 1 && (
          <Button
            size="small"
            variant="primary"
            aria-label={`Confirm all ${confirmable.length} rights of ${name}`}
            onClick={() => confirm(confirmable.map(({ id }) => id))}
          >
            {`Confirm all ${confirmable.length}`}
          </Button>
        )}
        {refusal !== 'yourself' && (
          <Button
            size="small"
            unless={refusal}
            aria-label={`Remove ${name}`}
            onClick={() => onOpen({ remove: one })}
          >
            Remove
          </Button>
        )}
      </div>
      <ul className="flex flex-col gap-1.5" aria-label={`Rights of ${name}`}>
        {one.rights.map((right) => (
          <RightLine
            key={right.id}
            right={right}
            name={name}
            onConfirm={() => confirm([right.id])}
            onEnd={() => onOpen({ end: { right, person_id, name } })}
          />
        ))}
      </ul>
    </li>
  )
}

type LineProps = { right: GivenRight; name: string; onConfirm: () => void; onEnd: () => void }

function RightLine({ right, name, onConfirm, onEnd }: LineProps) {
  const [title] = right_words[right.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-sunken px-3 py-1.5">
      <span className="font-medium">{title}</span>
      <span className="min-w-0 flex-1 basis-40 text-soft wrap-anywhere">{rightSpan(right)}</span>
      {right.waits && (
        <Badge tone="accent">Waits for {right.given_by ? 'a second' : 'an'} owner</Badge>
      )}
      {right.refusals.confirm === null && (
        <Button size="small" aria-label={`Confirm ${title} of ${name}`} onClick={onConfirm}>
          Confirm
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        className="ml-auto"
        unless={right.refusals.end}
        aria-label={`End ${title} of ${name}`}
        onClick={onEnd}
      >
        End
      </Button>
    </li>
  )
}
