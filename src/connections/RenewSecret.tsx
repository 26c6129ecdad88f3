import { useState } from 'react'
import { z } from 'zod'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { SecretOnce } from './SecretOnce.tsx'

const overlaps = { '24': 'For a day', '168': 'For a week', '720': 'For 30 days', '0': 'Not at all' }
const RenewalFields = z.object({ overlap: z.enum(['24', '168', '720', '0']) })

type Props = {
  name: string
  /** The sentence that says what stays. */
  description: string
  /** The sentence that says what the overlap is for. */
  hint: string
  /** The name under which the form keeps its draft. */
  draft: string
  /** Answers the new secret. */
  renew: (overlap_hours: number) => Promise<string>
  onClose: () => void
}

/** A new secret for a key or a webhook, and how long the one before it still works. */
export function RenewSecret({ name, description, hint, draft, renew, onClose }: Props) {
  const [secret, setSecret] = useState<string>()
  return (
    <Dialog
      open
      onClose={onClose}
      title={secret ? `${name} has a new secret` : `Renew ${name}`}
      {...(secret ? {} : { description })}
    >
      {secret ? (
        <SecretOnce secret={secret} onDone={onClose} />
      ) : (
        <ProvenForm
          name={draft}
          shape={RenewalFields}
          defaults={{ overlap: '24' }}
          onSubmit={async ({ overlap }) => {
            setSecret(await renew(Number(overlap)))
          }}
        >
          <SelectField
            name="overlap"
            label="How long the current secret still works"
            options={overlaps}
            hint={hint}
            required
          />
          <OwnPassword />
          <FormButtons onCancel={onClose} waiting="Renewing...">
            Renew
          </FormButtons>
        </ProvenForm>
      )}
    </Dialog>
  )
}
