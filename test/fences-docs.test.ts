// The repository tests itself: the files and the functions that its pages and comments name are there.
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, test } from 'node:test'
import {
  unlikeExceptions,
  files,
  doc_pages,
  read,
  root_url,
  source_files,
  sql_files,
} from './sources.ts'
import { wrapped } from './wrap-docs.ts'

const isThere = (path: string, from = '') =>
  path.includes('*')
    ? globSync(path, { cwd: fileURLToPath(root_url) }).length > 0
    : existsSync(new URL(path, new URL(from, root_url)))
const lacking = (all: readonly string[], found: (file: string) => string[]) =>
  all.flatMap((file) => found(file).map((name) => `${file}: ${name}`))

/** Page and heading of each link of ours. */
const linksOf = (page: string) =>
  [...read(page).matchAll(/\]\(([^)#]*)#?([^)]*)\)/g)]
    .map(([, path = '', heading = '']): [string, string] => [path, heading])
    .filter(([path]) => !/^(https?|mailto):/.test(path))
const headingsOf = (path: string, from: string) =>
  [...read(new URL(path, `file:/${from}`).pathname.slice(1)).matchAll(/^#+ (.*)$/gm)].map(
    ([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
  )

/** A pattern, and names that we do not give. */
const no_file = ['STYLE.md: index.ts', 'STYLE.md: types.ts', 'ARCHITECTURE.md: XPage.tsx']

test('a sentence of a page begins with its subject, as a comment does', () => {
  const clause = /(?:^|^[-*] |[.] )(?:Who|Whom|Whose)(?: (?!may\b|\|)[^?]*)?$/
  const wrong = lacking(doc_pages, (page) =>
    read(page)
      .split('\n')
      .filter((line) => !line.startsWith('#') && clause.test(line)),
  )
  assert.deepEqual(wrong, [])
})

test('prose has lines of at most 130 columns, and no half ones (npm run check -- --write breaks them)', () => {
  assert.deepEqual(
    doc_pages.filter((page) => read(page) !== wrapped(read(page))),
    [],
  )
  const long = 'word '.repeat(30).trim()
  const page = `- ${long} \`code that stays whole\`\n  and more\n\n| ${long} |\n\n    ${long}`
  const [first, second, , table, , code] = wrapped(page).split('\n')
  assert.deepEqual(
    [first!.length, second],
    [126, '  word word word word word `code that stays whole` and more'],
  )
  assert.deepEqual([table, code], [`| ${long} |`, `    ${long}`])
  assert.equal(wrapped(`${long.slice(0, 79)}\nword`), `${long.slice(0, 79)} word`)
})

test('docs/README.md has each page of docs/ once', () => {
  const named = linksOf('docs/README.md').map(([path]) => path)
  const there = doc_pages.filter((page) => /^docs\/[\w-]+\.md$/.test(page))
  assert.deepEqual(
    named.filter((path) => /^[\w-]+\.md$/.test(path)).toSorted(),
    there
      .flatMap((page) => (page === 'docs/README.md' ? [] : page.replace('docs/', '')))
      .toSorted(),
  )
})

test('a decision begins with its number and title, its date and its state', () => {
  for (const page of doc_pages.filter((one) => one.startsWith('docs/decisions/'))) {
    const [, number] = /(\d{3})-[\w-]+\.md$/.exec(page)!
    const text = read(page)
    const state = `in force${text.includes('(Superseded by') ? ', but for what is marked' : ''}`
    const head = new RegExp(`^# ${number}\\. \\p{Lu}.*\n\n\\d{4}-\\d\\d-\\d\\d, ${state}\n\n`, 'u')
    assert.match(text.slice(0, 300), head, page)
  }
})

describe('what is named is there', () => {
  test('the target of each link', () => {
    const wrong = lacking(doc_pages, (page) =>
      linksOf(page)
        .filter(([path]) => path && !isThere(path, page))
        .map(([path]) => path),
    )
    assert.deepEqual(wrong, [])
  })

  test('the heading of each link to a part of a page', () => {
    const wrong = lacking(doc_pages, (page) =>
      linksOf(page)
        .filter(([path, heading]) => heading && !headingsOf(path, page).includes(heading))
        .map(([path, heading]) => `${path}#${heading}`),
    )
    assert.deepEqual(wrong, [])
  })

  test('each file of ours that a page or a comment names from the root', () => {
    const named =
      /(?<![\w./~-])(?:src|db|docs|test|ops|demo|bench)\/[\w./*-]*\.(?:tsx?|sql|md|sh)\b/g
    const others = files('test', /(?<!\.test)\.ts$/) // what tests make up is not there
    const wrong = lacking([...doc_pages, ...source_files, ...sql_files, ...others], (file) =>
      [...new Set(read(file).match(named))].filter((path) => !isThere(path)),
    )
    assert.deepEqual(wrong, [])
  })

  test('each file that a page names without its folder', () => {
    const all = [...source_files, ...sql_files, ...files('test', /\.ts$/)].map((one) => `/${one}`)
    const wrong = lacking(doc_pages, (page) =>
      [...read(page).matchAll(/`((?!x[.])[\w-]+(?:[./][\w-]+)*\.(?:tsx?|sql))`/g)]
        .map(([, name]) => name!)
        .filter((name) => !isThere(name) && !all.some((one) => one.endsWith(`/${name}`))),
    )
    assert.deepEqual(unlikeExceptions(wrong, no_file), [])
  })

  test('each function, table or view that a page names with its schema', () => {
    const sql = sql_files.map(read).join('\n')
    const wrong = lacking(doc_pages, (page) =>
      [...read(page).matchAll(/`(?:private|auth)\.(\w+)[^`]*`/g)]
        .filter(([, name]) => !new RegExp(`\\b(?:private|auth)\\.${name}\\b`).test(sql))
        .map(([name]) => name),
    )
    assert.deepEqual(wrong, [])
  })
})
