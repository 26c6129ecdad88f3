// SCIM's description of itself (RFC 7644, 4), and what it does not offer.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { together } from '#lib/contract.ts'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import {
  enterprise,
  providerOf,
  assertScimRefused,
  scimClient,
  user_schema,
} from '../../../test/world/scim.ts'

const scene = openedScene()
const provider = opened(async () => providerOf(scene, await scene.company()))

describe('what SCIM says of itself', () => {
  test('is open to everybody: what it can do, its schemas and its resources', async () => {
    const open = scimClient(scene, undefined)
    const config = await open('GET', '/ServiceProviderConfig')
    assert.equal(config.status, 200)
    const { patch, bulk, filter, etag, sort, changePassword } = config.body
    assert.deepEqual(
      [patch, bulk, filter, etag, sort, changePassword].map((one) => one.supported),
      [true, false, true, true, true, false],
    )
    const schemas = await open('GET', '/Schemas')
    assert.deepEqual(
      schemas.body['Resources'].map((one: { id: string }) => one.id),
      [user_schema, enterprise, 'urn:ietf:params:scim:schemas:core:2.0:Group'],
    )
    const one = await open('GET', `/Schemas/${enterprise}`)
    assert.equal(one.body['attributes'][0].name, 'department')
    const types = await open('GET', '/ResourceTypes')
    assert.equal(types.body['totalResults'], 2)
    assert.equal((await open('GET', '/ResourceTypes/Group')).body['endpoint'], '/Groups')
    assertScimRefused(await open('GET', '/Schemas/urn:nothing'), 404)
    assertScimRefused(await open('GET', '/Schemas?filter=id pr'), 403)
    assertScimRefused(await open('POST', '/Schemas', {}), 405)
  })

  test('what it does not offer it says: bulk, me, and addresses that nothing is at', async () => {
    assertScimRefused(await provider.ask('POST', '/Bulk', {}), 501, undefined, 'scim_not_offered')
    assertScimRefused(await provider.ask('GET', '/Me'), 501, undefined, 'scim_not_offered')
    assertScimRefused(await provider.ask('GET', '/Nothing'), 404)
    assertScimRefused(await provider.ask('GET', '/Users/one/two'), 404)
    assertScimRefused(await provider.ask('PUT', '/Users', {}), 405)
    assertScimRefused(await provider.ask('POST', '/Users/123', {}), 405)
  })
})

describe('an installation that was not told its address', () => {
  const unset = openedScene({ env: { SITE_URL: '' } })

  test('shows and repeats the one it was asked at', async () => {
    const acme = await unset.company()
    const { ask, add } = await providerOf(unset, acme)
    const base = 'http://127.0.0.1/scim/v2'
    const { id, meta } = await add()
    assert.equal(meta.location, `${base}/Users/${id}`)
    const config = await ask('GET', '/ServiceProviderConfig')
    assert.equal(config.body.meta.location, `${base}/ServiceProviderConfig`)
    const { scim } = acme.admin.api
    assert.equal((await scim.overview({})).base_address, base)
    const changed = await scim.change({ invites: false, dry_run: false })
    assert.equal(changed.base_address, base)
    const screen = await unset.services.app.request(
      `http://localhost:8080/api${together}?ask=/connections/scim`,
      { headers: { authorization: `Bearer ${acme.admin.token}` } },
    )
    const [{ answer }] = (await screen.json()) as [{ answer: { base_address: string } }]
    assert.equal(answer.base_address, 'http://localhost:8080/scim/v2')
  })
})
