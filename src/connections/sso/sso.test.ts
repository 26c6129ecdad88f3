// A company's identity provider in its settings: who may connect one, and what is refused.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { oidc_client, openOidc } from '../../../test/oidc-provider.ts'
import { openSaml } from '../../../test/saml-provider.ts'
import { callerOf, refuses, type Company, type Person } from '../../../test/world/people.ts'
import { withRights } from '../../../test/world/rights.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import { open_rules, switchOn } from '../../../test/world/sso.ts'

let scene: Scene
let there: Awaited<ReturnType<typeof openOidc>>
let saml: Awaited<ReturnType<typeof openSaml>>
let acme: Company
before(async () => {
  scene = await openScene({ env: { SSO_ALLOW: '127.0.0.1' } })
  acme = await scene.company()
  const { addresses } = await acme.admin.api.sso.find({})
  there = await openOidc([addresses.oidc])
  saml = await openSaml()
})
after(async () => {
  there.close()
  saml.close()
  await scene.close()
})

const oidc = (more = {}) => ({ issuer: there.issuer, ...oidc_client, ...more })

describe('connecting a provider', () => {
  test('asks for the password each time; its secret is never shown again, nor in the record', async () => {
    const { sso } = acme.admin.api
    await scene.stale(acme.admin)
    await refuses('password_needed', sso.connect_oidc(oidc()))
    await refuses('password_needed', sso.connect_saml({ metadata: saml.metadata }))
    await scene.confirm(acme.admin)
    const made = await sso.connect_oidc(oidc())
    assert.ok(!JSON.stringify(made).includes(oidc_client.client_secret))
    assert.equal(made.provider?.ending, oidc_client.client_secret.slice(-4))
    const [kept] = await scene.sql<[{ sealed: Buffer }]>`
      select sealed from identity_providers where company_id = ${acme.id}`
    assert.ok(!kept.sealed.includes(oidc_client.client_secret))
    const [entry] = await scene.sql`select after from audit_log
      where table_name = 'identity_providers' order by id limit 1`
    assert.ok(entry && !('sealed' in (entry['after'] as object)))
    await scene.stale(acme.admin)
    await refuses('password_needed', sso.switch({ enabled: false }))
    await refuses('password_needed', sso.change_rules(open_rules))
    await refuses('password_needed', sso.remove({}))
    await scene.confirm(acme.admin)
  })

  test('only at a public https address, or where the operator allows it', async () => {
    const { connect_oidc } = acme.admin.api.sso
    for (const [issuer, code] of [
      ['https://10.0.0.1/', 'webhook_url_private'],
      ['https://[::ffff:169.254.169.254]/', 'webhook_url_private'],
      ['https://login.localhost/', 'webhook_url_private'],
      ['http://login.example.com/', 'webhook_needs_https'],
      ['https://a:b@login.example.com/', 'webhook_url_invalid'],
    ] as const)
      await refuses(code, connect_oidc(oidc({ issuer })))
  })

  test('another issuer needs its own secret, is switched off and means nobody of before', async () => {
    const { sso } = acme.admin.api
    await switchOn(scene, acme)
    const same = await sso.connect_oidc({ issuer: there.issuer, client_id: 'renamed' })
    assert.deepEqual([same.provider?.client_id, same.provider?.enabled], ['renamed', true])
    const idOf = async () => {
      const [found] = await scene.sql`
        select id from identity_providers where company_id = ${acme.id}`
      return found?.['id']
    }
    const earlier = await idOf()
    const other = { issuer: 'https://login.example.com/', client_id: 'x' }
    await refuses('client_secret_needed', sso.connect_oidc(other))
    const changed = await sso.connect_oidc({ ...other, client_secret: 'another' })
    assert.equal(changed.provider?.enabled, false)
    assert.notEqual(await idOf(), earlier)
  })

  test('switching on needs a test that succeeded, and a proven domain', async () => {
    const young = await scene.company()
    const { sso } = young.admin.api
    await scene.confirm(young.admin)
    await refuses('not_found', sso.switch({ enabled: true }))
    await refuses('not_found', sso.test({}))
    await sso.connect_oidc(oidc())
    const shown = async () => (await sso.find({})).provider?.refusals
    assert.deepEqual(await shown(), {
      switch: 'sso_not_tested',
      require: 'sso_off',
      change: null,
    })
    await scene.stale(young.admin)
    await refuses('sso_not_tested', sso.switch({ enabled: true }))
    await scene.confirm(young.admin)
    await scene.sql`select private.note_provider_check(${young.id}, 'answer')`
    await refuses('sso_not_tested', sso.switch({ enabled: true }))
    await scene.sql`select private.note_provider_check(${young.id}, null)`
    await scene.sql`update companies set domain_auto_register = false, domain_proven_at = null
      where id = ${young.id}`
    assert.equal((await shown())?.switch, 'sso_needs_domain')
    await refuses('sso_needs_domain', sso.switch({ enabled: true }))
    await sso.remove({})
    assert.equal((await sso.find({})).provider, null)
    const pending = await scene.company({ status: 'pending' })
    await scene.confirm(pending.admin)
    await refuses('company_pending', pending.admin.api.sso.connect_oidc(oidc()))
  })

  test('with two owners one connects it and the other switches it on, and all are told', async () => {
    const two = await scene.company()
    const [one, other] = [two.admin, await withRights(scene, two, 'owner')]
    await scene.confirm(one)
    await scene.confirm(other)
    const by = one.api.sso
    await by.connect_oidc(oidc())
    await scene.sql`select private.note_provider_check(${two.id}, null)`
    const shown = async ({ api }: Person) => (await api.sso.find({})).provider?.refusals.switch
    assert.deepEqual([await shown(one), await shown(other)], ['sso_needs_second_owner', null])
    await refuses('sso_needs_second_owner', by.switch({ enabled: true }))
    const { notifications } = await other.api.notifications.list({})
    assert.ok(notifications.some(({ code }) => code === 'sso_changed'))
    await other.api.sso.switch({ enabled: true })
    for (const { sso } of [one.api, other.api]) {
      assert.equal((await sso.find({})).provider?.refusals.change, 'sso_switch_off_first')
      await refuses('sso_switch_off_first', sso.connect_oidc(oidc({ client_id: 'another' })))
      const weaker = { ...open_rules, second_step_by: ['pwd'] }
      await refuses('sso_switch_off_first', sso.change_rules(weaker))
    }
    // One owner alone may renew the secret, and save rules that open nothing.
    await by.connect_oidc(oidc({ client_secret: 'a renewed secret' }))
    await by.change_rules(open_rules)
    await by.switch({ enabled: false })
    await by.change_rules({ ...open_rules, second_step_by: ['mfa'] })
    await scene.sql`select private.note_provider_check(${two.id}, null)`
    await refuses('sso_needs_second_owner', by.switch({ enabled: true }))
    await other.api.sso.connect_oidc(oidc({ client_id: 'another' }))
    await scene.sql`select private.note_provider_check(${two.id}, null)`
    await refuses('sso_needs_second_owner', other.api.sso.switch({ enabled: true }))
    assert.equal((await by.switch({ enabled: true })).provider?.enabled, true)
  })

  test('of SAML no certificate is exchanged while it is on, where there are two owners', async () => {
    const two = await scene.company()
    const other = await withRights(scene, two, 'owner')
    const { sso } = two.admin.api
    await scene.confirm(two.admin)
    await scene.confirm(other)
    await sso.connect_saml({ metadata: saml.metadata })
    await scene.sql`select private.note_provider_check(${two.id}, null)`
    await other.api.sso.switch({ enabled: true })
    await sso.connect_saml({ metadata: saml.metadata })
    await scene.sql`update identity_providers set certificates = array['another']
      where company_id = ${two.id}`
    await refuses('sso_switch_off_first', sso.connect_saml({ metadata: saml.metadata }))
  })

  test('metadata of SAML is read, and what is none is refused', async () => {
    const { connect_saml } = acme.admin.api.sso
    const { metadata, issuer } = saml
    for (const bad of [
      'not xml',
      '<a/>',
      metadata.replaceAll(/(X509Certificate>)[^<]+/g, '$1AAAA'),
      metadata.replaceAll('HTTP-Redirect', 'HTTP-POST'),
      `<!DOCTYPE x [<!ENTITY e "x">]>${metadata}`,
    ])
      await refuses('saml_metadata_invalid', connect_saml({ metadata: bad }))
    const { provider } = await connect_saml({ metadata })
    assert.deepEqual(
      [provider?.kind, provider?.issuer, provider?.certificates],
      ['saml', issuer, 1],
    )
  })

  test('an employee and the provider’s staff neither see nor change it; straight SQL reads no secret', async () => {
    const ana = await acme.hire('Ana')
    const boss = await scene.superAdmin()
    for (const { api } of [ana, boss]) {
      await refuses('forbidden', api.sso.find({}))
      await refuses('forbidden', api.sso.switch({ enabled: false }))
    }
    const other = await scene.company()
    assert.equal((await other.admin.api.sso.find({})).provider, null)
    const reading = scene.services.transactions.run(
      callerOf(acme.admin),
      (tx) => tx`select sealed from identity_providers`,
    )
    await assert.rejects(reading, { code: '42501' })
  })
})
