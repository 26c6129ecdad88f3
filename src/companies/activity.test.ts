// A company's activity, as the provider reads it.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { actorOf } from '#audit/words.contract.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { fieldNames, sentenceOf } from './activity-words.ts'

const scene = openedScene()
let boss: Person
before(async () => {
  boss = await scene.superAdmin()
})

test('a company’s activity says who did what', async () => {
  const acme = await scene.company({ name: 'Active' })
  await boss.api.companies.suspend({ id: acme.id })
  const [latest] = await boss.api.companies.activity({ id: acme.id })
  assert.deepEqual(
    [latest?.about, latest?.before, latest?.after],
    ['companies', { status: 'active' }, { status: 'suspended' }],
  )
  assert.equal(latest?.actor_name, 'provider1')
  await refuses('not_found', boss.api.companies.find({ id: boss.id }))
  await scene.sql`update profiles set left_on = joined_on where id = ${acme.admin.id}`
  const [by_job] = await boss.api.companies.activity({ id: acme.id })
  assert.equal(actorOf(by_job!), 'The system')
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
  const sentences = (await boss.api.companies.activity({ id })).slice(0, 4).map(sentenceOf)
  assert.deepEqual(sentences, [
    'turned two-step verification for administrators on',
    'changed the region to nothing',
    'changed the region and the country',
    'closed the list of first steps',
  ])
})
