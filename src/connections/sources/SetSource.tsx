import { useFormContext } from 'react-hook-form'
import { useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { FormButtons } from '#ui/Form.tsx'
import { OwnPassword, ProvenForm } from '#auth/ProvenForm.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import { connections_api } from '../api.ts'
import { appliesWords } from './source-words.ts'
import { SourceInput, type Source } from './sources.contract.ts'

const hours = Object.fromEntries(
  Array.from({ length: 24 }, (_, hour) => [String(hour), `${String(hour).padStart(2, '0')}:00`]),
)
const secret_kinds = { password: 'Password or token', key: 'Private SSH key', none: 'None' }

/** The address, who we are there, and when. */
export function SetSource({ source, onClose }: { source: Source | null; onClose: () => void }) {
  const save = useWrite(connections_api.sources.save, 'Saved. The file is being fetched')
  return (
    <Dialog
      open
      onClose={onClose}
      title="Fetch the list of employees"
      description="The secret is kept encrypted and never shown again."
    >
      <ProvenForm
        name="people-source"
        shape={SourceInput}
        defaults={{
          url: source?.url ?? '',
          login: source?.login ?? '',
          secret_kind: source?.secret_kind ?? 'password',
          hour: String(source?.hour ?? 5),
          applies: source?.applies ?? 'ask',
        }}
        onSubmit={async (input) => {
          await save.submit(input)
          onClose()
        }}
      >
        <TextField
          name="url"
          label="Address of the file"
          hint="sftp://files.example.com/out/employees.csv, or https://…"
          autoComplete="off"
          required
        />
        <TextField name="login" label="Login" autoComplete="off" />
        <SelectField name="secret_kind" label="Secret" options={secret_kinds} required />
        <Secret source={source} />
        <SelectField
          name="hour"
          label="Each day at, by your company’s clock"
          options={hours}
          required
        />
        <SelectField name="applies" label="What it does" options={appliesWords} required />
        <OwnPassword />
        <FormButtons onCancel={onClose} waiting="Saving...">
          Save
        </FormButtons>
      </ProvenForm>
    </Dialog>
  )
}

function Secret({ source }: { source: Source | null }) {
  const kind = useFormContext().watch('secret_kind') as Source['secret_kind']
  if (kind === 'none') return null
  const hint = source && {
    hint: 'Leave empty to keep the current one. Another server or kind needs its own.',
  }
  return kind === 'key' ? (
    <TextAreaField name="secret" label="Private key" {...hint} />
  ) : (
    <PasswordField name="secret" label="Password or token" autoComplete="new-password" {...hint} />
  )
}
