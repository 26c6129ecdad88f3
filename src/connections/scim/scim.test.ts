// People by SCIM, as RFC 7643 and 7644 have it: made, read, changed and taken away.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../test/world/people.ts'
import { todayOf } from '../../../test/world/company.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import {
  markSignedIn,
  enterprise,
  newUser,
  providerOf,
  assertScimRefused,
  scimStatusesOf,
  user_schema,
} from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))

describe('a person', () => {
  test('is made as an invited employee, read again as they were sent, and found', async () => {
    const extension = { department: 'Tour Operations', employeeNumber: '701984' }
    const answer = await provider.ask(
      'POST',
      '/Users',
      newUser(acme, 'Barbara Jensen', {
        externalId: 'bjensen',
        name: { formatted: 'Barbara J Jensen', givenName: 'Barbara', familyName: 'Jensen' },
        phoneNumbers: [{ value: '+49 30 1234567', type: 'work' }],
        [enterprise]: extension,
      }),
    )
    assert.equal(answer.status, 201)
    const { id, meta } = answer.body
    assert.equal(answer.headers.get('location'), meta.location)
    assert.equal(answer.headers.get('etag'), meta.version)
    const { base_address } = await acme.admin.api.scim.overview({})
    assert.equal(meta.location, `${base_address}/Users/${id}`, 'what was entered there is repeated')
    const { body } = await provider.ask('GET', `/Users/${id}`)
    assert.deepEqual(body, answer.body)
    const { externalId, userName, name, displayName, active, emails, phoneNumbers } = body
    const address = `barbara.jensen@${acme.domain}`
    assert.deepEqual(
      { externalId, userName, name, displayName, active, emails, phoneNumbers },
      {
        externalId: 'bjensen',
        userName: address,
        name: { formatted: 'Barbara J Jensen', givenName: 'Barbara', familyName: 'Jensen' },
        displayName: 'Barbara J Jensen',
        active: true,
        emails: [{ value: address, type: 'work', primary: true }],
        phoneNumbers: [{ value: '+49 30 1234567', type: 'work' }],
      },
    )
    assert.deepEqual(body[enterprise], extension)
    const { account_state } = (await acme.admin.api.employees.find({ id })) ?? {}
    assert.equal(account_state, 'pending')
    const [job] = await scene.sql`select payload from graphile_worker._private_jobs
      where payload::text like ${`%${id}%`}`
    assert.equal(job?.['payload'].mail_kind, 'invite')
  })

  test('has the number of a tel: address, as the standard writes them', async () => {
    const phoneNumbers = [{ value: 'tel:+1-201-555-0123;ext=12', type: 'work' }]
    const { id } = await provider.add('Tess Phone', { phoneNumbers })
    const { phone } = (await acme.admin.api.employees.find({ id })) ?? {}
    assert.equal(phone, '+1-201-555-0123')
  })

  test('is not made twice, whoever made them first, and however the name is written', async () => {
    await provider.add('Tim Twice')
    assertScimRefused(
      await provider.ask('POST', '/Users', newUser(acme, 'Tim Twice')),
      409,
      'uniqueness',
    )
    const shouted = newUser(acme, 'Tim Twice', { userName: `TIM.TWICE@${acme.domain}` })
    const taken = await provider.ask('POST', '/Users', shouted)
    assertScimRefused(taken, 409, 'uniqueness', 'user_name_taken')
    const { email } = await acme.hire('Hired')
    const hired = newUser(acme, 'Hired', { userName: 'hired', emails: [{ value: email }] })
    assertScimRefused(await provider.ask('POST', '/Users', hired), 409, 'uniqueness')
    const same_moment = await scimStatusesOf(
      Array.from({ length: 5 }, () => provider.ask('POST', '/Users', newUser(acme, 'Moe Ment'))),
    )
    assert.deepEqual(same_moment, [201, 409, 409, 409, 409])
    const page = await provider.ask('GET', `/Users?filter=userName eq "moe.ment@${acme.domain}"`)
    assert.equal(page.body['totalResults'], 1)
  })

  test('may have a name that is no address; the address is told beside it', async () => {
    const { id } = await provider.add('Uma Name', { userName: 'uma' })
    const { body } = await provider.ask('GET', '/Users?filter=userName eq "UMA"')
    assert.equal(body['Resources'][0].id, id)
    const nameless = { schemas: [user_schema], userName: 'nobody', displayName: 'No Body' }
    assertScimRefused(await provider.ask('POST', '/Users', nameless), 400, 'invalidValue')
    const only = { schemas: [user_schema], userName: `only.name@${acme.domain}` }
    const answer = await provider.ask('POST', '/Users', only)
    assert.equal(answer.body['displayName'], 'only.name')
  })

  test('is replaced whole: what is not sent any more goes', async () => {
    const made = await provider.add('Rea Place', {
      externalId: 'rea',
      phoneNumbers: [{ value: '0123456789' }],
    })
    const answer = await provider.ask('PUT', `/Users/${made.id}`, {
      ...newUser(acme, 'Rea Place'),
      name: { givenName: 'Rea', familyName: 'Placed' },
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.body['displayName'], 'Rea Placed')
    assert.equal(answer.body['externalId'], undefined)
    assert.equal(answer.body['phoneNumbers'], undefined)
    assert.notEqual(answer.body['meta'].version, made['meta'].version)
    assert.equal(answer.body['id'], made.id)
  })

  test('has the department that was said until it is taken back; what HR said stays', async () => {
    const more = { [enterprise]: { department: 'Sales' } }
    const added = await provider.add('Dee Partment', more)
    const whole = newUser(acme, 'Dee Partment')
    const without = await provider.ask('PUT', `/Users/${added.id}`, whole)
    assert.equal(without.body[enterprise], undefined)
    const { version } = await acme.admin.api.employees.find({ id: added.id })
    const full_name = 'Dee Partment'
    await acme.admin.api.employees.edit({ id: added.id, version, full_name, department: 'Legal' })
    const kept = await provider.ask('PUT', `/Users/${added.id}`, whole)
    assert.equal(kept.body[enterprise].department, 'Legal')
    await provider.patch(`/Users/${added.id}`, { op: 'add', path: 'externalId', value: 'x' })
    const again = await provider.ask('PUT', `/Users/${added.id}`, whole)
    assert.equal(again.body[enterprise].department, 'Legal')
  })

  test('has the number that was sent, which nobody else has, until it is taken back', async () => {
    const numbered = (employeeNumber: string) => ({ [enterprise]: { employeeNumber } })
    const { id } = await provider.add('Num Bered', numbered('0815'))
    assert.equal((await acme.admin.api.employees.find({ id })).personnel_number, '0815')
    const twice = newUser(acme, 'Num Twice', numbered('0815'))
    const taken = await provider.ask('POST', '/Users', twice)
    assertScimRefused(taken, 409, 'uniqueness', 'personnel_number_taken')
    const path = `${enterprise}:employeeNumber`
    const moved = await provider.patch(`/Users/${id}`, { op: 'Replace', path, value: '0816' })
    assert.equal(moved.body[enterprise].employeeNumber, '0816')
    const gone = await provider.patch(`/Users/${id}`, { op: 'remove', path })
    assert.equal(gone.body[enterprise], undefined)
    assert.equal((await acme.admin.api.employees.find({ id })).personnel_number, null)
  })

  test('keeps the parts of a name as they were sent, until the name is another', async () => {
    const name = { formatted: 'Dr. Ada King', givenName: 'Augusta Ada', familyName: 'Byron' }
    const { id, ...made } = await provider.add('Ada King', { name })
    assert.deepEqual([made['name'], made['displayName']], [name, 'Dr. Ada King'])
    const gone = await provider.patch(`/Users/${id}`, { op: 'remove', path: 'name' })
    assert.deepEqual([gone.body['name'], gone.body['displayName']], [undefined, 'Dr. Ada King'])
    await provider.patch(`/Users/${id}`, { op: 'add', path: 'name', value: name })
    const { version } = await acme.admin.api.employees.find({ id })
    const change = { full_name: 'Ada Lovelace', department: 'Engines' }
    await acme.admin.api.employees.edit({ id, version, ...change })
    const { body } = await provider.ask('GET', `/Users/${id}`)
    assert.deepEqual(
      [body['name'], body['displayName']],
      [{ formatted: 'Ada Lovelace' }, 'Ada Lovelace'],
    )
  })

  test('that was changed by somebody else is not changed over their head', async () => {
    const { id, meta } = await provider.add('Etta Tag')
    const version = { 'if-none-match': meta.version }
    assert.equal((await provider.ask('GET', `/Users/${id}`, undefined, version)).status, 304)
    const found = await acme.admin.api.employees.find({ id })
    await acme.admin.api.employees.edit({
      id,
      version: found.version,
      full_name: 'Etta T',
      department: 'Legal',
    })
    const stale = { 'if-match': meta.version }
    const whole = newUser(acme, 'Etta Tag')
    assertScimRefused(await provider.ask('PUT', `/Users/${id}`, whole, stale), 412)
    const deleted = await provider.ask('DELETE', `/Users/${id}`, undefined, stale)
    assertScimRefused(deleted, 412, undefined, 'scim_version')
    const now = await provider.ask('GET', `/Users/${id}`, undefined, version)
    assert.equal(now.status, 200)
    assert.equal(now.body['displayName'], 'Etta T')
    assert.ok(now.body['meta'].lastModified > meta.lastModified)
    const fresh = { 'if-match': now.headers.get('etag')! }
    assert.equal((await provider.ask('PUT', `/Users/${id}`, whole, fresh)).status, 200)
    assert.equal(
      (await provider.ask('PUT', `/Users/${id}`, whole, { 'if-match': '*' })).status,
      200,
    )
  })

  test('who leaves is signed out everywhere at once', async () => {
    const ina = await acme.hire('Ina')
    assert.equal((await ina.api.users.me({})).full_name, 'Ina')
    const off = { op: 'replace', value: { active: false } }
    assert.equal((await provider.patch(`/Users/${ina.id}`, off)).status, 200)
    await assert.rejects(ina.api.users.me({}), { code: 'not_signed_in' })
    const again = await scene.signIn(ina.email) // to claim for the days that were
    assert.equal((await again.api.claims.mine({})).claims.length, 0)
  })

  test('leaves today where they are inactive, and is back where they are active again', async () => {
    const { id } = await provider.add('Lea Ving')
    await markSignedIn(scene, id)
    const today = await todayOf(scene, acme)
    const whole = newUser(acme, 'Lea Ving')
    const left = await provider.ask('PUT', `/Users/${id}`, { ...whole, active: false })
    assert.equal(left.body['active'], false)
    assert.deepEqual(await pick(id), { account_state: 'left', left_on: today })
    const back = await provider.ask('PUT', `/Users/${id}`, whole)
    assert.equal(back.body['active'], true)
    assert.deepEqual(await pick(id), { account_state: 'active', left_on: null })
  })

  test('who has not begun yet, and is taken away, begins and leaves today', async () => {
    const { id } = await provider.add('Ned Notyet')
    const today = await todayOf(scene, acme)
    await scene.sql`update profiles set joined_on = ${today}::date + 30 where id = ${id}`
    assert.equal((await provider.ask('DELETE', `/Users/${id}`)).status, 204)
    const [row] = await scene.sql`select joined_on, left_on from profiles where id = ${id}`
    assert.deepEqual({ ...row }, { joined_on: today, left_on: today })
  })

  test('who is deleted leaves and is seen no more; made again, they are who they were', async () => {
    const { id } = await provider.add('Del Eted', { externalId: 'one' })
    await markSignedIn(scene, id)
    assert.equal((await provider.ask('DELETE', `/Users/${id}`)).status, 204)
    assert.equal((await pick(id)).account_state, 'left')
    assertScimRefused(await provider.ask('GET', `/Users/${id}`), 404)
    assertScimRefused(await provider.ask('DELETE', `/Users/${id}`), 404)
    const named = await provider.ask('GET', `/Users?filter=userName eq "del.eted@${acme.domain}"`)
    assert.equal(named.body['totalResults'], 0)
    const again = await provider.add('Del Eted', { externalId: 'two' })
    assert.equal(again.id, id)
    assert.equal(again['externalId'], 'two')
    assert.deepEqual(await pick(id), { account_state: 'active', left_on: null })
  })

  test('whom an admin or the provider suspended is inactive, and SCIM does not bring them back', async () => {
    const { id } = await provider.add('Sue Spend')
    await markSignedIn(scene, id)
    const boss = await scene.superAdmin()
    for (const [at, by] of [acme.admin.api.employees, boss.api.users].entries()) {
      await by.suspend({ id })
      assert.equal((await provider.ask('GET', `/Users/${id}`)).body['active'], false)
      const again = await provider.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
      assertScimRefused(again, 409, undefined, 'scim_suspended')
      const whole = newUser(acme, 'Sue Spend', { externalId: `round ${at}` })
      const put = await provider.ask('PUT', `/Users/${id}`, whole)
      assert.deepEqual([put.body['active'], put.body['externalId']], [false, `round ${at}`])
      const off = await provider.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
      assert.equal(off.status, 200)
      assert.equal((await pick(id)).account_state, 'suspended')
    }
    await refuses('suspended_by_provider', acme.admin.api.employees.reactivate({ id }))
  })

  test('has their address corrected while they never came in, and never afterwards', async () => {
    const { id } = await provider.add('Addy Ress')
    const value = `addy@${acme.domain}`
    const moved = { op: 'replace', path: 'emails[type eq "work"].value', value }
    const answer = await provider.patch(`/Users/${id}`, moved)
    assert.equal(answer.body['emails'][0].value, value)
    await markSignedIn(scene, id)
    const again = { ...moved, value: `addy.two@${acme.domain}` }
    assertScimRefused(await provider.patch(`/Users/${id}`, again), 400, 'mutability')
  })

  const pick = async (id: string) => {
    const { account_state, left_on } = await provider.account_state(id)
    return { account_state, left_on }
  }
})

describe('without mail', () => {
  test('who is made hears nothing, until an admin invites them', async () => {
    const quiet = await scene.company({ name: 'Quiet' })
    const { add } = await providerOf(scene, quiet)
    await quiet.admin.api.scim.change({ invites: false, dry_run: false })
    const { id } = await add('Una Told')
    const jobs = await scene.sql`select 1 from graphile_worker._private_jobs
      where payload::text like ${`%${id}%`}`
    assert.equal(jobs.length, 0)
    assert.equal((await quiet.admin.api.employees.find({ id })).invited_at, null)
    await quiet.admin.api.employees.resend({ id })
    assert.notEqual((await quiet.admin.api.employees.find({ id })).invited_at, null)
  })
})
