// A second person is not the first by another address.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FundedCompany } from '../../test/world/company.ts'
import { payingCompany } from '../../test/world/payouts.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { aDayLater, confirmRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
const provider = opened(() => scene.superAdmin())

let admins_made = 0
/** Signs up as an admin of the company, and is let in by whoever is named. */
async function madeBy(maker: Person, { company }: FundedCompany, owner?: Person): Promise<Person> {
  const email = `me${(admins_made += 1)}@${company.domain}`
  const person = await scene.signUp(email, 'company_admin', { company_name: 'Mine' })
  if (maker === provider) await provider.api.users.approve({ id: person.id })
  else await maker.api.employees.approve({ id: person.id })
  if (owner) await confirmRights(scene, owner, person)
  return person
}

const large = { category: 'treatment', amount_cents: 60_000 } as const

describe('an admin whom an admin made', () => {
  test('is no second approver of theirs for a day, nor they of the new one’s', async () => {
    const { acme, hr, second: other } = await payingCompany(scene)
    const newcomer = await madeBy(hr, acme, other)
    const ana = await acme.hire()
    for (const [one, two] of [
      [hr, newcomer],
      [newcomer, hr],
    ] as const) {
      const { id } = await acme.claim(ana, large)
      const { version } = await one.api.review.find({ id })
      await one.api.review.approve({ id, version })
      const claim_detail = await two.api.review.find({ id })
      assert.equal(claim_detail.refusals.approve, 'admin_too_new')
      const { claims } = await two.api.review.queue({ status: 'pending' })
      const queued = claims.find((claim) => claim.id === id)
      assert.equal(queued?.refusals.approve, 'admin_too_new')
      await refuses('admin_too_new', two.api.review.approve({ id, version: claim_detail.version }))
      const decided = await other.api.review.approve({ id, version: claim_detail.version })
      assert.equal(decided.status, 'approved')
    }
    const { id, version } = await acme.claim(ana, large)
    const first = await hr.api.review.approve({ id, version })
    await refuses('admin_too_new', newcomer.api.review.approve({ id, version: first.version }))
    await aDayLater(scene, newcomer)
    const done = await newcomer.api.review.approve({ id, version: first.version })
    assert.equal(done.status, 'approved')
  })

  test('nor are two who made each other, or anybody whom they made', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    const third = await madeBy(second, acme)
    await scene.sql`update company_rights set given_at = now(),
      given_by = case person_id when ${hr.id} then ${second.id} else ${hr.id} end::uuid
      where person_id in (${hr.id}, ${second.id})`
    const [row] = await scene.sql`select counts_as_one('reviewer', ${hr.id}, ${second.id}) as two,
      counts_as_one('reviewer', ${third.id}, ${hr.id}) as three`
    assert.deepEqual({ ...row }, { two: true, three: true })
  })

  test('nor are two whom the same admin made, nor one whom the other made', async () => {
    const { acme, hr } = await payingCompany(scene, { lone: true })
    const [left, right] = [await madeBy(hr, acme), await madeBy(hr, acme)]
    const third = await madeBy(right, acme)
    const { id, version } = await acme.claim(await acme.hire(), large)
    const first = await left.api.review.approve({ id, version })
    for (const again of [right, third, hr]) {
      await refuses('admin_too_new', again.api.review.approve({ id, version: first.version }))
    }
    const vouched = await madeBy(provider, acme, hr)
    assert.equal(
      (await vouched.api.review.approve({ id, version: first.version })).status,
      'approved',
    )
  })

  test('decides on none of the claims that their maker has as an employee', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    const ana = await acme.hire('Ana')
    const { id, version } = await acme.claim(ana, { amount_cents: 1000 })
    await provider.api.users.change_role({ id: ana.id, role: 'company_admin', company_id: acme.id })
    await confirmRights(scene, second, ana)
    const newcomer = await madeBy(ana, acme, hr)
    assert.equal((await newcomer.api.review.find({ id })).refusals.approve, 'admin_too_new')
    await refuses('admin_too_new', newcomer.api.review.approve({ id, version }))
    assert.equal((await second.api.review.approve({ id, version })).status, 'approved')
  })

  test('releases none of their payouts for a day; who was alone stays so until then', async () => {
    const { acme, hr, make } = await payingCompany(scene, { lone: true })
    const ana = await acme.hire()
    const newcomer = await madeBy(hr, acme)
    await acme.agreeing(ana)
    const run = await make()
    assert.equal(run.refusals.release, null)
    const run_detail = await newcomer.api.payouts.find({ id: run.id })
    assert.equal(run_detail.refusals.release, 'admin_too_new')
    await refuses('admin_too_new', newcomer.api.payouts.release(run))
    await aDayLater(scene, newcomer)
    await refuses('release_needs_another', hr.api.payouts.release(run))
    assert.equal((await newcomer.api.payouts.release(run)).status, 'released')
  })

  test('with another admin there, the maker does not release what they made either', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const newcomer = await madeBy(hr, acme, second)
    await acme.agreeing(await acme.hire())
    const run = await make()
    await refuses('release_needs_another', hr.api.payouts.release(run))
    await refuses('admin_too_new', newcomer.api.payouts.release(run))
    assert.equal((await second.api.payouts.release(run)).status, 'released')
  })

  test('is told to the provider, who may know better', async () => {
    const { acme, hr } = await payingCompany(scene, { lone: true })
    const noticesOf = async () => {
      const { notifications } = await provider.api.notifications.list({})
      return notifications.filter(({ path }) => path === `/dashboard/companies/${acme.id}`)
    }
    await madeBy(provider, acme)
    assert.deepEqual(await noticesOf(), [], 'not of what they did themselves')
    await madeBy(hr, acme)
    const [notice, ...more] = await noticesOf()
    assert.equal(notice?.code, 'admin_made')
    assert.deepEqual(more, [])
  })
})
