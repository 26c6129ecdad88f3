import { z } from 'zod'
import { api } from '#api/api.ts'
import { roleLabels } from '#paths.ts'
import { useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { CompanyOfRole, OwnersConfirm } from './AddUser.tsx'
import { Role, type UserFound } from './users.contract.ts'

const RoleFields = z.object({
  role: Role,
  company_id: z.uuid('Choose a company').optional(),
})

type Props = { user: UserFound; open: boolean; onClose: () => void }

export function ChangeRole({ user, open, onClose }: Props) {
  const change = useWrite(
    api.users.change_role,
    ({ full_name, role }) => `${full_name} is now ${roleLabels[role]}`,
  )
  const company = user.company_id ? { company_id: user.company_id } : {}
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Change ${user.full_name}’s role`}
      description="The role changes immediately."
    >
      <ProvenForm
        name={`role-${user.id}`}
        shape={RoleFields}
        defaults={{ role: user.role, ...company }}
        onSubmit={async (values) => {
          await change.submit({ ...values, id: user.id })
          onClose()
        }}
      >
        <Alone user={user} />
        <SelectField name="role" label="Role" options={roleLabels} required />
        {user.company_id ? (
          <>
            <p className="text-sm text-soft">Company: {user.company_name}</p>
            <OwnersConfirm />
          </>
        ) : (
          <CompanyOfRole />
        )}
        <OwnPassword />
        <FormButtons waiting="Saving...">Change role</FormButtons>
      </ProvenForm>
    </Dialog>
  )
}

export const Alone = ({ user }: { user: UserFound }) =>
  user.runs_alone && (
    <Callout tone="accent" title={`${user.company_name} has no other owner without an end date`}>
      Without {user.full_name} the company can end up with nobody to give rights or change the
      policy, until you make somebody a Company Admin.
    </Callout>
  )
