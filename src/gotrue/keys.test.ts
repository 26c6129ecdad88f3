import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose'
import { rotateSigningKey } from './keys.server.ts'
import { anonAndServiceKeys, deriveKeys } from './secrets.server.ts'
import { tokenVerifier } from './tokens.server.ts'
import {
  newEmail,
  openAuthService,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  type AuthService,
  type JsonBody,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService()

const get = (token: string, on: Pick<AuthService, 'ask'> = stage) => on.ask('GET /user', { token })
const published = async (on: Pick<AuthService, 'ask'> = stage) =>
  (await on.ask('GET /.well-known/jwks.json')).body['keys'] as JsonBody[]
const headerOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()) as JsonBody

test('anybody can verify our tokens by the published keys', async () => {
  const { token, id } = await person(stage)
  const keys = createLocalJWKSet({ keys: await published() })
  const { payload } = await jwtVerify(token, keys, {
    audience: 'authenticated',
    issuer: 'http://localhost:3000/auth/v1',
  })
  assert.equal(payload.sub, id)
})

test('the keys of an installation are always the same, and only its own', async () => {
  const again = await anonAndServiceKeys(stage.installation_key)
  assert.deepEqual(again, { anon_key: stage.anon_key, service_key: stage.service_key })
  const other = await anonAndServiceKeys(Buffer.alloc(32, 1))
  assertRefused(await stage.ask('GET /admin/users', { token: other.service_key }), 403, 'bad_jwt')
  const claims = claimsOf(stage.service_key)
  assert.equal(claims['role'], 'service_role')
  assert.ok(
    !('sub' in claims) && !('session_id' in claims) && !('kid' in headerOf(stage.service_key)),
  )
})

test('a rightly signed token for no audience, or for several, lets nobody in', async () => {
  const { token } = await person(stage)
  const { aud: _, ...claims } = claimsOf(token)
  const sign = (more: object) =>
    new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(deriveKeys(stage.installation_key).api)
  assert.equal(
    (await stage.ask('GET /user', { token: await sign({ aud: 'authenticated' }) })).status,
    200,
  )
  for (const aud of [undefined, '', ['authenticated', 'partners'], 'partners']) {
    const answer = await stage.ask('GET /user', {
      token: await sign({ aud }),
      headers: { 'X-JWT-AUD': 'authenticated' },
    })
    assertRefused(answer, 400, 'validation_failed')
  }
  assertRefused(await stage.ask('GET /user', { token: await sign({}) }), 400, 'validation_failed')
})

test('forged tokens are refused, whatever their header says', async () => {
  const { token } = await person(stage)
  const claims = claimsOf(token)
  const [jwk] = await published()
  const stranger = await generateKeyPair('ES256', { extractable: true })
  const strange = await exportJWK(stranger.publicKey)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sign = (header: JsonBody, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims).setProtectedHeader({ typ: 'JWT', ...header } as never).sign(key)
  const service = { role: 'service_role', exp: claims['exp'] }
  const kid = jwk!['kid']
  const as_secret = new TextEncoder().encode(JSON.stringify(jwk))
  const forged = [
    `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`,
    `${part({ alg: 'none', kid })}.${part(service)}.`,
    `${token.slice(0, -4)}AAAA`,
    token.replace(/\.[^.]+\./, `.${part({ ...claims, role: 'service_role' })}.`),
    await sign({ alg: 'ES256', kid }, stranger.privateKey),
    await sign({ alg: 'ES256', kid: 'another' }, stranger.privateKey),
    await sign({ alg: 'ES256', jwk: strange }, stranger.privateKey),
    await sign(
      { alg: 'ES256', jku: 'https://evil.example/jwks.json', kid: 'x' },
      stranger.privateKey,
    ),
    await sign({ alg: 'HS256', kid }, as_secret),
    await sign({ alg: 'HS256' }, new TextEncoder().encode(jwk!['x'])),
    await sign({ alg: 'HS384' }, deriveKeys(stage.installation_key).api),
    'a.b.c',
    '..',
  ]
  const verify = tokenVerifier(stage.options)
  for (const bad of forged) {
    assertRefused(await get(bad), 403, 'bad_jwt')
    assertRefused(await stage.ask('GET /admin/users', { token: bad || 'x' }), 403, 'bad_jwt')
    assert.equal(await verify(bad), undefined)
  }
  const [row] = await stage.owner`select private_jwk from auth.signing_keys`
  assert.doesNotMatch(row!['private_jwk'].toString(), /"d"/)
})

test('the product believes only its own people’s access tokens, and only in time', async () => {
  const verify = tokenVerifier(stage.options)
  const { token, id, email } = await person(stage)
  assert.equal((await verify(token))?.sub, id)
  assert.equal(await verify(token), await verify(token))
  for (const bad of [stage.anon_key, stage.service_key, '', 'x']) {
    assert.equal(await verify(bad), undefined)
  }
  const body = { email: newEmail(), password }
  const headers = { 'X-JWT-AUD': 'partners' }
  const partner = await stage.under({ autoconfirm: true }).ask('POST /signup', { body, headers })
  assert.equal(await verify(partner.body['access_token']), undefined)
  const admin = { role: 'service_role' }
  await stage.ask(`PUT /admin/users/${id}`, { token: stage.service_key, body: admin })
  assert.equal(await verify((await signIn(stage, email)).token), undefined)
  const short = stage.under({ access_token_seconds: 60 })
  const { token: brief } = await signIn(short, (await person(stage)).email)
  assert.ok(await verify(brief))
  stage.pass(61)
  assert.equal(await verify(brief), undefined)
})

test('the signature of a token is checked once', async (t) => {
  const verify = tokenVerifier(stage.options)
  const { token } = await person(stage)
  const checks = t.mock.method(crypto.subtle, 'verify')
  for (let at = 0; at < 100; at++) assert.ok(await verify(token))
  assert.equal(checks.mock.callCount(), 1)
})

test('a new key signs, the old one verifies until its tokens have ended, everywhere', async () => {
  const { email, token: before } = await person(stage)
  const other = stage.under({})
  const verify = tokenVerifier(stage.options)
  await published(other)
  await verify(before)
  const kid = await rotateSigningKey(stage.options)
  assert.equal((await get(before)).status, 200)
  stage.pass(61)
  const { token: after } = await signIn(stage, email)
  assert.equal(headerOf(after)['kid'], kid)
  assert.notEqual(headerOf(before)['kid'], kid)
  for (const services of [stage, other]) {
    assert.equal((await get(after, services)).status, 200)
    assert.equal((await get(before, services)).status, 200)
    assert.equal((await published(services)).length, 2)
  }
  assert.ok(await verify(after))
  stage.pass(3600 + 600 + 61)
  assert.deepEqual(
    (await published()).map((key) => key['kid']),
    [kid],
  )
})

test('a process learns of a new key from its first token', async () => {
  const one = stage.under({})
  const { token: before, email } = await person(stage)
  assert.equal((await get(before, one)).status, 200)
  await rotateSigningKey(stage.options)
  const { token } = await signIn(stage.under({}), email)
  stage.pass(1)
  assert.equal((await get(token, one)).status, 200)
})

test('the operator’s own key signs, and what was signed before still holds', async () => {
  const { email, token: before } = await person(stage)
  const pair = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(pair.privateKey)), kid: 'mine', alg: 'ES256' }
  const own = stage.under({ signing_jwk: JSON.stringify(jwk) })
  const { token } = await signIn(own, email)
  assert.equal(headerOf(token)['kid'], 'mine')
  const { d: _, ...open } = jwk
  await jwtVerify(token, await importJWK(open, 'ES256'), { currentDate: stage.now() })
  assert.equal((await get(before, own)).status, 200)
  const shown = (await published(own)).find((key) => key['kid'] === 'mine')
  assert.ok(shown && !('d' in shown))
  await assert.rejects(rotateSigningKey(own.options), /AUTH_SIGNING_JWK/)
  const back = stage.under({})
  const { token: later } = await signIn(back, email)
  assert.notEqual(headerOf(later)['kid'], 'mine')
  assert.equal((await get(token, back)).status, 200)
  for (const bad of ['{', '{}', JSON.stringify({ ...jwk, d: undefined })]) {
    assert.throws(() => stage.under({ signing_jwk: bad }), /AUTH_SIGNING_JWK/)
  }
})

test('servers that start together on an empty database agree on one key', async () => {
  const fresh = await openAuthService()
  const houses = Array.from({ length: 6 }, () => fresh.under({}))
  const all = await Promise.all(houses.map((services) => published(services)))
  assert.equal(new Set(all.flat().map((key) => key['kid'])).size, 1)
  await fresh.close()
})

test('another installation’s key opens nothing, and says so', async () => {
  await person(stage)
  const keys = { installation_key: Buffer.alloc(32, 7) }
  const verify = tokenVerifier({ ...stage.options, keys })
  const { token } = await person(stage)
  await assert.rejects(verify(token), /INSTALLATION_KEY/)
})

test('however much somebody says about themselves, their token still fits a header', async () => {
  const { token } = await person(stage)
  const data = { story: 'x'.repeat(200_000) }
  const { body } = await stage.ask('PUT /user', { token, body: { data } })
  assert.equal(body['user_metadata'].story.length, 200_000)
  const again = await signIn(stage, body['email'])
  assert.ok(again.token.length < 8000)
  assert.equal((await get(again.token)).status, 200)
})
