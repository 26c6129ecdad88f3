// Straight SQL as the login of requests: what nobody reads or writes of families and bookings.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayInParis, open } from '../../test/world/health-checks.ts'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let company: Company
let ana: Person
let provider: Person
before(async () => {
  company = await scene.company()
  ana = await company.hire('Ana')
  provider = await scene.superAdmin()
  for (const by of [provider, company.admin]) {
    const { ids } = await open(by, dayInParis(by === provider ? 5 : 6), 2, 'UTC')
    await ana.api.health_checks.book({ slot_id: ids[0]! })
  }
  await ana.api.dependents.add({ full_name: 'Mia', relationship: 'child', born_on: '2020-01-01' })
})

const seenBy = async (person: Person, table: string) =>
  (await scene.straight(person, (tx) => tx.unsafe(`select * from ${table}`))).length

test('bookings are seen by who made them, and by HR those of its own checks alone', async () => {
  assert.equal(await seenBy(ana, 'check_bookings'), 2)
  assert.equal(await seenBy(company.admin, 'check_bookings'), 1)
  assert.equal(await seenBy(provider, 'check_bookings'), 0)
  const colleague = await company.hire('Colleague')
  assert.equal(await seenBy(colleague, 'check_bookings'), 0)
})

test('who sets checks up and is an employee is offered all of them, and books', async () => {
  const pia = await company.hire('Pia')
  await giveRights(scene, company, pia, 'people')
  const { providers, offered, offered_slots, slots, book } = pia.api.health_checks
  assert.deepEqual([(await providers({})).length, (await offered({})).providers.length], [1, 2])
  const of_all = (await offered({})).providers.find(({ of_company }) => !of_company)!
  const day = of_all.next_free_on!
  const days = { provider_id: of_all.id, from_on: day, to_on: day }
  assert.deepEqual(await slots(days), [], 'nothing of it is theirs to set up')
  const [slot] = await offered_slots(days)
  assert.equal((await book({ slot_id: slot!.id })).status, 'booked')
  await refuses('forbidden', company.admin.api.health_checks.offered({}))
})

test('families are seen by the person and by their HR, not by a colleague, a stranger or the provider', async () => {
  assert.equal(await seenBy(ana, 'dependents'), 1)
  assert.equal(await seenBy(company.admin, 'dependents'), 1)
  const stranger = await scene.company({ name: 'Other' })
  for (const person of [await company.hire('Bo'), stranger.admin, provider]) {
    assert.equal(await seenBy(person, 'dependents'), 0)
    assert.equal(await seenBy(person, 'dependent_events'), 0)
  }
})

test('nobody writes them past the acts', async () => {
  for (const statement of [
    `update dependents set covered_from = '2000-01-01'`,
    `delete from dependents`,
    `insert into check_bookings (company_id, person_id, slot_id, day, starts_at, code)
       select company_id, person_id, slot_id, day + 1, starts_at, 'AAAAAA' from check_bookings limit 1`,
    `update check_bookings set status = 'cancelled'`,
    `update check_slots set taken = 0`,
    `update check_providers set closed_at = now()`,
    `update check_providers set closed_at = null`,
    `update check_providers set version = 1`,
    `select private.cover_dependents('${company.id}', null, '2026-01-01')`,
  ]) {
    for (const person of [ana, company.admin, provider]) {
      await assert.rejects(
        scene.straight(person, (tx) => tx.unsafe(statement)),
        { code: '42501' },
        statement,
      )
    }
  }
  await assert.rejects(
    scene.straight(ana, (tx) =>
      tx.unsafe(`insert into check_providers (name, offers, place, time_zone)
      values ('Mine', 'Mine', 'Mine', 'UTC')`),
    ),
    { code: '42501' },
  )
  await assert.rejects(
    scene.straight(company.admin, (tx) =>
      tx.unsafe(`insert into check_providers (name, offers, place, time_zone)
      values ('For all', 'For all', 'There', 'UTC')`),
    ),
    { code: '42501' },
  )
})
