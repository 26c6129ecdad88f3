// Patches of a resource (RFC 7644, 3.5.2), with the habits of real providers: `Replace`, "False", paths as keys of a value, one
// value for several, and a `remove` with the removed members in its value.
import { z } from 'zod'
import { Problem } from '#problems.ts'
import { readPath, type ScimFilter, type Path } from './filter.ts'
import { canonical, urn } from './schemas.ts'

export type Resource = Record<string, unknown>
export type PatchOperation = z.output<typeof PatchOperation>
const PatchOperation = z.object({
  op: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['add', 'replace', 'remove'])),
  path: z.string().nullish(),
  value: z.unknown().optional(),
})
const operations_max = 1000
const Patch = z.object({ operations: z.array(PatchOperation).min(1) })

/** No resource is nested deeper; a body that is deeper is an attack. */
const deepest = 5

/** A body with the names as the schemas spell them; unknown names are dropped. */
export function canonicalBody(body: unknown, depth = 0): Resource {
  if (!isObject(body) || depth > deepest) return {}
  const canonicalPart = (value: unknown) =>
    isObject(value) ? canonicalBody(value, depth + 1) : value
  return Object.fromEntries(
    Object.entries(body).flatMap(([key, value]) => {
      const name = canonical(key)
      if (!name) return []
      if (Array.isArray(value)) return [[name, value.map(canonicalPart)]]
      return [[name, canonicalPart(value)]]
    }),
  )
}

export function readOperations(body: Resource): PatchOperation[] {
  const found = Object.entries(body).find(([key]) => key.toLowerCase() === 'operations')?.[1]
  if (Array.isArray(found) && found.length > operations_max) throw new Problem('scim_too_many')
  const read = Patch.safeParse({ operations: found })
  if (!read.success) throw new Problem('scim_syntax')
  return read.data.operations
}

/** The resource as the patch leaves it. Nothing is written before all of it is read. */
export function patched(resource: Resource, operations: PatchOperation[]): Resource {
  const result = structuredClone(resource)
  for (const { op, path, value } of operations) {
    if (path) change(result, op, readPath(path), value)
    else if (op === 'remove') throw new Problem('scim_no_target')
    else changeMany(result, op, value)
  }
  return result
}

type Op = PatchOperation['op']

/** Applies a patch without a path, whose value has the paths as keys: names, dotted names, or complete paths. */
function changeMany(resource: Resource, op: Op, value: unknown) {
  if (!isObject(value)) throw new Problem('scim_value')
  for (const [key, one] of Object.entries(value)) {
    if (canonical(key) || /[.[]/.test(key)) change(resource, op, readPath(key), one)
  }
}

function change(resource: Resource, op: Op, path: Path, value: unknown) {
  const { parents, last } = stepsOf(path.name)
  let holder = resource
  for (const parent of parents) {
    const there = holder[parent]
    if (Array.isArray(there))
      return changeEach(holder, parent, op, { name: parent, sub: last }, value)
    if (!isObject(there)) holder[parent] = {}
    holder = holder[parent] as Resource
  }
  if (path.filter) changeEach(holder, last, op, path, value)
  else changeWhole(holder, last, op, value)
}

/** `urn:…:User:department` → the extension, department; `name.givenName` → name, givenName. */
function stepsOf(name: string): { parents: string[]; last: string } {
  const extension = urn.enterprise.toLowerCase()
  const inside = name.startsWith(extension) ? [urn.enterprise] : []
  const rest = inside.length > 0 ? name.slice(extension.length).replace(/^[:.]/, '') : name
  const steps = [...inside, ...(rest === '' ? [] : rest.split('.').map(knownName))]
  const last = steps.pop()
  if (last === undefined) throw new Problem('scim_path')
  return { parents: steps, last }
}

function knownName(name: string): string {
  const written = canonical(name)
  if (!written || name.startsWith('urn:')) throw new Problem('scim_path', { facts: { name } })
  return written
}

function changeWhole(holder: Resource, name: string, op: Op, sent_value: unknown) {
  const value = isObject(sent_value) ? canonicalBody(sent_value) : sent_value
  const there = holder[name]
  if (op === 'remove') {
    if (Array.isArray(there) && Array.isArray(value)) {
      const going = value.map(idOf)
      holder[name] = there.filter((one) => !going.includes(idOf(one)))
    } else delete holder[name]
  } else if (Array.isArray(there) || Array.isArray(value)) {
    const coming = (Array.isArray(value) ? value : [value]).map((one: unknown) =>
      isObject(one) ? canonicalBody(one) : one,
    )
    const before = op === 'add' && Array.isArray(there) ? there : []
    const fresh = coming.filter((one) => !before.some((old) => idOf(old) === idOf(one)))
    holder[name] = [...withoutPrimary(before, fresh), ...fresh]
  } else if (isObject(there) && isObject(value)) holder[name] = { ...there, ...value }
  else holder[name] = value
}

const idOf = (one: unknown) => (isObject(one) ? one['value'] : one)
/** A new primary value makes the former one no longer primary. */
const withoutPrimary = (before: unknown[], fresh: unknown[]) =>
  fresh.some((one) => isObject(one) && one['primary'] === true)
    ? before.map((one) => (isObject(one) ? { ...one, primary: false } : one))
    : before

function changeEach(holder: Resource, name: string, op: Op, path: Path, sent_value: unknown) {
  const list = Array.isArray(holder[name]) ? (holder[name] as Resource[]) : []
  const { filter, sub } = path
  const chosen = list.filter((one) => !filter || fits(one, filter))
  if (op === 'remove') {
    if (sub) for (const one of chosen) delete one[knownName(sub)]
    else holder[name] = list.filter((one) => !chosen.includes(one))
    return
  }
  const value = sub ? { [knownName(sub)]: sent_value } : canonicalBody(sent_value)
  if (chosen.length > 0) for (const one of chosen) Object.assign(one, value)
  // A value that is not there yet is added as the path describes it: Entra sets a first telephone number like this.
  else holder[name] = [...list, { ...(filter ? described(filter) : {}), ...value }]
}

function described(filter: ScimFilter): Resource {
  if (filter.is === 'and') return { ...described(filter.both[0]), ...described(filter.both[1]) }
  if (filter.is === 'eq') return { [knownName(filter.name)]: filter.value }
  throw new Problem('scim_no_target')
}

/** Whether a value of one resource matches a filter. Comparisons other than equality are for lists. */
function fits(one: Resource, filter: ScimFilter): boolean {
  if (filter.is === 'and') return fits(one, filter.both[0]) && fits(one, filter.both[1])
  if (filter.is === 'or') return fits(one, filter.both[0]) || fits(one, filter.both[1])
  if (filter.is === 'not') return !fits(one, filter.of)
  if (filter.is === 'within') throw new Problem('scim_path')
  const there = one[knownName(filter.name)]
  if (filter.is === 'pr') return there !== undefined && there !== null
  const same = comparable(there ?? null) === comparable(filter.value)
  if (filter.is === 'eq') return same
  if (filter.is === 'ne') return !same
  throw new Problem('scim_path')
}

const comparable = (value: unknown) => {
  const text = typeof value === 'string' ? value.toLowerCase() : value
  return text === 'true' || text === 'false' ? text === 'true' : text
}

export const isObject = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
