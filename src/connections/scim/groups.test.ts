// Groups of the identity provider: which department each stands for, and that they are nothing more.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../test/world/people.ts'
import { giveRights } from '../../../test/world/rights.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import {
  enterprise,
  newUser,
  providerOf,
  assertScimRefused,
  scimStatusesOf,
} from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))

const make = async (displayName: string, ...ids: string[]) => {
  const members = ids.map((value) => ({ value }))
  const { status, body } = await provider.ask('POST', '/Groups', { displayName, members })
  assert.equal(status, 201, JSON.stringify(body))
  return body['id'] as string
}
const map = (id: string, department: string | null) => acme.admin.api.scim.map({ id, department })
const departmentOf = async (id: string) => (await provider.account_state(id)).department
const put = (id: string, ...Operations: object[]) => provider.patch(`/Groups/${id}`, ...Operations)

describe('a group', () => {
  test('stands for the department an admin chose, for its members and for those who join', async () => {
    const [ana, ben] = [await provider.add('Ana Dept'), await provider.add('Ben Dept')]
    const sales = await make('g-sales', ana.id)
    assert.equal(await departmentOf(ana.id), null)
    const { groups } = await map(sales, 'Sales')
    assert.deepEqual(
      groups
        .filter(({ id }) => id === sales)
        .map(({ members, department }) => [members, department]),
      [[1, 'Sales']],
    )
    assert.equal(await departmentOf(ana.id), 'Sales')
    await put(sales, { op: 'add', path: 'members', value: [{ value: ben.id }] })
    assert.equal(await departmentOf(ben.id), 'Sales')
    const { body } = await provider.ask('GET', `/Users/${ben.id}`)
    assert.equal(body[enterprise].department, 'Sales')
  })

  test('changes nothing about a member who has rights in the company', async () => {
    const hanna = await provider.add('Hanna Rights', { [enterprise]: { department: 'Research' } })
    await scene.sql`update profiles set status = 'active' where id = ${hanna.id}`
    await giveRights(scene, acme, hanna, 'reviewer')
    const team = await make('g-rights')
    await map(team, 'Board')
    await put(team, { op: 'add', path: 'members', value: [{ value: hanna.id }] })
    assert.equal(await departmentOf(hanna.id), 'Research')
    await map(team, 'Sales')
    assert.equal(await departmentOf(hanna.id), 'Research')
  })

  test('brings the plan of the employees’ group that goes by its department, by the key', async () => {
    const { funds, group_plans, groups, audit } = acme.admin.api
    const { plan_year } = await funds.plan({})
    const field = await groups.add({ name: 'Field', departments: ['Field'] })
    const cents = { prevention_cents: 1_000, treatment_cents: 2_000, solidarity_cents: 0 }
    const plan = { group_id: field.id, counts_from: plan_year, ...cents, by_month: false }
    await group_plans.change({ plan_year, version: 0, plans: [plan] })
    const { id } = await provider.add('Fia Field', { [enterprise]: { department: 'Research' } })
    await scene.sql`update profiles set status = 'active' where id = ${id}`
    const due = async () => {
      const found = await scene.sql<{ cents: number }[]>`select due_cents as cents from grants
        where person_id = ${id} order by category`
      return found.map((one) => one.cents)
    }
    const team = await make('g-field', id)
    await map(team, 'Field')
    assert.deepEqual(await due(), [1_000, 0, 2_000])
    await put(team, { op: 'remove', path: `members[value eq "${id}"]` })
    assert.deepEqual(await due(), [20_000, 10_000, 70_000])
    const { entries } = await audit.list({ table: 'grants' })
    assert.deepEqual(
      entries.map(({ actor_role, after }) => [actor_role, after?.['plan_group'] ?? null]),
      [
        ['api_key', null],
        ['company_admin', 'Field'],
      ],
    )
  })

  test('decides the department before the person’s own entry, which counts again once they leave the group', async () => {
    const more = { [enterprise]: { department: 'Research' } }
    const { id } = await provider.add('Cem Dept', more)
    const legal = await make('g-legal', id)
    await map(legal, 'Legal')
    assert.equal(await departmentOf(id), 'Legal')
    const operation = { op: 'replace', path: `${enterprise}:department`, value: 'Design' }
    await provider.patch(`/Users/${id}`, operation)
    assert.equal(await departmentOf(id), 'Legal')
    await put(legal, { op: 'remove', path: `members[value eq "${id}"]` })
    assert.equal(await departmentOf(id), 'Design')
  })

  test('of several, the first by name counts; deleting one leaves its people in their department', async () => {
    const { id } = await provider.add('Dan Dept')
    const [second, first] = [await make('z-second', id), await make('a-first', id)]
    await map(second, 'Second')
    await map(first, 'First')
    assert.equal(await departmentOf(id), 'First')
    await put(first, { op: 'replace', path: 'displayName', value: 'zz-last' })
    assert.equal(await departmentOf(id), 'Second')
    assert.equal((await provider.ask('DELETE', `/Groups/${second}`)).status, 204)
    assert.equal(await departmentOf(id), 'First')
    assert.equal((await provider.ask('DELETE', `/Groups/${first}`)).status, 204)
    assert.equal(await departmentOf(id), 'First')
    assert.equal((await provider.account_state(id)).account_state, 'pending')
  })

  test('may have an admin as a member, whose role and department stay', async () => {
    const before = await departmentOf(acme.admin.id)
    const id = await make('g-admins', acme.admin.id)
    await map(id, 'Management')
    assert.equal(await departmentOf(acme.admin.id), before)
    const [row] = await scene.sql`select role from profiles where id = ${acme.admin.id}`
    assert.equal(row?.['role'], 'company_admin')
  })

  test('has a name of its own, is found by it, and takes no member of another company', async () => {
    await make('Named once')
    const twice = { displayName: 'NAMED ONCE' }
    assertScimRefused(
      await provider.ask('POST', '/Groups', twice),
      409,
      'uniqueness',
      'group_taken',
    )
    const same = Array.from({ length: 4 }, () =>
      provider.ask('POST', '/Groups', { displayName: 'Same moment' }),
    )
    assert.deepEqual(await scimStatusesOf(same), [201, 409, 409, 409])
    const found = await provider.ask('GET', '/Groups?filter=displayName eq "named once"')
    assert.equal(found.body['totalResults'], 1)
    const other = await scene.company({ name: 'Elsewhere' })
    const stranger = await other.hire('Stranger')
    for (const [value, code] of [
      [stranger.id, 'no_such_member'],
      [crypto.randomUUID(), 'no_such_member'],
      ['nobody', 'scim_value'],
      ["' or true --", 'scim_value'],
    ] as const) {
      const group = { displayName: `With ${value}`, members: [{ value }] }
      assertScimRefused(await provider.ask('POST', '/Groups', group), 400, 'invalidValue', code)
    }
    const theirs = await providerOf(scene, other)
    const mine = await make('Mine')
    assertScimRefused(await theirs.ask('GET', `/Groups/${mine}`), 404)
    assertScimRefused(await theirs.ask('DELETE', `/Groups/${mine}`), 404)
    await refuses('not_found', other.admin.api.scim.map({ id: mine, department: 'Theirs' }))
  })

  test('loses nobody where an empty list is removed, and everybody where no list is given', async () => {
    const id = await make('Emptied', (await provider.add('Emil Member')).id)
    const went = await put(id, { op: 'remove', path: 'members', value: [] })
    assert.equal(went.body['members']?.length, 1)
    assert.equal((await put(id, { op: 'remove', path: 'members' })).body['members'], undefined)
  })

  test('is not changed by a request that has not read the last change', async () => {
    const id = await make('Versioned')
    const { body } = await provider.ask('GET', `/Groups/${id}`)
    const stale = { 'if-match': body['meta'].version }
    assert.equal(
      (await put(id, { op: 'replace', path: 'displayName', value: 'Newer' })).status,
      200,
    )
    assertScimRefused(
      await provider.ask('PUT', `/Groups/${id}`, { displayName: 'Old' }, stale),
      412,
      undefined,
      'scim_version',
    )
    const nowhere = await put(id, { op: 'replace', path: 'nothing', value: 'x' })
    assertScimRefused(nowhere, 400, 'invalidPath', 'scim_path')
    assertScimRefused(
      await put(id, { op: 'add', path: 'members', value: 'x' }),
      400,
      'invalidValue',
    )
    assertScimRefused(
      await put(id, { op: 'remove', path: 'members[type eq "x"]' }),
      400,
      'invalidPath',
    )
    assertScimRefused(await provider.ask('PUT', `/Groups/${id}`, {}), 400, 'invalidValue')
  })

  test('of two thousand is replaced whole, and shown without them where they are not asked for', async () => {
    const big = await scene.company({ name: 'Big' })
    const { ask } = await providerOf(scene, big)
    const people = await scene.sql<{ id: string }[]>`
      select person_id as id from private.add_people(${big.id}, 'employee',
        array(select row('p' || n || '@' || ${big.domain}::text, 'Person ' || n, null,
          null)::private.newcomer from generate_series(1, 2000) n), null)`
    const members = people.map(({ id }) => ({ value: id }))
    const { body } = await ask('POST', '/Groups', { displayName: 'Everybody' })
    const at = `/Groups/${body['id']}`
    await big.admin.api.scim.map({ id: body['id'], department: 'All of us' })
    const without = `${at}?excludedAttributes=members`
    const answer = await ask('PUT', without, { displayName: 'Everybody', members })
    assert.deepEqual([answer.status, answer.body['members']], [200, undefined])
    const [moved] = await scene.sql`select count(*)::int as people from profiles
      where company_id = ${big.id} and department = 'All of us'`
    assert.equal(moved?.['people'], 2000)
  })
})

describe('mapping', () => {
  test('is an admin’s alone: no key does it, and the record names who did', async () => {
    const id = await make('Recorded')
    await map(id, 'Support')
    const { entries } = await acme.admin.api.audit.list({})
    const entry = entries.find(
      ({ table_name, after }) =>
        table_name === 'scim_groups' && after?.['department'] === 'Support',
    )
    assert.deepEqual([entry?.actor_id, entry?.actor_role], [acme.admin.id, 'company_admin'])
    const employee = await acme.hire('Curious')
    await refuses('forbidden', employee.api.scim.map({ id, department: 'x y' }))
    await refuses('forbidden', employee.api.scim.calls({}))
    await provider.ask('POST', '/Users', newUser(acme, 'Last One'))
  })
})
