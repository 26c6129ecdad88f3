// A right is for the person alone: somebody who made their account, and knows its first password, does not have it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { personOf, refuses, type Person } from '../../test/world/people.ts'
import { aDayLater, ownRights, withRights } from '../../test/world/rights.ts'
import { opened } from '../../test/world/opened.ts'
import { openScene, openedScene } from '../../test/world/scene.ts'
import { postAuth, type SsoSession } from '../../test/world/sso.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const hr = opened(() => withRights(scene, acme, 'people'))

const enter = async (email: string, password: string) => {
  const { status, json } = await postAuth(scene, '/token?grant_type=password', { email, password })
  return status === 200 ? personOf(scene.services, json as SsoSession) : undefined
}
async function choose({ token }: Person, password: string, current_password?: string) {
  const answer = await scene.services.app.request('/auth/v1/user', {
    method: 'PUT',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ password, current_password }),
  })
  assert.equal(answer.status, 200, await answer.text())
}
/** Signs in by the code in a mail, as the account's owner reads it. */
async function byMail(email: string): Promise<Person> {
  await postAuth(scene, '/recover', { email })
  const mail = (await scene.mailbox()).find(({ to }) => to === email)
  const token = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
  const { json } = await postAuth(scene, '/verify', { type: 'recovery', email, token })
  return personOf(scene.services, json as SsoSession)
}
let made = 0
async function added() {
  const email = `colleague${(made += 1)}@${acme.domain}`
  const { employee, initial_password } = await hr.api.employees.add({
    full_name: 'Carla Colleague',
    email,
    department: 'Sales',
  })
  return { id: employee.id, email, first: initial_password! }
}
async function give({ id }: { id: string }) {
  await scene.confirm(acme.admin)
  return acme.admin.api.rights.give({ person_id: id, kind: 'reviewer' })
}
const own = 'words that only Carla knows'
const mailsTo = async ({ id }: { id: string }) => {
  const [{ sent }] = await scene.sql<[{ sent: number }]>`
    select count(*)::int as sent from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'users:invite' and j.payload -> 'ids' ->> 0 = ${id}`
  return sent
}

test('whoever founds a company by a mailed link keeps the password that they chose with it', async () => {
  const mailed = await openScene({ env: { AUTH_AUTOCONFIRM: 'off' } })
  const { admin } = await mailed.company()
  assert.equal((await (await mailed.signIn(admin.email)).api.users.me({})).rights.length, 4)
  await mailed.close()
})

describe('a right given to somebody whose first password HR knows', () => {
  test('is not theirs who know it: the mailed link alone opens the account', async () => {
    const carla = await added()
    const before_it = await mailsTo(carla)
    await give(carla)
    assert.equal(await enter(carla.email, carla.first), undefined)
    assert.equal(await mailsTo(carla), before_it + 1)
    const herself = await byMail(carla.email)
    await choose(herself, own)
    assert.deepEqual(await ownRights(herself), ['reviewer'])
  })

  test('nor theirs who signed in with it first, and chose the next one', async () => {
    const carla = await added()
    const taken = await enter(carla.email, carla.first)
    await choose(taken!, 'words that HR knows as well', carla.first)
    assert.equal((await taken!.api.users.me({})).status, 'active')
    await give(carla)
    await refuses('not_signed_in', taken!.api.users.me({}))
    assert.equal(await enter(carla.email, 'words that HR knows as well'), undefined)
  })

  test('and what they prepared is over once the person comes by mail', async () => {
    const carla = await added()
    const taken = await enter(carla.email, carla.first)
    await choose(taken!, 'words that HR knows as well', carla.first)
    const herself = await byMail(carla.email)
    await refuses('not_signed_in', taken!.api.users.me({}))
    assert.equal((await herself.api.users.me({})).waiting_for, 'new_password')
    await refuses('new_password_needed', herself.api.review.queue({}))
    await choose(herself, own)
    await give(carla)
    assert.deepEqual(await ownRights(herself), ['reviewer'], 'she proved her address before')
    assert.ok(await enter(carla.email, own))
  })

  test('has its day from when they come, and its address is not corrected any more', async () => {
    const carla = await added()
    await give(carla)
    await aDayLater(scene, carla)
    await choose(await byMail(carla.email), own)
    const [row] =
      await scene.sql`select counts_as_one('reviewer', ${carla.id}, ${acme.admin.id}) as same`
    assert.equal(row!['same'], true)
    const other = await added()
    await give(other)
    const { version, refusals } = await hr.api.employees.find({ id: other.id })
    assert.equal(refusals.correct_address, 'has_rights')
    const email = `mine@${acme.domain}`
    await refuses('has_rights', hr.api.employees.correct_address({ id: other.id, version, email }))
  })
})
