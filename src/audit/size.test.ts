// No page of the record reads more than it shows, with a hundred thousand entries.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../../test/world/company.ts'
import type { Company, Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { rowsReadBy } from '../../test/rows-read.ts'

const many = 100_000
const scene = openedScene()
let acme: Company
let boss: Person
before(async () => {
  acme = await scene.company()
  boss = await scene.superAdmin()
  await scene.sql`
    insert into audit_log (company_id, at, actor_id, actor_role, act, table_name, row_id, before, after)
    select ${acme.id}, now() - (${many} - i) * interval '5 minutes',
      case when i % 500 = 0 then ${acme.admin.id}::uuid end, 'system',
      case when i % 5000 = 0 then 'delete' when i % 3 = 0 then 'insert' else 'update' end,
      case when i % 1000 = 0 then 'plan_years' else 'claims' end, i::text,
      '{"status": "pending"}', '{"status": "approved"}'
    from generate_series(1, ${many}) i`
  await scene.sql`vacuum analyze audit_log`
})

const costs = (act: () => Promise<unknown>) => rowsReadBy(scene, ['audit_log'], [act])

test('each filter is an index, each page a key', async () => {
  const { audit } = acme.admin.api
  const today = await todayOf(scene, acme)
  const day = (ago: number) => daysAfter(today, -ago)
  const { next } = await audit.list({ limit: 25 })
  const filters = [
    {},
    { after: next! },
    { table: 'plan_years' },
    { act: 'delete' },
    { act: 'insert' },
    { actor_id: acme.admin.id },
    { table: 'claims', act: 'update' },
  ] as const
  for (const filter of filters) {
    const read = await costs(() => audit.list({ limit: 25, ...filter }))
    assert.ok(read < 1500, `${JSON.stringify(filter)}: ${read} rows`)
  }
  // A day is found by halving; an hour on both sides is looked at in vain.
  const old = await costs(() => audit.list({ limit: 25, from: day(300), to: day(300) }))
  assert.ok(old < 5000, `one day of last year: ${old} rows`)
  const found = await audit.list({ limit: 200, from: day(300), to: day(300) })
  assert.equal(found.entries.length, 200)
  assert.ok(found.entries.every(({ at }) => at.startsWith(day(300))))
})

test('a search looks through a part at a time, and says how far it got', async () => {
  const { audit } = acme.admin.api
  let read = 0
  const first = { next: '' as string | null, searched_to: '' as string | null }
  read = await costs(async () => Object.assign(first, await audit.list({ search: 'xyzzy' })))
  assert.ok(read < 60_000, `${read} rows`)
  assert.ok(first.next && first.searched_to)
  const second = await audit.list({ search: 'xyzzy', after: first.next })
  assert.ok(second.searched_to! < first.searched_to)
})

test('the platform’s own entries are few, and found among the many', async () => {
  const read = await costs(() => boss.api.audit.list({ limit: 25 }))
  assert.ok(read < 1500, `${read} rows`)
  const rare = await costs(() => boss.api.audit.list({ limit: 25, table: 'companies' }))
  assert.ok(rare < 1500, `${rare} rows`)
})
