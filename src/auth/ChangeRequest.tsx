import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { api } from '#api/api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import { CheckboxField } from '#ui/ToggleField.tsx'
import { ChangedRequest, type Me } from '#users/users.contract.ts'
import { useAuth } from './context.ts'
import { sign_up_roles } from './sign-up-roles.ts'

type RequestValues = z.output<typeof ChangedRequest>

/** Admins who belong to no company that is here register one of their own, and no colleague is asked. */
const registers = (me: Me, { role, elsewhere }: Pick<RequestValues, 'role' | 'elsewhere'>) =>
  role === 'company_admin' &&
  (elsewhere || !me.company_of_address || me.company_of_address.passed_over !== null)

const shapeFor = (me: Me) =>
  ChangedRequest.superRefine((values, context) => {
    if (registers(me, values) && values.company_name.length < 2) {
      context.addIssue({
        code: 'custom',
        path: ['company_name'],
        message: 'Company name is required',
      })
    }
  })

/** The way back for somebody who waits for an approval that they did not mean to ask for. */
export function ChangeRequest({ me }: { me: Me }) {
  const { reload } = useAuth()
  const [open, setOpen] = useState(false)
  const ask = useWrite(api.users.change_request)
  const send = async (values: RequestValues) => {
    await ask.submit(values)
    toast(registers(me, values) ? `${values.company_name} is registered` : 'Request changed')
    setOpen(false)
    await reload()
  }
  const elsewhere = me.company_of_address?.passed_over === 'elsewhere'
  const company_name = me.requested_company ?? ''
  if (!open) {
    return (
      <div className="flex flex-wrap gap-3">
        {elsewhere && (
          <Button
            loading={ask.pending}
            onClick={() => ask({ role: me.role, company_name, elsewhere: false })}
          >
            I do belong to {me.company_of_address?.name}
          </Button>
        )}
        <Button onClick={() => setOpen(true)}>Change my request</Button>
      </div>
    )
  }
  return (
    <Form
      name="change-request"
      shape={shapeFor(me)}
      defaults={{ role: me.role, company_name, elsewhere }}
      onSubmit={send}
    >
      <RequestFields me={me} onCancel={() => setOpen(false)} />
    </Form>
  )
}

function RequestFields({ me, onCancel }: { me: Me; onCancel: () => void }) {
  const [role, elsewhere, typed] = useWatch({ name: ['role', 'elsewhere', 'company_name'] }) as [
    RequestValues['role'],
    boolean,
    string | undefined,
  ]
  const founds = registers(me, { role, elsewhere })
  return (
    <>
      <SelectField name="role" label="Your Role" options={sign_up_roles} required />
      <TextField
        name="company_name"
        label="Company Name"
        autoComplete="organization"
        required={founds}
      />
      {me.company_of_address && me.company_of_address.passed_over !== 'declined' && (
        <CheckboxField name="elsewhere" label={`I don’t belong to ${me.company_of_address.name}`} />
      )}
      {founds && (
        <Callout>
          {`This registers ${typed?.trim() || 'your company'} as a company, with you as its first ` +
            'administrator; the provider activates it.'}
        </Callout>
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton>{founds ? 'Register company' : 'Send request'}</SubmitButton>
        <CancelButton onClick={onCancel} />
      </div>
    </>
  )
}
