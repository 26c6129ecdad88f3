import { useState } from 'react'
import { z } from 'zod'
import { inAYear } from '#ui/calendar-days.ts'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { TextField } from '#ui/TextField.tsx'
import { CheckboxField } from '#ui/ToggleField.tsx'
import { connections_api } from './api.ts'
import { NewKey, Right, type KeyMade } from './connections.contract.ts'
import { rightWords } from './right-words.ts'
import { KeyLastDay } from './KeyLastDay.tsx'
import { SecretOnce } from './SecretOnce.tsx'

const fieldOf = (right: Right) => right.replace(':', '_')
/** All rights but the identity provider's, whose key is made where SCIM is switched on. */
const offered = Right.options.filter((right) => right !== 'people:provision')
const boxes = Object.fromEntries(offered.map((right) => [fieldOf(right), z.boolean().optional()]))
const KeyFields = z
  .object({ ...boxes, ...NewKey.pick({ name: true, ends_on: true }).shape })
  .refine((ticked) => rightsIn(ticked).length > 0, {
    path: [fieldOf('people:read')],
    error: 'Choose at least one right',
    when: () => true,
  })

const rightsIn = (ticked: Readonly<Record<string, unknown>>) =>
  offered.filter((right) => ticked[fieldOf(right)])

export function MakeKey({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<KeyMade>()
  const make = useWrite(connections_api.connections.make_key)
  return (
    <Dialog
      open
      onClose={onClose}
      title={made ? `${made.key.name} made` : 'Make an API key'}
      {...(made
        ? {}
        : {
            description:
              'It can never do more than you can, and ends when you stop being an admin.',
          })}
    >
      {made ? (
        <SecretOnce secret={made.secret} onDone={onClose} />
      ) : (
        <ProvenForm
          name="make-api-key"
          shape={KeyFields}
          defaults={{ ends_on: inAYear() }}
          onSubmit={async ({ name, ends_on, ...ticked }) => {
            setMade(await make.submit({ name, ends_on, rights: rightsIn(ticked) }))
          }}
        >
          <TextField
            name="name"
            label="Name"
            hint="What uses it, such as Payroll. The audit shows it."
            autoComplete="off"
            required
          />
          <fieldset className="flex flex-col gap-4">
            <legend className="mb-3 text-sm font-medium">What it may do</legend>
            {offered.map((right) => (
              <CheckboxField
                key={right}
                name={fieldOf(right)}
                label={rightWords[right][0]}
                hint={rightWords[right][1]}
              />
            ))}
          </fieldset>
          <KeyLastDay />
          <OwnPassword />
          <FormButtons onCancel={onClose} waiting="Making...">
            Make key
          </FormButtons>
        </ProvenForm>
      )}
    </Dialog>
  )
}
