// Patches as RFC 7644 has them: what each does, and what none may.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import type { JsonBody } from '../../../test/auth-service.ts'
import { newUser, providerOf, assertScimRefused, user_schema } from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company())
const provider = opened(() => providerOf(scene, acme))

describe('a patch of RFC 7644', () => {
  const cases: [string, object, (user: JsonBody) => void][] = [
    [
      'adds without a path (3.5.2.1)',
      { op: 'add', value: { externalId: 'added', name: { familyName: 'Added' } } },
      ({ externalId, name }) => assert.deepEqual([externalId, name.familyName], ['added', 'Added']),
    ],
    [
      'replaces one attribute (3.5.2.3)',
      { op: 'replace', path: 'displayName', value: 'Babs' },
      ({ displayName }) => assert.equal(displayName, 'Babs'),
    ],
    [
      'removes one attribute (3.5.2.2)',
      { op: 'remove', path: 'externalId' },
      ({ externalId }) => assert.equal(externalId, undefined),
    ],
    [
      'removes no value by an empty list',
      { op: 'remove', path: 'phoneNumbers', value: [] },
      ({ phoneNumbers }) => assert.equal(phoneNumbers[0].value, '0123456789'),
    ],
    [
      'replaces a value chosen by a filter',
      { op: 'replace', path: 'phoneNumbers[type eq "work"]', value: { value: '9876543210' } },
      ({ phoneNumbers }) => assert.equal(phoneNumbers[0].value, '9876543210'),
    ],
    [
      'names attributes in any case and with their schema',
      { op: 'REPLACE', path: `${user_schema}:NAME.givenname`, value: 'Case' },
      ({ name }) => assert.equal(name.givenName, 'Case'),
    ],
  ]
  for (const [at, [what, operation, check]] of cases.entries()) {
    test(what, async () => {
      const { id } = await provider.add(`Patched Case${at}`, {
        externalId: `x${at}`,
        phoneNumbers: [{ value: '0123456789', type: 'work' }],
      })
      const answer = await provider.patch(`/Users/${id}`, operation)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      check(answer.body)
      check((await provider.ask('GET', `/Users/${id}`)).body)
    })
  }

  test('that changes nothing leaves the version; one of several that is wrong changes nothing', async () => {
    const { id, meta } = await provider.add('Same Same')
    const same = await provider.patch(`/Users/${id}`, {
      op: 'replace',
      path: 'displayName',
      value: 'Same Same',
    })
    assert.equal(same.body['meta'].version, meta.version)
    const wrong = await provider.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'displayName', value: 'Other' },
      { op: 'replace', path: 'nothing.here', value: 'x' },
    )
    assertScimRefused(wrong, 400, 'invalidPath')
    assert.equal((await provider.ask('GET', `/Users/${id}`)).body['displayName'], 'Same Same')
  })

  test('is refused where it names nothing, says nothing, or takes what must be there', async () => {
    const { id } = await provider.add('Ref Used')
    const at = `/Users/${id}`
    assertScimRefused(await provider.patch(at, { op: 'remove' }), 400, 'noTarget', 'scim_no_target')
    assertScimRefused(
      await provider.patch(at, { op: 'move', path: 'displayName' }),
      400,
      'invalidSyntax',
      'scim_syntax',
    )
    assertScimRefused(await provider.patch(at), 400, 'invalidSyntax')
    assertScimRefused(await provider.ask('PATCH', at, { Operations: 'x' }), 400, 'invalidSyntax')
    assertScimRefused(
      await provider.patch(at, { op: 'remove', path: 'userName' }),
      400,
      'invalidValue',
    )
    assertScimRefused(
      await provider.patch(at, { op: 'replace', path: 'active', value: 'maybe' }),
      400,
      'invalidValue',
    )
    assertScimRefused(
      await provider.patch(at, { op: 'replace', path: 'emails[', value: 'x' }),
      400,
      'invalidPath',
    )
    assertScimRefused(await provider.ask('PATCH', at, '{"Operations":['), 400, 'invalidSyntax')
    const whole = newUser(acme, 'Ref Used')
    assertScimRefused(
      await provider.ask('PUT', at, { ...whole, userName: '' }),
      400,
      'invalidValue',
    )
    assertScimRefused(
      await provider.ask('PUT', at, { ...whole, phoneNumbers: [{ value: '12' }] }),
      400,
      'invalidValue',
    )
  })
})
