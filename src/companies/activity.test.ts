// A company's activity, as the provider reads it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actorNameOf } from '#audit/words.contract.ts'
import { refuses } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { fieldNames, activitySentence } from './activity-words.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())

test('a company’s activity says who did what', async () => {
  const acme = await scene.company({ name: 'Active' })
  await boss.api.companies.suspend({ id: acme.id })
  const [latest] = (await boss.api.companies.activity({ id: acme.id })).entries
  assert.deepEqual(
    [latest?.about, latest?.before, latest?.after],
    ['companies', { status: 'active' }, { status: 'suspended' }],
  )
  assert.equal(latest?.actor_name, 'provider1')
  await refuses('not_found', boss.api.companies.find({ id: boss.id }))
  await scene.sql`update profiles set left_on = joined_on where id = ${acme.admin.id}`
  const [by_job] = (await boss.api.companies.activity({ id: acme.id })).entries
  assert.equal(actorNameOf(by_job!), 'The system')
})

test('a page of a company’s activity leads to no empty one', async () => {
  const { id, admin } = await scene.company({ name: 'Busy' })
  const { entries: founding } = await boss.api.companies.activity({ id })
  for (let more = 0; founding.length + more < 30; more += 1)
    await admin.api.settings.change_company({ receipts_restricted: more % 2 === 0 })
  const thirty = await boss.api.companies.activity({ id })
  assert.deepEqual([thirty.entries.length, thirty.next], [30, null])
  await boss.api.companies.suspend({ id })
  const { entries, next } = await boss.api.companies.activity({ id })
  assert.deepEqual([entries.length, next], [30, entries.at(-1)?.id])
  const older = await boss.api.companies.activity({ id, before_id: next ?? undefined })
  assert.deepEqual([older.entries.length, older.next], [1, null])
})

test('a company’s activity has words for every field, whatever an owner turns on or closes', async () => {
  const columns = await scene.sql<{ name: string }[]>`
    select attname as name from pg_attribute
      where attrelid = 'companies'::regclass and attnum > 0 and not attisdropped`
  const silent = ['id', 'version', 'created_at', 'founded_by'] // never changed, or not recorded
  const names = columns.map(({ name }) => name).filter((name) => !silent.includes(name))
  assert.deepEqual(names.toSorted(), Object.keys(fieldNames).toSorted())
  const { id, admin } = await scene.company({ name: 'Wordy' })
  await admin.api.companies.close_first_day({})
  await admin.api.settings.change_calendar({ country: 'DE', region: 'BY' })
  await admin.api.settings.change_calendar({ country: 'DE', region: '' })
  await admin.api.settings.change_company({ admins_two_step: 'required' })
  const { entries } = await boss.api.companies.activity({ id })
  const sentences = entries.slice(0, 4).map(activitySentence)
  assert.deepEqual(sentences, [
    'turned two-step verification for administrators on',
    'changed the region to nothing',
    'changed the region and the country',
    'closed the list of first steps',
  ])
})
