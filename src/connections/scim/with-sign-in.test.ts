// One identity provider for both: it makes somebody by SCIM, they come in by it, and it takes them away again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openOidc, walk } from '../../../test/oidc-provider.ts'
import { personOf, type Company } from '../../../test/world/people.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import { newUser, providerOf, type ScimProvider } from '../../../test/world/scim.ts'
import {
  followBack,
  begin,
  companyByOidc,
  exchange,
  home,
  type SsoSession,
} from '../../../test/world/sso.ts'

let scene: Scene
let acme: Company
let there: Awaited<ReturnType<typeof openOidc>>
let provider: ScimProvider
before(async () => {
  scene = await openScene({ env: { SSO_ALLOW: '127.0.0.1' } })
  ;({ acme, there } = await companyByOidc(scene))
  provider = await providerOf(scene, acme)
})
after(async () => {
  there.close()
  await scene.close()
})

async function come(email: string) {
  there.people.set('sub', { email, email_verified: true })
  there.state.who = 'sub'
  const { url, code_verifier } = await begin(scene, acme.domain)
  return { ...(await followBack(scene, await walk(url, home))), code_verifier }
}

test('who is provisioned without mail comes in as who they are; who is removed is out at once', async () => {
  await acme.admin.api.scim.change({ invites: false, dry_run: false })
  const { id, ...made } = await provider.add('Pro Visioned')
  const email = made['userName'] as string
  const first = await come(email)
  const { status, json } = await exchange(scene, first.code, first.code_verifier)
  assert.equal(status, 200, JSON.stringify({ json, ...first }))
  const person = personOf(scene.services, json as SsoSession)
  assert.equal(person.id, id)
  assert.equal((await person.api.users.me({})).status, 'active')

  const off = { op: 'Replace', path: 'active', value: 'False' }
  assert.equal((await provider.patch(`/Users/${id}`, off)).status, 200)
  await assert.rejects(person.api.users.me({}), { code: 'not_signed_in' })
  assert.equal((await come(email)).error_code, 'user_banned')

  const back_again = await provider.ask('PUT', `/Users/${id}`, newUser(acme, 'Pro Visioned'))
  assert.equal(back_again.body['active'], true)
  assert.ok((await come(email)).code)
})
