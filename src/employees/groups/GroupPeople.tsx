import { X } from 'lucide-react'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { IconButton } from '#ui/Button.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { counted } from '#ui/figures.ts'
import { Form, FormButtons } from '#ui/Form.tsx'
import { MoreButton } from '#ui/MoreButton.tsx'
import { PickField, type FindChoices } from '#ui/PickField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { groups, type Group } from './groups.contract.ts'

const MemberFields = groups.put_person.input.pick({ person_id: true })

const employeesBut = (left_out: string | undefined): FindChoices =>
  Object.assign(
    async ({ search }: { search?: string | undefined }) => {
      const found = await api.employees.list({ search: search || undefined, limit: 20 })
      return found.employees
        .filter(({ id }) => id !== left_out)
        .map(({ id, full_name, email }) => ({ id, name: full_name, note: email }))
    },
    { key: `groups.employees ${left_out ?? ''}` },
  )

/** The person who asks, where they may neither pick themselves nor take themselves out. */
function useNotYours() {
  const me = useRead(api.users.me, {})
  const refusal = useRead(lazy_api.groups.own, {})?.refusals.pick
  return refusal && me ? { id: me.id, refusal } : undefined
}

/** The people picked for a group, and picking more. */
export function GroupPeople({ group, onClose }: { group: Group; onClose: () => void }) {
  const { id, name, people } = group
  const put = useWrite(lazy_api.groups.put_person, `Added to ${name}`)
  const own = useNotYours()
  return (
    <Dialog
      open
      onClose={onClose}
      title={`People of ${name}`}
      description={people === 0 ? 'Nobody yet' : counted(people, 'person', 'people')}
    >
      <Form
        name={`group-people:${id}`}
        shape={MemberFields}
        defaults={{ person_id: '' }}
        resets
        onSubmit={({ person_id }) => put.submit({ id, person_id })}
      >
        <PickField
          name="person_id"
          label="Employee"
          find={employeesBut(own?.id)}
          placeholder="Type to find somebody"
          required
        />
        <FormButtons waiting="Saving...">Add to group</FormButtons>
      </Form>
      <Picked group={group} />
    </Dialog>
  )
}

function Picked({ group: { id, name } }: { group: Group }) {
  const take = useWrite(lazy_api.groups.take_person, `Removed from ${name}`)
  const own = useNotYours()
  const list = useCursorList(api.employees.list, { group_id: id, limit: 50 })
  if (!list.pages) return <Skeleton className="mt-4 h-12 w-full" />
  return (
    <>
      <ul className="mt-3 divide-y divide-line" aria-label={`People of ${name}`}>
        {list.pages
          .flatMap(({ employees: of_page }) => of_page)
          .map((person) => (
            <li key={person.id} className="flex items-center gap-2 py-2 text-sm">
              <span className="min-w-0 flex-1">
                <span className="block font-medium wrap-anywhere">{person.full_name}</span>
                <span className="block text-ui wrap-anywhere text-soft">
                  {person.department ?? person.email}
                </span>
              </span>
              <IconButton
                size="small"
                label={`Take ${person.full_name} out of ${name}`}
                loading={take.sent?.person_id === person.id}
                unless={person.id === own?.id ? own.refusal : null}
                icon={X}
                onClick={() => take({ id, person_id: person.id })}
              />
            </li>
          ))}
      </ul>
      <MoreButton list={list} />
    </>
  )
}
