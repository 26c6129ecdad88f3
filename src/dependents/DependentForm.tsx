import { useRef } from 'react'
import { api } from '#api/api.ts'
import { DateField } from '#ui/DateField.tsx'
import { useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { NewDependent, type Dependent, type Family } from './dependents.contract.ts'
import { relationships } from './cover-states.tsx'

type AddProps = { family: Family; open: boolean; onClose: () => void }

export function AddDependent({ family, open, onClose }: AddProps) {
  const asks = family.rules.approval_needed
  const add = useWrite(api.dependents.add, ({ full_name, cover_state }) =>
    cover_state === 'requested'
      ? `Your HR has been asked to approve ${full_name}`
      : `${full_name} is added`,
  )
  // A second press, or a retry after a lost answer, is the same act.
  const key = useRef(crypto.randomUUID())
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add Dependent"
      opening="Opening dependent registration form..."
      description="A family member whose health bills your Solidarity fund may pay."
    >
      <Form
        name="add-dependent"
        shape={NewDependent}
        defaults={{ covered_from: today(family) }}
        onSubmit={async (values) => {
          await add.submit(values, { idempotency_key: key.current })
          key.current = crypto.randomUUID()
          onClose()
        }}
      >
        {asks && (
          <Callout>Your HR approves dependents. We’ll notify you as soon as they have.</Callout>
        )}
        <Fields placeholder="Choose" />
        <div className="flex justify-end">
          <SubmitButton waiting="Adding...">Add Dependent</SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}

const today = (family: Family) =>
  family.joined_on > family.today ? family.joined_on : family.today

type EditProps = { dependent: Dependent; onDone: () => void }

/** Names can always be fixed; the rest only until HR approved it. */
export function EditDependent({ dependent, onDone }: EditProps) {
  const { id, version, full_name, relationship, born_on, covered_from } = dependent
  const change = useWrite(api.dependents.change, 'Changes saved')
  return (
    <Form
      name={`dependent-${id}-${version}`}
      shape={NewDependent}
      defaults={{ full_name, relationship, born_on, covered_from }}
      onSubmit={async (values) => {
        await change.submit({
          ...values,
          covered_from: values.covered_from ?? covered_from,
          id,
          version,
        })
        onDone()
      }}
    >
      <Fields fixed={dependent.approval} />
      <div className="flex justify-end">
        <SubmitButton waiting="Saving...">Save Changes</SubmitButton>
      </div>
    </Form>
  )
}

const Fields = ({ fixed = false, placeholder }: { fixed?: boolean; placeholder?: string }) => (
  <>
    <TextField name="full_name" label="Full name" autoComplete="off" required />
    {fixed ? (
      <p className="text-ui text-faint">
        HR approved the relationship and the dates. To change them, end this cover and add it again.
      </p>
    ) : (
      <>
        <SelectField
          name="relationship"
          label="Relationship"
          options={relationships}
          required
          {...(placeholder ? { placeholder } : {})}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <DateField name="born_on" label="Date of birth" required />
          <DateField
            name="covered_from"
            label="Covered from"
            hint="Bills from this day on can be claimed."
            required
          />
        </div>
      </>
    )}
  </>
)
