// Promises about what a company's amounts and days are counted in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuses } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())

const contribute = async (company: string) => {
  await scene.sql`select contribute(id, current_plan_year(id), 100, company_today(id), 'First')
    from companies where id = ${company}`
}

test('a company that signs up has its founder’s time zone, where there is such a one', async () => {
  const zoneOf = async (email: string, more: Record<string, string>) => {
    const founder = await scene.signUp(email, 'company_admin', more)
    const { company } = await founder.api.users.me({})
    return (await boss.api.companies.find({ id: company!.id })).time_zone
  }
  assert.equal(await zoneOf('hr@tokyo.test', { time_zone: 'Asia/Tokyo' }), 'Asia/Tokyo')
  assert.equal(await zoneOf('hr@mars.test', { time_zone: 'Mars/Base' }), 'UTC')
  assert.equal(await zoneOf('hr@unsaid.test', {}), 'UTC')
})

test('its currency can change until money is recorded', async () => {
  const { id } = await scene.company({ name: 'Francs' })
  const find = () => boss.api.companies.find({ id })
  const change = async (currency: string) => {
    const { version, name, time_zone, domain } = await find()
    return boss.api.companies.change({ id, version, name, time_zone, domain, currency })
  }
  const changed = await change('CHF')
  assert.deepEqual([changed.currency, changed.refusals.currency], ['CHF', null])
  await refuses('invalid_input', change('XXY'))
  await contribute(id)
  await refuses('currency_settled', change('USD'))
  const { currency, refusals } = await find()
  assert.deepEqual([currency, refusals.currency], ['CHF', 'currency_settled'])
  assert.equal((await change('CHF')).currency, 'CHF')
})

test('of the first money and another currency at the same moment, the money is in what was read', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await scene.company({ name: `At once ${round}` })
    const { version, name, time_zone } = await boss.api.companies.find({ id })
    const [recorded, changed] = await Promise.allSettled([
      contribute(id),
      boss.api.companies.change({ id, version, name, time_zone, currency: 'CHF' }),
    ])
    assert.equal(recorded.status, 'fulfilled')
    if (changed.status === 'rejected') assert.equal(changed.reason.code, 'currency_settled')
    const [company] = await scene.sql<[{ currency: string }]>`
      select currency from companies where id = ${id}`
    assert.equal(company.currency, changed.status === 'rejected' ? 'EUR' : 'CHF')
  }
})
