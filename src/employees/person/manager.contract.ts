// A person's manager, who is asked where a policy's step asks for the manager.
import { z } from 'zod'
import { get, put, Refusal, SearchText } from '#lib/contract.ts'

const NamedPerson = z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })
const OfPerson = z.object({ id: z.uuid() })
const Manager = z.object({
  manager: NamedPerson.extend({ reviews: z.boolean() }).nullable(),
  /** A step of the policy in force asks managers. */
  approves: z.boolean(),
  refusals: z.object({ set_manager: Refusal }),
})

export const manager = {
  manager: get('/employees/:id/manager', OfPerson, Manager),
  /** The people who can be one, by the beginning or any part of their name. */
  managers: get(
    '/employees/managers',
    z.object({ search: SearchText.optional() }),
    NamedPerson.array(),
  ),
  set_manager: put(
    '/employees/:id/manager',
    OfPerson.extend({ manager_id: z.uuid().nullable() }),
    Manager,
  ),
}
