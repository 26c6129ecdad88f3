// Values on their way to PostgreSQL and back. Amounts are numbers (checked to be exact), instants ISO strings,
// calendar dates never instants.

/** Sent as jsonb. */
export class Json {
  readonly text: string

  constructor(value: unknown) {
    this.text = JSON.stringify(value)
  }
}

export type Value =
  | string
  | number
  | bigint
  | boolean
  | Date
  | Uint8Array
  | Json
  | null
  | readonly Value[]

const [boolean, bytea, bigint, instant, jsonb] = [16, 17, 20, 1184, 3802]

/** The type a value is said to have; 0 leaves it to the place where it stands. */
export function typeOf(value: Value): number {
  if (typeof value === 'boolean') return boolean
  if (typeof value === 'bigint') return bigint
  if (typeof value !== 'object' || value === null) return 0
  if (value instanceof Json) return jsonb
  if (value instanceof Date) return instant
  return value instanceof Uint8Array ? bytea : 0
}

export function wireValue(value: Value): string | Buffer | null {
  if (typeof value === 'string') return value
  if (value === null) return null
  if (value === undefined) throw new TypeError('undefined is no value: is null meant?')
  if (typeof value !== 'object') return String(value)
  if (value instanceof Json) return value.text
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array)
    return Buffer.isBuffer(value)
      ? value
      : Buffer.from(value.buffer, value.byteOffset, value.length)
  if (Array.isArray(value)) return listed(value)
  throw new TypeError('An object is no value: is JSON meant?')
}

const listed = (values: readonly Value[]): string => `{${values.map(item).join(',')}}`

function item(value: Value): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return listed(value)
  const text = wireValue(value)
  const text_value = Buffer.isBuffer(text) ? `\\x${text.toString('hex')}` : text
  return `"${text_value?.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

type ValueReader = (text: string) => unknown

/** '2026-03-01 09:30:00.123456+00' → '2026-03-01T09:30:00.123Z'; a list has hundreds of them. */
const iso: ValueReader = (text) =>
  text[10] === ' ' && text.endsWith('+00')
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
    : new Date(text).toISOString()

function exact(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new Error(`${text} is too large to be exact`)
  return number
}

const json: ValueReader = (text) => JSON.parse(text)
const plain: ValueReader = (text) => text

/** Each type has how it is read, and the type of a list of it. What is not here is text. */
const readers_by_type: [type: number, list: number, read: ValueReader][] = [
  [boolean, 1000, (text) => text === 't'],
  [bytea, 1001, (text) => Buffer.from(text.slice(2), 'hex')],
  [bigint, 1016, exact],
  [21, 1005, Number], // smallint
  [23, 1007, Number], // integer
  [26, 1028, Number], // oid
  [700, 1021, Number], // real
  [701, 1022, Number], // double precision
  [114, 199, json],
  [jsonb, 3807, json],
  [1114, 1115, (text) => new Date(text)], // timestamp
  [instant, 1185, iso],
  [18, 1002, plain], // "char"
  [19, 1003, plain], // name
  [25, 1009, plain], // text
  [1042, 1014, plain], // character
  [1043, 1015, plain], // character varying
  [1082, 1182, plain], // date
  [1700, 1231, plain], // numeric
  [2205, 2210, plain], // regclass
  [2206, 2211, plain], // regtype
  [2950, 2951, plain], // uuid
]

const readers = new Map<number, ValueReader>(
  readers_by_type.flatMap(([type, list, read]) => [
    ...(read === plain ? [] : [[type, read] as const]),
    [list, (text) => itemsOf(text, read)] as const,
  ]),
)

export const readerOf = (type: number) => readers.get(type)

/** One item in braces, quoted or bare; what stands between are commas and braces. */
const parts = /"((?:[^"\\]|\\.)*)"|[{}]|[^{},"]+/gs

/** '{1,2}', '{{a,b},{NULL,"c d"}}' → lists. */
function itemsOf(text: string, read: ValueReader): unknown[] {
  const outermost: unknown[] = []
  const open = [outermost]
  for (const [part, quotedly] of text.slice(text.indexOf('{')).matchAll(parts)) {
    const within = open.at(-1) ?? outermost
    if (part === '{') {
      const inner: unknown[] = []
      within.push(inner)
      open.push(inner)
    } else if (part === '}') open.pop()
    else if (quotedly !== undefined) within.push(read(quotedly.replaceAll(/\\(.)/gs, '$1')))
    else within.push(part === 'NULL' ? null : read(part))
  }
  return (outermost[0] ?? []) as unknown[]
}
