// Promises of erasure: nothing of the person stays.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { livedLife, needle } from '../../test/world/life.ts'
import { password, refuses, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { searchDatabase } from '../../test/search-database.ts'
import { poster } from '#lib/mail.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { unsubscribeLinks } from '#notifications/unsubscribe.server.ts'
import { forgetEverywhere } from './jobs.server.ts'

const scene = openedScene()
const acme = opened(() => scene.company({ name: 'Acme' }))
const provider = opened(() => scene.superAdmin())

const forget = ({ id }: Person) => forgetEverywhere(false)({ person_id: id }, scene.tools)

const mailing = () => ({
  site_url: 'http://127.0.0.1',
  post: poster(false),
  links: unsubscribeLinks(Buffer.alloc(32), 'http://127.0.0.1'),
})

async function erased(person: Person) {
  const { id } = await person.api.privacy.request_erasure({ reason: 'I moved on' })
  await acme.admin.api.privacy.approve_erasure({ id })
  await provider.api.privacy.approve_erasure({ id })
  await forget(person)
  return id
}

describe('who is erased', () => {
  test('is out at once, and the address is free for a new account', async () => {
    const hal = await acme.hire('Hal')
    await erased(hal)
    await refuses('not_signed_in', hal.api.users.me({}))
    const answer = await scene.services.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: hal.email, password }),
    })
    assert.equal(answer.status, 400)
    const again = await scene.signUp(hal.email, 'employee', { full_name: 'Hal Again' })
    assert.notEqual(again.id, hal.id)
  })

  test('is a former member for HR, whom nobody reactivates, renames, invites or promises anything', async () => {
    const ira = await acme.hire('Ira')
    const id = await erased(ira)
    const { adjustments, employees, privacy } = acme.admin.api
    const found = await employees.find({ id: ira.id })
    assert.deepEqual([found.full_name, found.account_state], ['Former member', 'left'])
    const change = {
      id: ira.id,
      version: found.version,
      full_name: 'Ira Reborn',
      department: 'Sales',
    }
    await refuses('person_erased', employees.edit(change))
    await refuses('person_erased', employees.suspend({ id: ira.id }))
    await refuses('person_erased', employees.add_note({ id: ira.id, text: 'Ira moved to Rome' }))
    const promise = { category: 'prevention', cents: 5000, reason: 'Promised to Ira' } as const
    await refuses('person_erased', adjustments.propose({ person_id: ira.id, ...promise }))
    const { erasures } = await privacy.erasures({ show: 'ended' })
    const done = erasures.find((erasure) => erasure.id === id)
    assert.deepEqual(
      [done?.status, done?.person_name, done?.reason],
      ['done', 'Former member', null],
    )
  })

  test('has no act left to be offered, to HR or the provider, and nobody suspended them', async () => {
    const employee = await acme.hire('Ned')
    const admin = await acme.appoint('Nora')
    for (const person of [employee, admin]) {
      await erased(person)
      const { id } = person
      const for_provider = await provider.api.users.find({ id })
      const for_hr = await acme.admin.api.employees.find({ id })
      for (const { refusals } of [for_provider, for_hr]) {
        assert.deepEqual(new Set(Object.values(refusals)), new Set(['person_erased']))
      }
      assert.equal(for_provider.suspended_by, null)
      const { users } = await provider.api.users.list({ limit: 200 })
      assert.ok(users.find((one) => one.id === id)?.erased_at, 'so does the list')
      await refuses('person_erased', provider.api.users.suspend({ id }))
      await refuses('person_erased', provider.api.users.reactivate({ id }))
    }
  })

  test('has a family whose cover nobody ends or resumes', async () => {
    const mara = await acme.hire('Mara')
    const added = await mara.api.dependents.add({
      full_name: 'Mia',
      relationship: 'child',
      born_on: '2019-04-12',
    })
    await erased(mara)
    const { dependents } = acme.admin.api
    const [kept] = await dependents.of({ person_id: mara.id })
    assert.deepEqual([kept?.id, kept?.full_name], [added.id, 'Former dependent'])
    assert.deepEqual(new Set(Object.values(kept!.refusals)), new Set(['person_erased']))
    await refuses('person_erased', dependents.resume({ id: added.id }))
    await refuses('person_erased', dependents.end({ id: added.id, covered_to: added.covered_from }))
  })

  test('is no longer suspended by anybody who was when they were erased', async () => {
    const kai = await acme.hire('Kai')
    const { id } = await kai.api.privacy.request_erasure({})
    await acme.admin.api.employees.suspend({ id: kai.id })
    await acme.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    assert.equal((await provider.api.users.find({ id: kai.id })).suspended_by, null)
  })

  test('leaves a ledger that verifies, and a record of changes whose chain holds', async () => {
    const joy = await acme.hire('Joy')
    await joy.api.dependents.add({
      full_name: 'Jim',
      relationship: 'parent',
      born_on: '1950-01-01',
    })
    await scene.seal()
    await erased(joy)
    await scene.seal()
    const [books] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_ledger(${acme.id})`
    assert.equal(books.fault, null)
    const check = async () => {
      const [found] = await scene.sql<[{ fault: string | null; erased: number; audit_id: number }]>`
        select fault, erased, audit_id from verify_audit(${acme.id})`
      return found
    }
    const held = await check()
    assert.equal(held.fault, null)
    assert.ok(held.erased > 0)
    // An erased entry can't be filled with something else, nor can an entry pass for an erased one.
    const [entry] = await scene.sql<[{ id: number; actor_role: string }]>`
      select id, actor_role from audit_log
      where company_id = ${acme.id} and erased_at is not null order by id limit 1`
    await scene.sql`update audit_log set actor_role = 'system?' where id = ${entry.id}`
    const { fault, audit_id } = await check()
    assert.deepEqual([fault, audit_id], ['entry_changed', entry.id])
    await scene.sql`update audit_log set actor_role = ${entry.actor_role} where id = ${entry.id}`
    const [whole] = await scene.sql<[{ id: number }]>`select id from audit_log
      where company_id = ${acme.id} and erased_at is null order by id limit 1`
    await scene.sql`update audit_log set after = null, erased_at = now() where id = ${whole.id}`
    assert.equal((await check()).fault, 'entry_changed')
  })

  test('is told by a last mail where there is a mail server, once', async () => {
    const lea = await acme.hire('Lea')
    const { id } = await lea.api.privacy.request_erasure({})
    await acme.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    const forgetPerson = forgetEverywhere(true)
    await Promise.all([
      forgetPerson({ person_id: lea.id }, scene.tools),
      forgetPerson({ person_id: lea.id }, scene.tools),
    ])
    const mails = await scene.sql<{ subject: string }[]>`
      delete from mails where recipient = ${lea.email} returning subject`
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Your data has been erased'],
    )
  })

  test('is in no column of any table any more, by name, address, phone, family or note', async () => {
    const kim = await acme.hire('Kimberley')
    const needles = [
      'Quark',
      'kimberley',
      '5550199',
      'Zebulon',
      'Zenobia',
      'Zebediah',
      'Doctor Needle',
      'migraine-note',
    ]
    await scene.sql`update profiles set phone = '+1 202 5550199' where id = ${kim.id}`
    const { dependents } = kim.api
    await dependents.add({
      full_name: 'Zebulon Quark',
      relationship: 'child',
      born_on: '2019-05-05',
    })
    await dependents.add({ full_name: 'Zenobia', relationship: 'spouse', born_on: '1990-05-05' })
    const asking = async (approval_needed: boolean) => {
      await scene.sql`insert into family_rules (company_id, approval_needed)
        values (${acme.id}, ${approval_needed})
        on conflict (company_id) do update set approval_needed = excluded.approval_needed`
    }
    await asking(true)
    await dependents.add({ full_name: 'Zebediah', relationship: 'child', born_on: '2020-05-05' })
    await asking(false)
    await mailNotifications(mailing())({}, scene.tools)
    const { notifications } = await acme.admin.api.notifications.list({})
    assert.ok(notifications.some(({ about_name }) => about_name === 'Kimberley'))
    await kim.api.privacy.request_export({})
    const { version } = await acme.admin.api.employees.find({ id: kim.id })
    await acme.admin.api.employees.edit({
      id: kim.id,
      version,
      full_name: 'Kimberley Quark-Lee',
      department: 'Research',
    })
    assert.ok(
      (await searchDatabase(scene.sql, needles)).length > 5,
      'the search finds what is there',
    )
    await erased(kim)
    assert.deepEqual(await searchDatabase(scene.sql, needles), [])
    const later = await acme.admin.api.notifications.list({})
    assert.ok(later.notifications.some(({ about_name }) => about_name === 'Former member'))
  })

  test('leaves no sentence about them, whoever wrote it and wherever it was kept', async () => {
    const { acme: company, hr, person } = await livedLife(scene)
    assert.ok(
      (await searchDatabase(scene.sql, [needle])).length > 20,
      'the search finds what is there',
    )
    const { id } = await person.api.privacy.request_erasure({})
    await hr.api.privacy.approve_erasure({ id })
    await company.provider.api.privacy.approve_erasure({ id })
    await forget(person)
    assert.deepEqual(await searchDatabase(scene.sql, [needle]), [])
    await scene.seal()
    const faults = await scene.sql<{ fault: string | null }[]>`
      select fault from verify_ledger(${company.id})
      union all select fault from verify_audit(${company.id})`
    assert.deepEqual(
      faults.map(({ fault }) => fault),
      [null, null],
    )
  })
})
