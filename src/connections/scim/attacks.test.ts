// Limits of an identity provider, or of a thief of its key; and calls that come twice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyOf } from '../../../test/world/keys.ts'
import { rowsRead } from '../../../test/rows-read.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import {
  markSignedIn,
  newUser,
  providerOf,
  assertScimRefused,
  scimClient,
  scimStatusesOf,
} from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))

describe('SCIM is refused', () => {
  test('without a key, with one that is made up, without the right, and to a person’s session', async () => {
    for (const secret of [undefined, 'hfk_x', `hfk_${'a'.repeat(43)}`, acme.admin.token]) {
      const answer = await scimClient(scene, secret)('GET', '/Users')
      assertScimRefused(answer, 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
    const other = await keyOf(scene, acme.admin, ['people:write', 'people:read'])
    for (const [method, path] of [
      ['GET', '/Users'],
      ['POST', '/Users'],
      ['GET', '/Groups'],
    ] as const) {
      const body = method === 'POST' ? newUser(acme, 'No Right') : undefined
      assertScimRefused(await scimClient(scene, other.secret)(method, path, body), 403)
    }
    await assert.rejects(provider.key.api.employees.list({}), { code: 'key_right_missing' })
  })

  test('faster than any key may ask, and told when to come again', async () => {
    const hasty = await providerOf(scene, acme)
    const requests = Array.from({ length: 260 }, () => hasty.ask('GET', '/Groups?count=0'))
    const slowed = (await Promise.all(requests)).filter(({ status }) => status !== 200)
    assert.ok(slowed.length > 0)
    for (const answer of slowed) {
      assertScimRefused(answer, 429)
      assert.equal(answer.headers.get('retry-after'), '1')
    }
  })

  test('once the key is revoked, from the very next request on', async () => {
    const short = await providerOf(scene, acme)
    assert.equal((await short.ask('GET', '/Users')).status, 200)
    await acme.admin.api.connections.revoke_key({ id: short.key.id })
    assertScimRefused(await short.ask('GET', '/Users'), 401)
  })

  test('for people and groups of another company, whatever is done to them', async () => {
    const other = await scene.company({ name: 'Other' })
    const theirs = await other.hire('Theirs')
    const whole = newUser(acme, 'Theirs')
    for (const [method, body] of [['GET'], ['PUT', whole], ['PATCH', whole], ['DELETE']] as const) {
      const request_body =
        method === 'PATCH' ? { Operations: [{ op: 'replace', value: {} }] } : body
      assertScimRefused(await provider.ask(method, `/Users/${theirs.id}`, request_body), 404)
    }
    const address = { ...whole, userName: 'x', emails: [{ value: theirs.email }] }
    assertScimRefused(await provider.ask('POST', '/Users', address), 400, 'invalidValue')
    assert.equal((await provider.account_state(theirs.id)).account_state, 'active')
  })

  test('for company admins and the provider’s people: they are changed in Healthfund alone', async () => {
    const { id, email } = acme.admin
    const whole = { ...newUser(acme, 'admin'), active: false }
    const answer = await provider.ask('PUT', `/Users/${id}`, whole)
    assertScimRefused(answer, 403, undefined, 'scim_admin')
    assertScimRefused(
      await provider.patch(`/Users/${id}`, { op: 'replace', value: { active: false } }),
      403,
    )
    assertScimRefused(await provider.ask('DELETE', `/Users/${id}`), 403)
    assertScimRefused(
      await provider.ask('POST', '/Users', { ...whole, userName: email }),
      409,
      'uniqueness',
    )
    const staff = await scene.superAdmin()
    await scene.sql`update auth.users set email = ${`boss@${acme.domain}`} where id = ${staff.id}`
    assertScimRefused(await provider.ask('DELETE', `/Users/${staff.id}`), 404)
    assertScimRefused(
      await provider.ask('POST', '/Users', newUser(acme, 'boss')),
      409,
      'uniqueness',
    )
    const [row] = await scene.sql`select role, account_state from profiles where id = ${staff.id}`
    assert.deepEqual({ ...row }, { role: 'super_admin', account_state: 'active' })
  })

  test('for addresses at domains that the company has not proven', async () => {
    const outside = (value: string) =>
      provider.ask('POST', '/Users', { ...newUser(acme, 'Out Side'), emails: [{ value }] })
    for (const value of ['x@gmail.com', `x@sub.${acme.domain}`, `x@${acme.domain}.evil.test`]) {
      assertScimRefused(await outside(value), 400, 'invalidValue')
    }
    assertScimRefused(await outside(`"a@b"@${acme.domain}`), 400, 'invalidValue')
    assertScimRefused(await outside(`x@evil.test@${acme.domain}`), 400, 'invalidValue')
    const { id } = await provider.add('In Side')
    const moved = { op: 'replace', path: 'emails', value: [{ value: 'x@evil.test' }] }
    assertScimRefused(await provider.patch(`/Users/${id}`, moved), 400, 'invalidValue')
    const hired = await acme.hire('Byhand')
    await scene.sql`update companies set domain_auto_register = false where id = ${acme.id}`
    await scene.sql`update companies set domain_proven_at = null where id = ${acme.id}`
    assertScimRefused(
      await provider.ask('POST', '/Users', newUser(acme, 'Not Proven')),
      400,
      'invalidValue',
    )
    assertScimRefused(await provider.ask('GET', `/Users/${hired.id}`), 404)
    // A person it made itself it can still end.
    assert.equal((await provider.ask('GET', `/Users/${id}`)).status, 200)
    await scene.sql`update companies set domain_proven_at = now() where id = ${acme.id}`
    assert.equal((await provider.ask('GET', `/Users/${hired.id}`)).status, 200)
  })

  test('where a body lies: about who it is, about what may be set, about what it is', async () => {
    const made = await provider.add('Body Lies')
    const other = await provider.add('Other One')
    const forged = {
      ...newUser(acme, 'Body Lies'),
      id: other.id,
      role: 'company_admin',
      roles: [{ value: 'super_admin' }],
      company_id: crypto.randomUUID(),
      status: 'active',
      meta: { version: 'W/"999"', created: '1999-01-01T00:00:00Z' },
      groups: [{ value: crypto.randomUUID() }],
      __proto__: { admin: true },
      constructor: { prototype: { admin: true } },
    }
    const answer = await provider.ask('PUT', `/Users/${made.id}`, forged)
    assert.equal(answer.status, 200)
    assert.deepEqual([answer.body['id'], answer.body['groups']], [made.id, undefined])
    assert.deepEqual(answer.body['meta'].created, made['meta'].created)
    const [row] =
      await scene.sql`select role, status, company_id from profiles where id = ${made.id}`
    assert.deepEqual({ ...row }, { role: 'employee', status: 'pending', company_id: acme.id })
    const poison =
      '{"Operations":[{"op":"add","value":{"__proto__":{"admin":true},"name.__proto__":{"x":1}}}]}'
    assertScimRefused(await provider.ask('PATCH', `/Users/${made.id}`, poison), 400, 'invalidPath')
    assert.equal(({} as Record<string, unknown>)['admin'], undefined)
    for (const body of ['[]', 'null', '"x"', '{', '{"userName":{}}', '{"userName":["a"]}']) {
      assertScimRefused(
        await provider.ask('POST', '/Users', body),
        400,
        body.startsWith('{"') ? 'invalidValue' : 'invalidSyntax',
      )
    }
    const nul = { ...newUser(acme, 'Nul'), displayName: 'a\u0000b' }
    assertScimRefused(await provider.ask('POST', '/Users', nul), 400, 'invalidValue')
    const text = { 'content-type': 'text/plain' }
    assertScimRefused(await provider.ask('POST', '/Users', newUser(acme, 'Text'), text), 415)
  })

  test('where it is too much: ten thousand operations, five megabytes, fifty-one thousand members', async () => {
    const { id } = await provider.add('Too Much')
    const before = await rowsRead(scene, 'profiles', 'scim_people', 'scim_groups')
    const operation = { op: 'replace', path: 'displayName', value: 'x y' }
    assertScimRefused(
      await provider.patch(`/Users/${id}`, ...Array.from({ length: 10_000 }, () => operation)),
      413,
      undefined,
      'scim_too_many',
    )
    const large = { ...newUser(acme, 'Large'), nickName: 'x'.repeat(5 * 1024 * 1024) }
    assertScimRefused(await provider.ask('POST', '/Users', large), 413)
    const members = Array.from({ length: 50_001 }, () => ({ value: 'x' }))
    assertScimRefused(
      await provider.ask('POST', '/Groups', { displayName: 'Large', members }),
      400,
      'invalidValue',
    )
    // A request looks its key up, and finds the one person whom it names.
    const after = await rowsRead(scene, 'profiles', 'scim_people', 'scim_groups')
    assert.ok(after - before < 20, `${after - before} rows`)
  })
})

describe('what comes twice', () => {
  test('a create that is sent again is refused, and the person found, so it can go on', async () => {
    const user = newUser(acme, 'Sent Again')
    assert.equal((await provider.ask('POST', '/Users', user)).status, 201)
    assertScimRefused(await provider.ask('POST', '/Users', user), 409, 'uniqueness')
    const found = await provider.ask('GET', `/Users?filter=userName eq "${user['userName']}"`)
    assert.equal(found.body['totalResults'], 1)
  })

  test('a replayed change with its version changes nothing a second time', async () => {
    const { id, meta } = await provider.add('Re Play')
    await markSignedIn(scene, id)
    const fresh = await provider.ask('GET', `/Users/${id}`)
    const off = { ...newUser(acme, 'Re Play'), active: false }
    const version = { 'if-match': fresh.headers.get('etag')! }
    assert.equal((await provider.ask('PUT', `/Users/${id}`, off, version)).status, 200)
    await acme.admin.api.employees.stay({
      id,
      version: (await acme.admin.api.employees.find({ id })).version,
    })
    assertScimRefused(await provider.ask('PUT', `/Users/${id}`, off, version), 412)
    assert.equal((await provider.account_state(id)).account_state, 'active')
    assert.ok(meta.version)
  })

  test('a name that somebody took along to another company is no longer blocked', async () => {
    const { id } = await provider.add('Mo Ved', { userName: 'moved' })
    const other = await scene.company({ name: 'New Home' })
    await scene.sql`update profiles set company_id = ${other.id} where id = ${id}`
    assertScimRefused(await provider.ask('GET', `/Users/${id}`), 404)
    const next = { ...newUser(acme, 'Ne Xt'), userName: 'moved' }
    assert.equal((await provider.ask('POST', '/Users', next)).status, 201)
  })

  test('of two names for one address, and two addresses for one name, one is made', async () => {
    const one = newUser(acme, 'Race One')
    const same_name = Array.from({ length: 4 }, (_, at) =>
      provider.ask('POST', '/Users', {
        ...one,
        userName: 'race',
        emails: [{ value: `race${at}@${acme.domain}` }],
      }),
    )
    assert.deepEqual(await scimStatusesOf(same_name), [201, 409, 409, 409])
    const same_address = Array.from({ length: 4 }, (_, at) =>
      provider.ask('POST', '/Users', { ...one, userName: `race-${at}` }),
    )
    assert.deepEqual(await scimStatusesOf(same_address), [201, 409, 409, 409])
  })
})
