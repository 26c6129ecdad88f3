// Acts on many people at once: on those selected, or on all that the filters leave.
import { z } from 'zod'
import { post } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'
import { Department, EmployeeFilter } from '../employees.contract.ts'
import { Import } from '#employees/imports/imports.contract.ts'

export const most_picked = 500

export type PeopleSelection = z.infer<typeof PeopleSelection>
export const PeopleSelection = EmployeeFilter.omit({ sort: true }).extend({
  /** Without ids: all whom the filters leave. */
  person_ids: z.array(z.uuid()).min(1).max(most_picked).optional(),
})

export const many = {
  /** Compares the changes, as a file's: nothing is changed until it is started. */
  compare: post(
    '/employees/many/changes',
    PeopleSelection.extend({
      becomes: z.union([z.object({ left_on: Day() }), z.object({ department: Department })]),
    }),
    Import,
  ),
  put_in_group: post(
    '/employees/many/group',
    PeopleSelection.extend({ into_group_id: z.uuid() }),
    z.object({
      added: z.int(),
      were_in_it: z.int(),
      /** People left out because another admin has to add them: nobody puts themselves in a group. */
      left_out: z.int(),
      added_at: z.string(),
    }),
  ),
  /** Removes the people whom one act added, unless they were removed and added again since. */
  undo_put_in_group: post(
    '/employees/many/group/undo',
    z.object({ group_id: z.uuid(), added_at: z.iso.datetime({ offset: true }) }),
    z.object({ taken_out: z.int() }),
  ),
  /** Invites people who have not come yet again, unless they were invited within a day. */
  invite_again: post(
    '/employees/many/invitations',
    PeopleSelection,
    z.object({ invited: z.int(), left_out: z.int() }),
  ),
}
