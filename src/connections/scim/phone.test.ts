// Promises of a telephone number: the identity provider takes back what it sent, and nobody else's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { opened } from '../../../test/world/opened.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { newUser, providerOf } from '../../../test/world/scim.ts'

const scene = openedScene()
const acme = opened(() => scene.company({ name: 'Acme' }))
const provider = opened(() => providerOf(scene, acme))

test('that HR gave stays when a person is replaced without one, or with the one sent before', async () => {
  const full_name = 'Ida Number'
  const { id } = await provider.add(full_name)
  const phone = async () => (await acme.admin.api.employees.find({ id })).phone
  const give = async (number: string) => {
    const { version } = await acme.admin.api.employees.find({ id })
    const more = { department: 'Sales', phone: number }
    await acme.admin.api.employees.edit({ id, version, full_name, ...more })
  }
  const put = async (more = {}) => {
    const { status } = await provider.ask('PUT', `/Users/${id}`, newUser(acme, full_name, more))
    assert.equal(status, 200)
    return phone()
  }
  const sent = { phoneNumbers: [{ value: '+41 44 123 45 67', type: 'work' }] }
  await give('+49 30 1111111')
  assert.equal(await put(), '+49 30 1111111')
  assert.equal(await put(sent), '+41 44 123 45 67')
  await give('+49 30 2222222')
  assert.equal(await put(sent), '+49 30 2222222', 'nothing new was sent')
  assert.equal(await put(), '+49 30 2222222')
  assert.equal(await put(sent), '+41 44 123 45 67')
  assert.equal(await put(), null, 'its own')
})
