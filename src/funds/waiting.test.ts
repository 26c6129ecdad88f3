// The line for funds: nobody stands in it who can't use any.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contributedCompany, spread } from '../../test/world/money.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

const each = [20_000, 70_000, 10_000] as const
const nothing = [0, 0, 0]

/** A company without money in its pools, and who waits for it, in this order. */
async function waiting(...names: string[]) {
  const made = await contributedCompany(scene)
  const people = new Map<string, Person>()
  const hire = async (name: string) => {
    const person = await made.company.hire(name)
    const days = names.length - names.indexOf(name)
    await scene.sql`update profiles set joined_on = joined_on - ${days}::int where id = ${person.id}`
    people.set(name, person)
  }
  for (const name of names) await hire(name)
  const pay = () => made.funds.allocate({ plan_year: made.plan_year, ...spread(...each) })
  const wait = async () => (await made.funds.overview({})).waiting.people
  return { ...made, people: names.map((name) => people.get(name)!), pay, wait }
}

/** Somebody suspended is signed out, so this is not asked of them. */
async function grantsOf({ id }: Person) {
  const found = await scene.sql<{ cents: number }[]>`select granted_cents as cents from grants
    where person_id = ${id} order by array_position('{prevention, treatment, solidarity}', category)`
  return found.map(({ cents }) => cents)
}

test('who is suspended keeps nobody waiting, and is at their place again once they are back', async () => {
  const { company, funds, pay, wait, people } = await waiting('Ana', 'Ben', 'Cem')
  const [ana, ben, cem] = people as [Person, Person, Person]
  const { suspend, reactivate } = company.admin.api.employees
  assert.equal(await wait(), 3)
  await suspend({ id: ana.id })
  assert.equal(await wait(), 2)
  await pay()
  assert.deepEqual([await grantsOf(ben), await wait()], [[...each], 1])
  await reactivate({ id: ana.id })
  assert.equal(await wait(), 2)
  await pay()
  assert.deepEqual(await Promise.all([ana, cem].map(grantsOf)), [[...each], nothing])
  await suspend({ id: ben.id })
  await reactivate({ id: ben.id })
  assert.deepEqual([await grantsOf(ben), await wait()], [[...each], 1], 'Cem alone')
  assert.equal((await funds.verify({})).good, true)
})

test('whoever blocked the line and is suspended lets the next have what is there', async () => {
  const { company, pay, wait, people } = await waiting('Ana', 'Ben')
  const [ana, ben] = people as [Person, Person]
  await scene.sql`update grants set due_cents = 90_000
    where person_id = ${ana.id} and category = 'treatment'`
  await pay()
  assert.deepEqual([await grantsOf(ben), await wait()], [nothing, 2])
  await company.admin.api.employees.suspend({ id: ana.id })
  assert.deepEqual([await grantsOf(ben), await wait()], [[...each], 0])
})

test('nobody waits any more for who is erased, whatever they were due while suspended', async () => {
  const { company, funds, pay, wait, people, provider } = await waiting('Dan')
  const [dan] = people as [Person]
  const { id } = await dan.api.privacy.request_erasure({ reason: 'I moved on' })
  await company.admin.api.employees.suspend({ id: dan.id })
  await scene.sql`update grants set due_cents = 90_000 where person_id = ${dan.id}`
  await company.admin.api.privacy.approve_erasure({ id })
  await provider.api.privacy.approve_erasure({ id })
  await pay()
  assert.equal(await wait(), 0)
  assert.deepEqual(await grantsOf(dan), nothing)
  assert.equal((await funds.verify({})).good, true)
})
