import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { isOutdated, hashOfNobody } from './passwords.server.ts'
import { completeSettings } from './settings.server.ts'
import {
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  auth_site,
  suspend,
  type AuthService,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService()

const token = (body: object, on: Pick<AuthService, 'ask'> = stage) =>
  on.ask('POST /token?grant_type=password', { body })

test('a session holds all its client needs, and its token all the protocol promises', async () => {
  const { email, id } = await person(stage)
  const { body } = await token({ email: email.toUpperCase(), password })
  const user = body['user']
  assert.deepEqual([body['token_type'], body['expires_in']], ['bearer', 3600])
  assert.ok(Number.isInteger(body['expires_at']) && body['refresh_token'])
  assert.ok(user.last_sign_in_at && user.email_confirmed_at && !('factors' in user))
  const { iat, exp, amr, session_id, ...claims } = claimsOf(body['access_token'])
  assert.deepEqual(claims, {
    sub: id,
    aud: 'authenticated',
    iss: 'http://localhost:3000/auth/v1',
    email,
    phone: '',
    role: 'authenticated',
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    aal: 'aal1',
    is_anonymous: false,
  })
  assert.equal(exp, body['expires_at'])
  assert.equal(exp - iat, 3600)
  assert.match(session_id, /^[0-9a-f-]{36}$/)
  assert.equal(amr.length, 1)
  assert.equal(amr[0].method, 'password')
  assert.ok(Number.isInteger(amr[0].timestamp))
  const header = JSON.parse(Buffer.from(body['access_token'].split('.')[0], 'base64url').toString())
  assert.deepEqual([header.alg, header.typ, typeof header.kid], ['ES256', 'JWT', 'string'])
  assert.doesNotMatch(JSON.stringify([user, Object.keys(body)]), /password|hash|argon/i)
})

test('refusals don’t tell whether an address is known', async () => {
  const { email } = await person(stage)
  const made = newEmail()
  await stage.ask('POST /admin/users', { token: stage.service_key, body: { email: made } })
  const wrong = await token({ email, password: 'wrong' })
  assertRefused(wrong, 400, 'invalid_credentials', 'Invalid login credentials')
  for (const body of [
    { email: newEmail(), password: 'wrong' },
    { email: made, password: '' },
    { email: made },
    { email: 'not an address', password },
  ]) {
    assert.deepEqual((await token(body)).body, wrong.body)
  }
})

test('an unknown account takes as long as a wrong password', async () => {
  const auth = { settings: completeSettings({ site_url: auth_site }) }
  assert.equal(isOutdated(auth, hashOfNobody(auth)), false)
  const { email } = await person(stage)
  // Of the processor, and the least of nine: a clock would tell how busy the machine is as well. Without a hash it would
  // be a thirtieth.
  const least = async (address: string) => {
    const costs: number[] = []
    for (let at = 0; at < 9; at++) {
      const began = process.cpuUsage()
      await token({ email: address, password: 'wrong' })
      const { user, system } = process.cpuUsage(began)
      costs.push((user + system) / 1000)
    }
    return Math.min(...costs)
  }
  const [known, unknown] = [await least(email), await least(newEmail())]
  assert.ok(unknown > known / 3 && known > unknown / 3, `${known} ms, ${unknown} ms`)
})

test('one identifier, no phones, no other grants', async () => {
  const email = newEmail()
  assertRefused(await token({ password }), 400, 'validation_failed')
  assertRefused(await token({ email, phone: '1', password }), 400, 'validation_failed')
  assertRefused(await token({ phone: '+491701', password }), 422, 'phone_provider_disabled')
  for (const grant of ['', '?grant_type=id_token', '?grant_type=', '?grant_type=constructor']) {
    const answer = await stage.ask(`POST /token${grant}`, { body: {} })
    assertRefused(answer, 400, 'invalid_credentials', 'unsupported_grant_type')
  }
})

test('banned and suspended people are told so once the password matched', async () => {
  const ban = (id: string, ban_duration: string) =>
    stage.ask(`PUT /admin/users/${id}`, { token: stage.service_key, body: { ban_duration } })
  const { email, id } = await person(stage)
  await ban(id, '1h')
  assertRefused(await token({ email, password }), 400, 'user_banned', 'User is banned')
  assertRefused(await token({ email, password: 'wrong' }), 400, 'invalid_credentials')
  stage.pass(3601)
  await signIn(stage, email)
  await suspend(stage, id)
  assertRefused(await token({ email, password }), 400, 'user_banned')
})

test('unconfirmed people may sign in, unless the operator says no', async () => {
  const email = newEmail()
  await stage.ask('POST /signup', { body: { email, password } })
  await signIn(stage, email)
  const strict = stage.under({ allow_unverified_sign_in: false })
  assertRefused(
    await token({ email, password }, strict),
    400,
    'email_not_confirmed',
    'Email not confirmed',
  )
  assertRefused(await token({ email, password: 'wrong' }, strict), 400, 'invalid_credentials')
})

test('a password of before a rule still signs in, and is told to be weak', async () => {
  const email = newEmail()
  const made = { email, password: 'secret1', email_confirm: true }
  await stage.ask('POST /admin/users', { token: stage.service_key, body: made })
  const { body } = await token({ email, password: 'secret1' })
  assert.deepEqual(body['weak_password'].reasons, ['length'])
  assert.ok(body['weak_password'].message && body['access_token'])
  const { email: strong } = await person(stage)
  assert.ok(!('weak_password' in (await token({ email: strong, password })).body))
})

test('hashes made elsewhere work, and become our own', async () => {
  const kept = await hash(password, { memoryCost: 8192, timeCost: 1 })
  const { hash: hashBcrypt } = await import('@node-rs/bcrypt')
  for (const password_hash of [kept, await hashBcrypt(password, 4)]) {
    const email = newEmail()
    const body = { email, password_hash, email_confirm: true }
    const made = await stage.ask('POST /admin/users', { token: stage.service_key, body })
    assert.equal(made.status, 200, made.body['msg'])
    assertRefused(await token({ email, password: 'wrong' }), 400, 'invalid_credentials')
    await signIn(stage, email)
    const [row] = await stage.owner`select password_hash from auth.users where email = ${email}`
    assert.match(row!['password_hash'], /^\$argon2id\$v=19\$m=19456,t=3,p=1\$/)
    await signIn(stage, email)
  }
})

test('guessing at one account is slowed, known or not, and its owner gets in again', async () => {
  const { email } = await person(stage)
  for (const address of [email, newEmail()]) {
    const all = await Promise.all(
      Array.from({ length: 55 }, () => token({ email: address, password: 'wrong' })),
    )
    const codes = all.map(({ body }) => body['error_code'])
    assert.equal(codes.filter((code) => code === 'invalid_credentials').length, 50)
    assert.equal(codes.filter((code) => code === 'over_request_rate_limit').length, 5)
  }
  assertRefused(await token({ email, password }), 429, 'over_request_rate_limit')
  stage.pass(91)
  await signIn(stage, email)
  for (let at = 0; at < 3; at++) await signIn(stage, email)
})

test('whoever guesses elsewhere does not keep the owner out', async () => {
  const named = stage.under({ client_address: (c) => c.req.header('x-address') })
  const { email } = await person(stage)
  const from = (address: string, word: string) =>
    named.ask('POST /token?grant_type=password', {
      body: { email, password: word },
      headers: { 'x-address': address },
    })
  assert.equal((await from('192.0.2.1', password)).status, 200)
  // From an address each: what is limited here is the account, whoever guesses at it.
  const guesses = Array.from({ length: 51 }, (_, at) => from(`203.0.113.${at}`, 'wrong'))
  await Promise.all(guesses)
  assertRefused(await from('203.0.113.200', password), 429, 'over_request_rate_limit')
  assert.equal((await from('192.0.2.1', password)).status, 200)
})

test('a sign-in that overlaps a change of password leaves no session of the old one', async () => {
  const { email, id } = await person(stage)
  const [signed_in] = await Promise.all([
    token({ email, password }),
    stage.ask(`PUT /admin/users/${id}`, {
      token: stage.service_key,
      body: { password: 'another harbour at dusk' },
    }),
  ])
  if (signed_in.status !== 200) assertRefused(signed_in, 400, 'invalid_credentials')
  else {
    const { status } = await stage.ask('GET /user', { token: signed_in.body['access_token'] })
    assert.equal(status, 403)
  }
})

test('other sessions stay, and the client is signed in', async () => {
  const { email, token: first } = await person(stage)
  const client = stage.client()
  const { data, error } = await client.signInWithPassword({ email, password })
  assert.equal(error, null)
  assert.equal(data.user?.email, email)
  assert.equal((await client.getUser()).data.user?.email, email)
  assert.equal((await client.getClaims()).data?.claims.email, email)
  assert.equal((await stage.ask('GET /user', { token: first })).status, 200)
})
