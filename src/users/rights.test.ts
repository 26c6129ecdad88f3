// The names of rights: on screen, and in docs/accounts.md.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { admin_rights } from '#permissions/callers.ts'
import { badgeOf } from '#paths.ts'
import { right_words } from './rights.contract.ts'

test('whoever has the rights of the specification’s admin is a Company Admin, others are what they may do', () => {
  const badge = (...rights: Parameters<typeof badgeOf>[0]['rights']) =>
    badgeOf({ role: 'company_admin', rights })
  assert.equal(badge(...admin_rights), 'Company Admin')
  assert.equal(badge('auditor', ...admin_rights), 'Company Admin')
  assert.equal(badge('finance'), 'Finance')
  assert.equal(badge('viewer', 'people', 'owner'), 'Owner, People, Viewer')
  assert.equal(badgeOf({ role: 'employee', rights: [] }), 'Employee')
})

test('the table in docs/accounts.md has each right with its words', async () => {
  const page = await readFile(new URL('../../docs/accounts.md', import.meta.url), 'utf8')
  const [, table = ''] = /^\| right \| what for \|\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(page) ?? []
  assert.deepEqual(
    table.trim().split('\n'),
    Object.values(right_words).map(([name, what]) => `| ${name} | ${what} |`),
  )
})
