// Sign-in by SAML, through a real provider: who comes in, and each known way to bend an answer.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSaml, type Bent } from '../../../test/saml-provider.ts'
import { claimsOf, personOf, refuses, type Company } from '../../../test/world/people.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import { followBack, begin, exchange, switchOn, type SsoSession } from '../../../test/world/sso.ts'

let scene: Scene
let acme: Company
let acs: string
let slo: string
let there: Awaited<ReturnType<typeof openSaml>>
before(async () => {
  scene = await openScene({ env: { SSO_ALLOW: '127.0.0.1' } })
  acme = await scene.company()
  there = await openSaml()
  await scene.confirm(acme.admin)
  const { addresses } = await acme.admin.api.sso.connect_saml({ metadata: there.metadata })
  acs = addresses.acs
  slo = addresses.slo
  await switchOn(scene, acme)
  const { pathname } = new URL(addresses.entity)
  there.state.metadata = await (await scene.services.app.request(pathname)).text()
})
after(async () => {
  there.close()
  await scene.close()
})

const bentFor = (who: string, bent: Bent = {}): Bent => ({
  name_id: `sub-${who}`,
  attributes: { email: `${who}@${acme.domain}`, displayName: who, groups: 'g-all' },
  ...bent,
})
type SamlAnswer = { SAMLResponse: string; RelayState: string }
/** An answer to a question that was just asked. */
async function answered(bent: Bent) {
  const { url, code_verifier } = await begin(scene, acme.domain)
  return { code_verifier, ...(await there.press(url, bent)) }
}
const send = ({ SAMLResponse, RelayState }: SamlAnswer, to = acs) =>
  followBack(scene, to, new URLSearchParams({ SAMLResponse, RelayState }))
async function entered(who: string, bent: Bent = {}): Promise<SsoSession> {
  const answer = await answered(bentFor(who, bent))
  const { code, ...refused } = await send(answer)
  const { status, json } = await exchange(scene, code, answer.code_verifier)
  assert.equal(status, 200, JSON.stringify({ json, refused }))
  return json as SsoSession
}
const refused = async (bent: Bent, code = 'bad_oauth_callback') =>
  assert.equal((await send(await answered(bentFor('eve', bent)))).error_code, code)
/** The answer, changed after it was signed. */
const changed = (answer: SamlAnswer, change: (xml: string) => string): SamlAnswer => {
  const xml = Buffer.from(answer.SAMLResponse, 'base64').toString()
  const bent = change(xml)
  assert.notEqual(bent, xml)
  return { ...answer, SAMLResponse: Buffer.from(bent).toString('base64') }
}
const notTaken = async (answer: SamlAnswer) =>
  assert.equal((await send(answer)).error_code, 'bad_oauth_callback')

describe('who comes in', () => {
  test('somebody new, with a session and an identity of their provider', async () => {
    const session = await entered('ana')
    const { amr, aal } = claimsOf(session.access_token)
    assert.deepEqual([amr[0].method, aal], ['sso/saml', 'aal1'])
    assert.equal(session.user.app_metadata.provider, `sso:${amr[0].provider}`)
    assert.deepEqual(
      session.user.identities.map((one) => [one.id, one.identity_data['iss']]),
      [['sub-ana', there.issuer]],
    )
    const me = await personOf(scene.services, session).api.users.me({})
    assert.deepEqual([me.full_name, me.company?.id, me.status], ['ana', acme.id, 'active'])
    assert.equal((await entered('ana')).user.id, session.user.id)
  })

  test('by an encrypted assertion, too', async () => {
    there.state.encrypted = true
    const answer = await answered(bentFor('enc'))
    const xml = Buffer.from(answer.SAMLResponse, 'base64').toString()
    assert.match(xml, /EncryptedAssertion/)
    assert.doesNotMatch(xml, /sub-enc/)
    assert.ok((await send(answer)).code)
    there.state.encrypted = false
  })

  test('with clocks that differ by less than three minutes', async () => {
    await entered('tim', { from: 2.5 })
    await entered('tim', { from: -9, until: -2.5 })
    await refused({ from: 3.5 })
    await refused({ from: -9, until: -3.5 })
  })

  test('their second step there counts where the company says so', async () => {
    const context = 'urn:oasis:names:tc:SAML:2.0:ac:classes:TimeSyncToken'
    const rules = { required: false, break_glass_id: null, department_rules: [] }
    await acme.admin.api.sso.change_rules({ ...rules, second_step_by: [context] })
    assert.equal(claimsOf((await entered('mia')).access_token)['aal'], 'aal1')
    assert.equal(claimsOf((await entered('mia', { context })).access_token)['aal'], 'aal2')
    const departments = [{ attribute: 'groups', value: 'g-all', department: 'Sales' }]
    const with_departments = { ...rules, second_step_by: [], department_rules: departments }
    await acme.admin.api.sso.change_rules(with_departments)
    const { user } = await entered('mia')
    assert.equal((await acme.admin.api.employees.find({ id: user.id })).department, 'Sales')
  })
})

describe('an answer is not taken', () => {
  test('for another audience, another recipient, another question, or from another issuer', async () => {
    await refused({ audience: 'https://other.example/metadata' })
    await refused({ recipient: 'https://other.example/acs' })
    await refused({ in_response_to: '_another' })
    await refused({ issuer: 'https://other.example' })
  })

  test('of an address at no domain of the company', async () => {
    const attributes = { email: 'eve@evil.test' }
    await refused({ attributes }, 'email_address_not_authorized')
  })

  test('twice, nor the same assertion as the answer to a second question, nor unasked', async () => {
    const id = '_the-same'
    const first = await answered(bentFor('ana', { id }))
    assert.ok((await send(first)).code)
    assert.equal((await send(first)).error_code, 'bad_oauth_state')
    await notTaken(await answered(bentFor('ana', { id })))
    const unasked = { ...(await answered(bentFor('ana'))), RelayState: '' }
    assert.equal((await send(unasked)).error_code, 'bad_oauth_state')
  })

  test('at another company’s address', async () => {
    const other = await scene.company()
    const { addresses } = await other.admin.api.sso.find({})
    const { error_code } = await send(await answered(bentFor('ana')), addresses.acs)
    assert.equal(error_code, 'bad_oauth_callback')
  })

  test('unsigned, changed, or signed by somebody else', async () => {
    const answer = () => answered(bentFor('eve'))
    const unsigned = (xml: string) => xml.replaceAll(/<ds:Signature.*?<\/ds:Signature>/gs, '')
    await notTaken(changed(await answer(), unsigned))
    await notTaken(changed(await answer(), (xml) => xml.replaceAll('sub-eve', 'sub-ana')))
    const mine = await openSaml()
    mine.state.metadata = there.state.metadata
    const { url } = await begin(scene, acme.domain)
    await notTaken(await mine.press(url, bentFor('ana', { issuer: there.issuer })))
    mine.close()
  })

  test('cut short by a comment, in its name or address: all of what is written counts', async () => {
    const with_comment = (from: string, to: string) => (xml: string) => xml.replaceAll(from, to)
    const longer = { email: `admin@${acme.domain}.evil.test` }
    const cut = changed(
      await answered(bentFor('eve', { attributes: longer })),
      with_comment(longer.email, `admin@${acme.domain}<!-- -->.evil.test`),
    )
    assert.equal((await send(cut)).error_code, 'email_address_not_authorized')
    const named = await answered(bentFor('ann', { name_id: 'sub-ana.evil' }))
    const { code } = await send(
      changed(named, with_comment('sub-ana.evil', 'sub-ana<!-- -->.evil')),
    )
    const { json } = await exchange(scene, code, named.code_verifier)
    assert.equal((json as SsoSession).user.identities[0]!.id, 'sub-ana.evil')
  })

  test('that declares entities (XXE)', async () => {
    const doctype = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    await notTaken(changed(await answered(bentFor('eve')), (xml) => doctype + xml))
  })

  test('that is wrapped around a signed one (XSW)', async () => {
    const parts = (xml: string) => {
      const [signed = ''] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)!
      const [signature = ''] = /<ds:Signature.*?<\/ds:Signature>/s.exec(signed)!
      const evil = signed
        .replace(signature, '')
        .replaceAll('sub-eve', 'sub-admin')
        .replaceAll(`eve@${acme.domain}`, acme.admin.email)
        .replace(/ ID="[^"]+"/, ' ID="_evil"')
      return { signed, signature, evil }
    }
    const wraps: ((xml: string) => string)[] = [
      // the evil one first, last, around the signed one, within it, and the signed one put aside
      (xml) => xml.replace(parts(xml).signed, parts(xml).evil + parts(xml).signed),
      (xml) => xml.replace(parts(xml).signed, parts(xml).signed + parts(xml).evil),
      (xml) => {
        const { signed, evil } = parts(xml)
        return xml.replace(signed, evil.replace('</saml:Assertion>', `${signed}</saml:Assertion>`))
      },
      (xml) => {
        const { signed, evil } = parts(xml)
        return xml.replace(signed, signed.replace('</saml:Assertion>', `${evil}</saml:Assertion>`))
      },
      (xml) => {
        const { signed, evil } = parts(xml)
        return xml.replace(signed, `${evil}<samlp:Extensions>${signed}</samlp:Extensions>`)
      },
      (xml) => {
        const { signed, signature, evil } = parts(xml)
        const object = `<ds:Object>${signed.replace(signature, '')}</ds:Object></ds:Signature>`
        const around = signature.replace('</ds:Signature>', object)
        return xml.replace(signed, evil.replace('<saml:Subject>', `${around}<saml:Subject>`))
      },
      (xml) => {
        const { signed, signature, evil } = parts(xml)
        const same = evil.replace('_evil', / ID="([^"]+)"/.exec(signed)![1]!)
        return xml.replace(signed, same.replace('<saml:Subject>', `${signature}<saml:Subject>`))
      },
    ]
    for (const wrap of wraps) await notTaken(changed(await answered(bentFor('eve')), wrap))
  })
})

describe('signing out there', () => {
  const gone = async (address: string) => {
    const { search } = new URL(address)
    return (await scene.services.app.request(new URL(slo).pathname + search)).status
  }

  test('ends the session here, once, where it is signed', async () => {
    const ana = personOf(scene.services, await entered('ana'))
    const ben = personOf(scene.services, await entered('ben'))
    const address = there.signOut('sub-ana', 's-1')
    const unsigned = new URL(address)
    unsigned.searchParams.delete('Signature')
    assert.equal(await gone(unsigned.href), 400)
    unsigned.searchParams.set('Signature', 'AAAA')
    assert.equal(await gone(unsigned.href), 400)
    assert.ok(await ana.api.users.me({}))
    assert.equal(await gone(address), 303)
    await refuses('not_signed_in', ana.api.users.me({}))
    assert.ok(await ben.api.users.me({}))
    assert.equal(await gone(address), 400)
  })
})
