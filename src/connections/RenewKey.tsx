import { useState } from 'react'
import { z } from 'zod'
import { api, confirmPassword } from '#api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { OwnPassword, own_password } from '#ui/OwnPassword.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import type { ApiKey } from './connections.contract.ts'
import { SecretOnce } from './SecretOnce.tsx'

const overlaps = { '24': 'For a day', '168': 'For a week', '720': 'For 30 days', '0': 'Not at all' }
const Wish = z.object({ overlap: z.enum(['24', '168', '720', '0']), ...own_password })

export function RenewKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const { id, name } = apiKey
  const [secret, setSecret] = useState<string>()
  const renew = useWrite(api.connections.rotate_key)
  return (
    <Dialog
      open
      onClose={onClose}
      title={secret ? `${name} has a new secret` : `Renew ${name}`}
      {...(secret ? {} : { description: 'Name, rights and last day stay. The secret is new.' })}
    >
      {secret ? (
        <SecretOnce secret={secret} onDone={onClose} />
      ) : (
        <Form
          name={`renew-api-key-${id}`}
          shape={Wish}
          defaults={{ overlap: '24' }}
          onSubmit={async ({ overlap, password }) => {
            await confirmPassword(password)
            setSecret((await renew.submit({ id, overlap_hours: Number(overlap) })).secret)
          }}
        >
          <SelectField
            name="overlap"
            label="How long the secret of now still works"
            options={overlaps}
            hint="Time to put the new one where the key is used."
            required
          />
          <OwnPassword />
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton waiting="Renewing...">Renew</SubmitButton>
          </div>
        </Form>
      )}
    </Dialog>
  )
}
