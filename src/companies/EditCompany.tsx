import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { currency_names } from '#ui/currencies.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { timeZones, zoneName } from '#ui/time-zones.ts'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import { CompanyChange, type CompanyDetail } from './companies.contract.ts'

const CompanyFields = CompanyChange.omit({ id: true, version: true })
const labels = {
  name: 'Company Name',
  domain: 'Domain',
  currency: 'Currency',
  time_zone: 'Time zone',
}

type Props = { company: CompanyDetail; open: boolean; onClose: () => void }

export function EditCompany({ company, open, onClose }: Props) {
  const change = useWrite(api.companies.change, 'Company saved')
  const { id, currency } = company
  const settled = company.refusals.currency !== null
  return (
    <Dialog open={open} onClose={onClose} title={`Edit ${company.name}`}>
      <VersionedForm
        name={`company-${id}`}
        shape={CompanyFields}
        record={company}
        fieldsOf={({ name, domain, currency, time_zone }) => ({
          name,
          domain: domain ?? '',
          currency,
          time_zone,
        })}
        labels={labels}
        shown={(field, value) => (field === 'time_zone' ? zoneName(value) : value)}
        save={(values, version) => change.submit({ ...values, id, version })}
        find={() => api.companies.find({ id })}
        onSaved={onClose}
      >
        <TextField name="name" label="Company Name" autoComplete="off" required />
        <TextField
          name="domain"
          label="Domain"
          placeholder="company.com"
          hint="A new domain turns auto-registration off until an admin’s address at it is confirmed."
          autoComplete="off"
        />
        <div className="grid items-start gap-5 sm:grid-cols-2">
          <SelectField
            name="currency"
            label="Currency"
            options={
              settled ? { [currency]: currency_names[currency] ?? currency } : currency_names
            }
            hint={
              settled
                ? 'Money is recorded in it, so it stays.'
                : 'Can change until money is recorded. No amount is converted.'
            }
            required
          />
          <SelectField name="time_zone" label="Time zone" options={timeZones} required />
        </div>
      </VersionedForm>
    </Dialog>
  )
}
