import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { TextField } from '#ui/TextField.tsx'
import { NewUser } from '#users/users.contract.ts'
import type { CompanyDetail } from './companies.contract.ts'

const InvitedAdmin = NewUser.pick({ full_name: true, email: true })

type Props = { company: CompanyDetail; open: boolean; onClose: () => void }

export function InviteAdmin({ company, open, onClose }: Props) {
  const add = useWrite(api.users.add, ({ email }) => `Invitation sent to ${email}`)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Invite admin"
      description={
        `They will run ${company.name} and get a link by email to set their password. ` +
        'If it has an owner, an owner confirms their rights first.'
      }
    >
      <ProvenForm
        name={`invite-admin-${company.id}`}
        shape={InvitedAdmin}
        resets
        onSubmit={async (values) => {
          await add.submit({ ...values, role: 'company_admin', company_id: company.id })
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
