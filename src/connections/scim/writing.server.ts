// SCIM changes people by the product's own acts: it refuses what they refuse.
import type { Tx } from '#lib/db.server.ts'
import type { ScimChange } from './scim.contract.ts'
import { findPerson, type ScimPerson, type ScimUserFields } from './users.server.ts'

/** A change of a person who is here. */
type WrittenPerson = ScimChange & { person_id: string }

/** A person that SCIM had deleted comes back as themselves; anybody else is new. */
export async function addPerson(
  tx: Tx,
  company_id: string,
  user: ScimUserFields,
): Promise<WrittenPerson> {
  const [before] = await tx<[{ id: string | null }]>`
    select scim_deleted_person(${user.user_name}, ${user.email}) as id`
  if (before.id) return bringBack(tx, company_id, before.id, user)
  const { full_name, email, phone, department, active } = user
  const [made] = await tx<[{ id: string }]>`
    select scim_add_person(${tx.json({ full_name, email, phone, department, active })}) as id`
  await namePerson(tx, made.id, user)
  if (!user.active) await leave(tx, await findPerson(tx, company_id, made.id))
  const fields = fieldsOf(await findPerson(tx, company_id, made.id), undefined)
  return { act: 'added', person_id: made.id, name: full_name, fields }
}

async function bringBack(
  tx: Tx,
  company_id: string,
  id: string,
  user: ScimUserFields,
): Promise<WrittenPerson> {
  await namePerson(tx, id, user)
  const before = await findPerson(tx, company_id, id)
  const { act, fields } = await changePerson(tx, company_id, before, user)
  const back = act === 'kept_out' ? act : 'back'
  return { act: back, person_id: id, name: user.full_name, fields }
}

/** Changes a locked person; `before` is as they were read. */
export async function changePerson(
  tx: Tx,
  company_id: string,
  before: ScimPerson,
  user: ScimUserFields,
): Promise<WrittenPerson> {
  const { id, kept_out } = before
  const active = user.active && !kept_out
  // A person who has come in changes their address alone, as moving it would take over the account. A provider may rename
  // somebody whom it disables in the same call, so for them this is skipped.
  if (active && user.email !== before.email)
    await tx`select scim_move_address(${id}, ${user.email})`
  if (user.full_name !== before.full_name)
    await tx`update profiles set full_name = ${user.full_name} where id = ${id}`
  const department = ownValue(user.department, before.department, before.scim_department)
  const number = ownValue(user.personnel_number, before.personnel_number, before.scim_number)
  const phone = ownValue(user.phone, before.phone, before.scim_phone)
  const named = { ...user, department, personnel_number: number, phone }
  if (isNamedOtherwise(before, named)) await namePerson(tx, id, named)
  const moved = active === before.active ? 'changed' : active ? 'back' : 'left'
  if (moved === 'left') await leave(tx, before)
  if (moved === 'back') await tx`select scim_come_back(${id})`
  const after = await findPerson(tx, company_id, id)
  const act = user.active && kept_out ? 'kept_out' : moved
  return { act, person_id: id, name: after.full_name, fields: fieldsOf(after, before) }
}

const names = [
  'user_name',
  'external_id',
  'full_name',
  'given_name',
  'family_name',
  'formatted',
  'email_type',
  'email_first',
  'phone_type',
  'phone_first',
] as const

const isNamedOtherwise = (before: ScimPerson, user: ScimUserFields) =>
  user.department !== before.scim_department ||
  user.personnel_number !== before.scim_number ||
  user.phone !== before.scim_phone ||
  names.some((name) => user[name] !== before[name])

/** A value sent back as it was shown is no statement of the provider: it may be HR's or a group's. */
const ownValue = (value: string | null, shown: string | null, stored: string | null) =>
  value === shown ? stored : value

async function namePerson(tx: Tx, id: string, user: ScimUserFields) {
  await tx`select scim_name_person(${id}, ${tx.json(user)})`
}

export const leave = (tx: Tx, { id }: ScimPerson) => tx`select scim_leave(${id})`

const shown = {
  user_name: 'userName',
  external_id: 'externalId',
  full_name: 'displayName',
  email: 'email',
  phone: 'phone',
  department: 'department',
  personnel_number: 'employeeNumber',
  active: 'active',
  left_on: 'left_on',
} as const

/** The differences, for the page with the last calls. */
export function fieldsOf(
  after: ScimPerson | undefined,
  before: ScimPerson | undefined,
): ScimChange['fields'] {
  return Object.entries(shown).flatMap(([column, field]) => {
    const [from, to] = [before, after].map((one) => {
      const value = one?.[column as keyof typeof shown] ?? null
      return value === null ? null : String(value)
    }) as [string | null, string | null]
    return from === to ? [] : [{ field, from, to }]
  })
}
