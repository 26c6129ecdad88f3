// How the providers in use name a person, an address and a second step (test/fixtures/providers tells where from).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { assertionIn, readAssertion } from './assertion.server.ts'
import { identityOf, type IdClaims } from './claims.server.ts'
import type { ProviderIdentity } from './codes.server.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../../test/fixtures/providers/${name}`, import.meta.url), 'utf8')
const claimsOf = (name: string) => JSON.parse(read(`${name}.json`)) as IdClaims
const no_address = { code: 'bad_oauth_callback', message: /: no verified email address$/ }
const plain = ({ subject, email, full_name }: ProviderIdentity) => [subject, email, full_name]
const ana = ['ana@acme.test', 'Ana Horvat']

describe('an ID token', () => {
  for (const name of ['entra', 'okta', 'google', 'keycloak'])
    test(`of ${name} says who somebody is`, () => {
      const claims = claimsOf(name)
      const identity = identityOf(claims)
      assert.deepEqual(plain(identity), [claims.sub, ...ana])
      assert.equal(identity.issuer, claims.iss)
    })

  test('tells of a second step and of groups where the provider does', () => {
    assert.deepEqual(identityOf(claimsOf('okta')).proofs, ['mfa', 'otp', 'pwd'])
    assert.deepEqual(identityOf(claimsOf('keycloak')).proofs, ['1'])
    assert.deepEqual(identityOf(claimsOf('google')).proofs, [])
    assert.deepEqual(identityOf(claimsOf('entra')).attributes['groups'], ['8f2c', '91aa'])
    assert.equal(identityOf(claimsOf('google')).proven_at, undefined)
  })

  test('of an address that is not verified, or of none, says nobody', () => {
    const { email: _, ...without } = claimsOf('google')
    const emailIn = (email_verified: unknown) =>
      identityOf({ ...claimsOf('okta'), email_verified } as IdClaims)
    for (const no of [false, 'false', 'False', 'no', '', 0, 1, null, ['true'], {}]) {
      assert.throws(() => emailIn(no), no_address, JSON.stringify(no))
    }
    for (const yes of [true, 'true']) assert.equal(emailIn(yes).email, ana[0])
    assert.throws(() => identityOf(without), no_address)
  })
})

describe('an assertion', () => {
  const saml = (name: string) => readAssertion(assertionIn(read(`${name}.xml`)))

  test('of each provider says who somebody is', () => {
    assert.deepEqual(plain(saml('entra')), ['ana@acme.test', ...ana])
    assert.deepEqual(plain(saml('okta')), ['ana@acme.test', ...ana])
    assert.deepEqual(plain(saml('google')), ['ana@acme.test', ...ana])
    assert.deepEqual(plain(saml('keycloak')), ['G-3f0a7a3c', ...ana])
  })

  test('tells of a second step, of groups, and when they proved who they are', () => {
    const entra = saml('entra')
    assert.ok(entra.proofs.includes('http://schemas.microsoft.com/claims/multipleauthn'))
    assert.deepEqual(saml('okta').attributes['groups'], ['Everyone', 'Sales'])
    assert.equal(entra.proven_at?.toISOString(), '2025-11-23T03:59:50.000Z')
    const [confirmed] = assertionIn(read('entra.xml')).confirmations
    assert.deepEqual(
      [confirmed?.recipient, confirmed?.in_response_to],
      ['https://fund.test/acs', '_asked'],
    )
  })
})
