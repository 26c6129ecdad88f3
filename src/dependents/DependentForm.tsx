import { api } from '#api/api.ts'
import { Problem } from '#problems.ts'
import { DateField } from '#ui/DateField.tsx'
import { useActKey } from '#ui/act-key.ts'
import { useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import {
  NewDependent,
  type Dependent,
  type Family,
  type Relationship,
} from './dependents.contract.ts'
import { relationships } from './words.contract.ts'

type AddProps = { family: Family; open: boolean; onClose: () => void }

export function AddDependent({ family, open, onClose }: AddProps) {
  const asks = family.rules.approval_needed
  const add = useWrite(api.dependents.add, ({ full_name, cover_state }) =>
    cover_state === 'requested' ? `Cover of ${full_name} requested` : `${full_name} added`,
  )
  // A second press, or a retry after a lost answer, is the same act.
  const key = useActKey()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add dependent"
      opening="Opening dependent registration form..."
      description="A family member whose health bills your Solidarity fund may pay."
    >
      <Form
        name="add-dependent"
        shape={NewDependent}
        defaults={{ covered_from: family.new_cover_from }}
        onSubmit={async (values) => {
          await add.submit(values, { idempotency_key: key.of(values) })
          key.done()
          onClose()
        }}
      >
        {asks && (
          <Callout>Your HR approves dependents. We’ll notify you as soon as they have.</Callout>
        )}
        <DependentFields family={family} placeholder="Choose" />
        <FormButtons waiting="Adding...">Add dependent</FormButtons>
      </Form>
    </Dialog>
  )
}

type EditProps = { family: Family; dependent: Dependent; onDone: () => void }

/** Names can always be changed; all else only until HR has approved the dependent. */
export function EditDependent({ family, dependent, onDone }: EditProps) {
  const { id, covered_from } = dependent
  const change = useWrite(api.dependents.change, 'Changes saved')
  return (
    <VersionedForm
      name={`dependent-${id}`}
      shape={NewDependent}
      record={dependent}
      fieldsOf={({ full_name, relationship, born_on, covered_from: from }) => ({
        full_name,
        relationship,
        born_on,
        covered_from: from,
      })}
      labels={labels}
      shown={(field, value) =>
        field === 'relationship'
          ? relationships[value as Relationship]
          : field === 'full_name'
            ? value
            : dateText(value)
      }
      save={(values, version) =>
        change.submit({ ...values, covered_from: values.covered_from ?? covered_from, id, version })
      }
      find={() => findDependent(id)}
      onSaved={onDone}
    >
      <DependentFields family={family} fixed={dependent.approval} />
    </VersionedForm>
  )
}

const labels = {
  full_name: 'Full name',
  relationship: 'Relationship',
  born_on: 'Date of birth',
  covered_from: 'Covered from',
}

async function findDependent(id: string): Promise<Dependent> {
  const { dependents } = await api.dependents.mine({})
  const found = dependents.find((one) => one.id === id)
  if (!found) throw new Problem('not_found')
  return found
}

type DependentFieldsProps = { family: Family; fixed?: boolean; placeholder?: string }

const DependentFields = ({ family, fixed = false, placeholder }: DependentFieldsProps) => (
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
            hint={`Bills from this day on can be claimed. ${yourDays(family)}`}
            required
          />
        </div>
      </>
    )}
  </>
)

function yourDays({ joined_on, left_on, today }: Family): string {
  const joined = `You joined on ${dateText(joined_on)}`
  if (!left_on) return `${joined}.`
  return `${joined}; your last day ${left_on < today ? 'was' : 'is'} ${dateText(left_on)}.`
}
