// Three years of one installation, by moving its clock: what is to happen happens, once, and the
// records are whole after each year. Its server and its PostgreSQL run through all of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '#lib/db.server.ts'
import { daysAfter } from '#lib/days.ts'
import type { Server } from './server-process.ts'
import { openWorld, recordsAreWhole, type World } from './world/by-clock.ts'
import { submitPlainly } from './world/claims.ts'
import { open } from './world/health-checks.ts'
import { fund, spread } from './world/money.ts'
import { refuses, type Api } from './world/people.ts'

/** A company of three with money for a year, a child that will outgrow it, and somebody who leaves. */
async function found(world: World) {
  const { sql } = world
  const provider = await world.superAdmin()
  const acme = await world.company({ own_domain: 'acme.test' })
  const { admin } = acme
  const plan = await admin.api.funds.plan({})
  const carried = { carry_over: 'up_to', carry_over_max_cents: 15_000 } as const
  await admin.api.funds.change_plan({ ...plan, ...carried })
  await fund(provider, acme, pools, { reference: 'INV 2027' })
  const [ana, ben] = [await acme.hire('ana'), await acme.hire('ben')]
  await sql`update profiles set joined_on = '2026-01-01' where id in (${ana.id}, ${ben.id})`
  await sql`update profiles set left_on = '2027-06-30' where id = ${ben.id}`
  return {
    company: acme.id,
    admin: admin.email,
    payer: provider.email,
    supplier: provider.api,
    ana: ana.api,
    ids: { ana: ana.id, ben: ben.id },
  }
}
type Acme = Awaited<ReturnType<typeof found>>

const pools = spread(200_000, 700_000, 200_000)
/** The provider's money of a year, and what HR makes of it. */
const pay = async (world: World, { payer, admin, company: id }: Acme, year: number) =>
  fund({ api: await world.as(payer) }, { id, admin: { api: await world.as(admin) } }, pools, {
    reference: `INV ${year}`,
  })

async function available(api: Api, plan_year: string, person_id: string) {
  const found = await api.funds.accounts({ plan_year, person_id })
  return found.filter(({ kind }) => kind === 'available').map((account) => account.balance_cents)
}

/** How often each of them was told, by code. */
async function noticesOf(sql: Sql, person_id: string, code: string) {
  const [row] = await sql<[{ times: number }]>`
    select count(*)::int as times from notifications
    where person_id = ${person_id} and code like ${code}`
  return row.times
}

async function keysOf({ origin }: Server): Promise<string[]> {
  const answer = await fetch(`${origin}/auth/v1/.well-known/jwks.json`)
  return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}

test('three years pass: each thing happens on its day, once, and the records are whole', async () => {
  const world = await openWorld('2027-01-04')
  try {
    const acme = await found(world)
    await firstYear(world, acme)
    await recordsAreWhole(world, acme)
    await secondYear(world, acme)
    await recordsAreWhole(world, acme)
    await thirdYear(world, acme)
    await recordsAreWhole(world, acme)
  } finally {
    await world.close()
  }
})

/** 2027: a check, a claim that waits too long, data put together, somebody who leaves. */
async function firstYear(world: World, { admin, supplier, ana, ids }: Acme) {
  const { sql } = world
  const { funds } = await world.as(admin)
  assert.deepEqual(
    await available(await world.as(admin), '2027-01-01', ids.ana),
    [20_000, 70_000, 10_000],
  )
  const { slots } = await open({ api: supplier }, '2027-03-10')
  await ana.health_checks.book({ slot_id: slots[0]!.id })
  const claim = await submitPlainly(ana, { service_on: '2027-01-04', amount_cents: 2000 })
  assert.equal(claim.status, 'pending')
  await ana.dependents.add({ full_name: 'Mia', relationship: 'child', born_on: '2002-06-10' })
  await ana.privacy.request_export({})
  await world.on('2027-01-05')
  await refuses('not_signed_in', ana.funds.mine({})) // yesterday's token
  const next = await world.as('ana@acme.test')
  assert.deepEqual(
    (await next.privacy.exports({})).exports.map(({ status }) => status),
    ['ready'],
  )
  assert.equal(await noticesOf(sql, ids.ana, 'check_to%'), 0)

  await world.on('2027-03-09')
  assert.equal(await noticesOf(sql, ids.ana, 'check_tomorrow'), 1)
  assert.deepEqual((await (await world.as('ana@acme.test')).privacy.exports({})).exports, [])
  const [{ id: hr_id }] = await sql<
    [{ id: string }]
  >`select id from profiles where email = ${admin}`
  assert.equal(await noticesOf(sql, hr_id, 'claims_overdue'), 1)

  // The morning's mail has gathered it by then.
  await world.on('2027-03-10')
  const mails = await sql`
    select from mails where recipient = ${admin} and text like '%Overdue since 7 January 2027%'`
  assert.equal(mails.length, 1)
  const { review } = await world.as(admin)
  await review.approve({ id: claim.id, version: (await review.find({ id: claim.id })).version })
  assert.equal(await noticesOf(sql, ids.ana, 'check_to%'), 1)
  // Ninety days from the last one, 30 June.
  await world.on('2027-09-28')
  assert.deepEqual(
    await available(await world.as(admin), '2027-01-01', ids.ben),
    [20_000, 70_000, 10_000],
  )
  await world.on('2027-09-29')
  assert.deepEqual(await available(await world.as(admin), '2027-01-01', ids.ben), [0, 0, 0])
  assert.equal(await noticesOf(sql, hr_id, 'claims_overdue'), 1)
  await refuses('not_signed_in', funds.overview({}))
  const kept = await sql`select from mails where at < now() - interval '60 days'`
  assert.equal(kept.length, 0)
}

/** 2028, a leap year: the first year closes after its days to file, a child ages out, keys rotate. */
async function secondYear(world: World, acme: Acme) {
  const { sql, server } = world
  const { admin, ids } = acme
  await world.on('2028-01-01')
  await pay(world, acme, 2028)
  await world.on('2028-01-02')
  const fresh = [20_000, 70_000, 10_000]
  assert.deepEqual(await available(await world.as(admin), '2028-01-01', ids.ana), fresh)
  assert.deepEqual(await available(await world.as(admin), '2028-01-01', ids.ben), [])
  await world.on('2028-03-30')
  const closed = async (plan_year: string) =>
    (await (await world.as(admin)).funds.plan({ plan_year })).closed
  assert.equal(await closed('2027-01-01'), false)
  await world.on('2028-03-31')
  assert.equal(await closed('2027-01-01'), true)
  const carried = [35_000, 85_000, 20_000]
  assert.deepEqual(await available(await world.as(admin), '2028-01-01', ids.ana), carried)

  const before = await keysOf(server)
  await world.rotateKeys()
  const ana = await world.as('ana@acme.test')
  for (const [day, times] of [
    ['2028-04-01', 1],
    ['2028-05-01', 2],
    ['2028-05-31', 3],
    ['2028-06-30', 3],
  ] as const) {
    await world.on(day)
    assert.equal(await noticesOf(sql, ids.ana, 'child_ages_out'), times, day)
  }
  const cover_state = async () =>
    (await (await world.as('ana@acme.test')).dependents.mine({})).dependents[0]?.cover_state
  assert.equal(await cover_state(), 'active')
  await world.on('2028-07-01')
  assert.equal(await cover_state(), 'ended')
  const after = await keysOf(server)
  assert.deepEqual([before.length, after.length], [1, 1])
  assert.notDeepEqual(after, before)
  await refuses('not_signed_in', ana.funds.mine({}))
}

/** 2029: the second year closes, and the third after it. */
async function thirdYear(world: World, acme: Acme) {
  const { admin, ids } = acme
  await world.on('2029-01-01')
  await pay(world, acme, 2029)
  for (const year of [2028, 2029]) {
    const last = daysAfter(`${year}-12-31`, 90)
    await world.on(last)
    const plan_year = `${year}-01-01`
    const closed = async () => (await (await world.as(admin)).funds.plan({ plan_year })).closed
    assert.equal(await closed(), false)
    await world.on(daysAfter(last, 1))
    assert.equal(await closed(), true)
    const left = await available(await world.as(admin), plan_year, ids.ana)
    assert.deepEqual(left, [0, 0, 0])
  }
}
