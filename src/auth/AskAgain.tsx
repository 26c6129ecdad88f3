import { useState } from 'react'
import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CheckboxField } from '#ui/ToggleField.tsx'
import { Request, type Me } from '#users/users.contract.ts'
import { useAuth } from './context.ts'
import { sign_up_roles } from './sign-up-roles.ts'

/** The way back for somebody who waits for an approval that they did not mean to ask for. */
export function AskAgain({ me }: { me: Me }) {
  const { reload } = useAuth()
  const [open, setOpen] = useState(false)
  const ask = useWrite(api.users.ask_again, () => 'Request changed')
  if (!open) {
    return (
      <Button className="self-start" onClick={() => setOpen(true)}>
        Change my request
      </Button>
    )
  }
  const defaults = { role: me.role, company_name: me.requested_company ?? '', elsewhere: false }
  return (
    <Form
      name="ask-again"
      shape={Request}
      defaults={defaults}
      onSubmit={async (asked) => {
        await ask.submit(asked)
        setOpen(false)
        await reload()
      }}
    >
      <SelectField name="role" label="Your Role" options={sign_up_roles} required />
      <TextField name="company_name" label="Company Name" autoComplete="organization" />
      {me.company && (
        <CheckboxField name="elsewhere" label={`I don’t belong to ${me.company.name}`} />
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton>Send request</SubmitButton>
        <CancelButton onClick={() => setOpen(false)} />
      </div>
    </Form>
  )
}
