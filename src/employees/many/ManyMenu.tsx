import { Building2, CalendarX2, Mail, Users, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/Button.tsx'
import { Menu, MenuItem } from '#ui/Menu.tsx'
import { useEmployeeFilter } from '../EmployeeList.tsx'
import type { PeopleSelection } from './many.contract.ts'
import { ManyDialog, type ManyAct } from './ManyDialog.tsx'
import type { PickedPeople } from './picked.ts'

/** Acts on the selected people, or on all that the filters leave. */
export function ManyMenu({ picked }: { picked: PickedPeople }) {
  const { sort: _, ...filter } = useEmployeeFilter()
  const [act, setAct] = useState<ManyAct>()
  const picks = picked.ids.size
  const people: PeopleSelection = picks > 0 ? { person_ids: [...picked.ids] } : filter
  return (
    <>
      <div className="flex items-center gap-1">
        <Menu
          label="Change many"
          trigger={<Button>{picks > 0 ? `Change ${picks} selected` : 'Change many'}</Button>}
        >
          <MenuItem icon={Building2} onSelect={() => setAct('department')}>
            Change department
          </MenuItem>
          <MenuItem icon={Users} onSelect={() => setAct('group')}>
            Add to a group
          </MenuItem>
          <MenuItem icon={Mail} onSelect={() => setAct('invite')}>
            Resend invitations
          </MenuItem>
          <MenuItem icon={CalendarX2} onSelect={() => setAct('leave')}>
            Set last day
          </MenuItem>
        </Menu>
        {picks > 0 && <IconButton label="Clear selection" icon={X} onClick={picked.clear} />}
      </div>
      {act && (
        <ManyDialog
          act={act}
          people={people}
          onClose={() => setAct(undefined)}
          onDone={picked.clear}
        />
      )}
    </>
  )
}
