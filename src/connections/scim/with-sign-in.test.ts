// One identity provider for both: it makes somebody by SCIM, they come in by it, and it takes them away again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { oidc_client, openOidc, walk } from '../../../test/oidc-stage.ts'
import { openScene, type Company, type Scene } from '../../../test/scene.ts'
import { newUser, providerOf, type Provider } from '../../../test/scim-stage.ts'
import {
  back,
  begin,
  exchange,
  home,
  personOf,
  switchOn,
  type Session,
} from '../../../test/sso-stage.ts'

let scene: Scene
let acme: Company
let there: Awaited<ReturnType<typeof openOidc>>
let provider: Provider
before(async () => {
  scene = await openScene({ env: { SSO_ALLOW: '127.0.0.1' } })
  acme = await scene.company()
  const { addresses } = await acme.admin.api.sso.find({})
  there = await openOidc([addresses.oidc])
  await scene.confirm(acme.admin)
  await acme.admin.api.sso.connect_oidc({ issuer: there.issuer, ...oidc_client })
  await switchOn(scene, acme)
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
  return { ...(await back(scene, await walk(url, home))), code_verifier }
}

test('who is provisioned without mail comes in as who they are; who is removed is out at once', async () => {
  await acme.admin.api.scim.change({ invites: false, dry_run: false })
  const { id, ...made } = await provider.add('Pro Visioned')
  const email = made['userName'] as string
  const first = await come(email)
  const { status, said } = await exchange(scene, first.code, first.code_verifier)
  assert.equal(status, 200, JSON.stringify({ said, ...first }))
  const person = personOf(scene, said as Session)
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
