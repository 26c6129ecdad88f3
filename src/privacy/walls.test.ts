// Limits on exports and erasures, whatever a handler forgets: straight SQL as the requests' login.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Company, Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let acme: Company
let other: Company
let ana: Person
before(async () => {
  acme = await scene.company()
  other = await scene.company({ name: 'Other' })
  ana = await acme.hire('Ana')
  await ana.api.privacy.request_export({})
  await ana.api.privacy.request_erasure({ reason: 'I moved on' })
})

test('who asked is seen by themselves and their HR; exports by themselves alone', async () => {
  const colleague = await acme.hire('Bea')
  const provider = await scene.superAdmin()
  const rowsOf = async (person: Person) => {
    const exports = await scene.straight(person, (tx) => tx`select from data_exports`)
    const erasures = await scene.straight(person, (tx) => tx`select from erasures`)
    const against = await scene.straight(
      person,
      (tx) => tx`select from erasure_blockers(${ana.id})`,
    )
    const going = await scene.straight(person, (tx) => tx`select from items_to_erase(${ana.id})`)
    return [exports.length, erasures.length, against.length, Math.sign(going.length)]
  }
  await scene.sql`insert into accounts (company_id, plan_year, kind, category, person_id, balance_cents)
    select company_id, starts_on, 'overpaid', 'treatment', ${ana.id}, 1 from plan_years
    where company_id = ${acme.id} order by starts_on desc limit 1`
  assert.deepEqual(await rowsOf(ana), [1, 1, 1, 0])
  assert.deepEqual(await rowsOf(acme.admin), [0, 1, 1, 1])
  for (const person of [colleague, other.admin, provider]) {
    assert.deepEqual(await rowsOf(person), [0, 0, 0, 0])
  }
})

test('nobody writes them, finds the pieces or erases somebody by straight SQL', async () => {
  const denied = [
    'select from data_export_parts',
    'select from private.forgetting',
    'select from audit_erasures',
    "update erasures set status = 'with_provider'",
    'insert into erasures (person_id, status) select id, $$asked$$ from profiles',
    "update data_exports set status = 'ready'",
    'delete from data_exports',
    `select private.erase_person('${ana.id}', null)`,
    `select private.erase_traces('${ana.id}', false)`,
    'select private.erase_entries(array[1], null, true)',
    'update profiles set erased_at = now()',
  ]
  for (const person of [ana, acme.admin]) {
    for (const statement of denied) {
      await assert.rejects(
        scene.straight(person, (tx) => tx.unsafe(statement)),
        { code: '42501' },
        statement,
      )
    }
  }
})
