import { api } from '#api/api.ts'
import { health_checks_api } from '#api/health-checks-api.ts'
import { Problem } from '#problems.ts'
import { useActKey } from '#ui/act-key.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { timeZoneHere, timeZones, zoneName } from '#ui/time-zones.ts'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import type { CheckProvider } from './health-checks.contract.ts'
import { NewProvider } from './setting-up.contract.ts'

type AddProps = { open: boolean; onClose: () => void; onAdded: (id: string) => void }

export function AddProvider({ open, onClose, onAdded }: AddProps) {
  const me = useRead(api.users.me, {})
  const add = useWrite(health_checks_api.add_provider, ({ name }) => `${name} added`)
  const key = useActKey()
  const time_zone = me?.company?.time_zone ?? timeZoneHere()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add provider"
      description="Who offers the check, and where. You add the times next."
    >
      <Form
        name="add-check-provider"
        shape={NewProvider}
        defaults={{ time_zone }}
        onSubmit={async (values) => {
          const { id } = await add.submit(values, { idempotency_key: key.of(values) })
          key.done()
          onAdded(id)
        }}
      >
        <ProviderFields />
        <FormButtons waiting="Adding...">Add provider</FormButtons>
      </Form>
    </Dialog>
  )
}

type EditProps = { provider: CheckProvider; open: boolean; onClose: () => void }

export function EditProvider({ provider, open, onClose }: EditProps) {
  const { id, name } = provider
  const change = useWrite(health_checks_api.change_provider, 'Changes saved')
  return (
    <Dialog open={open} onClose={onClose} title={`Edit ${name}`}>
      <VersionedForm
        name={`check-provider-${id}`}
        shape={NewProvider}
        record={provider}
        fieldsOf={(record) => ({
          name: record.name,
          offers: record.offers,
          place: record.place,
          time_zone: record.time_zone,
          note: record.note ?? '',
        })}
        labels={labels}
        shown={(field, value) => (field === 'time_zone' ? zoneName(value) : value)}
        save={(values, version) => change.submit({ ...values, id, version })}
        find={() => findProvider(id)}
        onSaved={onClose}
      >
        <ProviderFields />
      </VersionedForm>
    </Dialog>
  )
}

const labels = {
  name: 'Name',
  offers: 'What is offered',
  place: 'Address',
  time_zone: 'Time zone',
  note: 'Good to know',
}

async function findProvider(id: string): Promise<CheckProvider> {
  const found = (await health_checks_api.providers({})).find((one) => one.id === id)
  if (!found) throw new Problem('not_found')
  return found
}

const ProviderFields = () => (
  <>
    <TextField
      name="name"
      label="Name"
      placeholder="Clinic on the Park"
      autoComplete="off"
      required
    />
    <TextField
      name="offers"
      label="What is offered"
      placeholder="Annual health check"
      autoComplete="off"
      required
    />
    <TextField name="place" label="Address" autoComplete="off" required />
    <SelectField
      name="time_zone"
      label="Time zone"
      options={timeZones}
      hint="Times are shown in this time zone. It can’t be changed once there are times."
      required
    />
    <TextAreaField
      name="note"
      label="Good to know"
      rows={2}
      hint="Optional. Shown to those who book: come fasting; bring your glasses."
    />
  </>
)
