import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { ChoicesField } from '#ui/ChoicesField.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { count } from '#ui/figures.ts'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { GroupName, type Group } from './groups.contract.ts'

const GroupFields = z
  .object({
    name: GroupName,
    members: z.enum(['department', 'picked']),
    departments: z.string().array(),
  })
  .refine(({ members, departments }) => members === 'picked' || departments.length > 0, {
    path: ['departments'],
    message: 'Choose a department',
  })

type Props = { group?: Group; onClose: () => void; onPick?: (made: Group) => void }

export function EditGroup({ group, onClose, onPick }: Props) {
  const add = useWrite(lazy_api.groups.add, ({ name }) => `${name} added`)
  const change = useWrite(lazy_api.groups.change, ({ name }) => `${name} saved`)
  return (
    <Dialog open onClose={onClose} title={group ? `Edit ${group.name}` : 'Add a group'}>
      <Form
        name={`group:${group?.id ?? 'new'}`}
        shape={GroupFields}
        defaults={{
          name: group?.name ?? '',
          members: group && !group.departments ? 'picked' : 'department',
          departments: group?.departments ?? [],
        }}
        onSubmit={async ({ name, members, departments }) => {
          const values = { name, departments: members === 'picked' ? null : departments }
          if (group) await change.submit({ id: group.id, version: group.version, ...values })
          const made = group ? undefined : await add.submit(values)
          onClose()
          if (made && !made.departments) onPick?.(made)
        }}
      >
        <TextField name="name" label="Name" required />
        <Members group={group} />
        <div className="flex justify-end gap-2">
          <CancelButton onClick={onClose} />
          <Save group={group} />
        </div>
      </Form>
    </Dialog>
  )
}

function usePreview(group: Group | undefined) {
  const { members, departments } = useFormContext().watch() as z.infer<typeof GroupFields>
  return useRead(
    lazy_api.groups.preview,
    { id: group?.id, departments: members === 'picked' ? null : departments },
    { keep: true, quiet: true },
  )
}

function Save({ group }: { group: Group | undefined }) {
  const preview = usePreview(group)
  return (
    <SubmitButton waiting="Saving..." unless={preview?.refusals.save}>
      {group ? 'Save group' : 'Add group'}
    </SubmitButton>
  )
}

function Members({ group }: { group: Group | undefined }) {
  const by_department = useFormContext().watch('members') === 'department'
  const preview = usePreview(group)
  return (
    <>
      <SelectField
        name="members"
        label="Who is in it"
        options={{ department: 'Everybody in certain departments', picked: 'People you pick' }}
        hint={
          by_department
            ? group && !group.departments && group.people > 0
              ? 'The people picked for it are removed from it.'
              : 'Anyone who joins one of these departments is in the group at once, and out when they leave it.'
            : group
              ? undefined
              : 'You pick them next.'
        }
      />
      {by_department && <Departments />}
      {preview?.refusals.save && (
        <Callout>
          {`This ${preview.is_in ? 'takes you out of' : 'puts you into'} the group. `}
          Somebody else with the right People has to save it.
        </Callout>
      )}
    </>
  )
}

/** Departments of the company, and departments of the group that nobody is in any more. */
function Departments() {
  const known = useRead(api.employees.departments, {})
  const chosen = useFormContext().watch('departments') as string[]
  if (!known) return <Skeleton className="h-32 w-full" />
  const people = new Map(known.map((one) => [one.department, one.people]))
  const offered = [...new Set([...chosen, ...people.keys()])]
    .toSorted((one, other) => one.localeCompare(other))
    .map((id) => ({ id, name: `${id} · ${count(people.get(id) ?? 0)}` }))
  return (
    <ChoicesField
      name="departments"
      label="Departments"
      hint={offered.length === 0 ? 'No departments yet' : undefined}
      options={offered}
    />
  )
}
