// The list of employees: whoever is looked for is found among many, and its figures hold.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { writeCursor } from '#lib/cursor.ts'
import { lost, refuses, type Company, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ worker: true, env: { AUTH_AUTOCONFIRM: 'on' } })
const acme = opened(() => scene.company({ name: 'Acme' }))

const ana = (email: string) => ({
  full_name: 'Ana Horvat',
  email,
  phone: '+385 91 234 5678',
  department: 'Engineering',
})
/** Waits until two acts queue for the same row. */
describe('the list', () => {
  let big: Company
  let api: Person['api']
  const departments = ['Engineering', 'People', 'Sales']
  before(async () => {
    big = await scene.company({ name: 'Big' })
    api = big.admin.api
    await scene.sql`select count(*) from private.add_people(${big.id}, 'employee', array(
      select row('person' || i || '@big.example', case when i % 10 = 0 then 'Žana ' else 'Marko ' end
        || 'Number' || lpad(i::text, 3, '0'), null, (${departments}::text[])[1 + i % 3])::private.newcomer
      from generate_series(1, 300) i), null)`
  })

  const pages = async (input: Parameters<typeof api.employees.list>[0]) => {
    const ids: string[] = []
    let after: string | undefined
    do {
      const page = await api.employees.list({ ...input, limit: 37, ...(after ? { after } : {}) })
      ids.push(...page.employees.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after)
    return ids
  }

  test('every order shows everybody once, page by page', async () => {
    const { total } = await api.employees.list({})
    assert.equal(total, 300)
    for (const sort of [
      'name',
      '-name',
      'email',
      '-email',
      'department',
      '-department',
      'joined',
      '-joined',
    ] as const) {
      const ids = await pages({ sort })
      assert.equal(new Set(ids).size, 300, sort)
      assert.equal(ids.length, 300, sort)
    }
  })

  test('search finds any part of name or e-mail, in all its words', async () => {
    const found = async (search: string) => (await api.employees.list({ search, limit: 200 })).total
    assert.equal(await found('number123'), 1)
    assert.equal(await found('UMBER12'), 10)
    assert.equal(await found('žana 0 big.ex'), 30)
    assert.equal(await found('person7@big'), 1)
    assert.equal(await found('100%'), 0)
    assert.equal(await found('nobody_like_this'), 0)
    const short = await api.employees.list({ search: 'ž', limit: 200 })
    assert.equal(short.employees.length, 30)
    const of_other = await acme.admin.api.employees.list({ search: 'number123' })
    assert.equal(of_other.total, 0)
  })

  test('whose name begins with what is searched for comes first, and everybody once', async () => {
    const few = await scene.company({ name: 'Few' })
    const names = [
      'Ana Marić',
      'Marko Babić',
      'Ema Ilić',
      'Mara Novak',
      'Šime Marković',
      'Iva Kralj',
    ]
    await scene.sql`select count(*) from private.add_people(${few.id}, 'employee', array(
      select row('p' || at || case name when 'Ema Ilić' then '.mar@' else '@' end || 'few.example', name,
        null, null)::private.newcomer from unnest(${names}::text[]) with ordinality n (name, at)), null)`
    const { list } = few.admin.api.employees
    const walk = async (sort?: 'name') => {
      const ids: string[] = []
      let after: string | undefined
      do {
        const page = await list({ search: 'Mar', limit: 1, sort, ...(after ? { after } : {}) })
        ids.push(...page.employees.map(({ full_name }) => full_name))
        after = page.next ?? undefined
      } while (after)
      return ids
    }
    const best = ['Mara Novak', 'Marko Babić', 'Ana Marić', 'Ema Ilić', 'Šime Marković']
    assert.deepEqual(await walk(), best)
    assert.deepEqual(await walk('name'), [...best].sort(new Intl.Collator('hr').compare))
    const all = await list({ search: 'mar' })
    assert.deepEqual(
      all.employees.map(({ full_name }) => full_name),
      best,
    )
    assert.equal(all.total, 5)
    await refuses('invalid_input', list({ search: 'mar', after: writeCursor(['best', 'x']) }))
  })

  test('filters, list, count and summary agree', async () => {
    const [some] = (await api.employees.list({ department: 'Sales' })).employees
    await scene.sql`update profiles set status = 'active' where id = ${some!.id}`
    await api.employees.suspend({ id: some!.id })
    const summary = await api.employees.summary({})
    assert.deepEqual([summary.total, summary.suspended, summary.pending], [300, 1, 299])
    const suspended = await api.employees.list({ status: 'suspended' })
    assert.deepEqual([suspended.total, suspended.employees.length], [1, 1])
    const sales = await api.employees.list({ department: 'Sales', limit: 200 })
    assert.deepEqual([sales.total, sales.employees.length], [100, 100])
    const both = await api.employees.list({ department: 'Sales', status: 'pending', limit: 200 })
    assert.deepEqual([both.total, both.employees.length], [99, 99])
    const known = await api.employees.departments({})
    assert.deepEqual(
      known.map(({ people }) => people),
      [100, 100, 100],
    )
  })

  test('a page key that was tampered with is bad input', async () => {
    await refuses('invalid_input', api.employees.list({ after: 'abc' }))
    await refuses('invalid_input', api.employees.list({ after: btoa('["a","b"]') }))
  })

  test('the export holds everybody, and no formula', async () => {
    await api.employees.add({ ...ana('formula@big.example'), full_name: '=HYPERLINK("x")' })
    const text = await (await api.employees.export({})).text()
    assert.equal(text.trim().split('\r\n').length, 302)
    assert.match(text, /"'=HYPERLINK\(""x""\)"/)
    const one = await (await api.employees.export({ search: 'number123' })).text()
    assert.equal(one.trim().split('\r\n').length, 2)
  })
})

test('counts hold after many changes at once', async () => {
  const busy = await scene.company({ name: 'Busy' })
  const people = await Promise.all(Array.from({ length: 20 }, (_, at) => busy.hire(`P${at}`)))
  const acts = people.flatMap(({ id }) => [
    busy.admin.api.employees.suspend({ id }),
    busy.admin.api.employees.reactivate({ id }),
    busy.admin.api.employees.suspend({ id }),
  ])
  const refused = lost(await Promise.allSettled(acts))
  assert.deepEqual(
    refused.filter((code) => code !== 'not_active' && code !== 'not_suspended'),
    [],
  )
  const summary = await busy.admin.api.employees.summary({})
  const [counted] = await scene.sql<[{ active: number; suspended: number }]>`
    select count(*) filter (where status = 'active') as active,
      count(*) filter (where status = 'suspended') as suspended
    from profiles where company_id = ${busy.id} and role = 'employee'`
  assert.deepEqual([summary.active, summary.suspended], [counted.active, counted.suspended])
  assert.equal(summary.total, 20)
})
