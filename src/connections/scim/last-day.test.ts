// The identity provider takes back the days that it set, and no others: HR’s stand.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { todayOf } from '../../../test/world/company.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { markSignedIn, newUser, providerOf, assertScimRefused } from '../../../test/world/scim.ts'

const scene = openedScene()

const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))
let today: string
before(async () => {
  today = await todayOf(scene, acme)
})

async function employed(name: string) {
  const { id } = await provider.add(name)
  await markSignedIn(scene, id)
  return { id, path: `/Users/${id}`, whole: newUser(acme, name) }
}
async function leaves(id: string, left_on: string) {
  const { version } = await acme.admin.api.employees.find({ id })
  await acme.admin.api.employees.leave({ id, version, left_on })
}
async function begins(id: string, joined_on: string) {
  const { version, full_name } = await acme.admin.api.employees.find({ id })
  const input = { id, version, full_name, department: 'Sales', joined_on }
  await acme.admin.api.employees.edit(input)
}
async function inDays(days: number) {
  const [row] = await scene.sql<[{ day: string }]>`
    select (${today}::date + ${days}::integer)::text as day`
  return row.day
}
const lastDay = async (id: string) => (await acme.admin.api.employees.find({ id })).left_on
const firstDay = async (id: string) => (await acme.admin.api.employees.find({ id })).joined_on
const active = (value: boolean) => ({ op: 'replace', path: 'active', value })
const lastCall = async () => (await acme.admin.api.scim.calls({})).calls[0]!

test('HR’s stays where all of a person is sent as active, and the rest is written', async () => {
  const { id, path, whole } = await employed('Ben Left')
  await leaves(id, today)
  const phone = { phoneNumbers: [{ value: '+41 44 123 45 67', type: 'work' }] }
  const put = await provider.ask('PUT', path, { ...whole, ...phone })
  assert.deepEqual([put.status, put.body['active']], [200, false])
  assert.equal(put.body['phoneNumbers'][0].value, '+41 44 123 45 67')
  assert.equal(await lastDay(id), today)
  const [change] = (await lastCall()).changes
  assert.deepEqual([change?.act, change?.fields.map(({ field }) => field)], ['kept_out', ['phone']])
  const named = { op: 'replace', path: 'displayName', value: 'Ben Gone' }
  const patched = await provider.patch(path, active(true), named)
  assert.deepEqual([patched.status, patched.body['displayName']], [200, 'Ben Gone'])
  assert.equal(patched.body['active'], false)
})

test('who is only to be active again is refused, by the reason', async () => {
  const { id, path } = await employed('Cleo Left')
  await leaves(id, today)
  assertScimRefused(await provider.patch(path, active(true)), 409)
  assert.equal((await lastCall()).code, 'scim_left_by_hr')
  assert.equal(await lastDay(id), today)
  await leaves(id, await inDays(30))
  assert.equal((await provider.patch(path, active(true))).status, 200, 'they are active')
})

test('one that HR changed since is HR’s', async () => {
  const { id, path } = await employed('Dan Left')
  assert.equal((await provider.patch(path, active(false))).body['active'], false)
  const yesterday = await inDays(-1)
  await scene.sql`update profiles set joined_on = ${yesterday} where id = ${id}`
  await leaves(id, yesterday)
  assertScimRefused(await provider.patch(path, active(true)), 409)
  assert.equal(await lastDay(id), yesterday)
})

test('one that HR planned comes back with them', async () => {
  const { id, path, whole } = await employed('Eva Leaves')
  const planned = await inDays(30)
  await leaves(id, planned)
  await provider.patch(path, active(false))
  assert.equal(await lastDay(id), today)
  assert.equal((await provider.ask('PUT', path, whole)).body['active'], true)
  assert.equal(await lastDay(id), planned)
  await provider.patch(path, active(false))
  assert.equal((await provider.ask('DELETE', path)).status, 204)
  assert.equal((await provider.add('Eva Leaves')).id, id)
  assert.equal(await lastDay(id), planned)
})

test('and has not come meanwhile, else they stay away', async () => {
  const { id, path } = await employed('Fay Leaves')
  await leaves(id, await inDays(30))
  await provider.patch(path, active(false))
  await scene.sql`update scim_people set hr_left_on = ${today} where person_id = ${id}`
  assertScimRefused(await provider.patch(path, active(true)), 409)
})

test('a first day that HR planned comes back with them, unless HR set another since', async () => {
  const { id, path, whole } = await employed('Hal Begins')
  const [planned, sooner] = [await inDays(30), await inDays(-1)]
  await begins(id, planned)
  await provider.patch(path, active(false))
  assert.equal(await firstDay(id), today)
  assert.equal((await provider.ask('PUT', path, whole)).body['active'], true)
  assert.deepEqual([await firstDay(id), await lastDay(id)], [planned, null])
  await provider.patch(path, active(false))
  await begins(id, sooner)
  await provider.patch(path, active(true))
  assert.deepEqual([await firstDay(id), await lastDay(id)], [sooner, null])
})

test('who is made again after HR’s last day is there, and not active', async () => {
  const { id, path } = await employed('Gus Left')
  await leaves(id, today)
  assert.equal((await provider.ask('DELETE', path)).status, 204)
  assert.equal(await lastDay(id), today)
  const again = await provider.add('Gus Left')
  assert.deepEqual([again.id, again['active']], [id, false])
  assert.equal(await lastDay(id), today)
})

test('whom HR added is active again as well', async () => {
  const ina = await acme.hire('Ina')
  const path = `/Users/${ina.id}`
  assert.equal((await provider.patch(path, active(false))).body['active'], false)
  assert.equal((await provider.patch(path, active(true))).body['active'], true)
  assert.equal(await lastDay(ina.id), null)
})
