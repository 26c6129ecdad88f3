// An admin is removed by another one: at once, with a password, never the last, and without leaving the remover alone.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyOf } from '../../test/world/keys.ts'
import { payingCompany } from '../../test/world/payouts.ts'
import { lost, refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { codesOf } from '../../test/world/notices.ts'

const scene = openedScene()

describe('removing an admin', () => {
  test('takes their rights from their next request on, and leaves them an employee', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    await scene.stale(hr)
    const remove = hr.api.companies.remove_admin
    await refuses('password_needed', remove({ id: second.id, knowingly: true }))
    await scene.confirm(hr)
    assert.equal((await second.api.review.queue({})).claims.length, 0)
    await remove({ id: second.id, knowingly: true })
    await refuses('forbidden', second.api.review.queue({}))
    assert.equal((await second.api.users.me({})).role, 'employee')
    assert.equal((await second.api.funds.mine({})).plan_year, acme.plan_year)
    assert.deepEqual(
      (await hr.api.rights.list({})).holders.map(({ id }) => id),
      [hr.id],
    )
    assert.ok((await codesOf(second)).includes('rights_removed'))
    assert.ok((await codesOf(acme.provider)).includes('admin_removed'))
    const [noted] = await scene.sql`
      select actor_id, after ->> 'role' as role from audit_log
      where table_name = 'profiles' and row_id = ${second.id} and after ? 'role'
      order by id desc limit 1`
    assert.deepEqual({ ...noted }, { actor_id: hr.id, role: 'employee' })
    await refuses('not_found', remove({ id: second.id, knowingly: true }))
  })

  test('is refused for oneself, who is none, who only asks, and of another company', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    const other = await scene.company()
    const ana = await acme.hire('Ana')
    await acme.company.admin.api.companies.set_auto_registration({ enabled: false })
    const asks = await scene.signUp(`asks@${acme.company.domain}`, 'company_admin')
    await scene.confirm(hr)
    const remove = hr.api.companies.remove_admin
    await refuses('yourself', remove({ id: hr.id, knowingly: true }))
    for (const { id } of [ana, asks, other.admin]) await refuses('not_found', remove({ id }))
    await refuses('forbidden', ana.api.companies.remove_admin({ id: second.id, knowingly: true }))
    await refuses(
      'forbidden',
      acme.provider.api.companies.remove_admin({ id: second.id, knowingly: true }),
    )
    const key = await keyOf(scene, hr, ['people:read', 'people:write'])
    await refuses('not_found', key.api.companies.remove_admin({ id: second.id, knowingly: true }))
    assert.equal((await hr.api.rights.list({})).holders.length, 2)
  })

  test('of two who remove each other at the same moment one stays', async () => {
    const { hr, second } = await payingCompany(scene)
    for (const person of [hr, second]) await scene.confirm(person)
    const done = await Promise.allSettled([
      hr.api.companies.remove_admin({ id: second.id, knowingly: true }),
      second.api.companies.remove_admin({ id: hr.id, knowingly: true }),
    ])
    assert.deepEqual(lost(done), ['forbidden'])
    const [{ admins }] = await scene.sql<[{ admins: number }]>`
      select count(*)::int as admins from profiles
      where id in (${hr.id}, ${second.id}) and role = 'company_admin'`
    assert.equal(admins, 1)
  })

  test('leaves nobody without a second person for a day', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    await acme.agreeing(await acme.hire('Ana'), { amount_cents: 4000 })
    await scene.confirm(hr)
    await hr.api.companies.remove_admin({ id: second.id, knowingly: true })
    const run = await make()
    const release = () => hr.api.payouts.release({ id: run.id, version: run.version })
    assert.equal(run.refusals.release, 'release_needs_another')
    await refuses('release_needs_another', release())
    await scene.sql`update company_rights set ended_at = now() - interval '24 hours'
      where person_id = ${second.id}`
    await release()
  })

  test('the invitation of whoever never came is cancelled with their account', async () => {
    const { admin, domain } = await scene.company()
    await scene.confirm(admin)
    const admin_input = { full_name: 'Cleo Second', email: `cleo@${domain}` }
    const { id } = await admin.api.companies.invite_admin(admin_input)
    await admin.api.companies.remove_admin({ id, knowingly: true })
    assert.equal((await scene.sql`select from auth.users where id = ${id}`).length, 0)
    const again = await admin.api.companies.invite_admin(admin_input)
    assert.equal(again.status, 'pending')
  })
})
