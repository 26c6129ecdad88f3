// A person with a second step who has not shown it can do nothing, whatever way they came in.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { contracts } from '#contracts.ts'
import { openServices } from '#services.server.ts'
import { providerNeedsTwoStep, readConfig } from '#lib/config.server.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import type { JsonBody } from '../../test/auth-service.ts'
import { password, refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { sampleOf } from '../../test/samples.ts'
import { anonAndServiceKeys } from './secrets.server.ts'

describe('a session below the second step', () => {
  const scene = openedScene()
  let acme: Company
  let ana: Person
  let service: string
  before(async () => {
    acme = await scene.company()
    ana = await acme.hire('Ana')
    service = (await anonAndServiceKeys(scene.services.installation_key)).service_key
    await setUpApp(ana)
  })

  async function ask(route: string, token: string | undefined, body?: object): Promise<JsonBody> {
    const [method = 'GET', path = ''] = route.split(' ')
    const answer = await scene.services.app.request(`/auth/v1${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, ...(text ? JSON.parse(text) : {}) }
  }

  async function setUpApp({ token }: Person) {
    const factor = await ask('POST /factors', token, { factor_type: 'totp', friendly_name: 'app' })
    const { id } = await ask(`POST /factors/${factor['id']}/challenge`, token)
    const code = new TOTP({ secret: Secret.fromBase32(factor['totp'].secret) }).generate()
    const proof = { challenge_id: id, code }
    const lifted = await ask(`POST /factors/${factor['id']}/verify`, token, proof)
    assert.equal(lifted.status, 200)
  }

  const byLink = async (type: string) => {
    const link_body = { type, email: ana.email, ...(type === 'signup' ? { password } : {}) }
    const link = await ask('POST /admin/generate_link', service, link_body)
    const followed = { type, token_hash: link['hashed_token'] }
    return ask('POST /verify', undefined, followed)
  }
  const byPassword = () =>
    ask('POST /token?grant_type=password', undefined, { email: ana.email, password })
  const ways: Record<string, () => Promise<JsonBody>> = {
    'by the password': byPassword,
    'by a refresh': async () => {
      const { refresh_token } = await byPassword()
      return ask('POST /token?grant_type=refresh_token', undefined, { refresh_token })
    },
    'by a recovery link': () => byLink('recovery'),
    'by a magic link': () => byLink('magiclink'),
    'by an invitation sent again': async () => {
      await scene.sql`update auth.users set email_confirmed_at = null where id = ${ana.id}`
      return byLink('invite')
    },
  }

  for (const [way, enter] of Object.entries(ways)) {
    test(`${way} is asked for it by every act`, async () => {
      const { access_token: token } = await enter()
      assert.ok(token)
      for (const [feature, contract] of Object.entries(contracts)) {
        for (const [name, endpoint] of Object.entries(contract as Record<string, Endpoint>)) {
          const who = callers[`${feature}.${name}` as keyof typeof callers]
          if (typeof who === 'string') continue
          const file = new Blob(['name,email\n'])
          const input = sampleOf(endpoint.input)
          const request = toRequest(endpoint, 'http://127.0.0.1', input, { file })
          request.headers.set('authorization', `Bearer ${token}`)
          const answer = await scene.services.app.request(request)
          const { code } = (await answer.json()) as { code?: string }
          assert.deepEqual([answer.status, code], [403, 'two_step_needed'], `${feature}.${name}`)
        }
      }
      const fresh = { password: 'another harbour at dusk', current_password: password }
      assert.equal((await ask('PUT /user', token, fresh)).status, 401)
      const more = { factor_type: 'totp', friendly_name: 'more' }
      assert.equal((await ask('POST /factors', token, more)).status, 403)
      assert.equal((await ask('POST /factors/recovery-codes', token)).status, 403)
      const { factors } = await ask('GET /user', token)
      assert.equal((await ask(`DELETE /factors/${factors[0].id}`, token)).status, 422)
    })
  }

  test('goes on by itself once the provider has reset it, and its owner is told', async () => {
    const ben = await acme.hire('Ben')
    await setUpApp(ben)
    const lead = await scene.superAdmin()
    await lead.api.users.reset_two_step({ id: ben.id })
    const again = await scene.signIn(ben.email)
    assert.equal((await again.api.users.me({})).waiting_for, null)
    const jobs = await scene.sql`
      select from graphile_worker.jobs where task_identifier = 'settings:notice'`
    assert.equal(jobs.length, 1)
  })
})

describe('the provider’s staff', () => {
  const scene = openedScene({ env: { PROVIDER_TWO_STEP: 'on' } })

  test('do nothing without a second step where the operator demands one, and others need none', async () => {
    const boss = await scene.superAdmin()
    assert.equal((await boss.api.users.me({})).waiting_for, 'two_step')
    await refuses('two_step_needed', boss.api.companies.list({}))
    const acme = await scene.company()
    await acme.admin.api.employees.list({})
    await scene.sql`update auth.users set two_step = true where id = ${boss.id}`
    await scene.sql`update auth.sessions set aal = 'aal2' where user_id = ${boss.id}`
    await boss.api.companies.list({})
  })

  test('are asked by the settings of who serves: a command that only visits changes nothing', async () => {
    const config = readConfig({ ...scene.env, PROVIDER_TWO_STEP: 'off' })
    await (await openServices(config, scene.database_url, { visit: true })).close()
    const [kept] = await scene.sql`select supers_need_two_step as needed from private.secret`
    assert.equal(kept?.['needed'], true)
  })

  test('are asked for one by default, but in the demo world; sessions have their ends', () => {
    const DATABASE_URL = 'postgres://owner:secret@127.0.0.1:5432/fund'
    const asks = (env: Record<string, string>) => providerNeedsTwoStep(readConfig(env))
    assert.deepEqual(
      [
        { DATABASE_URL },
        {},
        { DATABASE_URL, PROVIDER_TWO_STEP: 'off' },
        { PROVIDER_TWO_STEP: 'on' },
      ].map(asks),
      [true, false, false, true],
    )
    const { settings } = scene.services.auth_options
    assert.deepEqual(
      [
        settings.admin_session_seconds,
        settings.admin_idle_seconds,
        settings.session_seconds,
        settings.session_idle_seconds,
      ],
      [43_200, 1800, 2_592_000, 1_209_600],
    )
  })
})
