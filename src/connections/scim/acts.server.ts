// The acts of SCIM on one person and on one group.
import type { Context } from 'hono'
import type { Tx } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import { addGroup, changeGroup, findGroup, groupOf, groupWish, isId } from './groups.server.ts'
import { patchedGroup, type Group } from './groups.server.ts'
import { canonicalBody, patched, readOperations, type Resource } from './patch.ts'
import { projected, wantsMembers } from './reading.server.ts'
import type { Change } from './scim.contract.ts'
import { findPerson, userOf, wishOf, type Person, type Wish } from './users.server.ts'
import { addPerson, changePerson, fieldsOf, leave } from './writing.server.ts'

export type Asked = {
  tx: Tx
  company_id: string
  c: Context
  body: Resource
  base: string
  id?: string | undefined
}
export type Answer = {
  status: number
  body?: Resource
  headers?: Record<string, string>
  changes?: Change[]
}
type Act = (asked: Asked) => Promise<Answer>
type Acts = Record<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', Act>

/** With its version, and without what was not asked for. */
function shown({ c }: Asked, status: number, resource: Resource, changes?: Change[]): Answer {
  const meta = resource['meta'] as { version: string; location: string }
  const headers = { etag: meta.version, ...(status === 201 ? { location: meta.location } : {}) }
  const fresh = c.req.method === 'GET' && sameVersion(c.req.header('if-none-match'), meta.version)
  if (fresh) return { status: 304, headers }
  const body = projected(resource, c.req.query())
  return { status, headers, body, ...(changes ? { changes } : {}) }
}

const bare = (version: string) => version.trim().replace(/^W\//, '')
const sameVersion = (said: string | undefined, version: string) =>
  said !== undefined &&
  said.split(',').some((one) => one.trim() === '*' || bare(one) === bare(version))

/** A call that names a version changes no other. */
function refuseOther({ c }: Asked, { meta }: Resource) {
  const said = c.req.header('if-match')
  const { version } = meta as { version: string }
  if (said !== undefined && !sameVersion(said, version)) throw new Problem('scim_version')
}

const idOf = ({ id = '' }: Asked) => {
  if (!isId(id)) throw new Problem('not_found')
  return id
}

async function lockPerson(asked: Asked): Promise<Person> {
  await asked.tx`select scim_lock(${idOf(asked)})`
  const person = await findPerson(asked.tx, asked.company_id, idOf(asked))
  refuseOther(asked, userOf(person, asked.base))
  return person
}

const showPerson = async (asked: Asked, id: string, status: number, changes?: Change[]) =>
  shown(
    asked,
    status,
    userOf(await findPerson(asked.tx, asked.company_id, id), asked.base),
    changes,
  )

async function change(asked: Asked, before: Person, wish: Wish): Promise<Answer> {
  const made = await changePerson(asked.tx, asked.company_id, before, wish)
  return showPerson(asked, before.id, 200, made.fields.length > 0 ? [made] : [])
}

export const userActs: Acts = {
  GET: (asked) => showPerson(asked, idOf(asked), 200),

  POST: async (asked) => {
    const wish = wishOf(canonicalBody(asked.body))
    const made = await addPerson(asked.tx, asked.company_id, wish)
    return showPerson(asked, made.person_id, 201, [made])
  },

  PUT: async (asked) => {
    const before = await lockPerson(asked)
    return change(asked, before, wishOf(canonicalBody(asked.body), before))
  },

  PATCH: async (asked) => {
    const operations = readOperations(asked.body)
    const before = await lockPerson(asked)
    const after = patched(userOf(before, asked.base), operations)
    return change(asked, before, wishOf(after, before))
  },

  /** They leave today, and are there no more for who deletes them. */
  DELETE: async (asked) => {
    const before = await lockPerson(asked)
    const { tx, company_id } = asked
    if (before.active) await leave(tx, before)
    const fields = fieldsOf(await findPerson(tx, company_id, before.id), before)
    await tx`select scim_forget_person(${before.id})`
    const done: Change = { act: 'deleted', person_id: before.id, name: before.full_name, fields }
    return { status: 204, changes: [done] }
  },
}

async function lockGroup(asked: Asked): Promise<Group> {
  await asked.tx`select scim_lock_group(${idOf(asked)})`
  const group = await findGroup(asked.tx, asked.company_id, idOf(asked), false)
  refuseOther(asked, groupOf(group, asked.base))
  return group
}

async function showGroup(asked: Asked, id: string, status: number, changes?: Change[]) {
  const with_members = wantsMembers(asked.c.req.query())
  const group = await findGroup(asked.tx, asked.company_id, id, with_members)
  return shown(asked, status, groupOf(group, asked.base), changes)
}

export const groupActs: Acts = {
  GET: (asked) => showGroup(asked, idOf(asked), 200),

  POST: async (asked) => {
    const { id, changes } = await addGroup(asked.tx, groupWish(canonicalBody(asked.body)))
    return showGroup(asked, id, 201, changes)
  },

  PUT: async (asked) => {
    const wish = groupWish(canonicalBody(asked.body))
    const before = await lockGroup(asked)
    const changes = await changeGroup(asked.tx, before, wish)
    return showGroup(asked, before.id, 200, changes)
  },

  PATCH: async (asked) => {
    const operations = readOperations(asked.body)
    const before = await lockGroup(asked)
    const changes = await changeGroup(asked.tx, before, patchedGroup(before, operations))
    return showGroup(asked, before.id, 200, changes)
  },

  DELETE: async (asked) => {
    const { display_name: name } = await lockGroup(asked)
    await asked.tx`select scim_remove_group(${idOf(asked)})`
    return { status: 204, changes: [{ act: 'group_deleted', name, fields: [] }] }
  },
}
