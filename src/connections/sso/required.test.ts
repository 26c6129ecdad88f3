// A company that requires its identity provider: whose password still works, and that signing out there ends it here.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { oidc_client, walk } from '../../../test/oidc-provider.ts'
import { password, personOf, refuses, type Person } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import {
  postAuth,
  followBack,
  begin,
  companyByOidc,
  exchange,
  home,
  open_rules,
} from '../../../test/world/sso.ts'

const scene = openedScene({ env: { SSO_ALLOW: '127.0.0.1' } })
type ByOidc = Awaited<ReturnType<typeof companyByOidc>>
const providers: ByOidc['there'][] = []
after(() => providers.forEach((there) => there.close()))

async function openCompany(): Promise<ByOidc> {
  const made = await companyByOidc(scene)
  providers.push(made.there)
  return made
}

async function cameBy({ acme, there }: ByOidc, who: string): Promise<Person> {
  there.people.set(who, { email: `${who}@${acme.domain}`, email_verified: true })
  there.state.who = who
  const { url, code_verifier } = await begin(scene, acme.domain)
  const { code } = await followBack(scene, await walk(url, home))
  return personOf(scene.services, (await exchange(scene, code, code_verifier)).json)
}

/** An admin whose password goes on working, and another one, who came by the provider and requires it. */
async function requiredIn(company: ByOidc) {
  const { acme } = company
  const glass = await acme.hire('Glass')
  await scene.sql`update profiles set role = 'company_admin' where id = ${glass.id}`
  const ben = await acme.hire('Ben')
  const hr = await cameBy(company, 'admin')
  await hr.api.sso.change_rules({ ...open_rules, required: true, break_glass_id: glass.id })
  return { glass, ben, hr }
}

const signsIn = async (email: string) =>
  (await postAuth(scene, '/token?grant_type=password', { email, password })).json.code

describe('signing out there', () => {
  let company: ByOidc
  before(async () => {
    company = await openCompany()
  })
  const sendLogout = async (
    claims: Record<string, unknown>,
    more: Record<string, unknown> = {},
  ) => {
    const body = new URLSearchParams({ logout_token: await company.there.sign(claims, more) })
    const { pathname } = new URL(company.addresses.oidc_logout)
    return (await scene.services.app.request(pathname, { method: 'POST', body })).status
  }
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  let made = 0
  const good = (more = {}) => ({
    iss: company.there.issuer,
    aud: oidc_client.client_id,
    iat: Math.floor(Date.now() / 1000),
    jti: `token ${(made += 1)}`,
    events: { [event]: {} },
    sub: 'olaf',
    ...more,
  })

  test('ends the person’s sessions here, once, by a token that is one', async () => {
    const olaf = await cameBy(company, 'olaf')
    const petra = await cameBy(company, 'petra')
    const by_password = await scene.signUp(`quentin@${company.acme.domain}`, 'employee')
    for (const bad of [
      { aud: 'another' },
      { iss: 'https://other.example' },
      { nonce: 'x' },
      { events: {} },
      { events: undefined },
      { jti: undefined },
      { sub: undefined },
      { iat: Math.floor(Date.now() / 1000) - 3600 },
    ])
      assert.equal(await sendLogout(good(bad)), 400, JSON.stringify(bad))
    assert.equal(await sendLogout(good(), { strange: true }), 400)
    assert.ok(await olaf.api.users.me({}))
    const token = good()
    assert.equal(await sendLogout(token), 200)
    await refuses('not_signed_in', olaf.api.users.me({}))
    assert.equal(await sendLogout(token), 400)
    assert.ok(await petra.api.users.me({}))
    assert.ok(await by_password.api.users.me({}))
    // A message about another session does not end this one.
    assert.equal(await sendLogout(good({ sub: 'petra', sid: 'another' })), 200)
    assert.ok(await petra.api.users.me({}))
  })
})

describe('requiring it', () => {
  let company: ByOidc
  let acme: ByOidc['acme']
  let there: ByOidc['there']
  let glass: Person
  let hr: Person
  before(async () => {
    company = await openCompany()
    ;({ acme, there } = company)
    ;({ glass, hr } = await requiredIn(company))
  })

  test('needs one whose password still works, and that whoever does it came by the provider', async () => {
    const own = await openCompany()
    const { admin } = own.acme
    const rules = { ...open_rules, required: true }
    const other = await scene.company()
    const theirs = { ...rules, break_glass_id: other.admin.id }
    await scene.confirm(other.admin)
    await other.admin.api.sso.connect_oidc({ issuer: own.there.issuer, ...oidc_client })
    await refuses('sso_off', other.admin.api.sso.change_rules(theirs))
    assert.equal((await other.admin.api.sso.find({})).provider?.required, false)
    assert.equal((await admin.api.sso.find({})).provider?.refusals.require, 'sso_try_first')
    const by_password = { ...rules, break_glass_id: admin.id }
    await refuses('sso_try_first', admin.api.sso.change_rules(by_password))
    const { hr: owner, ben, glass } = await requiredIn(own)
    const { provider } = await owner.api.sso.find({})
    assert.deepEqual([provider?.required, provider?.refusals.require], [true, null])
    assert.ok(provider?.owners.some(({ id }) => id === glass.id))
    for (const id of [null, ben.id, other.admin.id]) {
      assert.ok(!provider?.owners.some((one) => one.id === id))
      const change = owner.api.sso.change_rules({ ...rules, break_glass_id: id })
      await refuses('no_such_break_glass', change)
    }
  })

  test('ends sessions by password, and opens none but for that one', async () => {
    await refuses('not_signed_in', acme.admin.api.users.me({}))
    assert.equal((await hr.api.users.me({})).by_provider, true)
    assert.equal((await glass.api.users.me({})).by_provider, true)
    assert.equal(await signsIn(acme.admin.email), 'user_sso_managed')
    assert.equal(await signsIn(`ben@${acme.domain}`), 'user_sso_managed')
    const wrong = { email: `ben@${acme.domain}`, password: 'not theirs' }
    const { json } = await postAuth(scene, '/token?grant_type=password', wrong)
    assert.equal(json.code, 'invalid_credentials')
    assert.equal(await signsIn(glass.email), undefined)
  })

  test('nor does a mailed link or a new account open one', async () => {
    const email = `ben@${acme.domain}`
    await postAuth(scene, '/recover', { email })
    const mail = (await scene.mailbox()).find(({ to }) => to === email)
    const token = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0]
    const { json } = await postAuth(scene, '/verify', { type: 'recovery', email, token })
    assert.equal(json.code, 'user_sso_managed')
    const data = { full_name: 'New', role: 'employee' }
    const fresh = { email: `new@${acme.domain}`, password, data }
    assert.equal((await postAuth(scene, '/signup', fresh)).json.code, 'user_sso_managed')
    const made = await scene.sql`select from auth.users where email = ${fresh.email}`
    assert.equal(made.length, 0)
  })

  test('a session by password from before somebody belonged to the company ends as they do', async () => {
    const { companies, employees } = hr.api
    await companies.set_auto_registration({ enabled: false })
    const [una, vera] = [await acme.hire('Una'), await acme.hire('Vera')]
    assert.equal((await una.api.users.me({})).status, 'pending')
    await employees.approve({ id: una.id })
    await refuses('not_signed_in', una.api.users.me({}))
    await companies.set_auto_registration({ enabled: true })
    await refuses('not_signed_in', vera.api.users.me({}))
    assert.equal((await (await cameBy(company, 'vera')).api.users.me({})).status, 'active')
    assert.ok(await hr.api.users.me({}))
  })

  test('whoever has an address at none of its domains still comes by password, and is counted', async () => {
    const outside = async () => (await hr.api.sso.find({})).provider?.people_outside
    assert.equal(await outside(), 0)
    const email = 'driver@elsewhere.test'
    const driver = await scene.signUp(email, 'employee')
    await scene.sql`update profiles set company_id = ${acme.id}, status = 'active' where email = ${email}`
    assert.equal(await signsIn(email), undefined)
    assert.equal(await outside(), 1)
    assert.equal((await driver.api.users.me({})).by_provider, false)
    // With an address at the company's domain they are let in by the provider, which knows them whatever address they take later.
    await scene.sql`update auth.users set email = ${`driver@${acme.domain}`} where email = ${email}`
    assert.equal(await signsIn(`driver@${acme.domain}`), 'user_sso_managed')
    await cameBy(company, 'driver')
    await scene.sql`update auth.users set email = ${email} where email = ${`driver@${acme.domain}`}`
    assert.equal(await signsIn(email), 'user_sso_managed')
    assert.equal(await outside(), 0)
  })

  test('whoever has left still comes by password, for the days they can claim for', async () => {
    const email = `ben@${acme.domain}`
    const set = (left: boolean) =>
      scene.sql`update profiles set joined_on = '2020-01-01',
        left_on = case when ${left} then date '2020-01-02' end where email = ${email}`
    await set(true)
    there.people.set('ben', { email, email_verified: true })
    there.state.who = 'ben'
    const { url } = await begin(scene, acme.domain)
    assert.equal((await followBack(scene, await walk(url, home))).error_code, 'user_banned')
    const ben = await scene.signIn(email)
    assert.equal((await ben.api.users.me({})).by_provider, false)
    await set(false)
    await refuses('not_signed_in', ben.api.users.me({}))
    assert.equal(await signsIn(email), 'user_sso_managed')
  })

  test('a client secret that the provider takes no more is told to the owners, once', async () => {
    await scene.confirm(glass)
    const { connect_oidc } = glass.api.sso
    await connect_oidc({ issuer: there.issuer, ...oidc_client, client_secret: 'it ran out' })
    for (let times = 0; times < 2; times += 1) {
      const { url } = await begin(scene, acme.domain)
      assert.equal(
        (await followBack(scene, await walk(url, home))).error_code,
        'bad_oauth_callback',
      )
    }
    const notices = await scene.sql`select path, mail_at is not null as mailed from notifications
      where person_id = ${glass.id} and code = 'sso_refused'`
    assert.deepEqual(
      notices.map((one) => ({ ...one })),
      [{ path: '/dashboard/connections', mailed: true }],
    )
    await connect_oidc({ issuer: there.issuer, ...oidc_client })
    assert.ok(await cameBy(company, 'admin'))
  })

  test('other companies’ people still sign in by password, and so do these once it is off', async () => {
    const other = await scene.company()
    assert.equal(await signsIn(other.admin.email), undefined)
    const own = await requiredIn(await openCompany())
    assert.equal(await signsIn(own.ben.email), 'user_sso_managed')
    await scene.confirm(own.glass)
    await own.glass.api.sso.switch({ enabled: false })
    assert.equal((await own.glass.api.sso.find({})).provider?.required, false)
    assert.equal(await signsIn(own.ben.email), undefined)
  })
})
