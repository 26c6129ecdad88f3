// Requests to join a company, and those that were declined.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { refuses, type Company, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene({ worker: true, env: { AUTH_AUTOCONFIRM: 'on' } })
let acme: Company
let hr: Person['api']
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  hr = acme.admin.api
})

/** Waits until two acts queue for the same row. */
describe('those who ask to join', () => {
  test('wait for approval, are let in or declined, and are no employees before', async () => {
    const shut = await scene.company({ name: 'Shut' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const [first, second] = [await shut.hire('First'), await shut.hire('Second')]
    const total = async () => (await shut.admin.api.employees.summary({})).total
    assert.equal(await total(), 0)
    assert.equal((await first.api.users.me({})).waiting_for, 'company_approval')
    const { people } = await shut.admin.api.employees.requests({})
    assert.deepEqual(
      people.map(({ full_name }) => full_name),
      ['First', 'Second'],
    )
    await refuses('not_found', hr.employees.approve({ id: first.id }))
    await shut.admin.api.employees.approve({ id: first.id })
    await refuses('not_requested', shut.admin.api.employees.approve({ id: first.id }))
    assert.equal((await first.api.users.me({})).waiting_for, null)
    await shut.admin.api.employees.decline({ id: second.id })
    assert.equal((await second.api.users.me({})).waiting_for, 'unknown_company')
    assert.equal(await total(), 1)
  })

  test('turning the domain on lets in those of the domain who wait', async () => {
    const shut = await scene.company({ name: 'Later' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const person = await shut.hire('Waiting')
    const answer = await shut.admin.api.companies.set_auto_registration({ enabled: true })
    assert.equal(answer.domain_auto_register, true)
    assert.equal((await person.api.users.me({})).waiting_for, null)
    assert.equal((await (await shut.hire('Next')).api.users.me({})).waiting_for, null)
  })
})

describe('whoever was declined', () => {
  test('is not let in by the domain afterwards, but can be approved by name', async () => {
    const shut = await scene.company({ name: 'Firm' })
    const { api } = shut.admin
    await api.companies.set_auto_registration({ enabled: false })
    const [emre, lotte] = [await shut.hire('Emre'), await shut.hire('Lotte')]
    await api.employees.decline({ id: emre.id })
    await api.companies.set_auto_registration({ enabled: true })
    assert.equal((await lotte.api.users.me({})).waiting_for, null)
    assert.equal((await emre.api.users.me({})).waiting_for, 'unknown_company')
    const { employees } = await api.employees.list({ limit: 10 })
    assert.deepEqual(
      employees.map(({ full_name }) => full_name),
      ['Lotte'],
    )
  })

  test('and whoever is approved finds it under the bell', async () => {
    const shut = await scene.company({ name: 'Bell' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const zoe = await shut.hire('Zoe')
    await shut.admin.api.employees.approve({ id: zoe.id })
    const notices = await scene.sql`select code from notifications where person_id = ${zoe.id}`
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['account_approved'],
    )
  })
})
