// Each proof that docs/security.md names is there, and is one file.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const root = new URL('..', import.meta.url)
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
const named = [...new Set([...page.matchAll(/`([\w./-]+)`/g)].map(([, name]) => name!))]
const tests = ['src', 'test'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `/${folder}/${name}`),
)

test('each test that the page of security names is there, and no other has its name', () => {
  const proofs = named.filter((name) => name.endsWith('.test.ts'))
  assert.ok(proofs.length > 60, String(proofs.length))
  const wrong = proofs.flatMap((name) => {
    const found = tests.filter((file) => file.endsWith(`/${name}`))
    return found.length === 1 ? [] : [`${name}: ${found.join(', ') || 'none'}`]
  })
  assert.deepEqual(wrong, [])
})

test('so is each other file', () => {
  const others = named.filter(
    (name) => /^(src|docs|ops|\.ci)\//.test(name) || /^[A-Z]\w*\.md$/.test(name),
  )
  assert.ok(others.length > 10, String(others.length))
  assert.deepEqual(
    others.filter((name) => !existsSync(new URL(name, root))),
    [],
  )
})
