import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP, URI } from 'otpauth'
import {
  linkIn,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  statusesOf,
  type AuthService,
  type JsonBody,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'
import { makePasskey } from '../../test/passkey.ts'

const stage = openedAuthService({ client_address: (c) => c.req.header('x-address') ?? '192.0.2.1' })

const enroll = (
  token: string,
  body: object = { factor_type: 'totp' },
  on: Pick<AuthService, 'ask'> = stage,
) => on.ask('POST /factors', { token, body })
const challenge = (
  token: string,
  factor_id: string,
  body?: object,
  on: Pick<AuthService, 'ask'> = stage,
) => on.ask(`POST /factors/${factor_id}/challenge`, { token, ...(body ? { body } : {}) })
const verify = (token: string, factor_id: string, body: object) =>
  stage.ask(`POST /factors/${factor_id}/verify`, { token, body })
const unenroll = (token: string, factor_id: string) =>
  stage.ask(`DELETE /factors/${factor_id}`, { token })
const get = (token: string) => stage.ask('GET /user', { token })
const refresh = async (refresh_token: string) =>
  (await stage.ask('POST /token?grant_type=refresh_token', { body: { refresh_token } })).body

const totp = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: stage.now().getTime() + steps * 30_000,
  })
const nobody = '11111111-1111-4111-8111-111111111111'

async function prove(token: string, factor: JsonBody, code: string) {
  const { body } = await challenge(token, factor['id'])
  return verify(token, factor['id'], { challenge_id: body['id'], code })
}

/** Somebody with a verified authenticator app, at aal2. */
async function twoStep() {
  const who = await person(stage)
  const { body: factor } = await enroll(who.token)
  const secret = factor['totp'].secret as string
  const { status, body } = await prove(who.token, factor, totp(secret))
  assert.equal(status, 200, body['msg'])
  // The step that was just used is over.
  stage.pass(90)
  return { ...who, factor, secret, token: body['access_token'] as string, session: body }
}

test('an authenticator app is enrolled with all it needs', async () => {
  const { token, email } = await person(stage)
  const { status, body } = await enroll(token, { factor_type: 'totp', friendly_name: 'my phone' })
  assert.equal(status, 200)
  assert.deepEqual([body['type'], body['friendly_name']], ['totp', 'my phone'])
  assert.match(body['totp'].qr_code, /^<svg[^#]*<\/svg>$/s)
  assert.match(body['totp'].secret, /^[A-Z2-7]{32}$/)
  const { secret } = body['totp']
  const host = 'localhost%3A3000'
  assert.equal(
    body['totp'].uri,
    `otpauth://totp/${host}:${email}?algorithm=SHA1&digits=6&issuer=${host}&period=30&secret=${secret}`,
  )
  assert.ok(URI.parse(body['totp'].uri) instanceof TOTP)
  const { body: user } = await get(token)
  const [factor] = user['factors']
  assert.deepEqual(
    [factor.status, factor.factor_type, factor.friendly_name],
    ['unverified', 'totp', 'my phone'],
  )
  assert.deepEqual([factor.phone, factor.last_challenged_at], ['', null])
  assert.ok(!('secret' in factor))
  const named = await enroll(token, { factor_type: 'totp', friendly_name: 'b', issuer: 'A & B' })
  assert.match(named.body['totp'].uri, /issuer=A%20%26%20B&/)
})

test('enrolling is refused in the protocol’s order', async () => {
  assertRefused(await stage.ask('POST /factors', { body: {} }), 401, 'no_authorization')
  const { token } = await person(stage)
  assertRefused(await enroll(token, {}), 400, 'validation_failed')
  assertRefused(await enroll(token, { factor_type: 'dna' }), 400, 'validation_failed')
  assertRefused(await enroll(token, { factor_type: 7 }), 400, 'bad_json')
  const phone = { factor_type: 'phone', phone: '+491701' }
  assertRefused(await enroll(token, phone), 422, 'mfa_phone_enroll_not_enabled')
  const texting = stage.under({ mfa_phone: true })
  const { token: other } = await person(stage)
  assert.equal((await enroll(other, phone, texting)).body['phone'], '+491701')
  assert.equal((await get(other)).body['factors'][0].phone, '491701')
  assert.equal((await enroll(token)).status, 200)
  assertRefused(await enroll(token), 422, 'mfa_factor_name_conflict')
  stage.pass(301)
  await stage.ask('POST /confirmation', { token, body: { password } })
  assert.equal((await enroll(token)).status, 200)
  for (let at = 1; at < 10; at++) {
    await enroll(token, { factor_type: 'totp', friendly_name: `${at}` })
  }
  const eleventh = { factor_type: 'totp', friendly_name: 'eleventh' }
  assertRefused(await enroll(token, eleventh), 422, 'too_many_enrolled_mfa_factors')
})

test('a proven factor lifts the session, and ends what is below', async () => {
  const { email, token, refresh_token } = await person(stage)
  const elsewhere = await signIn(stage, email)
  const { body: factor } = await enroll(token)
  const { body: second } = await enroll(token, { factor_type: 'totp', friendly_name: 'second' })
  const issued = await challenge(token, factor['id'])
  assert.equal(issued.body['type'], 'totp')
  assert.ok(Math.abs(issued.body['expires_at'] - stage.now().getTime() / 1000 - 300) < 5)
  const code = totp(factor['totp'].secret)
  const { status, body } = await verify(token, factor['id'], {
    challenge_id: issued.body['id'],
    code,
  })
  assert.equal(status, 200)
  const claims = claimsOf(body['access_token'])
  assert.equal(claims['aal'], 'aal2')
  assert.deepEqual(claims['amr'].map(({ method }) => method).toSorted(), ['password', 'totp'])
  assert.equal(claims['amr'][0].method, 'totp')
  assert.deepEqual(
    body['user'].factors.map(({ id, status }: JsonBody) => [id, status]),
    [[factor['id'], 'verified']],
  )
  assert.ok(second['id'])
  assertRefused(await get(elsewhere.token), 403, 'session_not_found')
  const { access_token } = await refresh(body['refresh_token'])
  assert.equal(claimsOf(access_token)['aal'], 'aal2')
  const old = { body: { refresh_token } }
  const racing = await stage.ask('POST /token?grant_type=refresh_token', old)
  assertRefused(racing, 400, 'refresh_token_already_used')
  assert.equal((await get(access_token)).status, 200)
  stage.pass(11)
  const stolen = await stage.ask('POST /token?grant_type=refresh_token', old)
  assertRefused(stolen, 400, 'refresh_token_already_used')
})

test('a code is good for one use, one step to either side, and six digits', async () => {
  const { token, factor, secret } = await twoStep()
  stage.pass(30 - ((stage.now().getTime() / 1000) % 30)) // a step of its own, or it ends in between
  for (const steps of [-1, 0, 1]) {
    const code = totp(secret, steps)
    assert.equal((await prove(token, factor, code)).status, 200)
    assertRefused(await prove(token, factor, code), 422, 'mfa_verification_failed')
  }
  for (const code of [totp(secret, 3), totp(secret, -3), '12345', '1234567', 'abcdef']) {
    assertRefused(await prove(token, factor, code), 422, 'mfa_verification_failed')
  }
})

test('a challenge is for its factor, its address, five minutes and one use', async () => {
  const { token, factor, secret } = await twoStep()
  const id = factor['id'] as string
  const stranger = await person(stage)
  for (const act of [challenge(stranger.token, id), unenroll(stranger.token, id)]) {
    assertRefused(await act, 404, 'mfa_factor_not_found')
  }
  assertRefused(await challenge(token, nobody), 404, 'mfa_factor_not_found')
  for (const route of [
    'POST /factors/x/challenge',
    'POST /factors/x/verify',
    'DELETE /factors/x',
  ]) {
    assertRefused(await stage.ask(route, { token, body: {} }), 404, 'validation_failed')
  }
  const { body: issued } = await challenge(token, id, { factorId: id, channel: null })
  const challenge_id = issued['id'] as string
  assertRefused(await verify(token, id, { challenge_id }), 400, 'validation_failed')
  assertRefused(await verify(token, id, { challenge_id, code: '' }), 400, 'validation_failed')
  assertRefused(await verify(token, id, { challenge_id: 'x', code: '123456' }), 400, 'bad_json')
  const code = totp(secret)
  assertRefused(
    await verify(token, id, { challenge_id: nobody, code }),
    422,
    'mfa_factor_not_found',
  )
  assertRefused(await verify(token, id, { code }), 422, 'mfa_factor_not_found')
  const elsewhere = await stage.ask(`POST /factors/${id}/verify`, {
    token,
    body: { challenge_id, code },
    headers: { 'x-address': '203.0.113.9' },
  })
  assertRefused(elsewhere, 422, 'mfa_ip_address_mismatch')
  const wrong = await verify(token, id, { challenge_id, code: totp(secret, 5) })
  assertRefused(wrong, 422, 'mfa_verification_failed')
  assert.equal((await verify(token, id, { challenge_id, code })).status, 200)
  assertRefused(await verify(token, id, { challenge_id, code }), 422, 'mfa_ip_address_mismatch')
  const { body: late } = await challenge(token, id)
  stage.pass(301)
  const expired = await verify(token, id, { challenge_id: late['id'], code: totp(secret) })
  assertRefused(expired, 422, 'mfa_challenge_expired')
})

test('of many who use one challenge at once one is lifted', async () => {
  const { token, factor, secret } = await twoStep()
  const { body } = await challenge(token, factor['id'])
  const proof = { challenge_id: body['id'], code: totp(secret) }
  const all = await Promise.all(Array.from({ length: 5 }, () => verify(token, factor['id'], proof)))
  assert.deepEqual(statusesOf(all), [200, 422, 422, 422, 422])
})

test('wrong codes void the challenge, and slow the factor down', async () => {
  const { token, factor, secret } = await twoStep()
  const id = factor['id'] as string
  const { body } = await challenge(token, id)
  for (let at = 0; at < 5; at++) {
    const wrong = await verify(token, id, { challenge_id: body['id'], code: totp(secret, 9) })
    assertRefused(wrong, 422, 'mfa_verification_failed')
  }
  const right = { challenge_id: body['id'], code: totp(secret) }
  assertRefused(await verify(token, id, right), 422, 'mfa_challenge_expired')
  for (let at = 0; at < 5; at++) await prove(token, factor, totp(secret, 9))
  assertRefused(await prove(token, factor, totp(secret)), 429, 'over_request_rate_limit')
  stage.pass(91)
  assert.equal((await prove(token, factor, totp(secret))).status, 200)
})

test('one step alone changes nothing that matters', async () => {
  const { email, factor } = await twoStep()
  const { token } = await signIn(stage, email)
  assert.equal(claimsOf(token)['aal'], 'aal1')
  const put = (token: string, body: object) => stage.ask('PUT /user', { token, body })
  const word = { password: 'another harbour at dusk', current_password: password }
  assertRefused(await put(token, word), 401, 'insufficient_aal')
  assertRefused(await put(token, { email: 'new@example.com' }), 401, 'insufficient_aal')
  assert.equal((await put(token, { data: { a: 1 } })).status, 200)
  const more = { factor_type: 'totp', friendly_name: 'more' }
  assertRefused(await enroll(token, more), 403, 'insufficient_aal')
  assertRefused(await unenroll(token, factor['id']), 422, 'insufficient_aal')
  await stage.ask('POST /recover', { body: { email } })
  const link = linkIn((await stage.mails())[0]!)
  const followed = { type: 'recovery', token_hash: link.token }
  const { body } = await stage.ask('POST /verify', { body: followed })
  assert.equal(claimsOf(body['access_token'])['aal'], 'aal1')
  assertRefused(await put(body['access_token'], word), 401, 'insufficient_aal')
})

test('a factor begun before the owner had one does not lift whoever knows the password', async () => {
  const { email, token } = await person(stage)
  const { token: stranger } = await signIn(stage, email)
  const begun = { factor_type: 'webauthn', friendly_name: 'mine' }
  const { body: passkey } = await enroll(stranger, begun)
  const { body: factor } = await enroll(token)
  assert.equal((await prove(token, factor, totp(factor['totp'].secret))).status, 200)
  const { token: again } = await signIn(stage, email)
  const { body: issued } = await challenge(again, passkey['id'])
  const options = issued['webauthn'].credential_options.publicKey
  const credential_response = makePasskey('http://localhost:3000', 'localhost').create(options)
  const webauthn = { type: 'create', credential_response }
  const proof = { challenge_id: issued['id'], webauthn }
  assertRefused(await verify(again, passkey['id'], proof), 403, 'insufficient_aal')
})

test('giving a factor up lowers the sessions it had lifted', async () => {
  const { token, factor, session, email } = await twoStep()
  const [user] = await stage.owner`select two_step from auth.users where email = ${email}`
  assert.equal(user?.['two_step'], true)
  const { status, body } = await unenroll(token, factor['id'])
  assert.deepEqual([status, body], [200, { id: factor['id'] }])
  assert.ok(!('factors' in (await get(token)).body))
  const { access_token } = await refresh(session['refresh_token'])
  const claims = claimsOf(access_token)
  assert.equal(claims['aal'], 'aal1')
  assert.deepEqual(
    claims['amr'].map(({ method }: JsonBody) => method),
    ['password'],
  )
  const [after] = await stage.owner`select two_step from auth.users where email = ${email}`
  assert.equal(after?.['two_step'], false)
  const { body: unverified } = await enroll(token)
  assert.equal((await unenroll(token, unverified['id'])).status, 200)
})

test('the client enrolls, verifies and knows its levels', async () => {
  const client = stage.client()
  const { email } = await person(stage)
  await client.signInWithPassword({ email, password })
  const { data: enrolled } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'app' })
  const { id, totp: made } = enrolled as { id: string; totp: JsonBody }
  assert.match(made['qr_code'], /^data:image\/svg\+xml;utf-8,<svg/)
  const code = totp(made['secret'])
  const { error } = await client.mfa.challengeAndVerify({ factorId: id, code })
  assert.equal(error, null)
  const { data: levels } = await client.mfa.getAuthenticatorAssuranceLevel()
  assert.deepEqual([levels?.currentLevel, levels?.nextLevel], ['aal2', 'aal2'])
  assert.equal((await client.mfa.listFactors()).data?.totp.length, 1)
  assert.equal((await client.mfa.unenroll({ factorId: id })).error, null)
})
