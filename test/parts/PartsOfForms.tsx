import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { Problem } from '#problems.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { Card } from '#ui/Card.tsx'
import { Choice } from '#ui/Choice.tsx'
import { DateField } from '#ui/DateField.tsx'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { PartsRow, PartsSection } from './PartsSection.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import { CheckboxField, SwitchField } from '#ui/ToggleField.tsx'
import { toast } from '#ui/toast.ts'

const Sample = z.object({
  full_name: z.string().min(2, 'Name must be at least 2 characters').max(100),
  email: z.email('Invalid email address').max(255),
  phone: z.string().min(10, 'Phone must be at least 10 characters').max(20).optional(),
  relationship: z.enum(['spouse', 'child', 'parent'], 'Choose one'),
  password: z.string().min(8, 'Password must be at least 8 characters'),
  amount: z.string().optional(),
  on: z.iso.date('Choose a date').optional(),
  note: z.string().max(500).optional(),
  agreed: z.literal(true, 'Please agree first'),
  reminders: z.boolean().default(true),
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export function PartsOfForms() {
  return (
    <PartsSection title="Forms">
      <PartsRow>
        <SearchField label="Search employees" />
        <FilterMenu
          label="Status"
          name="status"
          options={{ active: 'Active', pending: 'Pending' }}
        />
      </PartsRow>
      <OneOfTwo />
      <Card title="A form" description="taken@example.com is refused by the server.">
        <SampleForm />
      </Card>
      <Card title="A field that goes" description="13 claims are refused by the server.">
        <FormWithFieldThatGoes />
      </Card>
    </PartsSection>
  )
}

function OneOfTwo() {
  const [chosen, choose] = useState<'stay' | 'leave'>('stay')
  return (
    <Choice
      label="3 employees not in the file"
      options={{ stay: 'Stay as they are', leave: 'Leave, with the last day below' }}
      chosen={chosen}
      onChoose={choose}
    />
  )
}

function SampleForm() {
  return (
    <Form
      name="parts"
      shape={Sample}
      defaults={{ reminders: true }}
      resets
      className="grid gap-5 sm:grid-cols-2"
      onSubmit={async ({ email }) => {
        await pause(700)
        if (email === 'taken@example.com') {
          throw new Problem('invalid_input', {
            fields: {
              email: ['This address is taken'],
              reminders: ['No reminders go to this address'],
              company: ['The company is suspended'],
            },
          })
        }
        toast('Saved')
      }}
    >
      <TextField name="full_name" label="Full Name" autoComplete="name" required />
      <TextField name="email" label="Email" type="email" autoComplete="email" required />
      <TextField name="phone" label="Phone" hint="Optional" autoComplete="tel" />
      <SelectField
        name="relationship"
        label="Relationship"
        placeholder="Select a relationship"
        options={{ spouse: 'Spouse', child: 'Child', parent: 'Parent' }}
        required
      />
      <PasswordField
        name="password"
        label="Password"
        autoComplete="new-password"
        strength
        required
      />
      <AmountField name="amount" label="Amount" currency="EUR" />
      <DateField name="on" label="Day" />
      <TextAreaField name="note" label="Note" rows={3} />
      <CheckboxField name="agreed" label="I agree" hint="To everything above." required />
      <SwitchField
        name="reminders"
        label="Health tips and reminders"
        hint="A mail now and then, from facts."
      />
      <SwitchField name="required" label="Require it" unless="sso_try_first" />
      <div className="sm:col-span-2">
        <SubmitButton waiting="Saving...">Save Changes</SubmitButton>
      </div>
    </Form>
  )
}

const Limit = z.object({
  limit: z.enum(['number', 'amount']),
  claims: z.string().regex(/^\d{1,2}$/, 'At most 99 claims'),
})

const FormWithFieldThatGoes = () => (
  <Form
    name="field-that-goes"
    shape={Limit}
    defaults={{ limit: 'number', claims: '1' }}
    onSubmit={({ claims }) => {
      if (claims === '13')
        throw new Problem('invalid_input', { fields: { claims: ['13 is not allowed'] } })
    }}
  >
    <SelectField
      name="limit"
      label="Limit"
      options={{ number: 'By number', amount: 'By amount' }}
    />
    <FieldThatGoes />
    <SubmitButton>Save limit</SubmitButton>
  </Form>
)

const FieldThatGoes = () =>
  useFormContext().watch('limit') === 'number' && <TextField name="claims" label="Claims" />
