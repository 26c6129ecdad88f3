import { KeyRound, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { confirmPassword } from '#api.ts'
import { NewRight, type GivenRight, type Holder } from '#users/giving.contract.ts'
import { rights_api } from '#rights-api.ts'
import { right_words } from '#users/rights.contract.ts'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateField } from '#ui/DateField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { PickField } from '#ui/PickField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Invite, Remove } from './AdminDialogs.tsx'
import { ChangeRight, type Change } from './ChangeRight.tsx'

const standings = { pending: 'Invited', active: 'Active', suspended: 'Suspended' } as const
const tones = { pending: 'accent', active: 'good', suspended: 'neutral' } as const

type Open = 'invite' | 'give' | { remove: Holder } | { change: Change }

/** Who has which right for the company, since when and by whom; given and ended by owners. */
export function RightsCard() {
  const holders = useRead(rights_api.list, {})
  const { id: me } = useActor()
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
              <li key={one.id} className="flex flex-col gap-2 py-3 text-sm">
                <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
                  <span className="min-w-0 flex-1 basis-48">
                    <span className="block font-medium wrap-anywhere">{one.full_name}</span>
                    <span className="block text-soft wrap-anywhere">{one.email}</span>
                  </span>
                  <Badge tone={tones[one.status]}>{standings[one.status]}</Badge>
                  {one.id !== me && (
                    <Button
                      size="small"
                      aria-label={`Remove ${one.full_name}`}
                      onClick={() => setOpen({ remove: one })}
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
                      onChange={(does) => setOpen({ change: { does, right, name: one.full_name } })}
                    />
                  ))}
                </ul>
              </li>
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
      {open === 'give' && <Give onClose={close} />}
      {typeof open === 'object' && 'remove' in open && (
        <Remove admin={open.remove} onClose={close} />
      )}
      {typeof open === 'object' && 'change' in open && (
        <ChangeRight {...open.change} onClose={close} />
      )}
    </Card>
  )
}

type LineProps = { right: GivenRight; name: string; onChange: (does: Change['does']) => void }

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
function spanOf({ begins_at, ends_at, given_by }: GivenRight): string {
  const last = ends_at && new Date(Date.parse(ends_at) - 1).toISOString()
  const since = Date.parse(begins_at) > Date.now() ? 'from' : 'since'
  const days = `${since} ${dateText(begins_at)}${last ? ` until ${dateText(last)}` : ''}`
  return given_by ? `${days}, by ${given_by}` : days
}

/** Left empty there is none. */
const day = z
  .literal('')
  .transform(() => undefined)
  .or(NewRight.shape.from_on)
const Wish = NewRight.extend({ ...own_password, from_on: day, until_on: day })
const kinds = Object.fromEntries(
  Object.entries(right_words).map(([kind, [title, opens]]) => [kind, `${title}: ${opens}`]),
)

function Give({ onClose }: { onClose: () => void }) {
  const give = useWrite(rights_api.give, 'Right given')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Give a right"
      description={
        'They stay an employee and keep what is theirs. Owner, Reviewer and Finance count once a second owner ' +
        'confirms them, where there is one. For a day neither of you can be the other’s second person.'
      }
    >
      <Form
        name="give-right"
        shape={Wish}
        defaults={{ person_id: '', from_on: '', until_on: '' }}
        onSubmit={async ({ password, ...wish }) => {
          await confirmPassword(password)
          await give.submit(wish)
          onClose()
        }}
      >
        <PickField
          name="person_id"
          label="Who"
          find={rights_api.people}
          placeholder="Type to find somebody"
          required
        />
        <SelectField name="kind" label="Right" options={kinds} placeholder="Choose one" required />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <DateField name="from_on" label="First day" hint="Today, if empty" />
          <DateField name="until_on" label="Last day" hint="Until it is ended, if empty" />
        </div>
        <OwnPassword />
        <div className="flex justify-end">
          <SubmitButton waiting="Saving...">Give right</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
