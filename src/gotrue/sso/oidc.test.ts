// Sign-in by OpenID Connect, through a real provider: who comes in, as whom, and which answers are refused.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkProvider } from '#connections/sso/jobs.server.ts'
import { openOidc, walk, type IdTokenClaims } from '../../../test/oidc-provider.ts'
import { claimsOf, personOf, refuses, type Company } from '../../../test/world/people.ts'
import { giveRights } from '../../../test/world/rights.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import {
  postAuth,
  followBack,
  begin,
  companyByOidc,
  exchange,
  home,
  newChallenge,
  type SsoSession,
} from '../../../test/world/sso.ts'

let scene: Scene
let acme: Company
let there: Awaited<ReturnType<typeof openOidc>>
before(async () => {
  scene = await openScene({ env: { SSO_ALLOW: '127.0.0.1' } })
  ;({ acme, there } = await companyByOidc(scene))
})
after(async () => {
  there.close()
  await scene.close()
})

const person = (who: string, claims: IdTokenClaims = {}) => {
  const email = `${who}@${acme.domain}`
  there.people.set(`sub-${who}`, { email, email_verified: true, name: who, ...claims })
  there.state.who = `sub-${who}`
}
/** To the provider and back to the door of the product. */
async function gone(domain = acme.domain) {
  const { url, code_verifier } = await begin(scene, domain)
  return { address: await walk(url, home), code_verifier }
}
const came = async (who: string, claims: IdTokenClaims = {}) => {
  person(who, claims)
  const { address, code_verifier } = await gone()
  const { code, error_code } = await followBack(scene, address)
  return { code, error_code, code_verifier }
}
async function entered(who: string, claims: IdTokenClaims = {}): Promise<SsoSession> {
  const { code, code_verifier, error_code } = await came(who, claims)
  const { status, json } = await exchange(scene, code, code_verifier)
  assert.equal(status, 200, JSON.stringify({ json, error_code }))
  return json as SsoSession
}

describe('who comes in', () => {
  test('somebody new joins by the company’s rules, with a session and an identity as the protocol shows them', async () => {
    const session = await entered('ana', { name: 'Ana Horvat' })
    const { amr, aal } = claimsOf(session.access_token)
    const [{ id }] = await scene.sql<[{ id: string }]>`
      select id from identity_providers where company_id = ${acme.id}`
    assert.deepEqual([amr[0].method, amr[0].provider, aal], ['sso/oidc', id, 'aal1'])
    const from = { provider: `sso:${id}`, providers: [`sso:${id}`] }
    assert.deepEqual(session.user.app_metadata, { ...from, has_no_password: true })
    assert.deepEqual(
      session.user.identities.map((one) => [one.provider, one.id, one.identity_data['email']]),
      [[`sso:${id}`, 'sub-ana', `ana@${acme.domain}`]],
    )
    const me = await personOf(scene.services, session).api.users.me({})
    assert.deepEqual(
      [me.full_name, me.company?.id, me.status, me.role],
      ['Ana Horvat', acme.id, 'active', 'employee'],
    )
    assert.equal((await entered('ana')).user.id, session.user.id)
  })

  test('where the company does not take in its domains they wait for its approval', async () => {
    await acme.admin.api.companies.set_auto_registration({ enabled: false })
    const me = await personOf(scene.services, await entered('wim')).api.users.me({})
    assert.deepEqual([me.status, me.waiting_for], ['pending', 'company_approval'])
    await acme.admin.api.companies.set_auto_registration({ enabled: true })
  })

  test('whom the company declined still belongs nowhere, also when it takes in its domains', async () => {
    await acme.admin.api.companies.set_auto_registration({ enabled: false })
    const { user } = await entered('dora')
    await acme.admin.api.employees.decline({ id: user.id })
    await acme.admin.api.companies.set_auto_registration({ enabled: true })
    const me = await personOf(scene.services, await entered('dora')).api.users.me({})
    assert.deepEqual([me.status, me.waiting_for, me.company], ['pending', 'unknown_company', null])
  })

  test('whoever has an account in the company comes into it; an admin stays one', async () => {
    const ben = await acme.hire('Ben')
    const session = await entered('ben')
    assert.equal(session.user.id, ben.id)
    assert.deepEqual(session.user.app_metadata.providers.length, 2)
    assert.equal((await ben.api.users.me({})).status, 'active')
    const { user } = await entered('admin')
    assert.equal(user.id, acme.admin.id)
  })

  test('what a stranger prepared in the name of the address is not what they come into', async () => {
    const email = `prepared@${acme.domain}`
    const stranger = await scene.signUp(email, 'employee')
    await scene.sql`update auth.users set email_confirmed_at = null where id = ${stranger.id}`
    const { user } = await entered('prepared')
    assert.equal(user.id, stranger.id)
    await refuses('not_signed_in', stranger.api.users.me({}))
    await assert.rejects(scene.signIn(email), /invalid_credentials/)
  })

  test('the provider’s attributes say the department, by the rules that HR wrote', async () => {
    const { api } = acme.admin
    const rule = { attribute: 'groups', value: 'g-sales', department: 'Sales' }
    const rules = { required: false, break_glass_id: null, second_step_by: [] }
    await api.sso.change_rules({ ...rules, department_rules: [rule] })
    const { user } = await entered('dana', { groups: ['all', 'g-sales'] })
    assert.equal((await api.employees.find({ id: user.id })).department, 'Sales')
    await entered('dana', { groups: ['all'] })
    assert.equal((await api.employees.find({ id: user.id })).department, 'Sales')
    const rita = await acme.hire('Rita')
    await giveRights(scene, acme, rita, 'reviewer')
    await entered('rita', { groups: ['g-sales'] })
    const [kept] = await scene.sql`select department from profiles where id = ${rita.id}`
    assert.equal(kept!['department'], null, 'not of whoever has a right')
    await api.sso.change_rules({ ...rules, department_rules: [] })
  })

  test('their second step there counts where the company says so', async () => {
    const { api } = acme.admin
    const rules = { required: false, break_glass_id: null, department_rules: [] }
    Object.assign(there.state, { acr: 'urn:gold', amr: ['pwd', 'mfa'] })
    assert.equal(claimsOf((await entered('mia')).access_token)['aal'], 'aal1')
    await api.sso.change_rules({ ...rules, second_step_by: ['mfa'] })
    assert.equal(claimsOf((await entered('mia')).access_token)['aal'], 'aal2')
    Object.assign(there.state, { acr: undefined, amr: undefined })
    assert.equal(claimsOf((await entered('mia')).access_token)['aal'], 'aal1')
    await api.sso.change_rules({ ...rules, second_step_by: [] })
  })

  test('also after the provider has exchanged its keys', async () => {
    await there.rotate()
    await entered('ana')
  })
})

describe('who does not', () => {
  const refused = async (code: string, who: string, claims: IdTokenClaims = {}) =>
    assert.equal((await came(who, claims)).error_code, code, who)

  test('an address outside the company’s domains, unverified, or none', async () => {
    const other = await scene.company()
    await refused('email_address_not_authorized', 'out', { email: `out@${other.domain}` })
    await refused('email_address_not_authorized', 'free', { email: 'free@gmail.com' })
    await refused('email_address_not_authorized', 'sub', { email: `x@sub.${acme.domain}` })
    await refused('bad_oauth_callback', 'unverified', { email_verified: false })
    await refused('bad_oauth_callback', 'nobody', { email: undefined, email_verified: undefined })
    const upn = { email: undefined, email_verified: undefined, upn: `upn@${acme.domain}` }
    assert.equal((await entered('upn', upn)).user.email, `upn@${acme.domain}`)
  })

  test('staff of the provider, people of another company, who is suspended and who has left', async () => {
    const boss = await scene.superAdmin()
    await scene.sql`update auth.users set email = ${`boss@${acme.domain}`} where id = ${boss.id}`
    await refused('email_exists', 'boss')
    const other = await scene.company()
    const olga = await other.hire('Olga')
    await scene.sql`update auth.users set email = ${`olga@${acme.domain}`} where id = ${olga.id}`
    await refused('email_exists', 'olga')
    const { user: lou } = await entered('lou')
    await scene.sql`update profiles set left_on = private.today_at(company_id) where id = ${lou.id}`
    assert.equal((await entered('lou')).user.id, lou.id, 'on their last day')
    for (const [who, change] of [
      ['sue', scene.sql`status = 'suspended'`],
      ['lee', scene.sql`joined_on = joined_on - 2, left_on = joined_on - 1`],
    ] as const) {
      const { user } = await entered(who)
      await scene.sql`update profiles set ${change} where id = ${user.id}`
      await refused('user_banned', who)
    }
  })

  test('whoever comes by a provider that is switched off, or of a company that is suspended', async () => {
    const { address } = await (person('ana'), gone())
    await acme.admin.api.sso.switch({ enabled: false })
    const { json } = await postAuth(scene, '/sso', { domain: acme.domain, ...newChallenge().pkce })
    assert.equal(json.code, 'sso_provider_not_found')
    assert.equal((await followBack(scene, address)).error_code, 'bad_oauth_callback')
    await acme.admin.api.sso.switch({ enabled: true })
    await scene.sql`update companies set status = 'suspended' where id = ${acme.id}`
    const known = await scene.services.app.request(`/auth/v1/sso/domain?domain=${acme.domain}`)
    assert.deepEqual(await known.json(), { sso: false })
    await scene.sql`update companies set status = 'active' where id = ${acme.id}`
    acme.admin = { ...acme.admin, ...(await scene.signIn(acme.admin.email)) }
  })
})

describe('an answer is taken', () => {
  test('once, and its code once, by the browser that began', async () => {
    person('ana')
    const { address, code_verifier } = await gone()
    const { code } = await followBack(scene, address)
    assert.equal((await followBack(scene, address)).error_code, 'bad_oauth_state')
    const other = newChallenge()
    assert.equal((await exchange(scene, code, other.code_verifier)).json.code, 'bad_code_verifier')
    // Tried with another one it is used up.
    assert.equal((await exchange(scene, code, code_verifier)).json.code, 'flow_state_not_found')
  })

  test('not after ten minutes, nor its code after five', async () => {
    person('ana')
    const late = await gone()
    await scene.sql`update auth.sso_states set created_at = now() - interval '11 minutes'`
    assert.equal((await followBack(scene, late.address)).error_code, 'bad_oauth_state')
    const { code, code_verifier } = await came('ana')
    await scene.sql`update auth.sso_codes set created_at = now() - interval '6 minutes'`
    assert.equal((await exchange(scene, code, code_verifier)).status, 404)
  })

  test('not of another sign-in, another issuer or another company’s address (mix-up)', async () => {
    const refused = async (change: (address: URL) => void, code: string) => {
      person('ana')
      const address = new URL((await gone()).address)
      change(address)
      assert.equal((await followBack(scene, address.href)).error_code, code)
    }
    const stolen = new URL((person('ana'), await gone()).address).searchParams.get('code')!
    await refused((at) => at.searchParams.set('state', 'made-up'), 'bad_oauth_state')
    await refused((at) => at.searchParams.delete('state'), 'bad_oauth_state')
    await refused((at) => at.searchParams.set('code', stolen), 'bad_oauth_callback')
    await refused((at) => at.searchParams.set('iss', 'https://evil.example'), 'bad_oauth_callback')
    await refused((at) => at.searchParams.delete('iss'), 'bad_oauth_callback')
    const other = await scene.company()
    const { addresses } = await other.admin.api.sso.find({})
    await refused(
      (at) => void (at.pathname = new URL(addresses.oidc).pathname),
      'bad_oauth_callback',
    )
    await refused((at) => at.searchParams.set('error', 'access_denied'), 'bad_oauth_callback')
  })

  test('that leads nowhere else than home', async () => {
    const { pkce } = newChallenge()
    const body = { domain: acme.domain, redirect_to: 'https://evil.example/', ...pkce }
    const { json } = await postAuth(scene, '/sso', { ...body, skip_http_redirect: true })
    person('ana')
    const address = await walk(json.url, home)
    const { pathname, search } = new URL(address)
    const answer = await scene.services.app.request(pathname + search)
    assert.match(answer.headers.get('location')!, /^http:\/\/127\.0\.0\.1\/\?code=/)
  })
})

describe('beginning', () => {
  test('needs one of domain and provider, and a challenge; tells of a domain that it has a provider, no more', async () => {
    const { pkce } = newChallenge()
    const code = async (body: object) => (await postAuth(scene, '/sso', body)).json.code
    assert.equal(await code(pkce), 'validation_failed')
    assert.equal(await code({ domain: acme.domain }), 'validation_failed')
    assert.equal(await code({ domain: acme.domain, code_challenge: null }), 'validation_failed')
    const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }
    assert.equal(await code({ domain: acme.domain, ...plain }), 'validation_failed')
    assert.equal(await code({ domain: 'nowhere.test', ...pkce }), 'sso_provider_not_found')
    assert.equal(await code({ provider_id: acme.admin.id, ...pkce }), 'sso_provider_not_found')
    const known = async (domain: string) =>
      (await scene.services.app.request(`/auth/v1/sso/domain?domain=${domain}`)).json()
    assert.deepEqual(await known(acme.domain.toUpperCase()), { sso: true })
    assert.deepEqual(await known('gmail.com'), { sso: false })
  })

  test('the test of a provider tells what is wrong with it', async () => {
    const checkIssuer = async (issuer: string, allow = ['127.0.0.1']) => {
      await scene.sql`update identity_providers set issuer = ${issuer} where company_id = ${acme.id}`
      await checkProvider(allow)({ company_id: acme.id }, scene.tools)
      return (await acme.admin.api.sso.find({})).provider?.fault
    }
    assert.equal(await checkIssuer(there.issuer, []), 'address')
    assert.equal(await checkIssuer(`${there.issuer}/nothing`), 'answer')
    assert.equal(await checkIssuer(`${there.issuer}/`), 'issuer')
    assert.equal(await checkIssuer(there.issuer), null)
  })
})
