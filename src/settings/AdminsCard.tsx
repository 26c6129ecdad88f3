import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { api, confirmPassword } from '#api.ts'
import { NewAdmin, type Admin } from '#companies/companies.contract.ts'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'

const standings = { pending: 'Invited', active: 'Active', suspended: 'Suspended' } as const
const tones = { pending: 'accent', active: 'good', suspended: 'neutral' } as const

/** Who runs the company, and an invitation to do so as well. */
export function AdminsCard() {
  const admins = useRead(api.companies.own_admins, {})
  const { id: me } = useActor()
  const [inviting, setInviting] = useState(false)
  const [removing, setRemoving] = useState<Removing>()
  return (
    <Card>
      {!admins ? (
        <Skeleton className="h-20 w-full" />
      ) : (
        <div className="flex flex-col gap-4">
          <ul className="divide-y divide-line">
            {admins.map(({ id, full_name, email, status }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
                <span className="min-w-0 flex-1 basis-48">
                  <span className="block font-medium wrap-anywhere">{full_name}</span>
                  <span className="block text-soft wrap-anywhere">{email}</span>
                </span>
                <Badge tone={tones[status]}>{standings[status]}</Badge>
                {id !== me && (
                  <Button
                    size="small"
                    aria-label={`Remove ${full_name}`}
                    onClick={() => setRemoving({ id, full_name, status })}
                  >
                    Remove
                  </Button>
                )}
              </li>
            ))}
          </ul>
          <div className="flex justify-end">
            <Button
              icon={<UserPlus className="size-4" aria-hidden />}
              onClick={() => setInviting(true)}
            >
              Invite admin
            </Button>
          </div>
        </div>
      )}
      {inviting && <Invite onClose={() => setInviting(false)} />}
      {removing && <Remove admin={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
  )
}

const Wish = NewAdmin.extend(own_password)

export function Invite({ onClose }: { onClose: () => void }) {
  const invite = useWrite(api.companies.invite_admin, ({ email }) => `Invitation sent to ${email}`)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite admin"
      description={
        'They can do everything you can. For a day from now the two of you count as one ' +
        'person where two must decide, and the provider is told.'
      }
    >
      <Form
        name="invite-own-admin"
        shape={Wish}
        onSubmit={async ({ password, ...admin }) => {
          await confirmPassword(password)
          await invite.submit(admin)
          onClose()
        }}
      >
        <TextField name="full_name" label="Full Name" autoComplete="off" required />
        <TextField name="email" label="Email" type="email" autoComplete="off" required />
        <OwnPassword />
        <div className="flex justify-end">
          <SubmitButton waiting="Inviting...">Invite</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}

type Removing = Pick<z.infer<typeof Admin>, 'id' | 'full_name' | 'status'>

function Remove({ admin, onClose }: { admin: Removing; onClose: () => void }) {
  const { id, full_name, status } = admin
  const invited = status === 'pending'
  const remove = useWrite(
    api.companies.remove_admin,
    invited ? `The invitation of ${full_name} is taken back` : `${full_name} is no longer an admin`,
  )
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        invited ? `Take back the invitation of ${full_name}?` : `Remove ${full_name} as admin?`
      }
      description={
        invited
          ? 'The link in their mail stops working.'
          : 'They become an employee at once. The provider is told, and for a day nobody here ' +
            'decides alone what two must decide.'
      }
    >
      <Form
        name={`remove-admin-${id}`}
        shape={z.object(own_password)}
        onSubmit={async ({ password }) => {
          await confirmPassword(password)
          await remove.submit({ id })
          onClose()
        }}
      >
        <OwnPassword />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton waiting="Removing...">{invited ? 'Take back' : 'Remove'}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
