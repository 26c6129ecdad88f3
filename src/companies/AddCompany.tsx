import { useRef } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#api.ts'
import { pages } from '#paths.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { NewCompany } from './companies.contract.ts'
import { currencies, timeZones } from './places.ts'

type Props = { open: boolean; onClose: () => void }

export function AddCompany({ open, onClose }: Props) {
  const navigate = useNavigate()
  const add = useWrite(api.companies.add, ({ name }) => `${name} added, its admin is invited`)
  // A second press, or a retry after a lost answer, is the same act.
  const key = useRef(crypto.randomUUID())
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add Company"
      description="Its first admin gets an invitation by mail and sets up the rest."
    >
      <Form
        name="add-company"
        shape={NewCompany}
        defaults={{ currency: 'EUR', time_zone: here in timeZones ? here : 'UTC' }}
        onSubmit={async (values) => {
          const { id } = await add.submit(values, { idempotency_key: key.current })
          key.current = crypto.randomUUID()
          onClose()
          await navigate(pages.company.path.replace(':id', id))
        }}
      >
        <TextField name="name" label="Company Name" autoComplete="off" required />
        <TextField
          name="domain"
          label="Domain"
          placeholder="company.com"
          hint="Optional. Where its people have their email addresses."
          autoComplete="off"
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField name="currency" label="Currency" options={currencies} required />
          <SelectField name="time_zone" label="Time zone" options={timeZones} required />
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField name="admin_name" label="First admin’s name" autoComplete="off" />
          <TextField
            name="admin_email"
            label="First admin’s email"
            type="email"
            autoComplete="off"
            required
          />
        </div>
        <div className="flex justify-end">
          <SubmitButton waiting="Adding...">Add Company</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
