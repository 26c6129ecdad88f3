// Promises of erasure: who asks, who decides, what stands against it, and that nothing of the person is left.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  openScene,
  password,
  refuses,
  type Company,
  type Person,
  type Scene,
} from '../../test/scene.ts'
import { sealAudit } from '#audit/jobs.server.ts'
import { everywhere } from '../../test/everywhere.ts'
import { forgetEverywhere } from './jobs.server.ts'

let scene: Scene
let acme: Company
let other: Company
let provider: Person
before(async () => {
  scene = await openScene()
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  provider = await scene.superAdmin()
})
after(() => scene.close())

const forget = ({ id }: Person) =>
  forgetEverywhere(false)({ person_id: id }, { sql: scene.sql, log: scene.house.log })

async function erased(person: Person) {
  const { id } = await person.api.privacy.ask_for_erasure({ reason: 'I moved on' })
  await acme.admin.api.privacy.approve_erasure({ id })
  await provider.api.privacy.approve_erasure({ id })
  await forget(person)
  return id
}

describe('asking for erasure', () => {
  test('needs the password again', async () => {
    const ana = await acme.hire('Ana')
    await scene.sql`update auth.amr_claims m set at = now() - interval '6 minutes'
      from auth.sessions s where s.id = m.session_id and s.user_id = ${ana.id}`
    await refuses('password_needed', ana.api.privacy.ask_for_erasure({}))
    const confirm = (given: string) =>
      scene.house.app.request('/auth/v1/confirmation', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${ana.token}` },
        body: JSON.stringify({ password: given }),
      })
    assert.equal((await confirm('not the one')).status, 400)
    await refuses('password_needed', ana.api.privacy.ask_for_erasure({}))
    assert.equal((await confirm(password)).status, 200)
    assert.equal((await ana.api.privacy.ask_for_erasure({})).status, 'asked')
  })

  test('is one request, however often it is pressed; it can be taken back and asked anew', async () => {
    const bea = await acme.hire('Bea')
    const { privacy } = bea.api
    await refuses('no_erasure_asked', privacy.take_back_erasure({}))
    const pressed = await Promise.allSettled([1, 2, 3].map(() => privacy.ask_for_erasure({})))
    assert.equal(pressed.filter(({ status }) => status === 'fulfilled').length, 1)
    await refuses('erasure_asked_already', privacy.ask_for_erasure({}))
    assert.equal((await privacy.take_back_erasure({})).status, 'withdrawn')
    await refuses('no_erasure_asked', privacy.take_back_erasure({}))
    assert.equal((await privacy.ask_for_erasure({})).status, 'asked')
  })

  test('the only admin of a company and the last super admin are told why not', async () => {
    const lone = await scene.company({ name: 'Lone' })
    await refuses('erasure_only_admin', lone.admin.api.privacy.ask_for_erasure({}))
    await refuses('erasure_last_super_admin', provider.api.privacy.ask_for_erasure({}))
  })
})

describe('deciding on erasure', () => {
  test('HR first, then the provider; nobody of another company, no employee, no visitor', async () => {
    const cara = await acme.hire('Cara')
    const { id } = await cara.api.privacy.ask_for_erasure({})
    const refusal = 'You still owe us a laptop.'
    for (const { api } of [other.admin, provider]) {
      await refuses('not_found', api.privacy.approve_erasure({ id }))
      await refuses('not_found', api.privacy.refuse_erasure({ id, refusal }))
      const { erasures } = await api.privacy.erasures({})
      assert.ok(!erasures.some((erasure) => erasure.id === id))
    }
    await refuses('forbidden', cara.api.privacy.approve_erasure({ id }))
    await refuses('not_signed_in', scene.visitor.privacy.approve_erasure({ id }))

    const seen = await acme.admin.api.privacy.approve_erasure({ id })
    assert.deepEqual([seen.status, seen.yours_to_decide], ['with_provider', false])
    await refuses('erasure_decided', acme.admin.api.privacy.approve_erasure({ id }))
    await refuses('erasure_decided', acme.admin.api.privacy.refuse_erasure({ id, refusal }))
    const { erasures } = await provider.api.privacy.erasures({})
    assert.equal(erasures.find((erasure) => erasure.id === id)?.yours_to_decide, true)
    assert.ok((await provider.api.privacy.erasures_waiting({})).waiting >= 1)
    assert.equal((await cara.api.privacy.take_back_erasure({})).status, 'withdrawn')
    await refuses('erasure_decided', provider.api.privacy.approve_erasure({ id }))
  })

  test('a refusal needs a sentence, and is told', async () => {
    const dan = await acme.hire('Dan')
    const { id } = await dan.api.privacy.ask_for_erasure({})
    await refuses('invalid_input', acme.admin.api.privacy.refuse_erasure({ id, refusal: ' ' }))
    const refusal = 'A lawsuit about your claim is under way.'
    await acme.admin.api.privacy.refuse_erasure({ id, refusal })
    const { erasure } = await dan.api.privacy.erasure({})
    assert.deepEqual([erasure?.status, erasure?.refusal], ['refused', refusal])
    const [told] = await scene.sql`select title from notifications where person_id = ${dan.id}
      order by id desc limit 1`
    assert.equal(told?.['title'], 'Your request for erasure was refused')
  })

  test('two who decide at the same moment: one counts, whichever they chose', async () => {
    const eve = await acme.hire('Eve')
    const { id } = await eve.api.privacy.ask_for_erasure({})
    const { privacy } = acme.admin.api
    const refusal = 'Please wait until March.'
    const decided = await Promise.allSettled([
      privacy.approve_erasure({ id }),
      privacy.refuse_erasure({ id, refusal }),
      privacy.approve_erasure({ id }),
    ])
    assert.equal(decided.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of decided) {
      if (one.status === 'rejected') assert.equal(one.reason.code, 'erasure_decided')
    }
  })

  test('taken back and granted at the same moment: one of the two', async () => {
    const fay = await acme.hire('Fay')
    const { id } = await fay.api.privacy.ask_for_erasure({})
    await acme.admin.api.privacy.approve_erasure({ id })
    const done = await Promise.allSettled([
      fay.api.privacy.take_back_erasure({}),
      provider.api.privacy.approve_erasure({ id }),
    ])
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('money that was paid too much stands against it until it is settled', async () => {
    const gil = await acme.hire('Gil')
    const { id } = await gil.api.privacy.ask_for_erasure({})
    await scene.sql`insert into accounts (company_id, plan_year, kind, category, person_id, balance_cents)
      select company_id, starts_on, 'overpaid', 'treatment', ${gil.id}, 4200 from plan_years
      where company_id = ${acme.id} order by starts_on desc limit 1`
    const { erasures } = await acme.admin.api.privacy.erasures({})
    const obstacles = erasures.find((erasure) => erasure.id === id)?.obstacles
    const told = obstacles?.map(({ code, cents }) => [code, cents])
    assert.deepEqual(told, [['erasure_overpaid', 4200]])
    await refuses('erasure_overpaid', acme.admin.api.privacy.approve_erasure({ id }))
    await scene.sql`update accounts set balance_cents = 0
      where person_id = ${gil.id} and kind = 'overpaid'`
    await acme.admin.api.privacy.approve_erasure({ id })
  })

  test('two admins who are erased at the same moment: one stays', async () => {
    const duo = await scene.company({ name: 'Duo' })
    const second = await scene.signUp(`second@${duo.domain}`, 'employee')
    await scene.sql`update profiles set role = 'company_admin' where id = ${second.id}`
    const back = await scene.signIn(second.email)
    const asked = [
      await duo.admin.api.privacy.ask_for_erasure({}),
      await back.api.privacy.ask_for_erasure({}),
    ]
    await refuses('yourself', duo.admin.api.privacy.approve_erasure({ id: asked[0]!.id }))
    await back.api.privacy.approve_erasure({ id: asked[0]!.id })
    await duo.admin.api.privacy.approve_erasure({ id: asked[1]!.id })
    const done = await Promise.allSettled(
      asked.map(({ id }) => provider.api.privacy.approve_erasure({ id })),
    )
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
    const failed = done.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    assert.equal(failed.reason.code, 'erasure_only_admin')
  })
})

describe('who is erased', () => {
  test('is out at once, and the address is free for a new account', async () => {
    const hal = await acme.hire('Hal')
    await erased(hal)
    await refuses('not_signed_in', hal.api.users.me({}))
    const answer = await scene.house.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: hal.email, password }),
    })
    assert.equal(answer.status, 400)
    const again = await scene.signUp(hal.email, 'employee', { full_name: 'Hal Again' })
    assert.notEqual(again.id, hal.id)
  })

  test('is a former member for HR, whom nobody reactivates, renames or invites', async () => {
    const ira = await acme.hire('Ira')
    const id = await erased(ira)
    const { employees, privacy } = acme.admin.api
    const found = await employees.find({ id: ira.id })
    assert.deepEqual([found.full_name, found.standing], ['Former member', 'left'])
    const change = {
      id: ira.id,
      version: found.version,
      full_name: 'Ira Reborn',
      department: 'Sales',
    }
    await refuses('person_erased', employees.edit(change))
    await refuses('person_erased', employees.suspend({ id: ira.id }))
    const { erasures } = await privacy.erasures({ show: 'ended' })
    const done = erasures.find((erasure) => erasure.id === id)
    assert.deepEqual(
      [done?.status, done?.person_name, done?.reason],
      ['done', 'Former member', null],
    )
  })

  test('leaves a ledger that verifies, and a record of changes whose chain holds', async () => {
    const joy = await acme.hire('Joy')
    await joy.api.dependents.add({
      full_name: 'Jim',
      relationship: 'parent',
      born_on: '1950-01-01',
    })
    const sealing = { sql: scene.sql, log: scene.house.log }
    await sealAudit({}, sealing)
    await sealAudit({}, sealing)
    await erased(joy)
    await sealAudit({}, sealing)
    await sealAudit({}, sealing)
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
    // What was erased can't be filled with something else, nor can an entry pass for an erased one.
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
    const { id } = await lea.api.privacy.ask_for_erasure({})
    await acme.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    const told = forgetEverywhere(true)
    const tools = { sql: scene.sql, log: scene.house.log }
    await Promise.all([told({ person_id: lea.id }, tools), told({ person_id: lea.id }, tools)])
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
    await kim.api.privacy.ask_for_export({})
    const { version } = await acme.admin.api.employees.find({ id: kim.id })
    await acme.admin.api.employees.edit({
      id: kim.id,
      version,
      full_name: 'Kimberley Quark-Lee',
      department: 'Research',
    })
    await scene.sql`select notify_admins(${acme.id}, 'account', 'Kimberley Quark-Lee wrote', 'By Zenobia.', '/x')`
    assert.ok((await everywhere(scene.sql, needles)).length > 5, 'the search finds what is there')
    await erased(kim)
    assert.deepEqual(await everywhere(scene.sql, needles), [])
  })
})
