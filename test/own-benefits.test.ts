// Pay, grants and cover of one person: each act on them, called by that very person with every right.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Profile } from '#settings/settings.contract.ts'
import { payee, payingCompany } from './world/payouts.ts'
import { refuses, type Person } from './world/people.ts'
import { giveRights } from './world/rights.ts'
import { openedScene } from './world/scene.ts'

const scene = openedScene()

const child = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const

/** Eve is an employee with every right but the owner's; hr and second have them, too. */
async function everybody(options: { lone?: boolean } = {}) {
  const stage = await payingCompany(scene, options)
  const eve = await payee(stage.acme, 'Eve', 'Eve Adams')
  const kinds = ['people', 'reviewer', 'finance'] as const
  await giveRights(scene, stage.acme.company, eve, ...kinds)
  const api = (await scene.signIn(eve.email)).api
  return { ...stage, eve, api }
}

const known = ({ version, full_name, phone, department }: Profile) => ({
  version,
  full_name,
  phone,
  department,
})
const personOf = async (of: Person, person: Person) => {
  const { id, version, full_name, department, joined_on } = await of.api.employees.find(person)
  return { id, version, full_name, joined_on, department: department ?? 'Research' }
}

describe('about oneself', () => {
  test('nobody approves or declines cover for their own family', async () => {
    const { hr, eve, api } = await everybody()
    await hr.api.dependents.set_approval({ needed: true })
    const mia = await api.dependents.add(child)
    const [listed] = (await api.dependents.requests({})).dependents
    assert.equal(listed!.refusals.approve, 'own_benefit')
    await refuses('own_benefit', api.dependents.approve(mia))
    await refuses('own_benefit', api.dependents.decline({ ...mia, reason: '' }))
    assert.equal((await hr.api.dependents.approve(mia)).cover_state, 'active')
    assert.equal((await eve.api.dependents.mine({})).active, 1)
  })

  test('who was given the right by them today is asked for nothing of theirs', async () => {
    const { hr, second, eve, api } = await everybody()
    await hr.api.dependents.set_approval({ needed: true })
    await scene.sql`update company_rights set given_by = ${eve.id}, given_at = now()
      where person_id = ${second.id} and kind = 'people'`
    const mia = await api.dependents.add(child)
    await refuses('admin_too_new', second.api.dependents.approve(mia))
    const answersOf = async ({ api }: Person) =>
      (await api.needs.list({})).lines.filter(({ kind }) => kind === 'dependent_waits').length
    assert.deepEqual([await answersOf(hr), await answersOf(second)], [1, 0])
  })

  test('nobody says that a payment to them came back', async () => {
    const { acme, hr, second, make, eve, api } = await everybody()
    await acme.agreeing(eve, { amount_cents: 5000 })
    const run = await make()
    await second.api.payouts.release(run)
    const item = { id: run.id, person_id: eve.id, reason: 'Account closed' }
    await refuses('own_benefit', api.payouts.return_item(item))
    const [listed] = (await api.payouts.items({ id: run.id })).items
    assert.equal(listed!.refusals.return_item, 'own_benefit')
    await hr.api.payouts.return_item(item)
    assert.deepEqual(await acme.faults(), [])
  })

  test('nobody blocks payments to them or settles their overpayment, nor does a second account of theirs', async () => {
    const { hr, second, eve, api } = await everybody()
    await scene.sql`update company_rights set given_by = ${eve.id}, given_at = now()
      where person_id = ${second.id} and kind = 'finance'`
    const all = { person_id: eve.id, claim_id: null, reason: 'The bank asked' }
    const { id } = await hr.api.payment_blocks.add(all)
    const overpayment = {
      person_id: eve.id,
      cents: 800,
      how: 'written_off',
      reason: 'Forgiven',
    } as const
    for (const [by, code] of [
      [api, 'yourself'],
      [second.api, 'admin_too_new'],
    ] as const) {
      await refuses(code, by.payment_blocks.add(all))
      await refuses(code, by.payment_blocks.remove({ id }))
      await refuses(code, by.payouts.settle_overpayment(overpayment))
    }
    await refuses('overpayment_changed', hr.api.payouts.settle_overpayment(overpayment))
    await hr.api.payment_blocks.remove({ id })
  })

  test('nobody sets the first day their own grant is counted from', async () => {
    const { acme, hr, eve, api } = await everybody()
    const mine = await personOf(hr, eve)
    const earlier = { ...mine, joined_on: acme.plan_year }
    await scene.sql`update profiles set joined_on = joined_on + 30 where id = ${eve.id}`
    const now = { ...earlier, version: (await personOf(hr, eve)).version }
    await refuses('own_benefit', api.employees.edit(now))
    const refusals = async (by: typeof api) => (await by.employees.find({ id: eve.id })).refusals
    assert.equal((await refusals(api)).joined_on, 'own_benefit')
    assert.equal((await refusals(hr.api)).joined_on, null)
    assert.equal((await hr.api.employees.edit(now)).joined_on, acme.plan_year)
  })

  test('nobody puts themselves into a group, or takes themselves out', async () => {
    const { acme, hr, eve, api } = await everybody()
    const { id } = await hr.api.groups.add({ name: 'Travellers', departments: null })
    const me = { id, person_id: eve.id }
    await refuses('own_benefit', api.groups.put_person(me))
    const many = { person_ids: [eve.id, (await acme.hire()).id], into_group_id: id }
    assert.equal((await api.many.put_in_group(many)).added, 1)
    await hr.api.groups.put_person(me)
    await refuses('own_benefit', api.groups.take_person(me))
  })

  test('nobody changes a group’s departments so that they come in or go out; somebody else does', async () => {
    const { hr, eve, api } = await everybody()
    await hr.api.employees.edit({ ...(await personOf(hr, eve)), department: 'Sales' })
    const lead = await hr.api.groups.add({ name: 'Leadership', departments: ['Board'] })
    assert.equal((await api.groups.own({})).refusals.pick, 'own_benefit')
    const preview = async (of: typeof api, departments: string[] | null, id?: string) => {
      const { is_in, refusals } = await of.groups.preview({ id, departments })
      return [is_in, refusals.save]
    }
    const change = { id: lead.id, version: lead.version, name: lead.name }
    const [out, together] = [['Board'], ['Board', 'Sales']]
    await refuses('own_benefit', api.groups.change({ ...change, departments: together }))
    assert.deepEqual(await preview(api, together, lead.id), [false, 'own_benefit'])
    assert.deepEqual(await preview(api, ['Sales']), [false, 'own_benefit'])
    assert.deepEqual(await preview(hr.api, ['Sales']), [false, null])
    for (const departments of [out, [], null])
      assert.deepEqual(await preview(api, departments, lead.id), [false, null])
    await refuses('own_benefit', api.groups.add({ name: 'Sellers', departments: ['Sales'] }))
    const { version } = await hr.api.groups.change({ ...change, departments: together })
    assert.deepEqual(await preview(api, together, lead.id), [true, null])
    for (const departments of [out, [], null])
      assert.deepEqual(await preview(api, departments, lead.id), [true, 'own_benefit'])
    const kept = { ...change, version, departments: together, name: 'Leaders' }
    const renamed = await api.groups.change({ ...kept, departments: ['Sales', 'Office'] })
    const now = { ...kept, version: renamed.version }
    await refuses('own_benefit', api.groups.change({ ...now, departments: out }))
    await refuses('own_benefit', api.groups.change({ ...now, departments: null }))
    await hr.api.groups.change({ ...now, departments: out })
  })

  test('picked for a group, nobody takes themselves out by having it go by department', async () => {
    const { hr, eve, api } = await everybody()
    const made = await hr.api.groups.add({ name: 'Travellers', departments: null })
    const { version } = await hr.api.groups.put_person({ id: made.id, person_id: eve.id })
    const change = { id: made.id, version, name: made.name, departments: ['Board'] }
    const preview = await api.groups.preview(change)
    assert.deepEqual([preview.is_in, preview.refusals.save], [true, 'own_benefit'])
    await refuses('own_benefit', api.groups.change(change))
    await hr.api.groups.change(change)
  })

  test('who all share a department, one of them changes its groups: nobody else could', async () => {
    const { acme, hr, second, eve, api } = await everybody()
    for (const { id } of [hr, second])
      await scene.sql`update company_rights set ended_at = now() - interval '2 days', ended_by = ${hr.id}
        where person_id = ${id} and kind = 'people'`
    const ben = await acme.hire('Ben')
    await giveRights(scene, acme.company, ben, 'people')
    const [one, other] = ['Sales', 'Office']
    await scene.sql`update profiles set department = ${one} where id in (${eve.id}, ${ben.id})`
    const { id, version } = await api.groups.add({ name: 'Sellers', departments: [one] })
    await scene.sql`update profiles set department = ${other} where id = ${ben.id}`
    const change = { id, version, name: 'Sellers', departments: [one, other] }
    assert.ok(await api.groups.change(change))
    const without = { ...change, version: version + 1, departments: [other] }
    await refuses('own_benefit', api.groups.change(without))
    const { api: bens } = await scene.signIn(ben.email)
    assert.deepEqual((await bens.groups.change(without)).departments, [other])
  })

  test('nobody does any of it around the server', async () => {
    const { acme, hr, second, make, eve } = await everybody()
    await hr.api.dependents.set_approval({ needed: true })
    const mia = await eve.api.dependents.add(child)
    await acme.agreeing(eve, { amount_cents: 5000 })
    const run = await make()
    await second.api.payouts.release(run)
    const { id: picked } = await hr.api.groups.add({ name: 'Travellers', departments: null })
    await hr.api.groups.put_person({ id: picked, person_id: eve.id })
    const field = await hr.api.groups.add({ name: 'Field', departments: ['Sales'] })
    await scene.sql`update profiles set department = 'Office' where id = ${eve.id}`
    for (const statement of [
      `select put_in_group('${acme.id}', '${picked}', '{${eve.id}}')`,
      `select take_out_of_group('${acme.id}', '${picked}', '${eve.id}')`,
      `select edit_employment(id, joined_on - 9, left_on) from profiles where id = '${eve.id}'`,
      `select decide_dependent('${mia.id}', ${mia.version}, true, null)`,
      `select decide_dependent('${mia.id}', ${mia.version}, false, 'No')`,
      `select return_payment_of(${run.id}, '${eve.id}', 'Account closed')`,
      `update profiles set department = 'Sales' where id = '${eve.id}'`,
      `update employee_groups set departments = '{Sales,Office}' where id = '${field.id}'`,
      `insert into employee_groups (company_id, name, departments)
        values ('${acme.id}', 'Board', '{Office}')`,
    ])
      await assert.rejects(
        scene.straight(eve, (tx) => tx.unsafe(statement)),
        { message: 'own_benefit' },
        statement,
      )
  })

  test('who is the only one with the right does it for themselves', async () => {
    const { acme, hr } = await payingCompany(scene, { lone: true })
    const eve = await payee(acme, 'Eve', 'Eve Adams')
    await giveRights(scene, acme.company, eve, 'people')
    await hr.api.dependents.set_approval({ needed: true })
    await scene.sql`update company_rights set ended_at = now() - interval '2 days', ended_by = ${hr.id}
      where person_id = ${hr.id} and kind = 'people'`
    const { api } = await scene.signIn(eve.email)
    const mia = await api.dependents.add(child)
    assert.equal(mia.refusals.approve, null)
    assert.equal((await api.dependents.approve(mia)).cover_state, 'active')
  })
})

describe('one’s own department', () => {
  test('is one’s own to keep true while nothing goes by it', async () => {
    const { acme } = await everybody()
    const ana = await acme.hire('Ana')
    const profile = await ana.api.settings.profile({})
    assert.equal(profile.refusals.department, null)
    const saved = await ana.api.settings.change_profile({ ...known(profile), department: 'Sales' })
    assert.equal(saved.department, 'Sales')
  })

  test('is HR’s once a group goes by department', async () => {
    const { acme, hr, eve, api } = await everybody()
    const ana = await acme.hire('Ana')
    await hr.api.groups.add({ name: 'Field', departments: ['Sales'] })
    const profile = await ana.api.settings.profile({})
    assert.equal(profile.refusals.department, 'department_kept_by_hr')
    const change = { ...known(profile), department: 'Sales' }
    await refuses('department_kept_by_hr', ana.api.settings.change_profile(change))
    const renamed = { ...known(profile), full_name: 'Ana Horvat' }
    assert.equal((await ana.api.settings.change_profile(renamed)).full_name, 'Ana Horvat')
    const own = { ...(await personOf(hr, eve)), department: 'Sales' }
    await refuses('own_benefit', api.employees.edit(own))
    const department = async (by: typeof api) =>
      (await by.employees.find({ id: eve.id })).refusals.department
    assert.deepEqual([await department(api), await department(hr.api)], ['own_benefit', null])
    assert.equal((await hr.api.employees.edit(own)).department, 'Sales')
  })
})
