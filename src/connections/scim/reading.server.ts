// Lists of SCIM: filtered, sorted, a page at a time, with what was asked for of each.
import type { Tx } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import { plainName, readFilter } from './filter.ts'
import * as groups from './groups.server.ts'
import { columnNamed, requiredValue, conditionFor, type ScimColumns } from './matching.server.ts'
import type { Resource } from './patch.ts'
import { page_max, urn } from './schemas.ts'
import * as users from './users.server.ts'

/** A search as the address has it, or the body of a POST. */
type ScimQuery = Partial<
  Record<'filter' | 'sortBy' | 'sortOrder' | 'startIndex' | 'count', unknown>
> &
  Projection
type Projection = Partial<Record<'attributes' | 'excludedAttributes', unknown>>

const page_usual = 100
type ScimScope = { tx: Tx; company_id: string; base: string }

export async function listScimUsers(within: ScimScope, question: ScimQuery): Promise<ScimList> {
  const { tx, company_id, base } = within
  const { where, filter } = conditionOf(tx, question, users.user_columns)
  const name = filter && requiredValue(filter, 'username')
  const [named] =
    name === undefined
      ? []
      : await tx<[{ ids: string[] }]>`select to_json(scim_people_named(${name})) as ids`
  const from = tx`from scim_users u where u.company_id = ${company_id} and ${where}
    ${named ? tx`and u.id = any (${named.ids}::uuid[])` : tx``}`
  const { offset, limit } = pageOf(question)
  const [[{ total }], found] = await Promise.all([
    tx<[{ total: number }]>`select count(*) as total ${from}`,
    limit === 0
      ? []
      : users.readScimPeople(tx`select ${users.userColumns(tx)} ${from}
          order by ${sorted(tx, question, users.user_columns)} u.id
          offset ${offset} limit ${limit}`),
  ])
  return listed(
    total,
    offset,
    found.map((person) => projected(users.userOf(person, base), question)),
  )
}

export async function listGroups(within: ScimScope, question: ScimQuery): Promise<ScimList> {
  const { tx, company_id, base } = within
  const { where } = conditionOf(tx, question, groups.group_columns)
  const from = tx`from scim_groups g where g.company_id = ${company_id} and ${where}`
  const { offset, limit } = pageOf(question)
  const [[{ total }], found] = await Promise.all([
    tx<[{ total: number }]>`select count(*) as total ${from}`,
    limit === 0
      ? []
      : groups.readGroups(tx`select ${groups.groupColumns(tx, wantsMembers(question))} ${from}
          order by ${sorted(tx, question, groups.group_columns)} g.id
          offset ${offset} limit ${limit}`),
  ])
  return listed(
    total,
    offset,
    found.map((group) => projected(groups.scimGroupOf(group, base), question)),
  )
}

/** Lists people, then groups. An attribute that only one kind has finds none of the other. */
export async function listAll(within: ScimScope, question: ScimQuery): Promise<ScimList> {
  const { offset, limit } = pageOf(question)
  const people = await ifKnown(() => listScimUsers(within, question))
  const before = people?.totalResults ?? 0
  const rest = { startIndex: offset - before + 1, count: limit - (people?.itemsPerPage ?? 0) }
  const others = await ifKnown(() => listGroups(within, { ...question, ...rest }))
  const kinds = [people, others].filter((kind) => kind !== undefined)
  if (kinds.length === 0) throw new Problem('scim_filter')
  const total = kinds.reduce((sum, kind) => sum + kind.totalResults, 0)
  return listed(
    total,
    offset,
    kinds.flatMap(({ Resources }) => Resources),
  )
}

async function ifKnown(list: () => Promise<ScimList>): Promise<ScimList | undefined> {
  try {
    return await list()
  } catch (error) {
    if (error instanceof Problem && error.code === 'scim_filter') return undefined
    throw error
  }
}

function conditionOf(tx: Tx, { filter }: ScimQuery, columns: ScimColumns) {
  if (filter === undefined || filter === '') return { where: tx`true` }
  if (typeof filter !== 'string') throw new Problem('scim_filter')
  const tree = readFilter(filter)
  return { where: conditionFor(tx, tree, columns), filter: tree }
}

function sorted(tx: Tx, { sortBy, sortOrder }: ScimQuery, columns: ScimColumns) {
  if (sortBy === undefined || sortBy === '') return tx``
  if (typeof sortBy !== 'string') throw new Problem('scim_path')
  const name = plainName(sortBy)
  const column = columnNamed(columns, name)
  if (!column || column.kind === 'several') throw new Problem('scim_path', { facts: { name } })
  const by = column.kind === 'text' ? `lower(${column.sql})` : column.sql
  const backwards = typeof sortOrder === 'string' && /^descending$/i.test(sortOrder)
  return backwards ? tx`${tx.unsafe(by)} desc nulls first,` : tx`${tx.unsafe(by)} nulls last,`
}

function pageOf({ startIndex, count }: ScimQuery) {
  const whole = (value: unknown, usual: number) =>
    Number.isFinite(Number(value ?? usual)) ? Math.trunc(Number(value ?? usual)) : usual
  return {
    offset: Math.min(Math.max(whole(startIndex, 1), 1) - 1, 2_000_000_000),
    limit: Math.min(Math.max(whole(count, page_usual), 0), page_max),
  }
}

type ScimList = {
  schemas: string[]
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: Resource[]
}

export const listed = (total: number, offset: number, resources: Resource[]): ScimList => ({
  schemas: [urn.list],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

const namesIn = (value: unknown) =>
  (Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',') : [])
    .map((name) => plainName(name.trim()))
    .filter(Boolean)

/** Whether members are asked for at all: of a large group they are most of the work. */
export function wantsMembers({ attributes, excludedAttributes }: Projection): boolean {
  const names = namesIn(attributes)
  if (names.length > 0) return names.some((name) => name.split('.')[0] === 'members')
  return !namesIn(excludedAttributes).includes('members')
}

/** The requested attributes of a resource; its id and schemas are always included. */
export function projected(resource: Resource, question: Projection): Resource {
  const names = namesIn(question.attributes)
  const unwanted = namesIn(question.excludedAttributes)
  if (names.length > 0) {
    return picked(resource, '', (name) =>
      names.some((one) => one === name || within(one, name) || within(name, one)),
    )
  }
  if (unwanted.length === 0) return resource
  return picked(resource, '', (name) => !unwanted.includes(name))
}

const always = new Set(['id', 'schemas'])
const within = (name: string, of: string) => name.startsWith(`${of}.`) || name.startsWith(`${of}:`)

function picked(value: unknown, prefix: string, keeps: (name: string) => boolean): Resource {
  return Object.fromEntries(
    Object.entries(value as Resource).flatMap(([key, one]) => {
      const joint = prefix.startsWith('urn:') ? ':' : '.'
      const name = prefix ? `${prefix}${joint}${key.toLowerCase()}` : key.toLowerCase()
      if (!prefix && always.has(key)) return [[key, one]]
      if (!keeps(name)) return []
      if (Array.isArray(one) && typeof one[0] === 'object')
        return [[key, one.map((part) => picked(part, name, keeps))]]
      if (typeof one === 'object' && one !== null && !Array.isArray(one))
        return [[key, picked(one, name, keeps)]]
      return [[key, one]]
    }),
  )
}
