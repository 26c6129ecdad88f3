// Every text that people can meet, as `npm run check` reads it: screens, mails, reports, problems, SQL, docs. None of
// the phrases that only sound like English, and no word that neither the dictionary nor the trade knows.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import nspell from 'nspell'
import dictionary from 'dictionary-en-gb'
import { parseSync } from 'vite'
import { doc_pages } from './sources.ts'
import { name_words, phrases } from './words/phrases.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const files = (folder: string, ending: RegExp) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !name.includes('node_modules'))
    .map((name) => path.posix.join(folder, name))
    .toSorted()

export type FoundText = { file: string; at: number; text: string }

/** The texts of code: what is drawn between tags, and strings that read like sentences. */
export function textsOfCode(file: string, code: string): FoundText[] {
  const { program } = parseSync(file, code)
  const found: FoundText[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (!isNode(node) || isSilent(node)) return undefined
    const text = textOf(node)
    if (text && isText(node, text)) {
      found.push({ file, at: lineOf(code, node.start + text.search(/\S/)), text })
    }
    return Object.values(node).forEach(visit)
  }
  visit(program.body)
  return found
}

type SyntaxNode = { type: string; start: number } & Record<string, unknown>
const isNode = (node: unknown): node is SyntaxNode =>
  typeof node === 'object' && node !== null && 'type' in node && 'start' in node

/** Parts that nobody reads: class names, where things are imported from, SQL, types, lists of words. */
const isSilent = (node: SyntaxNode) =>
  ['ImportDeclaration', 'TaggedTemplateExpression', 'TSLiteralType'].includes(node.type) ||
  (node.type === 'JSXAttribute' && /class|styles|^d$|href|src|path/i.test(nameOf(node['name']))) ||
  (node.type === 'CallExpression' && isListOfWords(node['callee']))

const isListOfWords = (callee: unknown) =>
  isNode(callee) && nameOf(callee['property']) === 'split' && isNode(callee['object'])

const nameOf = (node: unknown) => (isNode(node) ? String(node['name']) : '')

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'JSXText') return String(node['value'])
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type === 'TemplateElement') {
    const { cooked } = node['value'] as { cooked: string | null }
    return cooked ?? ''
  }
  return undefined
}

/** Several words without the characters of class names, addresses and code; or one that begins like a label. */
const isText = ({ type }: SyntaxNode, text: string) =>
  /\p{L}{2}/u.test(text) &&
  (type === 'JSXText' ||
    (/^[“‘(]?\p{Lu}\p{Ll}/u.test(text.trim()) && !/[_/=<>{}|\\]|\w-\[|:\w/.test(text)) ||
    /^[\s,;:.–]*\p{Ll}+(?:[ ,;]+\p{L}+[’'.,…?!]*){2,}\s*$/u.test(text))

const lineOf = (code: string, start: number) => code.slice(0, start).split('\n').length

/** The texts of SQL: literals that begin like a sentence. Its comments are left out, as they are for developers. */
export const textsOfSql = (file: string, code: string): FoundText[] =>
  code.split('\n').flatMap((line, at) =>
    [...line.replace(/--.*$/, '').matchAll(/'((?:[^']|'')+)'/g)]
      .map(([, text = '']) => text.replaceAll("''", '’'))
      .filter((text) => /^\p{Lu}\p{Ll}+ \p{Ll}/u.test(text))
      .map((text) => ({ file, at: at + 1, text })),
  )

/** The texts of a page, without code, addresses and names. */
const textsOfPage = (file: string, page: string): FoundText[] => {
  let in_code = false
  return page.split('\n').flatMap((line, at) => {
    if (line.startsWith('```')) in_code = !in_code
    if (in_code || line.startsWith('    ')) return []
    const text = line
      .replace(/`[^`]*`/g, ' ')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/https?:\S+/g, ' ')
    return [{ file, at: at + 1, text }]
  })
}

/** Pages that quote the phrases themselves, and lists of names. */
const unread = /^(STYLE|SECURITY)\.md$|docs\/(api|dependencies|glossary)\.md$/

const texts = (): FoundText[] => [
  ...files('src', /(?<!\.test)\.tsx?$/).flatMap((file) => textsOfCode(file, read(file))),
  ...files('src', /\.sql$/).flatMap((file) => textsOfSql(file, read(file))),
  ...doc_pages
    .filter((file) => !unread.test(file))
    .flatMap((file) => textsOfPage(file, read(file))),
]

/** Texts for developers: comments, and names as words (`pageKey`, `page_key`: page key; as a field `.page key`). */
export function namesOfCode(file: string, code: string): FoundText[] {
  const { program, comments } = parseSync(file, code)
  const found = comments.map(({ start, value }) => ({
    file,
    at: lineOf(code, start),
    text: value.toLowerCase(),
  }))
  const fields = new Set<unknown>()
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (!isNode(node)) return undefined
    if (!node['computed']) fields.add(node['key'])
    if (/^(JSX)?Identifier$/.test(node.type))
      found.push({
        file,
        at: lineOf(code, node.start),
        text: (fields.has(node) ? '.' : '') + spoken(nameOf(node)),
      })
    return Object.values(node).forEach(visit)
  }
  visit(program.body)
  return found
}

/** The names of SQL: everything but its literals. */
export const namesOfSql = (file: string, code: string): FoundText[] =>
  code.split('\n').map((line, at) => {
    return { file, at: at + 1, text: spoken(line.replace(/'[^']*'/g, '')) }
  })

const spoken = (name: string) =>
  name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

export const misnamed = (all: readonly FoundText[]): string[] =>
  all.flatMap(({ file, at, text }) =>
    name_words
      .filter(([word]) => word.test(text))
      .map(([word, better]) => `${file}:${at} “${word.exec(text)?.[0]}”: call it “${better}”`),
  )

const nameOfFile = (file: string): FoundText => {
  const [name = ''] = path.basename(file).split('.')
  return { file, at: 1, text: spoken(name.replaceAll('-', '_')) }
}

function named(): FoundText[] {
  const code = ['src', 'test', 'bench', 'demo'].flatMap((folder) => files(folder, /\.tsx?$/))
  const sql = ['src', 'db'].flatMap((folder) => files(folder, /\.sql$/))
  return [
    ...[...code, ...sql].map(nameOfFile),
    ...code.flatMap((file) => namesOfCode(file, read(file))),
    ...sql.flatMap((file) => namesOfSql(file, read(file))),
  ]
}

/** Phrases are looked for everywhere, spelling only where a person who is no developer reads. */
export function faultsOf(all: readonly FoundText[], knows: (word: string) => boolean): string[] {
  return all.flatMap(({ file, at, text }) => [
    ...phrases
      .filter(([phrase]) => phrase.test(text))
      .map(
        ([phrase, better]) =>
          `${file}:${at} “${phrase.exec(text)?.[0]}”: write “${better}” instead`,
      ),
    ...wordsOf(text)
      .filter((word) => !knows(word))
      .map((word) => `${file}:${at} “${word}” is not a word that the dictionary knows`),
  ])
}

/** Names, capitals and what has digits are not spelled. */
export const wordsOf = (text: string) =>
  [...text.matchAll(/(?<![\p{L}\d_.@/#$'’-])\p{Ll}[\p{L}’'-]+(?![\p{L}\d_@/(=]|\.\w)/gu)].map(
    ([word]) => word.replaceAll('’', "'").replace(/'s?$|-$/, ''),
  )

export function speller(): (word: string) => boolean {
  const spell = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic))
  for (const word of read('test/words/known.txt').split(/\s+/)) spell.add(word)
  return (word) => word.split('-').every((part) => part.length < 2 || spell.correct(part))
}

/** The sentences that say an act was done: of `toast` and of `useWrite`, and those named `done`. */
export function toastsOf(file: string, code: string): FoundText[] {
  const found: FoundText[] = []
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(collect)
    if (!isNode(node)) return undefined
    const text = textOf(node)
    if (text) found.push({ file, at: lineOf(code, node.start), text })
    return Object.values(node).forEach(collect)
  }
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (!isNode(node)) return undefined
    const at = ['toast', 'useWrite'].indexOf(nameOf(node['callee']))
    if (at >= 0) collect((node['arguments'] as unknown[])[at])
    if (nameOf(node['key'] ?? node['name']) === 'done') collect(node['value'])
    return Object.values(node).forEach(visit)
  }
  visit(parseSync(file, code).program.body)
  return found
}

const verb =
  '(?:re-?)?(?:activ(?:e|ated)|added|applied|approved|asked|blocked|cancelled|changed|closed|confirmed|declined|' +
  'deleted|given|made|marked|moved|open(?:ed)?|refused|rejected|released|removed|reversed|revoked|saved|sent|set|settled|' +
  'suspended|taken|undone|withdrawn)'
const copula = new RegExp(String.raw`\b(?:is|are|was|were|has been|have been) (${verb})\b`)

/** 'Ana added', not 'Ana is added': a toast says it as a heading would. */
export const longWinded = (all: readonly FoundText[]): string[] =>
  all.flatMap(({ file, at, text }) => {
    const [found, done] = copula.exec(text) ?? []
    return found ? `${file}:${at} “${found}”: a toast says “… ${done}”` : []
  })

const toasts = () =>
  files('src', /(?<!\.test)\.tsx?$/).flatMap((file) => toastsOf(file, read(file)))

if (import.meta.main) {
  const faults = [...faultsOf(texts(), speller()), ...misnamed(named()), ...longWinded(toasts())]
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
