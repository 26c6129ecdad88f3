// How a company takes its people from its identity provider, and what that did last.
import { z } from 'zod'
import { Department } from '#employees/employees.contract.ts'
import { get, put } from '#lib/contract.ts'

export type ScimGroup = z.infer<typeof ScimGroup>
export const ScimGroup = z.object({
  id: z.uuid(),
  display_name: z.string(),
  /** The department of its people, if HR gives it one. */
  department: z.string().nullable(),
  members: z.int(),
})

export type ScimOverview = z.infer<typeof ScimOverview>
export const ScimOverview = z.object({
  /** The address that the identity provider calls. */
  base_address: z.string(),
  /** Whether who is added gets a link by mail. */
  invites: z.boolean(),
  /** Calls are answered as they would be, and nothing is written. */
  dry_run: z.boolean(),
  /** The domains whose people may be written: those the company has verified. */
  domains: z.string().array(),
  groups: ScimGroup.array(),
})

/** The change that was, or in a dry run would have been, made to a person or a group. */
export type ScimChange = z.infer<typeof ScimChange>
export const ScimChange = z.object({
  act: z.enum([
    'added',
    'changed',
    'left',
    'back',
    // Sent as active, but kept out: suspended, or HR has set their last day.
    'kept_out',
    'deleted',
    'group_added',
    'group_changed',
    'group_deleted',
    'joined',
    'went',
  ]),
  person_id: z.uuid().nullish(),
  /** The name of the person or group, as it was then. */
  name: z.string(),
  fields: z
    .object({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() })
    .array(),
})

export type ScimCall = z.infer<typeof ScimCall>
export const ScimCall = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  method: z.string(),
  path: z.string(),
  dry_run: z.boolean(),
  status: z.int(),
  code: z.string().nullable(),
  changes: ScimChange.array(),
})

export const scim = {
  overview: get('/connections/scim', z.object({}), ScimOverview),
  change: put(
    '/connections/scim',
    z.object({ invites: z.boolean(), dry_run: z.boolean() }),
    ScimOverview,
  ),
  /** Sets the department for which a group stands; null: none. */
  map: put(
    '/connections/scim/groups/:id',
    z.object({ id: z.uuid(), department: Department.nullable() }),
    ScimOverview,
  ),
  /** Calls that wrote or were refused, newest first; `before`: those older than this number. */
  calls: get(
    '/connections/scim/calls',
    z.object({ before: z.coerce.number().int().positive().optional() }),
    z.object({ calls: ScimCall.array(), next: z.int().nullable() }),
  ),
}
