// Promises of erasure: whatever happens afterwards to what stays, nobody is looked for or mailed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from '#lib/db.server.ts'
import { poster } from '#lib/mail.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { unsubscribeLinks } from '#notifications/unsubscribe.server.ts'
import { fundedCompany } from '../../test/world/company.ts'
import { dayInParis, open } from '../../test/world/health-checks.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { searchDatabase } from '../../test/search-database.ts'
import { until } from '../../test/until.ts'
import { forgetEverywhere } from './jobs.server.ts'

const scene = openedScene()

test('a payment that the bank sends back after they were erased is told to nobody, nor why', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme, 'Ana')
  await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await second.api.payouts.release(await make())
  await scene.confirm(ana)
  const { id } = await ana.api.privacy.request_erasure({})
  await hr.api.privacy.approve_erasure({ id })
  await acme.provider.api.privacy.approve_erasure({ id })
  await forgetEverywhere(false)({ person_id: ana.id }, scene.tools)
  const reason = 'Account of Ana Quark was closed'
  await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason })
  assert.deepEqual(await acme.faults(), [])
  const notices = await scene.sql`select code from notifications where person_id = ${ana.id}`
  assert.deepEqual([...notices], [])
  const links = unsubscribeLinks(Buffer.alloc(32), 'http://127.0.0.1')
  await mailNotifications({ site_url: 'http://127.0.0.1', post: poster(false), links })(
    {},
    scene.tools,
  )
  assert.deepEqual([...(await scene.sql`select id from mails where recipient = ''`)], [])
  assert.deepEqual(await searchDatabase(scene.sql, ['Ana Quark']), [])
})

test('nobody is erased between the release of their payment and its pay day', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme, 'Ana')
  await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await second.api.payouts.release(await make(3))
  await scene.confirm(ana)
  const { id } = await ana.api.privacy.request_erasure({})
  const { blockers } = await ana.api.privacy.erasure({})
  assert.deepEqual(
    blockers.map(({ code, cents }) => [code, cents]),
    [['erasure_unpaid_claims', 5000]],
  )
  await refuses('erasure_unpaid_claims', hr.api.privacy.approve_erasure({ id }))
  await scene.sql`update pay_runs set pay_on = company_today(company_id) where id = ${run.id}
    and company_id = ${acme.id}`
  await hr.api.privacy.approve_erasure({ id })
})

test('a new account at their address keeps its mails, though the old one is still being forgotten', async () => {
  const acme = await scene.company()
  const provider = await scene.superAdmin()
  const bea = await acme.hire('Bea')
  const { id } = await bea.api.privacy.request_erasure({})
  await acme.admin.api.privacy.approve_erasure({ id })
  await provider.api.privacy.approve_erasure({ id })
  const again = await scene.signUp(bea.email, 'employee', { full_name: 'Bea Again' })
  await scene.sql`delete from mails where recipient = ${bea.email}`
  await scene.sql`select post_mail(${bea.email}, 'Welcome', 'x', 'x', false)`
  await forgetEverywhere(false)({ person_id: bea.id }, scene.tools)
  const left = await scene.sql<{ person_id: string }[]>`
    select person_id from mails where recipient = ${bea.email}`
  assert.deepEqual(
    left.map(({ person_id }) => person_id),
    [again.id],
  )
})

test('acts of theirs that were under way when they were erased leave nothing of them', async () => {
  const acme = await scene.company()
  const provider = await scene.superAdmin()
  const cara = await acme.hire('Cara')
  const { dependents, payouts, health_checks } = cara.api
  const child = { full_name: 'Zebulon', relationship: 'child', born_on: '2019-05-05' } as const
  const { id, version, covered_from } = await dependents.add(child)
  const { ids } = await open(provider, dayInParis(7), 1)
  const sql = connect(scene.database_url, { max: 2 })
  const doing = await sql.begin(async (tx) => {
    await tx`select private.erase_person(${cara.id}, null)`
    const begun = Promise.allSettled([
      dependents.change({ ...child, id, version, covered_from, full_name: 'Zebulon Quark' }),
      dependents.add({ ...child, full_name: 'Zenobia Quark' }),
      payouts.set_my_account({ holder: 'Cara Quark', iban: 'DE89 3704 0044 0532 0130 00' }),
      health_checks.book({ slot_id: ids[0]! }),
    ])
    await untilWaiting(sql, 4)
    return () => begun
  })
  const done = await doing()
  await sql.end()
  assert.deepEqual([...new Set(done.map(({ status }) => status))], ['rejected'])
  await forgetEverywhere(false)({ person_id: cara.id }, scene.tools)
  assert.deepEqual(await searchDatabase(scene.sql, ['Quark']), [])
  const [{ taken }] = await scene.sql<[{ taken: number }]>`
    select taken from check_slots where id = ${ids[0]!}`
  assert.equal(taken, 0)
})

test('a claim that is being sent when they are to be erased stands against it', async () => {
  const acme = await fundedCompany(scene)
  const fay = await acme.hire('Fay')
  await fay.api.claims.withdraw({ id: (await acme.claim(fay)).id })
  const { id } = await fay.api.privacy.request_erasure({})
  await acme.company.admin.api.privacy.approve_erasure({ id })
  const sql = connect(scene.database_url, { max: 2 })
  const doing = await sql.begin(async (tx) => {
    await tx`select from accounts where person_id = ${fay.id} for update`
    const sent = acme.claim(fay, { provider: 'Praxis Quark' })
    await untilWaiting(sql, 1)
    const erased = Promise.allSettled([acme.provider.api.privacy.approve_erasure({ id })])
    await untilWaiting(sql, 2)
    return async () => ({ claim: await sent, erased: (await erased)[0] })
  })
  const { claim, erased } = await doing()
  await sql.end()
  assert.equal(claim.status, 'pending')
  assert.equal(erased.status, 'rejected')
  assert.equal(erased.reason.code, 'erasure_open_claims')
})

for (const [act, code] of [
  ['reverse_claim', 'erasure_overpaid'],
  ['return_payment_of', 'erasure_unpaid_claims'],
] as const)
  test(`money of theirs that is moved just then stands against it: ${act}`, async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const claim = await acme.agreeing(ana, { amount_cents: 5000 })
    const run = await second.api.payouts.release(await make())
    const { id } = await ana.api.privacy.request_erasure({})
    await hr.api.privacy.approve_erasure({ id })
    const { version } = await second.api.review.find({ id: claim.id })
    const sql = connect(scene.database_url, { max: 1 })
    let erasing: Promise<PromiseSettledResult<unknown>[]> | undefined
    await scene.straight(second, async (tx) => {
      if (act === 'reverse_claim') await tx`select reverse_claim(${claim.id}, ${version}, 'Forged')`
      else await tx`select return_payment_of(${run.id}, ${ana.id}, 'Account closed')`
      erasing = Promise.allSettled([acme.provider.api.privacy.approve_erasure({ id })])
      await untilWaiting(sql, 1)
    })
    const [erased] = await erasing!
    await sql.end()
    assert.equal(erased!.status === 'rejected' && erased!.reason.code, code)
  })

const untilWaiting = (sql: ReturnType<typeof connect>, number: number) =>
  until(async () => {
    const [{ waiting }] = await sql<[{ waiting: number }]>`
      select count(distinct l.pid)::int as waiting from pg_locks l
        join pg_stat_activity a on a.pid = l.pid and a.datname = current_database()
        where not l.granted`
    return waiting === number
  }, `${number} wait`)
