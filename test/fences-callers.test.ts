// The repository tests itself: the callers of an act, as policy.ts has them, are those whom the SQL that it calls serves.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppOptions } from '#app-options.server.ts'
import type { Act } from '#contracts.ts'
import { handlersOf } from '#handlers.server.ts'
import { statementsOf } from '#lib/sql-files.server.ts'
import { everybody } from '#permissions/callers.ts'
import { callers } from '#policy.ts'
import { read, source_files, sql_files } from './sources.ts'

/** The text of each function, behind its name. */
const functions = new Map<string, string>()
for (const { text } of sql_files.flatMap((file) => statementsOf(read(file)))) {
  const plain = text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
  const [head, name] = /^create or replace function ([\w.]+)/.exec(plain) ?? []
  if (head && name) functions.set(name, plain.slice(head.length))
}

const namesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, one]) => one!)

/** A function's declarations and its first steps, which hang on nothing. */
function beginningOf(text: string) {
  const plain = text.replace(/begin if private\.is_request\(\) then (.*?) end if;/, 'begin $1')
  const [, declared = '', body = ''] = /\$\$ (?:declare (.*?) )?begin (.*)/.exec(plain) ?? []
  return `${declared} ${/^(?:(?!if |for )[^;]*; ?){1,2}/.exec(body)?.[0] ?? ''}`
}

type Served = { kinds: string[]; refuses: boolean } | undefined

/** Those whom a function serves, where it says so itself or by what it begins with; it refuses others, or finds nothing. */
function servedBy(name: string, above: readonly string[] = []): Served {
  const text = functions.get(name) ?? ''
  const beginning = beginningOf(text)
  const [demand] = namesIn(beginning, /private\.require_(?:role|right|right_at)\(([^)]*)\)/g)
  if (demand) return { kinds: kindsIn(demand), refuses: true }
  const [condition, ...more] = namesIn(text, /\b(?:and|where) (?:\(select )?actor_has\(('[^)]*)\)/g)
  if (condition && more.length === 0 && !/ or |\bactor_(?:role|employee)\(/.test(text))
    return { kinds: kindsIn(condition), refuses: false }
  for (const next of namesIn(beginning, /\b(private\.\w+)\(/g)) {
    const served = above.includes(next) ? undefined : servedBy(next, [...above, name])
    if (served) return served
  }
  return undefined
}

const kindsIn = (list: string) => namesIn(list, /'(\w+)'/g)

/** The handlers of all acts, which are read and not called. */
const nothing: unknown = new Proxy(() => nothing, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : nothing),
})
const handlers: Record<string, Record<string, unknown>> = handlersOf(nothing as AppOptions)

/** The folder of each feature's handlers. */
const folders = new Map<string, string>()
const joined = read('src/handlers.server.ts')
for (const [, handler, folder] of joined.matchAll(/import \{ (\w+) \} from '#(.*)\/[^/']+'/g)) {
  const [feature] = namesIn(joined, new RegExp(String.raw`\n  (\w+): ${handler}\b`, 'g'))
  if (feature) folders.set(feature, folder!)
}

/** The declarations in a folder's server files, by name, and those in the rest of its feature. */
const known = new Map<string, Map<string, string>>()
function declarationsFor(folder: string) {
  const found = known.get(folder) ?? new Map<string, string>()
  if (known.has(folder)) return found
  known.set(folder, found)
  for (const near of [`src/${folder}/`, `src/${folder.split('/')[0]}/`]) {
    for (const file of source_files.filter(
      (one) => one.startsWith(near) && one.endsWith('.server.ts'),
    )) {
      for (const text of read(file).split(/\n(?=(?:export )?(?:async )?(?:const|function\*?) )/)) {
        const [name] = namesIn(text, /^(?:export )?(?:async )?(?:const|function\*?) (\w+)/g)
        if (name && !found.has(name)) found.set(name, text)
      }
    }
  }
  return found
}

/** The functions of SQL that a handler calls, and those that what it calls in its folder does. */
function calledIn(text: string, folder: string, followed = new Set<string>()): string[] {
  const declared = declarationsFor(folder)
  const called = namesIn(text, /(?<![\w.])(\w+)\(/g)
  const next = called.filter((name) => declared.has(name) && !followed.has(name))
  for (const name of next) followed.add(name)
  return [
    ...called.filter((name) => functions.has(name)),
    ...next.flatMap((name) => calledIn(declared.get(name)!, folder, followed)),
  ]
}

test('the callers of an act are those whom the SQL serves that it calls', () => {
  const acts_of = new Map<string, Set<Act>>()
  for (const act of Object.keys(callers) as Act[]) {
    const [feature = '', name = ''] = act.split('.')
    const called = calledIn(String(handlers[feature]?.[name]), folders.get(feature)!)
    for (const one of called) acts_of.set(one, (acts_of.get(one) ?? new Set()).add(act))
  }
  // A right of keys alone is none of policy.ts.
  const of_people = (kinds: Iterable<string>) => everybody.filter((one) => [...kinds].includes(one))
  const unlike: object[] = []
  const compared = new Set<Act>()
  for (const [name, acts] of acts_of) {
    const served = servedBy(name)
    if (!served) continue
    for (const act of acts) compared.add(act)
    const in_sql = of_people(served.kinds)
    const in_policy = of_people([...acts].flatMap((act) => callers[act]))
    // Where others find nothing, an act may have more than it to tell them.
    const agree = served.refuses
      ? String(in_sql) === String(in_policy)
      : in_sql.every((kind) => in_policy.includes(kind))
    if (!agree) unlike.push({ name, in_sql, in_policy, acts: [...acts] })
  }
  assert.ok(compared.size > 140, `only ${compared.size} acts were compared`)
  assert.deepEqual(unlike, [])
})
