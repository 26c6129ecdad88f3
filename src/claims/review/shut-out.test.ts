// A question to somebody who can't answer: suspended, alone or with their company.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepClaims } from '#claims/jobs.server.ts'
import { fundedCompany } from '../../../test/world/company.ts'
import { openedScene } from '../../../test/world/scene.ts'

const scene = openedScene()

/** Two people of a company who were asked about a claim of theirs, 10 and 30 days ago. */
async function askedClaim() {
  const acme = await fundedCompany(scene)
  const { admin } = acme.company
  const people = [await acme.hire('Ana'), await acme.hire('Ben')] as const
  const ids: number[] = []
  for (const [at, days] of [30, 10].entries()) {
    const claim = await acme.claim(people[at]!, { amount_cents: 5000 })
    await admin.api.review.ask({ id: claim.id, version: claim.version, text: 'Which tooth?' })
    ids.push(claim.id)
    await silent(claim.id, days)
  }
  const keep = () => keepClaims({}, scene.tools)
  return { acme, admin, people, ids: ids as [number, number], keep }
}

const silent = (id: number, days: number) => scene.sql`
  update claims set asked_at = asked_at - ${days}::int * interval '1 day',
    submitted_at = submitted_at - ${days}::int * interval '1 day' where id = ${id}`

/** The rest of somebody’s 45 days, and how long reviewers have had the claim, in working days. */
const found = async (id: number) => {
  const [claim] = await scene.sql<[{ status: string; days: number; used: number }]>`
    select c.status, round(extract(epoch from c.asked_at + interval '45 days' - now()) / 86400)::int
        as days,
      round((working_days(c.asked_at, o.time_zone, private.days_off(o.id)) - c.awaited_days
        - working_days(c.submitted_at, o.time_zone, private.days_off(o.id)))::numeric, 4)::float
        as used
    from claims c join companies o on o.id = c.company_id where c.id = ${id}`
  return { ...claim }
}

test('a suspended company’s open questions withdraw nothing, and leave 14 days once it is back', async () => {
  const { acme, ids, keep } = await askedClaim()
  const [old, fresh] = ids
  await acme.provider.api.companies.suspend({ id: acme.id })
  await silent(old, 20)
  const before_it = await found(old)
  await keep()
  assert.deepEqual(await found(old), { ...before_it, status: 'pending', days: -5 })
  await acme.provider.api.companies.activate({ id: acme.id })
  assert.deepEqual(await found(old), { ...before_it, status: 'pending', days: 14 })
  assert.equal((await found(fresh)).days, 35)
  await keep()
  assert.equal((await found(old)).status, 'pending')
  await silent(old, 15)
  await keep()
  assert.equal((await found(old)).status, 'withdrawn')
  assert.deepEqual(await acme.faults(), [])
})

test('so it is for one who is suspended, and not for who has left', async () => {
  const { acme, admin, people, ids, keep } = await askedClaim()
  for (const { id } of people) await admin.api.employees.suspend({ id })
  for (const id of ids) await silent(id, 40)
  await scene.sql`update profiles set left_on = company_today(company_id)
    where id = ${people[1].id}`
  const shown = await Promise.all(ids.map((id) => admin.api.review.find({ id })))
  assert.deepEqual(
    shown.map(({ suspended }) => suspended),
    [true, false],
    'reviewers read the same',
  )
  await keep()
  const states = async () => Promise.all(ids.map(async (id) => (await found(id)).status))
  assert.deepEqual(await states(), ['pending', 'withdrawn'])
  await admin.api.employees.reactivate({ id: people[0].id })
  await keep()
  assert.equal((await found(ids[0])).days, 14)
  assert.deepEqual(await states(), ['pending', 'withdrawn'])
  assert.deepEqual(await acme.faults(), [])
})

test('so it is for one whom the provider made an admin beside being an employee', async () => {
  const { acme, people, ids, keep } = await askedClaim()
  const { users } = acme.provider.api
  const [ana] = people
  await users.change_role({ id: ana.id, role: 'company_admin', company_id: acme.id })
  await users.suspend({ id: ana.id })
  await silent(ids[0], 20)
  await users.reactivate({ id: ana.id })
  assert.equal((await found(ids[0])).days, 14)
  await keep()
  assert.equal((await found(ids[0])).status, 'pending')
})
