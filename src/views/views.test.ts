// Saved views: one's own, or shared with who may open the page; nobody else's are ever reached.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { actsOf } from '#audit/story.ts'
import { about_a_person } from '#privacy/about-a-person.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, won, type Person } from '../../test/world/people.ts'
import { withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
})

const names = async (person: Person) =>
  (await person.api.views.list({})).map(({ name }) => name).sort()
const large = {
  page: 'claims',
  name: 'Large',
  filters: { sort: '-amount', status: 'all' },
} as const

test('a view is its person’s alone until they share it, and then of who may open the page', async () => {
  const [reviewer, people] = [
    await withRights(scene, acme.company, 'reviewer'),
    await withRights(scene, acme.company, 'people'),
  ]
  const second = await withRights(scene, acme.company, 'reviewer')
  const other = await scene.company({ name: 'Other' })
  const made = await reviewer.api.views.save(large)
  assert.deepEqual(await names(second), [])
  const { id, version } = made
  const theirs = { ...large, id, version, shared: false }
  await refuses('not_found', second.api.views.change({ ...theirs, shared: true }))
  const shared = await reviewer.api.views.change({ ...theirs, shared: true })
  const [view] = await second.api.views.list({})
  const { full_name } = await reviewer.api.users.me({})
  assert.deepEqual([view!.id, view!.is_own, view!.person_name], [id, false, full_name])
  assert.deepEqual(view!.filters, large.filters)
  for (const stranger of [people, other.admin]) assert.deepEqual(await names(stranger), [])
  for (const stranger of [second, people, other.admin]) {
    const { version: now } = shared
    await refuses('not_found', stranger.api.views.change({ ...theirs, version: now, name: 'X' }))
    await refuses('not_found', stranger.api.views.remove({ id }))
  }
  await refuses('changed_meanwhile', reviewer.api.views.change(theirs))
  await reviewer.api.views.change({ ...theirs, version: shared.version })
  assert.deepEqual(await names(second), [])
  await reviewer.api.views.remove({ id })
  assert.deepEqual(await names(reviewer), [])
})

test('who loses the right to a page keeps their views of it, and neither lists nor shares them', async () => {
  const one = await withRights(scene, acme.company, 'reviewer', 'people')
  const second = await withRights(scene, acme.company, 'reviewer')
  const { id, version } = await one.api.views.save(large)
  await one.api.views.change({ ...large, id, version, shared: true })
  await one.api.views.save({ page: 'employees', name: 'Mine', filters: {} })
  const end = scene.sql`update company_rights set ended_at = now()
    where person_id = ${one.id} and kind = 'reviewer'`
  await end
  assert.deepEqual(await names(one), ['Mine'])
  assert.deepEqual(await names(second), [])
  await refuses('page_closed', one.api.views.save({ ...large, name: 'Again' }))
  await refuses('not_found', one.api.views.remove({ id }))
  await scene.sql`update company_rights set ended_at = null where person_id = ${one.id}`
  assert.deepEqual(await names(one), ['Large', 'Mine'])
})

test('names are one’s own once for a page whatever their case, and there are twenty at most', async () => {
  const one = await withRights(scene, acme.company, 'reviewer', 'people')
  const save = (name: string, page: 'claims' | 'employees' = 'claims') =>
    one.api.views.save({ page, name, filters: {} })
  const first = await save('Mine')
  await refuses('view_exists', save('  MINE '))
  await save('Mine', 'employees')
  for (let at = 2; at < 20; at += 1) await save(`View ${at}`)
  const last = await Promise.allSettled([save('A'), save('B')])
  assert.equal(won(last).length, 1)
  await refuses('too_many_views', save('One more'))
  const { id, version } = first
  const renamed = { id, version, page: 'claims', filters: {}, shared: false } as const
  await refuses('view_exists', one.api.views.change({ ...renamed, name: 'view 2' }))
  assert.equal((await one.api.views.change({ ...renamed, name: 'mine' })).name, 'mine')
})

test('only filters of its page are kept, and what is gone is left out and said', async () => {
  const save = (filters: Record<string, string>, page: 'claims' | 'employees' = 'employees') =>
    hr.api.views.save({ page, name: `With ${JSON.stringify(filters)}`.slice(0, 60), filters })
  for (const filters of [{ add: 'Single' }, { status: 'gone' }, { group: 'x' }, { overdue: 'yes' }])
    await refuses('invalid_input', save(filters))
  await refuses('invalid_input', save({ department: 'Sales' }, 'claims'))
  const group = await hr.api.groups.add({ name: 'Drivers', departments: null })
  const { id } = await save({ group: group.id, status: 'active', sort: '-joined' })
  await hr.api.groups.remove({ id: group.id })
  await scene.sql`update saved_views set filters = filters || '{"colour": "blue"}' where id = ${id}`
  const view = (await hr.api.views.list({})).find((one) => one.id === id)
  assert.deepEqual(view!.filters, { status: 'active', sort: '-joined' })
  assert.deepEqual(view!.lost, ['group', 'colour'])
})

test('the record tells that there was one, the export holds it, erasure removes it', async () => {
  const one = await withRights(scene, acme.company, 'reviewer')
  const ana = await acme.hire('Ana')
  const { id } = await one.api.views.save({ ...large, name: 'Quiet words' })
  await one.api.views.save({ page: 'claims', name: 'Of Ana', filters: { person: ana.id } })
  const log = await scene.sql<{ content: string }[]>`select concat(before, after) as content
    from audit_log where table_name = 'saved_views' and row_id = ${id}`
  assert.equal(log.length, 1)
  assert.ok(!/Quiet|amount/.test(log[0]!.content))
  const { query } = about_a_person.find(({ name }) => name === 'saved_views')!
  const exported = async () => (await scene.sql.unsafe(query, [one.id])).map((row) => row['name'])
  assert.deepEqual(await exported(), ['Quiet words', 'Of Ana'])
  await scene.sql`select private.erase_belongings(${acme.id}, ${ana.id})`
  assert.deepEqual(await exported(), ['Quiet words'])
  await scene.sql`select private.erase_belongings(${acme.id}, ${one.id})`
  assert.deepEqual(await exported(), [])
})

test('the record tells of a shared view by its name, and of each change of it', async () => {
  const one = await withRights(scene, acme.company, 'reviewer')
  const { id, version } = await one.api.views.save({ ...large, name: 'Large ones' })
  const who = (await one.api.users.me({})).full_name
  const tells = async (...acts: string[]) => {
    const { entries } = await hr.api.audit.list({ table: 'saved_views', actor_id: one.id })
    const texts = actsOf(entries).map(({ text }) => text)
    assert.deepEqual(
      texts,
      acts.map((act) => `${who} ${act}`),
    )
  }
  await tells('added a saved view')
  const shared = await one.api.views.change({
    ...large,
    name: 'Large ones',
    id,
    version,
    shared: true,
  })
  await tells('changed saved view Large ones', 'added saved view Large ones')
  const renamed = { ...large, name: 'Above 500', id, version: shared.version, shared: true }
  await one.api.views.change(renamed)
  const change = 'changed saved view Above 500'
  await tells(change, change, 'added saved view Above 500')
  await one.api.views.remove({ id })
  const unnamed = 'changed a saved view'
  await tells('removed a saved view', unnamed, unnamed, 'added a saved view')
})
