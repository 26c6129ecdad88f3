// Where an OpenAPI document no longer keeps what an earlier one promised.

type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
type Parameter = { name: string; in: string; required: boolean; schema: Schema }
type Content = { content?: Record<string, { schema?: Schema }> }
type Operation = {
  parameters?: Parameter[]
  requestBody?: Content
  responses?: Record<string, Content>
}
export type Document = { paths: Record<string, Record<string, Operation>> }

const json = (content: Content | undefined) => content?.content?.['application/json']?.schema

export function breaksIn(promised: Document, now: Document): string[] {
  return Object.entries(promised.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, was]) => {
      const name = `${method.toUpperCase()} ${path}`
      const is = now.paths[path]?.[method]
      if (!is) return [`${name} is gone`]
      return [
        ...parametersOf(name, was, is),
        ...sent(`${name} body`, json(was.requestBody), json(is.requestBody)),
        ...answered(`${name} answer`, json(was.responses?.['200']), json(is.responses?.['200'])),
      ]
    }),
  )
}

function parametersOf(name: string, was: Operation, is: Operation): string[] {
  const before = was.parameters ?? []
  const after = is.parameters ?? []
  const same = (one: Parameter) => (other: Parameter) =>
    other.name === one.name && other.in === one.in
  return [
    ...before
      .filter((one) => !after.some(same(one)))
      .map((one) => `${name}: ${one.name} is no longer taken`),
    ...after
      .filter((one) => one.required && !before.find(same(one))?.required)
      .map((one) => `${name}: ${one.name} is newly demanded`),
  ]
}

const kindOf = ({ type, anyOf }: Schema): string =>
  anyOf ? anyOf.map(kindOf).toSorted().join('|') : [type ?? []].flat().toSorted().join('|')

/** Requests may get new fields, none of them required. */
function sent(at: string, was: Schema | undefined, is: Schema | undefined): string[] {
  if (!was) return is?.required?.length ? [`${at}: is newly demanded`] : []
  if (!is) return [`${at}: is no longer taken`]
  const demanded = (is.required ?? []).filter((field) => !was.required?.includes(field))
  return [
    ...kindBreaks(at, was, is),
    ...demanded.map((field) => `${at}.${field} is newly demanded`),
    ...fields(at, was, is, sent),
  ]
}

/** Answers may get new fields. */
function answered(at: string, was: Schema | undefined, is: Schema | undefined): string[] {
  if (!was) return []
  if (!is) return [`${at}: is gone`]
  return [...kindBreaks(at, was, is), ...fields(at, was, is, answered)]
}

const kindBreaks = (at: string, was: Schema, is: Schema) =>
  kindOf(was) === kindOf(is) ? [] : [`${at}: was ${kindOf(was)}, is ${kindOf(is)}`]

function fields(at: string, was: Schema, is: Schema, compare: typeof sent): string[] {
  const own = Object.entries(was.properties ?? {}).flatMap(([name, field]) => {
    const now = is.properties?.[name]
    return now ? compare(`${at}.${name}`, field, now) : [`${at}.${name} is gone`]
  })
  const each = was.items ? compare(`${at}[]`, was.items, is.items) : []
  const parts = (was.anyOf ?? []).flatMap((part, n) => compare(at, part, is.anyOf?.[n]))
  return [...own, ...each, ...parts]
}
