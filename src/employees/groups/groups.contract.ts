// Groups of a company's people: by department, or picked one by one.
import { z } from 'zod'
import { del, get, post, put, Refusal } from '#lib/contract.ts'
import { OneLine } from '#lib/one-line.ts'

export type Group = z.infer<typeof Group>
export const Group = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Everybody in one of these departments is in the group. Null: its people are picked one by one. */
  departments: z.string().array().nullable(),
  /** Employees, leavers included. */
  people: z.int(),
  /** Departments of the group in which nobody has benefits, leavers apart. */
  empty: z.string().array(),
  version: z.int(),
  /** The rules that name the group: steps of the policy in force, limits, plans of open years. */
  in_use: z.object({ steps: z.int().array(), limits: z.int(), plans: z.int() }),
  /** The reason, for each act, why it may not be done now. */
  refusals: z.object({ remove: Refusal }),
})

export const GroupName = OneLine.min(2, 'Give it a name').max(60, 'At most 60 characters')
const ChosenDepartments = z.array(z.string().min(2).max(100)).max(100, 'At most 100 departments')
const Departments = ChosenDepartments.min(1, 'Choose a department')
const NewGroup = z.object({ name: GroupName, departments: Departments.nullable() })

const GroupId = z.object({ id: z.uuid() })
const WithPerson = GroupId.extend({ person_id: z.uuid('Choose somebody from the list') })

export const groups = {
  list: get('/groups', z.object({}), Group.array()),
  /** The reason why the asker may not pick themselves, or take themselves out. */
  own: get('/groups/own', z.object({}), z.object({ refusals: z.object({ pick: Refusal }) })),
  /** Whether the asker is in a group (none: a new one) now, and why they may not save it with these departments. */
  preview: post(
    '/groups/preview',
    z.object({ id: z.uuid().optional(), departments: ChosenDepartments.nullable() }),
    z.object({ is_in: z.boolean(), refusals: z.object({ save: Refusal }) }),
  ),
  add: post('/groups', NewGroup, Group),
  /** `version` is the one that was read. If the group goes by department now, the picked people are forgotten. */
  change: put('/groups/:id', NewGroup.extend({ id: z.uuid(), version: z.int() }), Group),
  remove: del('/groups/:id', GroupId, GroupId),
  put_person: put('/groups/:id/people/:person_id', WithPerson, Group),
  take_person: del('/groups/:id/people/:person_id', WithPerson, Group),
  of_person: get(
    '/employees/:id/groups',
    GroupId,
    z.array(Group.pick({ id: true, name: true, departments: true })),
  ),
}
