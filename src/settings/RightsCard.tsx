import { KeyRound, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { GivenRight, Holder } from '#users/giving.contract.ts'
import { rights_api } from '#api/rights-api.ts'
import { right_words } from '#users/rights.contract.ts'
import { useActor } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Invite, Remove } from './AdminDialogs.tsx'
import { ChangeRight, type RightChange } from './ChangeRight.tsx'
import { GiveRight } from './GiveRight.tsx'

const states = { pending: 'Invited', active: 'Active', suspended: 'Suspended' } as const
const tones = { pending: 'accent', active: 'good', suspended: 'neutral' } as const

type Open = 'invite' | 'give' | { remove: Holder } | { change: RightChange }

/** The rights of people for the company, since when and by whom; given and ended by owners. */
export function RightsCard() {
  const holders = useRead(rights_api.list, {})
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <Card>
      {!holders ? (
        <Skeleton className="h-20 w-full" />
      ) : (
        <div className="flex flex-col gap-4">
          <ul className="divide-y divide-line">
            {holders.map((one) => (
              <HolderLine key={one.id} one={one} onOpen={setOpen} />
            ))}
          </ul>
          <div className="flex flex-wrap justify-end gap-2">
            <Button
              icon={<UserPlus className="size-4" aria-hidden />}
              onClick={() => setOpen('invite')}
            >
              Invite admin
            </Button>
            <Button
              icon={<KeyRound className="size-4" aria-hidden />}
              onClick={() => setOpen('give')}
            >
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
      {typeof open === 'object' && 'change' in open && (
        <ChangeRight {...open.change} onClose={close} />
      )}
    </Card>
  )
}

function HolderLine({ one, onOpen }: { one: Holder; onOpen: (open: Open) => void }) {
  const { id: me } = useActor()
  return (
    <li className="flex flex-col gap-2 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="min-w-0 flex-1 basis-48">
          <span className="block font-medium wrap-anywhere">{one.full_name}</span>
          <span className="block text-soft wrap-anywhere">{one.email}</span>
        </span>
        <Badge tone={tones[one.status]}>{states[one.status]}</Badge>
        {one.id !== me && (
          <Button
            size="small"
            aria-label={`Remove ${one.full_name}`}
            onClick={() => onOpen({ remove: one })}
          >
            Remove
          </Button>
        )}
      </div>
      <ul className="flex flex-col gap-1.5" aria-label={`Rights of ${one.full_name}`}>
        {one.rights.map((right) => (
          <RightLine
            key={right.id}
            right={right}
            name={one.full_name}
            onChange={(does) =>
              onOpen({
                change: { does, right, person_id: one.id, name: one.full_name },
              })
            }
          />
        ))}
      </ul>
    </li>
  )
}

type LineProps = { right: GivenRight; name: string; onChange: (does: RightChange['does']) => void }

function RightLine({ right, name, onChange }: LineProps) {
  const [title] = right_words[right.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-sunken px-3 py-1.5">
      <span className="font-medium">{title}</span>
      <span className="min-w-0 flex-1 basis-40 text-soft wrap-anywhere">{spanOf(right)}</span>
      {right.waits && <Badge tone="accent">Waits for a second owner</Badge>}
      {right.refusals.confirm === null && (
        <Button
          size="small"
          aria-label={`Confirm ${title} of ${name}`}
          onClick={() => onChange('confirm')}
        >
          Confirm
        </Button>
      )}
      {right.refusals.end === null && (
        <Button
          size="small"
          variant="quiet"
          aria-label={`End ${title} of ${name}`}
          onClick={() => onChange('end')}
        >
          End
        </Button>
      )}
    </li>
  )
}

/** Its last day is the one before the moment it ends. */
function spanOf({ begins_at, ends_at, given_by, confirmed_by, waits }: GivenRight): string {
  const last = ends_at && new Date(Date.parse(ends_at) - 1).toISOString()
  const since = waits ? 'given' : Date.parse(begins_at) > Date.now() ? 'from' : 'since'
  const days = `${since} ${dateText(begins_at)}${last ? ` until ${dateText(last)}` : ''}`
  // The founder's are given by nobody, and need nobody's confirmation.
  const giver = given_by ?? (waits || confirmed_by ? 'the provider' : null)
  const by = [
    giver && `by ${giver}`,
    confirmed_by && confirmed_by !== given_by && `confirmed by ${confirmed_by}`,
  ]
  return [days, ...by].filter(Boolean).join(', ')
}
