// SCIM as Microsoft Entra ID and Okta speak it: the requests of their documentation, in their order.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import {
  markSignedIn,
  enterprise,
  patch_schema,
  providerOf,
  assertScimRefused,
  user_schema,
} from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))

const search = (filter: string) => `/Users?filter=${encodeURIComponent(filter)}`

describe('Entra', () => {
  test('tests the connection, looks for a person, makes, changes and disables them', async () => {
    const probe = await provider.ask('GET', search(`userName eq "${crypto.randomUUID()}"`))
    assert.deepEqual([probe.status, probe.body['totalResults']], [200, 0])
    const address = `test_user@${acme.domain}`
    const answer = await provider.ask('POST', '/Users', {
      schemas: [user_schema, enterprise],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName: address,
      active: true,
      emails: [{ primary: true, type: 'work', value: address }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
    })
    assert.equal(answer.status, 201)
    const { id } = answer.body
    const found = await provider.ask('GET', search(`externalId eq "${answer.body['externalId']}"`))
    assert.equal(found.body['Resources'][0].id, id)
    const many = await provider.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: `updated@${acme.domain}` },
      { op: 'Replace', path: 'name.familyName', value: 'updatedFamilyName' },
    )
    assert.equal(many.status, 200)
    assert.equal(many.body['emails'][0].value, `updated@${acme.domain}`)
    assert.equal(many.body['name'].familyName, 'updatedFamilyName')
    assert.equal(many.body['displayName'], 'givenName updatedFamilyName')
    const named = await provider.patch(`/Users/${id}`, {
      op: 'Replace',
      path: 'userName',
      value: `5b50642d@${acme.domain}`,
    })
    assert.equal(named.body['userName'], `5b50642d@${acme.domain}`)
    await markSignedIn(scene, id)
    const off = await provider.patch(`/Users/${id}`, {
      op: 'Replace',
      path: 'active',
      value: 'False',
    })
    assert.deepEqual([off.status, off.body['active']], [200, false])
    assert.equal((await provider.account_state(id)).account_state, 'left')
    const on = await provider.patch(`/Users/${id}`, { op: 'Add', path: 'active', value: 'True' })
    assert.equal(on.body['active'], true)
    assert.equal((await provider.ask('DELETE', `/Users/${id}`)).status, 204)
  })

  test('names extensions by their URN, in a path and as keys of a value', async () => {
    const { id } = await provider.add('Urs Extension')
    const path = `${enterprise}:department`
    const first = await provider.patch(`/Users/${id}`, { op: 'Add', path, value: 'Sales' })
    assert.equal(first.body[enterprise].department, 'Sales')
    const second = await provider.patch(`/Users/${id}`, {
      op: 'replace',
      value: {
        [path]: 'Finance',
        [`${enterprise}:employeeNumber`]: '42',
        [`${enterprise}:manager`]: { value: 'x' },
        displayName: 'Urs Anders',
        'name.givenName': 'Urs',
        'phoneNumbers[type eq "work"].value': '+41 44 123 45 67',
        title: 'Nobody keeps it',
      },
    })
    assert.equal(second.status, 200)
    assert.equal(second.body[enterprise].department, 'Finance')
    assert.equal(second.body['displayName'], 'Urs Anders')
    assert.equal(second.body['phoneNumbers'][0].value, '+41 44 123 45 67')
    const whole = await provider.patch(`/Users/${id}`, {
      op: 'Add',
      path: enterprise,
      value: { department: 'Legal' },
    })
    assert.equal(whole.body[enterprise].department, 'Legal')
    const gone = await provider.patch(`/Users/${id}`, {
      op: 'Remove',
      path: 'phoneNumbers[type eq "work"]',
    })
    assert.equal(gone.body['phoneNumbers'], undefined)
  })

  test('of several addresses for work the primary one counts, sent whole or added', async () => {
    const work = (name: string, primary: boolean) => ({
      value: `${name}@${acme.domain}`,
      type: 'work',
      primary,
    })
    const emails = [work('alias', false), work('prima', true)]
    const { id, ...made } = await provider.add('Prima Address', { emails })
    assert.equal(made['emails'][0].value, `prima@${acme.domain}`)
    const value = [work('secunda', true)]
    const added = await provider.patch(`/Users/${id}`, { op: 'Add', path: 'emails', value })
    assert.equal(added.body['emails'][0].value, `secunda@${acme.domain}`)
  })

  test('an address that is theirs alone to change keeps nobody here who has left', async () => {
    const { id, ...made } = await provider.add('Lena Leaver')
    await markSignedIn(scene, id)
    const value = `zz.lena@${acme.domain}`
    const renamed = { op: 'Replace', path: 'emails[type eq "work"].value', value }
    assertScimRefused(await provider.patch(`/Users/${id}`, renamed), 400, 'mutability')
    const off = { op: 'Replace', path: 'active', value: 'False' }
    const gone = await provider.patch(`/Users/${id}`, renamed, off)
    assert.deepEqual([gone.status, gone.body['active']], [200, false], JSON.stringify(gone.body))
    assert.equal(gone.body['emails'][0].value, made['userName'])
    assert.equal((await provider.account_state(id)).account_state, 'left')
    assert.equal((await provider.patch(`/Users/${id}`, renamed)).status, 200)
    assertScimRefused(
      await provider.patch(`/Users/${id}`, renamed, { ...off, value: 'True' }),
      400,
      'mutability',
    )
  })

  test('nor does a value that is not accepted: whoever is disabled leaves as who they were', async () => {
    const department = { [enterprise]: { department: 'Sales' } }
    const { id, ...made } = await provider.add('Lars Leaver', department)
    await markSignedIn(scene, id)
    const wrong = { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '-' }
    assertScimRefused(await provider.patch(`/Users/${id}`, wrong), 400, 'invalidValue')
    const off = { op: 'Replace', path: 'active', value: 'False' }
    const gone = await provider.patch(`/Users/${id}`, wrong, off)
    assert.deepEqual([gone.status, gone.body['active']], [200, false], JSON.stringify(gone.body))
    assert.deepEqual(
      [gone.body['phoneNumbers'], gone.body[enterprise], gone.body['displayName']],
      [undefined, { department: 'Sales' }, made['displayName']],
    )
    assert.equal((await provider.account_state(id)).account_state, 'left')
  })

  test('whoever it made is there whatever their address has become: found, not made twice, and disabled', async () => {
    const { id, ...made } = await provider.add('Petra Private')
    await markSignedIn(scene, id)
    await scene.sql`update auth.users set email = 'petra@private.example' where id = ${id}`
    const found = await provider.ask('GET', search(`userName eq "${made['userName']}"`))
    assert.equal(found.body['totalResults'], 1)
    assert.equal(found.body['Resources'][0].emails[0].value, 'petra@private.example')
    assertScimRefused(
      await provider.ask('POST', '/Users', { ...made, id: undefined }),
      409,
      'uniqueness',
    )
    const off = { op: 'Replace', path: 'active', value: 'False' }
    assert.equal((await provider.patch(`/Users/${id}`, off)).status, 200)
    assert.equal((await provider.account_state(id)).account_state, 'left')
  })

  test('nobody who is made disabled is written to before they are enabled', async () => {
    const mailsTo = async (id: string) => {
      const [row] = await scene.sql<[{ jobs: number }]>`select count(*)::int as jobs
        from graphile_worker._private_jobs where payload -> 'ids' ->> 0 = ${id}`
      return row.jobs
    }
    const { id } = await provider.add('Dora Disabled', { active: false })
    assert.equal(await mailsTo(id), 0)
    const on = { op: 'Replace', path: 'active', value: 'True' }
    assert.equal((await provider.patch(`/Users/${id}`, on)).body['active'], true)
    assert.equal(await mailsTo(id), 1)
    const { id: other } = await provider.add('Edda Enabled')
    assert.equal(await mailsTo(other), 1)
    for (const value of ['False', 'True']) await provider.patch(`/Users/${other}`, { ...on, value })
    assert.equal(await mailsTo(other), 1)
  })

  test('makes a group, adds and removes one member after the other, asks who is in it', async () => {
    const [one, two] = [await provider.add('Member One'), await provider.add('Member Two')]
    const answer = await provider.ask('POST', '/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159',
      displayName: 'Entra group',
      meta: { resourceType: 'Group' },
    })
    assert.equal(answer.status, 201)
    const at = `/Groups/${answer.body['id']}`
    for (const { id } of [one, two]) {
      const added = await provider.patch(at, { op: 'Add', path: 'members', value: [{ value: id }] })
      assert.ok(added.status < 300)
    }
    const filter = encodeURIComponent(`id eq "${answer.body['id']}" and members eq "${one.id}"`)
    const response = await provider.ask(
      'GET',
      `/Groups?excludedAttributes=members&filter=${filter}`,
    )
    assert.equal(response.body['totalResults'], 1)
    assert.equal(response.body['Resources'][0].members, undefined)
    await provider.patch(at, { op: 'Remove', path: 'members', value: [{ value: one.id }] })
    await provider.patch(at, { op: 'Replace', path: 'displayName', value: 'Renamed group' })
    const group = await provider.ask('GET', at)
    assert.equal(group.body['displayName'], 'Renamed group')
    assert.deepEqual(
      group.body['members'].map((member: { value: string }) => member.value),
      [two.id],
    )
    const user = await provider.ask('GET', `/Users/${two.id}`)
    assert.equal(user.body['groups'][0].display, 'Renamed group')
    assert.equal((await provider.ask('DELETE', at)).status, 204)
    assertScimRefused(await provider.ask('GET', at), 404)
  })
})

describe('Okta', () => {
  test('looks first, makes, replaces whole, and disables without a path', async () => {
    const address = `test.user@${acme.domain}`
    const looked = await provider.ask(
      'GET',
      `${search(`userName eq "${address}"`)}&startIndex=1&count=100`,
    )
    assert.deepEqual(looked.body, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    })
    const whole = {
      schemas: [user_schema],
      userName: address,
      name: { givenName: 'Test', familyName: 'User' },
      emails: [{ primary: true, value: address, type: 'work' }],
      displayName: 'Test User',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    }
    const json = { 'content-type': 'application/json' }
    const { status, body } = await provider.ask('POST', '/Users', whole, json)
    assert.equal(status, 201)
    assert.equal(body['password'], undefined)
    await markSignedIn(scene, body['id'])
    const replaced = await provider.ask('PUT', `/Users/${body['id']}`, {
      ...whole,
      id: body['id'],
      name: { givenName: 'Another', middleName: '', familyName: 'User' },
      displayName: 'Another User',
      meta: { resourceType: 'User' },
    })
    assert.equal(replaced.status, 200)
    assert.deepEqual(replaced.body['name'], {
      givenName: 'Another',
      familyName: 'User',
    })
    const off = await provider.ask('PATCH', `/Users/${body['id']}`, {
      schemas: [patch_schema],
      Operations: [{ op: 'replace', value: { active: false } }],
    })
    assert.deepEqual([off.status, off.body['active']], [200, false])
    assert.equal((await provider.account_state(body['id'])).account_state, 'left')
  })

  test('replaces who is in a group, and takes one out by a path with a filter', async () => {
    const people = [await provider.add('Okta One'), await provider.add('Okta Two')]
    const members = people.map(({ id }) => ({ value: id, display: 'x' }))
    const { body } = await provider.ask('POST', '/Groups', {
      displayName: 'Okta group',
      members: [],
    })
    const at = `/Groups/${body['id']}`
    const replaced = await provider.patch(at, { op: 'replace', path: 'members', value: members })
    assert.ok(replaced.status < 300)
    const renamed = { id: body['id'], displayName: 'Okta group renamed' }
    await provider.patch(at, { op: 'replace', value: renamed })
    await provider.patch(at, { op: 'remove', path: `members[value eq "${people[0]!.id}"]` })
    const group = await provider.ask('GET', at)
    assert.deepEqual(group.body['members'].length, 1)
    assert.equal(group.body['displayName'], 'Okta group renamed')
    const put = { displayName: 'Okta group', members }
    assert.equal((await provider.ask('PUT', at, put)).body['members'].length, 2)
    const cleared = await provider.patch(at, { op: 'remove', path: 'members' })
    assert.equal(cleared.body['members'], undefined)
  })
})
