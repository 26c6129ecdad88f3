// What lists cost does not grow with what is stored: at size, no question reads the whole table.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openScene, type Company, type Person, type Scene } from '../../test/scene.ts'

let scene: Scene
let acme: Company
let boss: Person
const many = 20_000
before(async () => {
  scene = await openScene()
  acme = await scene.company()
  boss = await scene.superAdmin()
  await scene.sql`select count(*) from wall.add_people(${acme.id}, 'employee', array(
    select row('person' || i || '@acme.example', (array['Ana', 'Marko', 'Iva', 'Luka'])[1 + i % 4] || ' '
      || (array['Horvat', 'Babić', 'Kralj'])[1 + i % 3] || ' ' || to_hex(i), null,
      (array['Sales', 'People'])[1 + i % 2])::wall.newcomer
    from generate_series(1, ${many}) i), null)`
  await scene.sql`vacuum analyze profiles`
})
after(() => scene.close())

type Read = { scans: number; rows: number }

/** How often the table was read from end to end, and how many of its rows were looked at by an index. */
async function reads(): Promise<Read> {
  await pause(1100) // each connection tells its counts about once a second, when it is used
  const pools = Object.values(scene.house.sql)
  if (process.env['SHOW']) (scene.house.sql.request.options as { debug?: unknown }).debug = (_: number, q: string) => console.log('SQL', q.slice(0, 400))
  const used = pools.flatMap((sql) => Array.from({ length: 16 }, () => sql`select pg_sleep(0.02)`))
  await Promise.all(used)
  const [found] = await scene.sql<[Read]>`
    select seq_scan as scans, idx_tup_fetch as rows from pg_stat_user_tables
    where relname = 'profiles' and schemaname = 'public'`
  return found
}

test('employees: every order, filter and search goes by an index, and reads about a page', async () => {
  const { list } = acme.admin.api.employees
  const deep = async () => {
    let after_it: string | undefined
    for (let page = 0; page < 5; page += 1) {
      const { next } = await list({ limit: 200, ...(after_it ? { after: after_it } : {}) })
      after_it = next ?? undefined
    }
  }
  const asked = [
    {},
    { sort: '-name' },
    { sort: 'email' },
    { sort: '-department' },
    { sort: 'joined' },
    { status: 'pending' },
    { status: 'suspended' },
    { department: 'Sales', sort: 'joined' },
    { search: 'horvat' },
    { search: 'person777@' },
    { search: 'xyzzy' },
    { search: 'an' },
  ] as const
  const before_it = await reads()
  for (const input of asked) await list(input)
  await deep()
  await acme.admin.api.employees.summary({})
  await acme.admin.api.employees.departments({})
  const after_it = await reads()
  assert.equal(after_it.scans, before_it.scans)
  const rows = after_it.rows - before_it.rows
  assert.ok(rows < many, `${rows} rows were read for ${asked.length + 5} pages`)
})

test('users: by age, name, role, status, company and words', async () => {
  const asked = [
    {},
    { sort: 'name' },
    { role: 'super_admin' },
    { role: 'company_admin', sort: 'name' },
    { status: 'suspended' },
    { company: acme.id, sort: 'name' },
    { search: 'person777@' },
    { search: 'kralj' },
  ] as const
  for (const input of asked) {
    const before_it = await reads()
    await boss.api.users.list(input)
    const after_it = await reads()
    assert.equal(after_it.scans, before_it.scans, JSON.stringify(input))
  }
})
