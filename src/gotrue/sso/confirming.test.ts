// A proof for those without a password: asked again at their company's provider, they prove it in the session they have
// here.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { inflateRawSync } from 'node:zlib'
import { walk } from '../../../test/oidc-provider.ts'
import { openSaml } from '../../../test/saml-provider.ts'
import { claimsOf, personOf, refuses, type Company } from '../../../test/world/people.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import {
  begin,
  companyByOidc,
  postConfirmation,
  exchange,
  followBack,
  home,
  switchOn,
  type SsoSession,
} from '../../../test/world/sso.ts'

const hour_seconds = 3600
let scene: Scene
before(async () => {
  scene = await openScene({ env: { SSO_ALLOW: '127.0.0.1' } })
})
after(() => scene.close())

const askErasure = (session: SsoSession) =>
  personOf(scene.services, session).api.privacy.request_erasure({})

describe('by OpenID Connect', () => {
  let acme: Company
  let there: Awaited<ReturnType<typeof companyByOidc>>['there']
  before(async () => {
    ;({ acme, there } = await companyByOidc(scene))
  })
  after(() => there.close())

  /** There and back: what the code is exchanged or confirmed by. */
  async function goes(who: string, fresh = false) {
    const email = `${who}@${acme.domain}`
    there.people.set(`sub-${who}`, { email, email_verified: true, name: who })
    there.state.who = `sub-${who}`
    const { url, code_verifier } = await begin(scene, acme.domain, fresh)
    const { code: auth_code } = await followBack(scene, await walk(url, home))
    return { auth_code, code_verifier }
  }
  async function comes(who: string): Promise<SsoSession> {
    const { auth_code, code_verifier } = await goes(who)
    return (await exchange(scene, auth_code, code_verifier)).json as SsoSession
  }

  test('a session there that is an hour old is no proof; asked again they have one, in the session they had', async () => {
    there.state.since_seconds = hour_seconds
    const session = await comes('ana')
    await refuses('password_needed', askErasure(session))
    const unasked = await postConfirmation(scene, session, await goes('ana'))
    assert.deepEqual([unasked.status, unasked.json.code], [400, 'reauthentication_needed'])
    await refuses('password_needed', askErasure(session))
    assert.equal((await postConfirmation(scene, session, await goes('ana', true))).status, 200)
    await askErasure(session)
    const [{ sessions }] = await scene.sql<[{ sessions: number }]>`
      select count(*)::int as sessions from auth.sessions where user_id = ${session.user.id}`
    assert.equal(sessions, 1)
    const { session_id } = claimsOf(session.access_token)
    const [kept] = await scene.sql`
      select subject from auth.sso_sessions where session_id = ${session_id}`
    assert.deepEqual(kept, { subject: 'sub-ana' })
    there.state.since_seconds = 0
  })

  test('a provider that does not tell when proves nothing, asked or not', async () => {
    there.keepSilent(true)
    const session = await comes('bo')
    await refuses('password_needed', askErasure(session))
    const answer = await postConfirmation(scene, session, await goes('bo', true))
    assert.deepEqual([answer.status, answer.json.code], [400, 'reauthentication_needed'])
    await refuses('password_needed', askErasure(session))
    there.keepSilent(false)
  })

  test('a code proves once, by the browser that began, and its own person alone', async () => {
    there.state.since_seconds = hour_seconds
    const session = await comes('cy')
    const of_another = await postConfirmation(scene, session, await goes('dee', true))
    assert.deepEqual([of_another.status, of_another.json.code], [400, 'user_mismatch'])
    const proof = await goes('cy', true)
    const code_verifier = 'x'.repeat(64)
    const elsewhere = await postConfirmation(scene, session, { ...proof, code_verifier })
    assert.deepEqual([elsewhere.status, elsewhere.json.code], [400, 'bad_code_verifier'])
    const again = await postConfirmation(scene, session, proof)
    assert.deepEqual([again.status, again.json.code], [404, 'flow_state_not_found'])
    await refuses('password_needed', askErasure(session))
    there.state.since_seconds = 0
  })
})

describe('by SAML', () => {
  test('the provider is asked to have them prove it again, and tells when they did', async () => {
    const acme = await scene.company()
    const there = await openSaml()
    await scene.confirm(acme.admin)
    const { addresses } = await acme.admin.api.sso.connect_saml({ metadata: there.metadata })
    await switchOn(scene, acme)
    const { pathname } = new URL(addresses.entity)
    there.state.metadata = await (await scene.services.app.request(pathname)).text()
    const goes = async (proven: number, fresh = false) => {
      const { url, code_verifier } = await begin(scene, acme.domain, fresh)
      const email = `eli@${acme.domain}`
      const answer = await there.press(url, { name_id: 'sub-eli', attributes: { email }, proven })
      const { SAMLResponse, RelayState } = answer
      const form = new URLSearchParams({ SAMLResponse, RelayState })
      const { code: auth_code } = await followBack(scene, addresses.acs, form)
      const request = new URL(url).searchParams.get('SAMLRequest')!
      const question = inflateRawSync(Buffer.from(request, 'base64')).toString()
      return { proof: { auth_code, code_verifier }, forced: question.includes('ForceAuthn="true"') }
    }
    const { proof, forced } = await goes(-60)
    assert.equal(forced, false)
    const session = (await exchange(scene, proof.auth_code, proof.code_verifier)).json as SsoSession
    await refuses('password_needed', askErasure(session))
    const again = await goes(0, true)
    assert.equal(again.forced, true)
    assert.equal((await postConfirmation(scene, session, again.proof)).status, 200)
    await askErasure(session)
    there.close()
  })
})
