import { useState } from 'react'
import { api } from '#api.ts'
import { Problem } from '#problems.ts'
import { useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CompanyChange, type Company } from './companies.contract.ts'
import { timeZones } from './places.ts'

const Fields = CompanyChange.omit({ id: true, version: true })

type Props = { company: Company; open: boolean; onClose: () => void }

/** `company` as it was when the dialog opened: a change of somebody else meanwhile must show. */
export function EditCompany({ company, open, onClose }: Props) {
  const [opened, setOpened] = useState(company)
  const [theirs, setTheirs] = useState<Company>()
  const change = useWrite(api.companies.change, 'Company saved')
  return (
    <Dialog open={open} onClose={onClose} title={`Edit ${opened.name}`}>
      <Form
        name={`company-${opened.id}-${opened.version}`}
        shape={Fields}
        defaults={{
          name: opened.name,
          time_zone: opened.time_zone,
          ...(opened.domain ? { domain: opened.domain } : {}),
        }}
        onSubmit={async (values) => {
          const version = theirs?.version ?? opened.version
          try {
            await change.submit({ ...values, id: opened.id, version })
            onClose()
          } catch (error) {
            if (!(error instanceof Problem) || error.code !== 'changed_meanwhile') throw error
            setTheirs(await api.companies.find({ id: opened.id }))
          }
        }}
      >
        {theirs && (
          <Callout
            tone="accent"
            title="Somebody else changed this company meanwhile"
            action={
              <button
                type="button"
                className="font-medium text-primary-ink hover:underline"
                onClick={() => {
                  setOpened(theirs)
                  setTheirs(undefined)
                  onClose()
                }}
              >
                Keep theirs
              </button>
            }
          >
            Now it is {theirs.name}, {theirs.domain ?? 'without a domain'},{' '}
            {theirs.time_zone.replaceAll('_', ' ')}. Save again to replace that with yours.
          </Callout>
        )}
        <TextField name="name" label="Company Name" autoComplete="off" required />
        <TextField
          name="domain"
          label="Domain"
          placeholder="company.com"
          hint="A new domain turns auto-registration off until an admin’s address at it is confirmed."
          autoComplete="off"
        />
        <SelectField name="time_zone" label="Time zone" options={timeZones} required />
        <div className="flex justify-end">
          <SubmitButton waiting="Saving...">Save Changes</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}
