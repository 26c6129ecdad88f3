// The files that the repository's tests of itself read.
import { readdirSync, readFileSync } from 'node:fs'

export const root_url = new URL('..', import.meta.url)
export const read = (path: string) => readFileSync(new URL(path, root_url), 'utf8')
export const files = (folder: string, ending: RegExp) =>
  readdirSync(new URL(folder, root_url), { recursive: true, encoding: 'utf8' })
    // The bench and the image install packages of their own, once they are asked to.
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
export const source_files = files('src', /\.tsx?$/)
/** All pages for people who work with or on it. */
export const doc_pages = [
  ...readdirSync(root_url).filter((name) => /^[A-Z]+\.md$/.test(name)),
  ...files('docs', /\.md$/),
]
export const sql_files = [...files('db', /\.sql$/), ...files('src', /\.sql$/)]
/** Folders of `src/` that every feature may import from. */
export const common = new Set(['api', 'lib', 'permissions', 'shared', 'ui'])
/** The others, but for the commands, which import any. */
export const features = new Set(
  readdirSync(new URL('src', root_url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !common.has(entry.name) && entry.name !== 'commands')
    .map((entry) => entry.name),
)
export const importsOf = (file: string, by = /./) =>
  [...read(file).matchAll(imported)]
    .filter(([whole]) => by.test(whole))
    .map(([, from, loaded]) => (from ?? loaded)!)
const imported = /^(?:import|export)\s[^'"]*?['"]([^'"]+)['"]|\bimport\('([^']+)'\)/gm
/** The file that an import names; a package as it is. */
export const target = (file: string, from: string) =>
  from.startsWith('.')
    ? new URL(from, `file:/${file}`).pathname.slice(1)
    : from.replace(/^#/, 'src/')

/** Findings of a fence that no exception is for, and exceptions that nothing needs any more. */
export const unlikeExceptions = (
  found: readonly string[],
  exceptions: Iterable<string>,
): string[] => {
  const [needed, excepted] = [new Set(found), new Set(exceptions)]
  const idle = [...excepted].filter((name) => !needed.has(name))
  return [
    ...found.filter((name) => !excepted.has(name)),
    ...idle.map((name) => `${name}: an exception that nothing needs`),
  ]
}

/** Functions that tables need: in a generated column, an index or a check. */
export const needed_by_tables = new Set([
  'function email_domain',
  'function without_accents',
  'function private.likeness_parts',
  'function private.iban_holds',
  'function private.account_is_valid',
])

/** `function private.seal`, `policy claims.your_own`; nothing for what defines no name. */
export function definedBy(statement: string): string | undefined {
  const text = statement.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').replace('or replace ', '')
  const [, kind, name] =
    /^create (?:unlogged )?(?:unique )?(table|index|type|domain|function|aggregate|view|trigger|policy) ([\w.]+)/.exec(
      text,
    ) ?? []
  if (!kind) return undefined
  const table = /^(?:trigger|policy)$/.test(kind) ? `${/ on ([\w.]+)/.exec(text)?.[1]}.` : ''
  return `${kind} ${table}${name}`
}
