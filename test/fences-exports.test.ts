// Exports of the product: each is for another file of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { files, read, source_files, target } from './sources.ts'

/** Used by vite.config.ts. */
const taken_in_another_way = ['src/landing/landing.tsx: landing']
/** Lists of the product that tests hold it to. */
const held_to = [
  'src/landing/accessibility.ts: standards',
  'src/privacy/about-a-person.ts: left_out',
]

const everywhere = [
  ...source_files,
  ...['test', 'bench', 'demo'].flatMap((at) => files(at, /\.tsx?$/)),
]
const isTest = (file: string) => file.endsWith('.test.ts') || file.startsWith('test/')
const words = (text: string): string[] => text.match(/\w+/g) ?? []
/** The importers of each name, by file and name. */
const importers = new Map<string, string[]>()
/** The files that import all of a file, or load it later. */
const loaders = new Map<string, string[]>()
const note = (all: typeof importers, key: string, file: string) =>
  all.set(key, [...(all.get(key) ?? []), file])
for (const file of everywhere) {
  const text = read(file)
  for (const [, what, from] of text.matchAll(/^(?:import|export) ([^'";]+) from '([#.][^']+)'/gm)) {
    const whole = what!.startsWith('*')
    if (whole) note(loaders, target(file, from!), file)
    else for (const name of words(what!)) note(importers, `${target(file, from!)}: ${name}`, file)
  }
  for (const [, from] of text.matchAll(/\bimport\('([#.][^']+)'\)/g))
    note(loaders, target(file, from!), file)
}

const declared = /^export (?:async )?(?:const|let|function\*?|type|class) (\w+)/gm
const product = source_files.filter((file) => !isTest(file))
const exported = product.flatMap((file) => {
  const text = read(file)
  return [...text.matchAll(declared)].map(([, name]) => {
    const key = `${file}: ${name}`
    const loading = (loaders.get(file) ?? []).filter((by) => words(read(by)).includes(name!))
    const used_here = words(text).filter((word) => word === name).length > 1
    return { key, used_here, by: [...(importers.get(key) ?? []), ...loading] }
  })
})
const keys = (found: typeof exported) => found.map(({ key }) => key)

test('a file exports only what another one imports', () => {
  assert.deepEqual(keys(exported.filter(({ by }) => by.length === 0)), taken_in_another_way)
})

test('nothing is there for tests alone', () => {
  const for_tests = exported.filter(
    ({ used_here, by }) => !used_here && by.length > 0 && by.every(isTest),
  )
  assert.deepEqual(keys(for_tests).toSorted(), held_to)
})

/** Names of the product and of what its tests play in; the demo and the bench are programs of their own. */
test('a name that is exported is one thing', () => {
  const places = new Map<string, Set<string>>()
  for (const file of [...source_files, ...files('test', /(?<!\.test)\.tsx?$/)])
    for (const [, name] of read(file).matchAll(declared))
      places.set(name!, (places.get(name!) ?? new Set()).add(file))
  const doubled = [...places].filter(([, where]) => where.size > 1)
  assert.deepEqual(
    doubled.map(([name, where]) => [name, ...where]),
    [],
  )
})
