import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { deriveKeys } from './secrets.server.ts'
import {
  codeIn,
  linkIn,
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  statusesOf,
  suspend,
  type AuthService,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService()

const other = 'another harbour at dusk'
const put = (token: string, body: object, on: Pick<AuthService, 'ask'> = stage) =>
  on.ask('PUT /user', { token, body })
const get = (token?: string, headers = {}) =>
  stage.ask('GET /user', token === undefined ? { headers } : { token, headers })
const admin = (route: string, body?: object) =>
  stage.ask(route, { token: stage.service_key, ...(body ? { body } : {}) })

/** A token as only the installation itself could make it. */
const forge = (claims: object, key = deriveKeys(stage.installation_key).api) =>
  new SignJWT({ exp: Math.floor(Date.now() / 1000) + 600, ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(key)

test('the checks of a bearer come in the protocol’s order', async () => {
  const message = 'This endpoint requires a valid Bearer token'
  assertRefused(await get(), 401, 'no_authorization', message)
  for (const authorization of ['', 'Bearer', 'Basic abc', 'Bearer two words']) {
    assertRefused(await get(undefined, { authorization }), 401, 'no_authorization')
  }
  assertRefused(await get('garbage'), 403, 'bad_jwt')
  assertRefused(await get(stage.anon_key), 403, 'bad_jwt', 'invalid claim: missing sub claim')
  assertRefused(await get(stage.service_key), 403, 'bad_jwt', 'invalid claim: missing sub claim')
  assertRefused(await get(await forge({ sub: 'me' })), 400, 'bad_jwt')
  const nobody = '11111111-1111-4111-8111-111111111111'
  assertRefused(await get(await forge({ sub: nobody })), 403, 'user_not_found')
  const { id, token } = await person(stage)
  assertRefused(await get(await forge({ sub: id, session_id: 'x' })), 403, 'bad_jwt')
  assertRefused(await get(await forge({ sub: id, session_id: nobody })), 403, 'session_not_found')
  const nil = '00000000-0000-0000-0000-000000000000'
  assert.equal(
    (await get(await forge({ sub: id, aud: 'authenticated', session_id: nil }))).status,
    200,
  )
  const stranger = await person(stage)
  const { session_id } = claimsOf(stranger.token)
  assertRefused(await get(await forge({ sub: id, session_id })), 403, 'session_not_found')
  assert.equal((await get(undefined, { authorization: `bEaReR ${token}` })).status, 200)
  stage.pass(3601)
  const expired = await get(token)
  assertRefused(expired, 403, 'bad_jwt')
  assert.match(
    expired.body['msg'],
    /^invalid JWT: unable to parse or verify signature, .*token is expired$/,
  )
})

test('a ban or suspension acts at once on tokens that were issued', async () => {
  const { id, token } = await person(stage)
  await admin(`PUT /admin/users/${id}`, { ban_duration: '1h30m' })
  assertRefused(await get(token), 403, 'user_banned')
  await admin(`PUT /admin/users/${id}`, { ban_duration: 'none' })
  assert.equal((await get(token)).status, 200)
  await suspend(stage, id)
  assert.equal((await get(token)).status, 403)
})

test('a user is shown as the protocol has it, for the audience that was asked for', async () => {
  const { email, id, token } = await person(stage)
  const { body } = await get(token)
  assert.deepEqual([body['id'], body['email'], body['phone']], [id, email, ''])
  assert.equal(body['confirmed_at'], body['email_confirmed_at'])
  assert.match(body['created_at'], /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
  assert.doesNotMatch(JSON.stringify(body), /hash|secret|password|placement/)
  assertRefused(await get(token, { 'X-JWT-AUD': 'elsewhere' }), 400, 'validation_failed')
  assert.equal((await get(token, { 'X-JWT-AUD': 'authenticated' })).status, 200)
})

test('data merges at the top, and what is not the user’s to say is ignored', async () => {
  const { id, token } = await person(stage)
  await put(token, { data: { a: 1, b: { c: 2 }, d: 3 } })
  const { body } = await put(token, {
    data: { a: null, b: { e: 4 } },
    role: 'service_role',
    aud: 'x',
    ban_duration: '1h',
    email_confirm: true,
    user_metadata: { f: 1 },
    password: null,
  })
  assert.deepEqual(body['user_metadata'], { email_verified: true, b: { e: 4 }, d: 3 })
  assert.deepEqual([body['id'], body['role'], body['aud']], [id, 'authenticated', 'authenticated'])
  assertRefused(await put(token, { app_metadata: { admin: true } }), 403, 'not_admin')
  assertRefused(await put(token, { app_metadata: {}, email: 'x' }), 400, 'validation_failed')
})

test('a change of password asks the current one, in this order of refusals', async () => {
  const { email, token } = await person(stage)
  assertRefused(await put(token, { email: 'x', password: 'a' }), 400, 'validation_failed')
  assertRefused(await put(token, { password: 'x'.repeat(73) }), 400, 'validation_failed')
  assertRefused(await put(token, { password: '' }), 422, 'weak_password')
  assertRefused(
    await put(token, { password: 'password123', app_metadata: {} }),
    422,
    'weak_password',
  )
  assertRefused(await put(token, { password: other }), 400, 'current_password_required')
  const empty = { password: other, current_password: '' }
  assertRefused(await put(token, empty), 400, 'current_password_required')
  const wrong = { password: other, current_password: 'wrong' }
  assertRefused(await put(token, wrong), 400, 'current_password_invalid')
  const same = { password, current_password: password }
  assertRefused(await put(token, same), 422, 'same_password')
  assert.equal((await put(token, { password: other, current_password: password })).status, 200)
  await signIn(stage, email, other)
  const relaxed = stage.under({ require_current_password: false })
  assert.equal((await put(token, { password }, relaxed)).status, 200)
})

test('a change of password ends every other session and voids every link', async () => {
  const { email, token, refresh_token } = await person(stage)
  const elsewhere = await signIn(stage, email)
  await stage.ask('POST /recover', { body: { email } })
  const link = linkIn((await stage.mails())[0]!)
  assert.equal((await put(token, { password: other, current_password: password })).status, 200)
  assertRefused(await get(elsewhere.token), 403, 'session_not_found')
  const { refresh_token: gone } = elsewhere
  const refreshed = (token: string) =>
    stage.ask('POST /token?grant_type=refresh_token', { body: { refresh_token: token } })
  assertRefused(await refreshed(gone), 400, 'refresh_token_not_found')
  const followed = { type: 'recovery', token_hash: link.token }
  assertRefused(await stage.ask('POST /verify', { body: followed }), 403, 'otp_expired')
  assert.equal((await get(token)).status, 200)
  assert.equal((await refreshed(refresh_token)).status, 200)
})

test('of two changes of password at once only one is made', async () => {
  const { token } = await person(stage)
  const change = (word: string) => put(token, { password: word, current_password: password })
  const both = await Promise.all([change(other), change('a third harbour at noon')])
  const [made, refusal] = statusesOf(both)
  assert.equal(made, 200)
  assert.ok(refusal === 409 || refusal === 400)
})

test('old sessions need a mailed code first, where the operator wants that', async () => {
  const careful = stage.under({
    require_reauthentication: true,
    require_current_password: false,
    access_token_seconds: 200_000,
  })
  const email = newEmail()
  await admin('POST /admin/users', { email, password, email_confirm: true })
  const { token } = await signIn(careful, email)
  assert.equal((await put(token, { password: other }, careful)).status, 200)
  stage.pass(86_401)
  assertRefused(await put(token, { password }, careful), 400, 'reauthentication_needed')
  const response = await careful.ask('GET /reauthenticate', { token })
  assert.deepEqual([response.status, response.body], [200, {}])
  const [mail] = await stage.mails()
  assert.doesNotMatch(mail!.text, /auth\/verify/)
  const nonce = codeIn(mail!)
  const wrong = nonce === '000000' ? '000001' : '000000'
  assertRefused(
    await put(token, { password, nonce: wrong }, careful),
    422,
    'reauthentication_not_valid',
  )
  assert.equal((await put(token, { password, nonce }, careful)).status, 200)
  const again = { password: other, nonce }
  assertRefused(await put(token, again, careful), 422, 'reauthentication_not_valid')
})

test('a code to reauthenticate is for confirmed people, once a minute', async () => {
  const slow = stage.under({ mail_every_seconds: 60 })
  const email = newEmail()
  await stage.ask('POST /signup', { body: { email, password } })
  const { token } = await signIn(stage, email)
  assertRefused(await slow.ask('GET /reauthenticate', { token }), 422, 'email_not_confirmed')
  const confirmed = await person(stage)
  const reauthenticate = () => slow.ask('GET /reauthenticate', { token: confirmed.token })
  assert.equal((await reauthenticate()).status, 200)
  assertRefused(await reauthenticate(), 429, 'over_email_send_rate_limit')
})

test('phones cannot be changed while nobody sends text messages', async () => {
  const { token } = await person(stage)
  assertRefused(await put(token, { phone: 'abc' }), 400, 'validation_failed')
  assertRefused(await put(token, { phone: '+49 170 1234567' }), 400, 'phone_provider_disabled')
  await admin('POST /admin/users', { phone: '+49 170 7654321' })
  assertRefused(await put(token, { phone: '491707654321' }), 422, 'phone_exists')
})

test('signing out ends this, the other or all sessions, with an empty body', async () => {
  const { email } = await person(stage)
  const open = async () => (await signIn(stage, email)).token
  const out = (token: string, scope?: string) =>
    stage.ask(`POST /logout${scope === undefined ? '' : `?scope=${scope}`}`, { token })
  const lives = async (token: string) => (await get(token)).status === 200
  const [a, b, c] = [await open(), await open(), await open()]
  assertRefused(await out(a, 'galaxy'), 400, 'validation_failed')
  const local = await out(a, 'local')
  assert.deepEqual([local.status, local.body['text']], [204, ''])
  assert.deepEqual([await lives(a), await lives(b), await lives(c)], [false, true, true])
  await out(b, 'others')
  assert.deepEqual([await lives(b), await lives(c)], [true, false])
  const d = await open()
  await out(d)
  assert.deepEqual([await lives(b), await lives(d)], [false, false])
  assertRefused(await out(d), 403, 'session_not_found')
})

test('the client signs out and changes its user', async () => {
  const client = stage.client()
  const { email } = await person(stage)
  await client.signInWithPassword({ email, password })
  const { data } = await client.updateUser({ data: { full_name: 'Ana' } })
  assert.equal(data.user?.user_metadata['full_name'], 'Ana')
  assert.equal((await client.signOut()).error, null)
  assert.equal((await client.getSession()).data.session, null)
})
