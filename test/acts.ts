// Acts as the repository's tests read them: the handler of each, and the functions of SQL that it calls.
import type { AppOptions } from '#app-options.server.ts'
import { handlersOf } from '#handlers.server.ts'
import { statementsOf } from '#lib/sql-files.server.ts'
import { read, source_files, sql_files } from './sources.ts'

/** The text of each function of SQL, behind its name. */
export const sql_functions = new Map<string, string>()
for (const { text } of sql_files.flatMap((file) => statementsOf(read(file)))) {
  const plain = text.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ')
  const [head, name] = /^create or replace function ([\w.]+)/.exec(plain) ?? []
  if (head && name) sql_functions.set(name, plain.slice(head.length))
}

export const matchesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, one]) => one!)

/** The handlers of all acts, which are read and not called. */
const nothing: unknown = new Proxy(() => nothing, {
  get: (_, key) => (key === Symbol.toPrimitive ? () => '' : nothing),
})
const handlers: Record<string, Record<string, unknown>> = handlersOf(nothing as AppOptions)

/** The folder of each feature's handlers. */
const folders = new Map<string, string>()
const joined = read('src/handlers.server.ts')
for (const [, handler, folder] of joined.matchAll(/import \{ (\w+) \} from '#(.*)\/[^/']+'/g)) {
  const [feature] = matchesIn(joined, new RegExp(String.raw`\n  (\w+): ${handler}\b`, 'g'))
  if (feature) folders.set(feature, folder!)
}

/** A function that stands in the one which makes the handlers. */
const declared_within = /\n {2}const (\w+) = (?:async )?\([\s\S]*?(?=\n {2}\S)/g

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
        const [name] = matchesIn(text, /^(?:export )?(?:async )?(?:const|function\*?) (\w+)/g)
        if (name && !found.has(name)) found.set(name, text)
        if (!name?.endsWith('Handlers')) continue
        for (const [within, inner] of text.matchAll(declared_within)) {
          if (!found.has(inner!)) found.set(inner!, within)
        }
      }
    }
  }
  return found
}

/** The functions called in a handler’s text, and in those of its folder that it calls. */
function namedIn(text: string, folder: string, followed: Set<string>): string[] {
  const declared = declarationsFor(folder)
  const called = matchesIn(text, /(?<![\w.])(\w+)\(/g)
  const next = called.filter((name) => declared.has(name) && !followed.has(name))
  for (const name of next) followed.add(name)
  return [...called, ...next.flatMap((name) => namedIn(declared.get(name)!, folder, followed))]
}

/** The functions of SQL that an act's handler calls, and those that what it calls in its folder does. */
export function calledBy(act: string): string[] {
  const [feature = '', name = ''] = act.split('.')
  const text = String(handlers[feature]?.[name])
  return namedIn(text, folders.get(feature)!, new Set()).filter((one) => sql_functions.has(one))
}
