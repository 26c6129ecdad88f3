import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api, confirmPassword } from '#api.ts'
import { NewAdmin } from '#companies/companies.contract.ts'
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
  const [inviting, setInviting] = useState(false)
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
    </Card>
  )
}

const Wish = NewAdmin.extend(own_password)

function Invite({ onClose }: { onClose: () => void }) {
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
