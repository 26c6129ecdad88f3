import { useState } from 'react'
import { useWrite } from '#ui/ask.ts'
import { inAYear } from '#ui/calendar-days.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { TextField } from '#ui/TextField.tsx'
import { connections_api } from '../api.ts'
import { NewKey } from '../connections.contract.ts'
import { KeyLastDay } from '../KeyLastDay.tsx'
import { SecretOnce } from '../SecretOnce.tsx'
import { BaseAddress } from './BaseAddress.tsx'

const ScimKeyFields = NewKey.pick({ name: true, ends_on: true })

/** A key of the identity provider's own: its right opens SCIM and nothing else. */
export function SwitchOnScim({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string>()
  const make = useWrite(connections_api.connections.make_key)
  return (
    <Dialog
      open
      onClose={onClose}
      title={secret ? 'SCIM is switched on' : 'Switch on SCIM'}
      {...(secret
        ? {}
        : { description: 'Your identity provider gets a key that works for SCIM only.' })}
    >
      {secret ? (
        <div className="flex flex-col gap-5">
          <BaseAddress />
          <SecretOnce secret={secret} onDone={onClose} />
        </div>
      ) : (
        <ProvenForm
          name="switch-on-scim"
          shape={ScimKeyFields}
          defaults={{ name: 'Identity provider', ends_on: inAYear() }}
          onSubmit={async ({ name, ends_on }) => {
            const made = await make.submit({ name, ends_on, rights: ['people:provision'] })
            setSecret(made.secret)
          }}
        >
          <TextField
            name="name"
            label="Name"
            hint="Such as Entra or Okta. The audit shows it."
            autoComplete="off"
            required
          />
          <KeyLastDay />
          <OwnPassword />
          <FormButtons onCancel={onClose} waiting="Switching on...">
            Switch on
          </FormButtons>
        </ProvenForm>
      )}
    </Dialog>
  )
}
