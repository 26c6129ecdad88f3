import { api } from '#api/api.ts'
import { rights_api } from '#api/rights-api.ts'
import { NewAdmin } from '#companies/companies.contract.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { problems } from '#problems.ts'
import type { Holder } from '#users/giving.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { TextField } from '#ui/TextField.tsx'
import { GapsNote } from './GapsNote.tsx'

/** Also opened away from the list of rights, where no button knows whether anybody can be invited. */
export function Invite({ onClose }: { onClose: () => void }) {
  const refusal = useRead(rights_api.list, {}, { quiet: true })?.refusals.invite
  const invite = useWrite(api.companies.invite_admin, ({ email }) => `Invitation sent to ${email}`)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite admin"
      moot={refusal ? `${problems[refusal][1]}.` : undefined}
      description={
        'They get the rights Owner, People, Reviewer and Finance. If your company has another owner, they must ' +
        'confirm all of them but People. For a day after the first sign-in, the two of you count as one person ' +
        'where two must decide. The provider is notified.'
      }
    >
      <ProvenForm
        name="invite-own-admin"
        shape={NewAdmin}
        onSubmit={async (admin) => {
          await invite.submit(admin)
          onClose()
        }}
      >
        <TextField name="full_name" label="Full Name" autoComplete="off" required />
        <TextField name="email" label="Email" type="email" autoComplete="off" required />
        <OwnPassword />
        <FormButtons waiting="Inviting...">Invite</FormButtons>
      </ProvenForm>
    </Dialog>
  )
}

type RemoveAdminProps = { admin: Holder; onClose: () => void }

/** All their rights at once; the invitation of whoever never came is cancelled. */
export function Remove({ admin, onClose }: RemoveAdminProps) {
  const { id, full_name, status } = admin
  const invited = status === 'pending'
  const reviews = admin.rights.some(({ kind, waits }) => kind === 'reviewer' && !waits)
  const gaps = useRead(api.policies.gaps, invited || !reviews ? undefined : { without: id })
  const lacks = Boolean(gaps?.refusals.end)
  const remove = useWrite(
    api.companies.remove_admin,
    invited ? `Invitation of ${full_name} cancelled` : `${full_name} no longer has any rights`,
  )
  return (
    <PasswordDialog
      name={`remove-admin-${id}`}
      onClose={onClose}
      title={invited ? `Cancel the invitation of ${full_name}?` : `End all rights of ${full_name}?`}
      description={
        invited
          ? 'The link in their mail stops working.'
          : 'They become an ordinary employee at once. The provider is notified, and for a day nobody here ' +
            'can decide alone what two must decide.'
      }
      does={invited ? 'Cancel invitation' : lacks ? 'Remove anyway' : 'Remove'}
      waiting="Removing..."
      act={() => remove.submit({ id, knowingly: lacks })}
    >
      {gaps && <GapsNote gaps={gaps} title={`Without ${full_name} the policy needs more people`} />}
    </PasswordDialog>
  )
}
