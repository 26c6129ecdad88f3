import { useState } from 'react'
import { z } from 'zod'
import { Department } from '#employees/employees.contract.ts'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog, Sheet } from '#ui/Dialog.tsx'
import { Empty } from '#ui/Empty.tsx'
import { counted } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { connections_api } from '../api.ts'
import type { ScimGroup } from './scim.contract.ts'

type Props = { open: boolean; groups: readonly ScimGroup[]; onClose: () => void }

/** Which department each group of the identity provider stands for. */
export function GroupsSheet({ open, groups, onClose }: Props) {
  const [mapping, setMapping] = useState<ScimGroup>()
  return (
    <Sheet wide open={open} onClose={onClose} title="Groups and departments">
      {groups.length === 0 ? (
        <Empty title="No groups yet">
          Once your identity provider sends groups, you can say here which department each stands
          for.
        </Empty>
      ) : (
        <ul className="divide-y divide-line" aria-label="Groups">
          {groups.map((group) => (
            <li
              key={group.id}
              className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3 text-sm"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="font-medium wrap-anywhere">{group.display_name}</p>
                <p className="mt-0.5 text-ui wrap-anywhere text-soft">
                  {counted(group.members, 'member')}
                  {group.department ? ` · department ${group.department}` : ' · no department'}
                </p>
              </div>
              <Button
                size="small"
                aria-label={`Department of ${group.display_name}`}
                onClick={() => setMapping(group)}
              >
                Department
              </Button>
            </li>
          ))}
        </ul>
      )}
      {mapping && <MapGroup group={mapping} onClose={() => setMapping(undefined)} />}
    </Sheet>
  )
}

const GroupMappingFields = z.object({ department: z.literal('').or(Department) })

function MapGroup({ group, onClose }: { group: ScimGroup; onClose: () => void }) {
  const map = useWrite(connections_api.scim.map, 'Saved')
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Department of ${group.display_name}`}
      description="Its employees get this department at once. Of several groups with a department, the first by name counts."
    >
      <Form
        name={`map-scim-group-${group.id}`}
        shape={GroupMappingFields}
        defaults={{ department: group.department ?? '' }}
        onSubmit={async ({ department }) => {
          await map.submit({ id: group.id, department: department || null })
          onClose()
        }}
      >
        <TextField
          name="department"
          label="Department"
          hint="Leave it empty for none: its employees keep the department they have."
          autoComplete="off"
        />
        <FormButtons onCancel={onClose} waiting="Saving...">
          Save
        </FormButtons>
      </Form>
    </Dialog>
  )
}
