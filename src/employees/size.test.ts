// The cost of lists does not grow with what is stored: at size, no question reads the whole table.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { eachReadsBelow, rowsReadBy } from '../../test/rows-read.ts'

const scene = openedScene()
let acme: Company
let boss: Person
const many = 20_001
before(async () => {
  acme = await scene.company()
  boss = await scene.superAdmin()
  await scene.sql`select count(*) from private.add_people(${acme.id}, 'employee', array(
    select row('person' || i || '@acme.example', (array['Ana', 'Marko', 'Iva', 'Luka'])[1 + i % 4] || ' '
      || (array['Horvat', 'Babić', 'Kralj'])[1 + i % 3] || ' ' || to_hex(i), null,
      (array['Sales', 'People'])[1 + i % 2])::private.newcomer
    from generate_series(1, ${many}) i), null)`
  await scene.sql`vacuum analyze profiles`
})

const costs = (acts: (() => Promise<unknown>)[]) => rowsReadBy(scene, ['profiles'], acts)

test('employees: no order, no filter and no search reads more than a few pages', async () => {
  const { list, summary, departments } = acme.admin.api.employees
  type ListInput = Parameters<typeof list>[0]
  const listsBelow = (most: number, inputs: readonly ListInput[]) =>
    eachReadsBelow(scene, ['profiles'], most, list, inputs)
  const group = await acme.admin.api.groups.add({ name: 'Half of all', departments: ['Sales'] })
  const picked = await acme.admin.api.groups.add({ name: 'Few', departments: null })
  await scene.sql`insert into employee_group_people (company_id, group_id, person_id)
    select company_id, ${picked.id}, id from profiles where company_id = ${acme.id}
    order by id limit 20`
  const orders = ['name', '-name', 'email', '-department', 'joined'] as const
  await listsBelow(
    200,
    orders.map((sort) => ({ sort })),
  )
  const filters = [
    { status: 'pending' },
    { status: 'suspended' },
    { department: 'Sales', sort: 'joined' },
    { status: 'left', department: 'People' },
    { group_id: group.id },
    { group_id: picked.id },
    { status: 'suspended', sort: 'department' },
    { group_id: picked.id, sort: '-department' },
  ] as const
  await listsBelow(500, filters)
  const words = ['horvat', 'ana kralj', 'person777@', 'xyzzy', 'an', 'marko', 'luka horvat']
  // Hundreds of rows are sampled to find that words are common, of which some are left out.
  await listsBelow(
    many / 2,
    words.map((search) => ({ search })),
  )
  const kept = await costs([() => summary({}), () => departments({})])
  assert.ok(kept < 500, `${kept} rows for the counts`)
})

test('employees: fifty pages cost fifty times the first, not each as much as all before it', async () => {
  const { list } = acme.admin.api.employees
  const walk = async () => {
    let after_it: string | undefined
    for (let page = 0; page < 50; page += 1) {
      const { next } = await list({ limit: 50, ...(after_it ? { after: after_it } : {}) })
      after_it = next ?? undefined
    }
  }
  const rows = await costs([walk])
  const who_asks = 6 // rows that each request reads of its session, person and rights
  assert.ok(rows < 50 * (51 * 2 + who_asks), `${rows} rows`)
})

test('more people than one act may change: none of them is changed', async () => {
  const { many: acts, imports } = acme.admin.api
  const becomes = { department: 'Sales' }
  await refuses('too_many_chosen', acts.compare({ becomes }))
  assert.deepEqual(await imports.list({}), [])
  const { id } = await acme.admin.api.groups.add({ name: 'Everybody', departments: null })
  await refuses('too_many_chosen', acts.put_in_group({ into_group_id: id }))
  assert.equal((await acme.admin.api.employees.list({ group_id: id })).total, 0)
  await refuses('too_many_chosen', acts.invite_again({}))
  const [{ invited }] = await scene.sql<[{ invited: number }]>`
    select count(invited_at)::int as invited from profiles where company_id = ${acme.id}`
  assert.equal(invited, 0)
})

test('users: by age, name, role, status, company and words', async () => {
  const { list } = boss.api.users
  const reads = [
    {},
    { sort: 'name' },
    { role: 'super_admin' },
    { role: 'company_admin', sort: 'name' },
    { status: 'suspended' },
    { company: acme.id, sort: 'name' },
    { search: 'person777@' },
    { search: 'kralj' },
  ] as const
  await eachReadsBelow(scene, ['profiles'], 2000, list, reads)
})
