// A key of a company from its making to its end.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Tx } from '#lib/db.server.ts'
import { problems } from '#problems.ts'
import { daysAfter } from '#lib/days.ts'
import { notifyOfEndingKeys } from './jobs.server.ts'
import { todayOf } from '../../test/world/company.ts'
import { clientOf, keyOf } from '../../test/world/keys.ts'
import { opened } from '../../test/world/opened.ts'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const admin = opened(async () => acme.admin)
let today: string
before(async () => {
  today = await todayOf(scene, acme)
})

describe('making and renewing', () => {
  const keyInput = () => ({
    name: 'Payroll',
    rights: ['people:read' as const],
    ends_on: daysAfter(today, 10),
  })

  test('asks for the password, as a screen left open is not enough', async () => {
    const other = await scene.company()
    await scene.stale(other.admin)
    const { make_key } = other.admin.api.connections
    await refuses('key_ends_past', make_key({ ...keyInput(), ends_on: daysAfter(today, -2) }))
    await refuses('password_needed', make_key(keyInput()))
    await scene.confirm(other.admin)
    const { key } = await other.admin.api.connections.make_key(keyInput())
    await scene.stale(other.admin)
    await refuses('key_name_taken', make_key(keyInput()))
    const { rotate_key } = other.admin.api.connections
    await refuses('password_needed', rotate_key({ id: key.id, overlap_hours: 0 }))
  })

  test('a name once, a last day within a year, twenty at most, only in an active company', async () => {
    const other = await scene.company()
    await scene.confirm(other.admin)
    const { make_key, revoke_key } = other.admin.api.connections
    const { key } = await make_key(keyInput())
    await refuses('key_name_taken', make_key({ ...keyInput(), name: 'PAYROLL' }))
    for (const [by, code] of [
      [-2, 'key_ends_past'],
      [368, 'key_ends_too_late'],
    ] as const) {
      const ends_on = daysAfter(today, by)
      const act = make_key({ ...keyInput(), name: 'Else', ends_on })
      await assert.rejects(act, { code, fields: { ends_on: [problems[code][1]] } })
    }
    assert.equal((await other.admin.api.connections.keys({})).length, 1)
    await revoke_key({ id: key.id })
    await make_key(keyInput())
    for (let at = 1; at < 20; at += 1) await make_key({ ...keyInput(), name: `Payroll ${at}` })
    await refuses('too_many_keys', make_key({ ...keyInput(), name: 'One more' }))
    const pending = await scene.company({ status: 'pending' })
    await scene.confirm(pending.admin)
    const refusalOf = async ({ api }: Person) => (await api.users.me({})).company?.refusals.connect
    assert.deepEqual(
      [await refusalOf(admin), await refusalOf(pending.admin)],
      [null, 'company_pending'],
    )
    await refuses('company_pending', pending.admin.api.connections.make_key(keyInput()))
  })

  test('renewed, both secrets are good for the overlap; renewed again, the first is not', async () => {
    const key = await keyOf(scene, admin, ['people:read'])
    await scene.confirm(admin)
    const { rotate_key } = admin.api.connections
    const second = await rotate_key({ id: key.id, overlap_hours: 24 })
    assert.equal(second.key.secrets.length, 2)
    await key.api.employees.departments({})
    await clientOf(scene, second.secret).employees.departments({})
    await scene.sql`update api_key_secrets set ends_at = now()
      where key_id = ${key.id} and ends_at is not null`
    await refuses('not_signed_in', key.api.employees.departments({}))
    const third = await rotate_key({ id: key.id, overlap_hours: 24 })
    const fourth = await rotate_key({ id: key.id, overlap_hours: 0 })
    await refuses('not_signed_in', clientOf(scene, second.secret).employees.departments({}))
    await refuses('not_signed_in', clientOf(scene, third.secret).employees.departments({}))
    await clientOf(scene, fourth.secret).employees.departments({})
  })

  test('an overlap is thirty days at most, and straight SQL makes none without an end', async () => {
    const key = await keyOf(scene, admin, ['people:read'])
    await scene.confirm(admin)
    const { webhook } = await admin.api.webhooks.make({
      url: 'https://hooks.example.com/fund',
      events: ['claim.paid'],
      in_order: true,
    })
    for (const hours of [null, -1, 721])
      for (const renewing of [
        (tx: Tx) => tx`select rotate_api_key(${key.id}, ${hours}, '\\x00', 'last')`,
        (tx: Tx) => tx`select rotate_webhook_secret(${webhook.id}, ${hours}, '\\x00', 'last')`,
      ])
        await assert.rejects(
          scene.straight(admin, renewing),
          { message: 'invalid_input' },
          `${hours}`,
        )
  })

  test('the other admins are told of a new key, and all two weeks before it ends, once', async () => {
    const other = await scene.company()
    const second = await other.appoint('Second')
    const key = await keyOf(scene, other.admin, ['people:read'], {
      name: 'Payroll',
      ends_on: daysAfter(today, 12),
    })
    await notifyOfEndingKeys({}, scene.tools)
    await notifyOfEndingKeys({}, scene.tools)
    const notices = await scene.sql`select code, facts from notifications
      where person_id = ${second.id} and code like 'api_key%' order by id`
    assert.deepEqual(
      notices.map((one) => ({ ...one })),
      [
        { code: 'api_key_made', facts: { name: 'Payroll' } },
        { code: 'api_key_ends', facts: { name: 'Payroll', until: key.ends_on } },
      ],
    )
  })
})

for (const time_zone of ['Etc/GMT-14', 'Etc/GMT+12']) {
  test(`two weeks before a key ends are those of the company’s days, at ${time_zone}`, async () => {
    const { id, admin } = await scene.company()
    await scene.sql`update companies set time_zone = ${time_zone} where id = ${id}`
    const day = await todayOf(scene, { id })
    for (const days of [14, 15]) {
      const ends_on = daysAfter(day, days)
      await keyOf(scene, admin, ['people:read'], { name: `In ${days} days`, ends_on })
    }
    await notifyOfEndingKeys({}, { sql: scene.sql, log: scene.services.log })
    const notices = await scene.sql`select facts from notifications
      where person_id = ${admin.id} and code = 'api_key_ends'`
    assert.deepEqual(
      notices.map(({ facts }) => facts.name),
      ['In 14 days'],
    )
  })
}

describe('a key whose maker is gone', () => {
  test('is told of, once, as what uses it has stopped; back again, its end is told as for any other', async () => {
    const { admin, appoint, id: company } = await scene.company()
    const second = await appoint('Second')
    const key = await keyOf(scene, admin, ['people:read'], {
      name: 'Payroll',
      ends_on: daysAfter(today, 40),
    })
    const noticesOf = async () => {
      await notifyOfEndingKeys({}, scene.tools)
      const found = await scene.sql<{ code: string }[]>`select code from notifications
        where person_id = ${second.id} and code like 'api_key%' order by id`
      return found.map(({ code }) => code)
    }
    const admins = (status: string) =>
      scene.sql`update profiles set status = ${status} where id = ${admin.id}`
    assert.deepEqual(await noticesOf(), ['api_key_made'])
    await admins('suspended')
    const stopped = ['api_key_made', 'api_key_stopped']
    assert.deepEqual(await noticesOf(), stopped)
    assert.deepEqual(await noticesOf(), stopped)
    await admins('active')
    assert.deepEqual(await noticesOf(), stopped)
    await scene.sql`update api_keys set ends_on = private.today_at(${company}) + 5
      where id = ${key.id}`
    assert.deepEqual(await noticesOf(), [...stopped, 'api_key_ends'])
  })
})

describe('a key ends at once', () => {
  const good = (key: Awaited<ReturnType<typeof keyOf>>) => key.api.employees.departments({})
  const over = (key: Awaited<ReturnType<typeof keyOf>>) => refuses('not_signed_in', good(key))
  const ending = async () => {
    const company = await scene.company()
    const key = await keyOf(scene, company.admin, ['people:read'])
    await good(key)
    return { company, key, admin: company.admin }
  }

  test('when it is revoked, which is once', async () => {
    const { key, admin } = await ending()
    const { state } = await admin.api.connections.revoke_key({ id: key.id })
    assert.equal(state, 'revoked')
    await over(key)
    await refuses('key_revoked', admin.api.connections.revoke_key({ id: key.id }))
    await refuses('key_revoked', admin.api.connections.rotate_key({ id: key.id, overlap_hours: 0 }))
  })

  test('when its last day is over', async () => {
    const { key, admin } = await ending()
    await scene.sql`update api_keys set ends_on = private.today_at(company_id) where id = ${key.id}`
    await good(key)
    await scene.sql`update api_keys set ends_on = private.today_at(company_id) - 1
      where id = ${key.id}`
    await over(key)
    const [listed] = await admin.api.connections.keys({})
    assert.deepEqual([listed?.state, listed?.refusals.rotate], ['expired', 'key_ended'])
  })

  const ends: Record<string, (company: Company) => PromiseLike<unknown>> = {
    'whoever made it is suspended': ({ admin }) =>
      scene.sql`update profiles set status = 'suspended' where id = ${admin.id}`,
    'whoever made it is no admin any more': ({ admin }) =>
      scene.sql`update profiles set role = 'employee' where id = ${admin.id}`,
    'whoever made it is admin of another company': async ({ admin }) => {
      const { id } = await scene.company()
      await scene.sql`update profiles set company_id = ${id} where id = ${admin.id}`
    },
    'whoever made it is barred': ({ admin }) =>
      scene.sql`update auth.users set banned_until = now() + interval '1 day' where id = ${admin.id}`,
    'whoever made it is to confirm another address': ({ admin }) =>
      scene.sql`update auth.users set email_confirmed_at = null where id = ${admin.id}`,
    'whoever made it lacks the second step that is asked of admins': ({ id }) =>
      scene.sql`update companies set admins_need_two_step = true where id = ${id}`,
    'the company is suspended': ({ id }) =>
      scene.sql`update companies set status = 'suspended' where id = ${id}`,
  }
  for (const [what, happens] of Object.entries(ends)) {
    test(`when ${what}`, async () => {
      const { company, key } = await ending()
      await happens(company)
      await over(key)
    })
  }
  test('not while whoever made it is to choose another password: a key has its own secret', async () => {
    const { key, admin } = await ending()
    await scene.sql`update auth.users set password_must_change = true where id = ${admin.id}`
    await good(key)
  })
})
