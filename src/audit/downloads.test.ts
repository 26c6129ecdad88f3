// Files that leave the product are in the record of changes: who took which, and nothing of what stands in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contracts } from '#contracts.ts'
import { fundedCompany } from '../../test/world/company.ts'
import { refuses } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { asInFiles } from './in-files.ts'
import { actsOf } from './story.ts'
import { changesOf, thingOf } from './words.ts'

const scene = openedScene()
const acme = opened(() => scene.company({ name: 'Acme' }))

const taken = async () =>
  actsOf((await acme.admin.api.audit.list({ table: 'downloads' })).entries).map(({ text }) => text)

test('a list that HR takes along is told of, with who took it', async () => {
  const { api } = acme.admin
  await api.employees.export({ search: 'somebody ill' })
  await api.funds.export_statement({})
  await api.audit.export({})
  const name = (await api.users.me({})).full_name
  assert.deepEqual(await taken(), [
    `${name} downloaded the record of changes`,
    `${name} downloaded the statement`,
    `${name} downloaded the employee list`,
  ])
  const { entries } = await api.audit.list({ table: 'downloads' })
  assert.doesNotMatch(JSON.stringify(entries), /somebody ill/)
  assert.ok((await api.audit.verify({})).good)
})

test('what is refused was not taken, and what is one’s own is nobody’s affair', async () => {
  const before = (await taken()).length
  const ana = await acme.hire('Ana')
  await refuses('forbidden', ana.api.employees.export({}))
  await refuses('not_found', acme.admin.api.imports.rejected({ id: ana.id }))
  await refuses('not_found', ana.api.privacy.download_export({ id: ana.id }))
  assert.equal((await taken()).length, before)
})

test('each file that is recorded has its name', () => {
  for (const [feature, contract] of Object.entries(contracts))
    for (const [act, { kind, recorded }] of Object.entries(contract)) {
      if (kind !== 'download' || recorded === false) continue
      const entry = { table_name: 'downloads', after: { file: `${feature}.${act}` } }
      assert.notEqual(thingOf(entry), 'File', `${feature}.${act}`)
    }
})

test('the table writes times, files and formats as they are read, and nothing of the inside', async () => {
  const funded = await fundedCompany(scene)
  const { api } = funded.company.admin
  await scene.sql`update companies set time_zone = 'Asia/Kolkata' where id = ${funded.id}`
  const { id, submitted_at } = await funded.claim(await funded.hire('Ida'), { amount_cents: 4100 })
  await api.employees.export({})
  const text = await (await api.audit.export({})).text()
  const claim = text.slice(text.indexOf(`Added,Claim,#${id},`)).split('\r\n')[0]!
  const there = new Date(Date.parse(submitted_at) + 5.5 * 3_600_000).toISOString()
  assert.ok(claim.includes(`Submitted: ${there.slice(0, 16).replace('T', ' ')};`), claim)
  assert.doesNotMatch(claim, /\dT\d|Undone/)
  assert.ok(text.includes('Added,Download,,File: Employee list\r\n'))
  const { entries } = await api.audit.list({ table: 'downloads', limit: 1 })
  const journal = { ...entries[0]!, after: { file: 'books.journal', format: 'datev' } }
  assert.deepEqual(
    changesOf(journal, {}, asInFiles('UTC')).map(({ field, after: is }) => `${field}: ${is}`),
    ['File: Journal', 'Format: DATEV'],
  )
})
