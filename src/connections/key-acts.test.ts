// A key acts on people by straight SQL as far as its right goes, whatever the right behind it opens to people.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { keyOf } from '../../test/world/keys.ts'
import type { Company } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import type { Tx } from '#lib/db.server.ts'
import { hashOfKey } from './caller.server.ts'

type Writing = 'people:write' | 'people:provision'

const scene = openedScene()
let acme: Company
let keys: Record<Writing, Buffer>
let ids: Record<'here' | 'away' | 'coming' | 'asking' | 'checks' | 'slot', string>
before(async () => {
  acme = await scene.company()
  const hashOf = async (right: Writing) =>
    hashOfKey((await keyOf(scene, acme.admin, [right])).secret)
  keys = {
    'people:write': await hashOf('people:write'),
    'people:provision': await hashOf('people:provision'),
  }
  const [here, away] = [await acme.hire('Here'), await acme.hire('Away')]
  await scene.sql`update auth.users set email = 'away@elsewhere.test' where id = ${away.id}`
  await scene.sql`update companies set domain_auto_register = false where id = ${acme.id}`
  const coming = await acme.admin.api.employees.add({
    full_name: 'Coming',
    email: 'coming@elsewhere.test',
    department: 'Sales',
  })
  const [made] = await scene.sql<[{ checks: string; slot: string }]>`
    with checks as (insert into check_providers (company_id, name, offers, place, time_zone)
        values (${acme.id}, 'Doctors', 'Check-up', 'First street', 'UTC') returning id)
    insert into check_slots (company_id, provider_id, starts_at, day, minutes, capacity)
      select ${acme.id}, id, '2100-01-01 10:00Z', '2100-01-01', 20, 2 from checks
      returning provider_id as checks, id as slot`
  ids = {
    ...made,
    here: here.id,
    away: away.id,
    coming: coming.employee.id,
    asking: (await scene.signUp(`asking@${acme.domain}`, 'employee')).id,
  }
})

/** Rolls back what the statement did. */
async function attempt(right: Writing, statement: string): Promise<string> {
  const caller = { user_id: '', session_id: right, address: '', request_id: '', key: keys[right] }
  const work = async (tx: Tx) => {
    await tx`select act_with(${right})`
    await tx.unsafe(statement)
    throw new Error('done')
  }
  return scene.services.by_key.run(caller, work).then(String, (error: Error) => error.message)
}

/** Refused by the right, or because the login was never granted it. */
const denied = /^(?:forbidden|not_found|permission denied .+)$/

const newcomer = (email: string, hash = '') =>
  `select add_person('{"role": "employee", "company_id": "${acme.id}", "email": "${email}",
    "full_name": "Eve"}'${hash})`

describe('a key that writes people', () => {
  const by = (statement: string) => attempt('people:write', statement)

  test('does what its right opens', async () => {
    for (const act of [
      newcomer('eve@eve.test'),
      `select suspend_person('${ids.here}')`,
      `select edit_employment('${ids.here}', null, '2100-01-01')`,
      `select number_person('${ids.here}', '7')`,
      `select invite_again('${ids.coming}')`,
      `select open_import('People')`,
    ])
      assert.match(await by(act), /^(done|mailed_just_now)$/, act)
  })

  test('gives nobody a password, lets nobody in, removes and moves nobody', async () => {
    for (const act of [
      newcomer('eve@eve.test', `, 'a hash of their own'`),
      `select approve_person('${ids.asking}')`,
      `select decline_person('${ids.asking}')`,
      `select remove_person('${ids.coming}')`,
      `select correct_address('${ids.coming}', 'eve@eve.test')`,
      `select set_manager('${ids.here}', null)`,
    ])
      assert.match(await by(act), denied, act)
  })

  test('sets up and closes no health checks', async () => {
    assert.match(await by(`select close_slot('${ids.slot}', null)`), denied)
    const adding = `insert into check_slots (company_id, provider_id, starts_at, minutes, capacity)
      values ('${acme.id}', '${ids.checks}', '2100-01-02 10:00Z', 20, 2)`
    assert.match(await by(adding), denied)
  })
})

test('an identity provider’s key does nothing to people but by its own acts', async () => {
  for (const act of [
    newcomer('eve@eve.test'),
    `select suspend_person('${ids.here}')`,
    `select approve_person('${ids.asking}')`,
    `select invite_again('${ids.coming}')`,
    `select set_manager('${ids.here}', null)`,
    `select open_import('People')`,
  ])
    assert.match(await attempt('people:provision', act), denied, act)
})

test('an identity provider names nobody who is beyond it', async () => {
  const values = `{"user_name": "here", "personnel_number": "9"}`
  for (const person of [ids.away, ids.coming, ids.asking]) {
    const naming = `select scim_name_person('${person}', '${values}')`
    assert.equal(await attempt('people:provision', naming), 'not_found', person)
  }
})

test('a key is made with rights that there are', async () => {
  await scene.confirm(acme.admin)
  const making = scene.straight(
    acme.admin,
    (tx) => tx`select make_api_key('Odd', array['funds:write'], current_date, ''::bytea, 'last')`,
  )
  await assert.rejects(making, { code: '23514' })
})
