// Groups of an identity provider. They may be large, so only members who come or go are written.
import { z } from 'zod'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import { plainName, readPath, type ScimFilter } from './filter.ts'
import type { ScimColumns } from './matching.server.ts'
import { isObject, type PatchOperation, type Resource } from './patch.ts'
import type { ScimChange } from './scim.contract.ts'
import { urn } from './schemas.ts'
import { withoutEmpty } from './users.server.ts'
import { OneLine } from '#lib/one-line.ts'

export type StoredGroup = z.output<typeof StoredGroup>
const StoredGroup = z.object({
  id: z.uuid(),
  display_name: z.string(),
  external_id: z.string().nullable(),
  version: z.int(),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
  members: z.uuid().array().nullish(),
})

export const group_columns: ScimColumns = {
  id: { sql: 'g.id::text', kind: 'exact' },
  externalid: { sql: 'g.external_id', kind: 'exact' },
  displayname: { sql: 'g.display_name', kind: 'text' },
  'meta.resourcetype': { sql: `'Group'::text`, kind: 'text' },
  'meta.created': { sql: `date_trunc('milliseconds', g.created_at)`, kind: 'instant' },
  'meta.lastmodified': { sql: `date_trunc('milliseconds', g.changed_at)`, kind: 'instant' },
  ...Object.fromEntries(
    ['members', 'members.value'].map((name) => [
      name,
      {
        sql: `(select array_agg(m.person_id::text) from scim_members m
          where m.company_id = g.company_id and m.group_id = g.id)`,
        kind: 'several',
      },
    ]),
  ),
}

export const groupColumns = (tx: Tx, with_members: boolean) => tx`
  g.id, g.display_name, g.external_id, g.version, g.created_at, g.changed_at
  ${
    with_members
      ? tx`, coalesce((select json_agg(u.id order by u.id)
          from scim_members m join scim_users u on u.company_id = m.company_id and u.id = m.person_id
          where m.company_id = g.company_id and m.group_id = g.id), '[]') as members`
      : tx``
  }`

export const findGroup = (tx: Tx, company_id: string, id: string, with_members = true) =>
  row(
    StoredGroup,
    tx`select ${groupColumns(tx, with_members)} from scim_groups g
      where g.company_id = ${company_id} and g.id = ${id}`,
  )
export const readGroups = (query: PromiseLike<readonly unknown[]>) => rows(StoredGroup, query)

export function scimGroupOf(g: StoredGroup, base: string): Resource {
  const members = g.members?.map((id) => ({
    value: id,
    $ref: `${base}/Users/${id}`,
    type: 'User',
  }))
  return withoutEmpty({
    schemas: [urn.group],
    id: g.id,
    externalId: g.external_id,
    displayName: g.display_name,
    members: members?.length ? members : null,
    meta: {
      resourceType: 'Group',
      created: g.created_at,
      lastModified: g.changed_at,
      location: `${base}/Groups/${g.id}`,
      version: `W/"${g.version}"`,
    },
  })
}

/** The group as SCIM wants it, and the members to add and to remove. */
type ScimGroupFields = {
  display_name: string
  external_id: string | null
  coming: Set<string>
  going: Set<string>
  /** Members who are not named are removed. */
  whole: boolean
}

const MemberList = z.preprocess(
  (one) => (one === null || one === undefined ? [] : Array.isArray(one) ? one : [one]),
  z.array(z.object({ value: z.string().max(255) })).max(50_000),
)
const GroupName = OneLine.min(1).max(200)
const IncomingGroup = z.object({
  displayName: GroupName,
  externalId: z.string().max(255).nullish(),
  members: MemberList,
})

export function groupFieldsOf(resource: Resource): ScimGroupFields {
  const read = IncomingGroup.safeParse(resource)
  if (!read.success) {
    throw new Problem('scim_value', { facts: { name: String(read.error.issues[0]?.path[0]) } })
  }
  const { displayName, externalId, members } = read.data
  return {
    display_name: displayName,
    external_id: externalId || null,
    coming: new Set(members.map(({ value }) => value)),
    going: new Set(),
    whole: true,
  }
}

export function patchedGroup(group: StoredGroup, operations: PatchOperation[]): ScimGroupFields {
  const fields: ScimGroupFields = {
    display_name: group.display_name,
    external_id: group.external_id,
    coming: new Set(),
    going: new Set(),
    whole: false,
  }
  for (const { op, path, value } of operations) {
    const { name, filter } = path ? readPath(path) : {}
    if (name) apply(fields, op, name, value, filter)
    else if (!isObject(value) || op === 'remove') throw new Problem('scim_no_target')
    else for (const [key, one] of Object.entries(value)) apply(fields, op, plainName(key), one)
  }
  return fields
}

const ignored = new Set(['id', 'schemas', 'meta'])

function apply(
  fields: ScimGroupFields,
  op: PatchOperation['op'],
  name: string,
  value: unknown,
  filter?: ScimFilter,
) {
  if (name === 'members') return move(fields, op, value, filter)
  if (name === 'displayname' && op !== 'remove') fields.display_name = read(GroupName, value, name)
  else if (name === 'externalid')
    fields.external_id = op === 'remove' ? null : read(ExternalId, value, name)
  else if (!ignored.has(name)) throw new Problem('scim_path', { facts: { name } })
}

const ExternalId = z.string().trim().min(1).max(255)

function read(shape: z.ZodType<string>, value: unknown, name: string): string {
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw new Problem('scim_value', { facts: { name } })
  return parsed.data
}

function move(
  fields: ScimGroupFields,
  op: PatchOperation['op'],
  value: unknown,
  filter?: ScimFilter,
) {
  if (filter && op !== 'remove') throw new Problem('scim_path', { facts: { name: 'members' } })
  const read = MemberList.safeParse(value)
  if (!read.success) throw new Problem('scim_value', { facts: { name: 'members' } })
  const ids = filter ? chosenBy(filter) : read.data.map((one) => one.value)
  // A remove without a value means all members; one with an empty list means nobody.
  const everybody = op === 'remove' && !filter && (value ?? null) === null
  if (op === 'replace' || everybody) {
    fields.whole = true
    fields.coming = new Set(op === 'replace' ? ids : [])
    fields.going.clear()
    return
  }
  const [into, from] = op === 'add' ? [fields.coming, fields.going] : [fields.going, fields.coming]
  for (const id of ids) {
    into.add(id)
    from.delete(id)
  }
}

/** Ids in `members[value eq "…"]`, several of them joined by `or`. */
function chosenBy(filter: ScimFilter): string[] {
  if (filter.is === 'or') return filter.both.flatMap(chosenBy)
  if (filter.is === 'eq' && filter.name === 'value') return [String(filter.value)]
  throw new Problem('scim_path', { facts: { name: 'members' } })
}

export async function addGroup(
  tx: Tx,
  group: ScimGroupFields,
): Promise<{ id: string; changes: ScimChange[] }> {
  const [{ id }] = await tx<[{ id: string }]>`
    select scim_add_group(${group.display_name}, ${group.external_id}) as id`
  const fields = [{ field: 'displayName', from: null, to: group.display_name }]
  const added: ScimChange = { act: 'group_added', name: group.display_name, fields }
  return { id, changes: [added, ...(await moveMembers(tx, id, group))] }
}

export async function changeGroup(
  tx: Tx,
  before: StoredGroup,
  after: ScimGroupFields,
): Promise<ScimChange[]> {
  const { display_name, external_id } = after
  const changes: ScimChange[] = []
  if (display_name !== before.display_name || external_id !== before.external_id) {
    await tx`select scim_change_group(${before.id}, ${display_name}, ${external_id})`
    const fields = [
      { field: 'displayName', from: before.display_name, to: display_name },
      { field: 'externalId', from: before.external_id, to: external_id },
    ].filter(({ from, to }) => from !== to)
    changes.push({ act: 'group_changed', name: display_name, fields })
  }
  return [...changes, ...(await moveMembers(tx, before.id, after))]
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
export const isId = (id: string) => uuid.test(id)
/** The most people that the record of a call names; a call may move thousands. */
const listed_max = 100

async function moveMembers(tx: Tx, id: string, { coming, going, whole }: ScimGroupFields) {
  if (!whole && coming.size + going.size === 0) return []
  if (![...coming].every(isId)) throw new Problem('scim_value', { facts: { name: 'members' } })
  const moved = await tx<{ person_id: string; full_name: string; is_in: boolean }[]>`
    select m.person_id, p.full_name, m.is_in
      from scim_move_members(${id}, ${[...coming]}::uuid[], ${[...going].filter(isId)}::uuid[],
        ${whole}) m join profiles p on p.id = m.person_id`
  return moved.slice(0, listed_max).map(({ person_id, full_name, is_in }): ScimChange => ({
    act: is_in ? 'joined' : 'went',
    person_id,
    name: full_name,
    fields: [],
  }))
}
