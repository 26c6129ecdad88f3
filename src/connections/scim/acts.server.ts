// The acts of SCIM on one person and on one group.
import type { Context } from 'hono'
import type { Tx } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import {
  addGroup,
  changeGroup,
  findGroup,
  scimGroupOf,
  groupFieldsOf,
  isId,
} from './groups.server.ts'
import { patchedGroup, type StoredGroup } from './groups.server.ts'
import { canonicalBody, patched, readOperations, type Resource } from './patch.ts'
import { projected, wantsMembers } from './reading.server.ts'
import type { ScimChange } from './scim.contract.ts'
import {
  findPerson,
  isDisabled,
  userOf,
  userFieldsOf,
  type ScimPerson,
  type ScimUserFields,
} from './users.server.ts'
import { addPerson, changePerson, fieldsOf, leave } from './writing.server.ts'

type ScimRequest = {
  tx: Tx
  company_id: string
  c: Context
  body: Resource
  base: string
  id?: string | undefined
}
export type ScimResponse = {
  status: number
  body?: Resource
  headers?: Record<string, string>
  changes?: ScimChange[]
}
export type ScimHandler = (request: ScimRequest) => Promise<ScimResponse>
type ActByMethod = Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', ScimHandler>

/** A resource as the answer: with its version, and only the requested attributes. */
function shown(
  { c }: ScimRequest,
  status: number,
  resource: Resource,
  changes?: ScimChange[],
): ScimResponse {
  const meta = resource['meta'] as { version: string; location: string }
  const headers = { etag: meta.version, ...(status === 201 ? { location: meta.location } : {}) }
  const fresh = c.req.method === 'GET' && sameVersion(c.req.header('if-none-match'), meta.version)
  if (fresh) return { status: 304, headers }
  const body = projected(resource, c.req.query())
  return { status, headers, body, ...(changes ? { changes } : {}) }
}

const bare = (version: string) => version.trim().replace(/^W\//, '')
const sameVersion = (if_match: string | undefined, version: string) =>
  if_match !== undefined &&
  if_match.split(',').some((one) => one.trim() === '*' || bare(one) === bare(version))

/** A call that names a version is refused if the resource has another one. */
function refuseOther({ c }: ScimRequest, { meta }: Resource) {
  const if_match = c.req.header('if-match')
  const { version } = meta as { version: string }
  if (if_match !== undefined && !sameVersion(if_match, version)) throw new Problem('scim_version')
}

const idOf = ({ id = '' }: ScimRequest) => {
  if (!isId(id)) throw new Problem('not_found')
  return id
}

async function lockPerson(request: ScimRequest): Promise<ScimPerson> {
  await request.tx`select scim_lock(${idOf(request)})`
  const person = await findPerson(request.tx, request.company_id, idOf(request))
  refuseOther(request, userOf(person, request.base))
  return person
}

const showPerson = async (
  request: ScimRequest,
  id: string,
  status: number,
  changes?: ScimChange[],
) =>
  shown(
    request,
    status,
    userOf(await findPerson(request.tx, request.company_id, id), request.base),
    changes,
  )

async function change(
  request: ScimRequest,
  before: ScimPerson,
  fields: ScimUserFields,
): Promise<ScimResponse> {
  const { tx, company_id, base } = request
  const made = await changePerson(tx, company_id, before, fields)
  const after = await findPerson(tx, company_id, before.id)
  const kept_out = made.act === 'kept_out' && before.kept_out
  // Providers send the whole person each time, and repeat a refused request endlessly. So a request to make somebody active who
  // can't be is refused only if it would change nothing else; otherwise the rest is written, and the answer says that they aren't
  // active.
  if (kept_out && after.version === before.version) throw new Problem(kept_out)
  const changes = kept_out || made.fields.length > 0 ? [made] : []
  return shown(request, 200, userOf(after, base), changes)
}

/** A person who is disabled leaves in any event: if the other fields of the call are refused, they leave with their old ones. */
function acceptedFields(
  { base }: ScimRequest,
  resource: Resource,
  before: ScimPerson,
): ScimUserFields {
  try {
    return userFieldsOf(resource, before)
  } catch (error) {
    if (!isDisabled(resource)) throw error
    return userFieldsOf({ ...userOf(before, base), active: false }, before)
  }
}

export const userActs: ActByMethod = {
  GET: (request) => showPerson(request, idOf(request), 200),

  POST: async (request) => {
    const fields = userFieldsOf(canonicalBody(request.body))
    const made = await addPerson(request.tx, request.company_id, fields)
    return showPerson(request, made.person_id, 201, [made])
  },

  PUT: async (request) => {
    const before = await lockPerson(request)
    return change(request, before, acceptedFields(request, canonicalBody(request.body), before))
  },

  PATCH: async (request) => {
    const operations = readOperations(request.body)
    const before = await lockPerson(request)
    const after = patched(userOf(before, request.base), operations)
    return change(request, before, acceptedFields(request, after, before))
  },

  /** A deleted person leaves today, and is hidden from the provider that deleted them. */
  DELETE: async (request) => {
    const before = await lockPerson(request)
    const { tx, company_id } = request
    if (before.active) await leave(tx, before)
    const fields = fieldsOf(await findPerson(tx, company_id, before.id), before)
    await tx`select scim_forget_person(${before.id})`
    const done: ScimChange = {
      act: 'deleted',
      person_id: before.id,
      name: before.full_name,
      fields,
    }
    return { status: 204, changes: [done] }
  },
}

async function lockGroup(request: ScimRequest): Promise<StoredGroup> {
  await request.tx`select scim_lock_group(${idOf(request)})`
  const group = await findGroup(request.tx, request.company_id, idOf(request), false)
  refuseOther(request, scimGroupOf(group, request.base))
  return group
}

async function showGroup(request: ScimRequest, id: string, status: number, changes?: ScimChange[]) {
  const with_members = wantsMembers(request.c.req.query())
  const group = await findGroup(request.tx, request.company_id, id, with_members)
  return shown(request, status, scimGroupOf(group, request.base), changes)
}

export const groupActs: ActByMethod = {
  GET: (request) => showGroup(request, idOf(request), 200),

  POST: async (request) => {
    const { id, changes } = await addGroup(request.tx, groupFieldsOf(canonicalBody(request.body)))
    return showGroup(request, id, 201, changes)
  },

  PUT: async (request) => {
    const fields = groupFieldsOf(canonicalBody(request.body))
    const before = await lockGroup(request)
    const changes = await changeGroup(request.tx, before, fields)
    return showGroup(request, before.id, 200, changes)
  },

  PATCH: async (request) => {
    const operations = readOperations(request.body)
    const before = await lockGroup(request)
    const changes = await changeGroup(request.tx, before, patchedGroup(before, operations))
    return showGroup(request, before.id, 200, changes)
  },

  DELETE: async (request) => {
    const { display_name: name } = await lockGroup(request)
    await request.tx`select scim_remove_group(${idOf(request)})`
    return { status: 204, changes: [{ act: 'group_deleted', name, fields: [] }] }
  },
}
