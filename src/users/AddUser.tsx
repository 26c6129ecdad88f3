import { useFormContext } from 'react-hook-form'
import { api } from '#api/api.ts'
import { roleLabels } from '#paths.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { PickField } from '#ui/PickField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { NewUser } from './users.contract.ts'

type Props = { open: boolean; onClose: () => void }

export function AddUser({ open, onClose }: Props) {
  const add = useWrite(api.users.add, ({ email }) => `Invitation sent to ${email}`)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add User"
      opening="Opening user registration form..."
      description="They get a link by email to set their password."
    >
      <ProvenForm
        name="add-user"
        shape={NewUser}
        defaults={{ role: 'company_admin' }}
        resets
        proves={({ role }) => role !== 'employee'}
        onSubmit={async (user) => {
          await add.submit(user)
          onClose()
        }}
      >
        <TextField name="full_name" label="Full Name" autoComplete="off" required />
        <TextField name="email" label="Email" type="email" autoComplete="off" required />
        <SelectField name="role" label="Role" options={roleLabels} required />
        <CompanyOfRole />
        <OwnPassword />
        <FormButtons waiting="Adding...">Add User</FormButtons>
      </ProvenForm>
    </Dialog>
  )
}

/** The provider's own staff belongs to no company. */
export function CompanyOfRole() {
  if (useFormContext().watch('role') === 'super_admin') return null
  return (
    <>
      <PickField
        name="company_id"
        label="Company"
        find={api.companies.names}
        placeholder="Type to find one"
        required
      />
      <OwnersConfirm />
    </>
  )
}

export const OwnersConfirm = () =>
  useFormContext().watch('role') === 'company_admin' && (
    <p className="text-sm text-soft">
      Where the company has an owner, their rights count once an owner has confirmed them. All
      owners are notified.
    </p>
  )
