import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api, confirmPassword } from '#api/api.ts'
import { roleLabels } from '#paths.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword } from '#ui/OwnPassword.tsx'
import { PickField } from '#ui/PickField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { NewUser } from './users.contract.ts'

/** Making an admin wants the password once more. */
const NewUserForm = NewUser.extend({ password: z.string().optional() }).superRefine(
  ({ role, password }, context) => {
    if (role === 'employee' || password) return
    context.addIssue({ code: 'custom', path: ['password'], message: 'Enter your password' })
  },
)

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
      <Form
        name="add-user"
        shape={NewUserForm}
        defaults={{ role: 'company_admin' }}
        resets
        onSubmit={async ({ password, ...user }) => {
          if (user.role !== 'employee') await confirmPassword(password ?? '')
          await add.submit(user)
          onClose()
        }}
      >
        <TextField name="full_name" label="Full Name" autoComplete="off" required />
        <TextField name="email" label="Email" type="email" autoComplete="off" required />
        <SelectField name="role" label="Role" options={roleLabels} required />
        <CompanyOfRole />
        <PasswordOfRole />
        <div className="flex justify-end">
          <SubmitButton waiting="Adding...">Add User</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}

const PasswordOfRole = () =>
  useFormContext().watch('role') === 'employee' ? null : <OwnPassword />

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
