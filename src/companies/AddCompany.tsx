import { useFormContext } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { parseAmount } from '#lib/money.ts'
import { pages } from '#paths.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { useActKey } from '#ui/act-key.ts'
import { useWrite } from '#ui/ask.ts'
import { currency_names } from '#ui/currencies.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { timeZoneHere, timeZones } from '#ui/time-zones.ts'
import { NewCompany } from './companies.contract.ts'

/** The contribution is an amount in the currency that is chosen beside it. */
const NewCompanyFields = NewCompany.omit({ contribution_cents: true })
  .extend({ contribution: z.string().optional() })
  .superRefine(({ contribution, currency }, context) => {
    const fault = contribution && faultOf(contribution, currency)
    if (fault) context.addIssue({ code: 'custom', path: ['contribution'], message: fault })
  })

function faultOf(text: string, currency: string): string | undefined {
  const amount = parseAmount(text, currency)
  if ('fault' in amount) return amount.fault
  return amount.cents > 0 ? undefined : 'Enter an amount above zero'
}

const centsOf = (text: string | undefined, currency: string) => {
  const amount = text ? parseAmount(text, currency) : undefined
  return amount && 'cents' in amount ? amount.cents : undefined
}

type Props = { open: boolean; onClose: () => void }

export function AddCompany({ open, onClose }: Props) {
  const navigate = useNavigate()
  const add = useWrite(api.companies.add, ({ name }) => `${name} added, its admin is invited`)
  // A second press, or a retry after a lost answer, is the same act.
  const key = useActKey()
  const send = async ({ contribution, ...company }: z.output<typeof NewCompanyFields>) => {
    const contribution_cents = centsOf(contribution, company.currency)
    const input = { ...company, contribution_cents }
    const { id } = await add.submit(input, { idempotency_key: key.of(input) })
    key.done()
    onClose()
    await navigate(pages.company.path.replace(':id', id))
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add Company"
      opening="Opening company registration form..."
      description="Its first admin gets an invitation by email and sets up the rest."
    >
      <ProvenForm
        name="add-company"
        shape={NewCompanyFields}
        defaults={{ currency: 'EUR', time_zone: timeZoneHere() }}
        onSubmit={send}
      >
        <TextField name="name" label="Company Name" autoComplete="off" required />
        <TextField
          name="domain"
          label="Domain"
          placeholder="company.com"
          hint="Optional. The domain of its people’s email addresses."
          autoComplete="off"
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField name="currency" label="Currency" options={currency_names} required />
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
        <Opening />
        <OwnPassword />
        <FormButtons waiting="Adding...">Add Company</FormButtons>
      </ProvenForm>
    </Dialog>
  )
}

function Opening() {
  const currency = String(useFormContext().watch('currency') ?? 'EUR')
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <AmountField
        name="contribution"
        label="Opening contribution"
        currency={currency}
        hint="Optional. What has already come in."
      />
      <TextField
        name="contribution_reference"
        label="Its reference"
        placeholder="Opening contribution"
        autoComplete="off"
      />
    </div>
  )
}
