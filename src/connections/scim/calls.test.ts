// The page with the last calls: what each changed, what was refused, and what a dry run would have done.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { markSignedIn, newUser, providerOf, assertScimRefused } from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))

const last = async () => (await acme.admin.api.scim.calls({})).calls[0]!

describe('the last calls', () => {
  test('say who was changed, which fields, from what to what; reading leaves none', async () => {
    const { id } = await provider.add('Cal Led')
    const made = await last()
    assert.deepEqual(
      [made.method, made.path, made.status, made.code],
      ['POST', '/Users', 201, null],
    )
    assert.deepEqual([made.changes[0]?.act, made.changes[0]?.person_id], ['added', id])
    await markSignedIn(scene, id)
    await provider.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'displayName', value: 'Cal Called' },
      { op: 'replace', path: 'active', value: false },
    )
    const changed = await last()
    const [today] = await scene.sql`select private.today_at(${acme.id})::text as day`
    assert.deepEqual(changed.changes, [
      {
        act: 'left',
        person_id: id,
        name: 'Cal Called',
        fields: [
          { field: 'displayName', from: 'Cal Led', to: 'Cal Called' },
          { field: 'active', from: 'true', to: 'false' },
          { field: 'left_on', from: null, to: today?.['day'] },
        ],
      },
    ])
    await provider.ask('GET', '/Users')
    assert.equal((await last()).id, changed.id)
    await provider.ask('DELETE', `/Users/${id}`)
    assert.deepEqual((await last()).changes, [
      { act: 'deleted', person_id: id, name: 'Cal Called', fields: [] },
    ])
  })

  test('have what was refused with its reason, and no secret, no filter and no body', async () => {
    assertScimRefused(
      await provider.ask('GET', '/Users?filter=secretly eq "Ana"'),
      400,
      'invalidFilter',
    )
    const read = await last()
    assert.deepEqual([read.method, read.path, read.code], ['GET', '/Users', 'scim_filter'])
    const outside = { ...newUser(acme, 'Out Side'), emails: [{ value: 'x@gmail.com' }] }
    assertScimRefused(await provider.ask('POST', '/Users', outside), 400, 'invalidValue')
    const { code, status, changes } = await last()
    assert.deepEqual([code, status, changes], ['outside_proven_domains', 400, []])
    const [kept] = await scene.sql`select json_agg(c)::text as content from scim_calls c`
    assert.ok(!kept?.['content'].includes(provider.key.secret))
    assert.ok(!kept?.['content'].includes('gmail') && !kept?.['content'].includes('secretly'))
  })

  test('are told a page at a time, to the company’s own admins', async () => {
    await scene.sql`insert into scim_calls (company_id, key_id, method, path, dry_run, status)
      select ${acme.id}, ${provider.key.id}, 'PATCH', '/Users/' || n, false, 200
        from generate_series(1, 60) n`
    const first = await acme.admin.api.scim.calls({})
    assert.equal(first.calls.length, 50)
    const second = await acme.admin.api.scim.calls({ before: first.next! })
    assert.ok(second.calls.every(({ id }) => id < first.next!))
    const other = await scene.company({ name: 'Other' })
    assert.deepEqual((await other.admin.api.scim.calls({})).calls, [])
  })

  test('about somebody go with them when they are erased', async () => {
    const { id } = await provider.add('Era Sed', { externalId: 'era' })
    await scene.sql`select private.erase_belongings(${acme.id}, ${id})`
    const { calls } = await acme.admin.api.scim.calls({})
    assert.ok(!JSON.stringify(calls).includes('Era Sed'))
    const left = await scene.sql`select from scim_people where person_id = ${id}`
    assert.equal(left.length, 0)
  })
})

describe('a dry run', () => {
  test('answers as it would be, writes nothing, mails nobody, and says what would have changed', async () => {
    const { id } = await provider.add('Dry Run')
    await markSignedIn(scene, id)
    await acme.admin.api.scim.change({ invites: true, dry_run: true })
    const user = newUser(acme, 'Never Made')
    const made = await provider.ask('POST', '/Users', user)
    assert.deepEqual([made.status, made.body['displayName']], [201, 'Never Made'])
    const call = await last()
    assert.deepEqual([call.dry_run, call.changes[0]?.name], [true, 'Never Made'])
    const looked = await provider.ask('GET', `/Users?filter=userName eq "${user['userName']}"`)
    assert.equal(looked.body['totalResults'], 0)
    const jobs = await scene.sql`select 1 from graphile_worker._private_jobs
      where payload::text like ${`%${made.body['id']}%`}`
    assert.equal(jobs.length, 0)
    const off = await provider.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    assert.equal(off.body['active'], false)
    assert.equal((await provider.account_state(id)).account_state, 'active')
    assert.equal((await last()).changes[0]?.act, 'left')
    assert.equal((await provider.ask('DELETE', `/Users/${id}`)).status, 204)
    assert.equal((await provider.ask('GET', `/Users/${id}`)).status, 200)
    const group = await provider.ask('POST', '/Groups', { displayName: 'Dry' })
    assert.equal(group.status, 201)
    assert.equal((await acme.admin.api.scim.overview({})).groups.length, 0)
    const admin = { op: 'replace', value: { active: false } }
    assertScimRefused(await provider.patch(`/Users/${acme.admin.id}`, admin), 403)
    await acme.admin.api.scim.change({ invites: true, dry_run: false })
    assert.equal((await provider.ask('POST', '/Users', user)).status, 201)
    assert.equal((await last()).dry_run, false)
  })
})
