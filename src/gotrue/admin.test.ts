import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { readDuration } from './durations.server.ts'
import {
  newEmail,
  openAuthService,
  openedAuthService,
  person,
  assertRefused,
  signIn,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService()

const admin = (route: string, body?: object) =>
  stage.ask(route, { token: stage.service_key, ...(body ? { body } : {}) })
const nobody = '11111111-1111-4111-8111-111111111111'
const get = (token: string) => stage.ask('GET /user', { token })

const routes = [
  'GET /admin/users',
  'POST /admin/users',
  `GET /admin/users/${nobody}`,
  `PUT /admin/users/${nobody}`,
  `DELETE /admin/users/${nobody}`,
  `GET /admin/users/${nobody}/factors`,
  `DELETE /admin/users/${nobody}/factors/${nobody}`,
  'POST /admin/generate_link',
  'POST /invite',
]

test('only the role of the bearer opens an administrator’s door', async () => {
  const { token, id } = await person(stage)
  await admin(`PUT /admin/users/${id}`, { app_metadata: { role: 'service_role' } })
  const again = await signIn(stage, (await get(token)).body['email'])
  for (const route of routes) {
    assertRefused(await stage.ask(route), 401, 'no_authorization')
    const key_alone = { headers: { apikey: stage.service_key } }
    assertRefused(await stage.ask(route, key_alone), 401, 'no_authorization')
    assertRefused(await stage.ask(route, { token: 'garbage' }), 403, 'bad_jwt')
    assertRefused(
      await stage.ask(route, { token: stage.anon_key }),
      403,
      'not_admin',
      'User not allowed',
    )
    assertRefused(await stage.ask(route, { token, ...key_alone }), 403, 'not_admin')
    assertRefused(await stage.ask(route, { token: again.token }), 403, 'not_admin')
  }
})

test('a token of a person with the role works while its session lives', async () => {
  const { email, id } = await person(stage)
  await admin(`PUT /admin/users/${id}`, { role: 'service_role' })
  const { token } = await signIn(stage, email)
  assert.equal((await stage.ask('GET /admin/users', { token })).status, 200)
  await stage.ask('POST /logout', { token })
  assertRefused(await stage.ask('GET /admin/users', { token }), 403, 'session_not_found')
})

test('an account is made as told', async () => {
  const email = newEmail()
  const id = '22222222-2222-4222-8222-222222222222'
  const { status, body } = await admin('POST /admin/users', {
    email: email.toUpperCase(),
    id,
    password,
    email_confirm: true,
    user_metadata: { full_name: 'Ana' },
    app_metadata: { plan: 'gold' },
  })
  assert.equal(status, 200)
  assert.deepEqual([body['id'], body['email'], body['role']], [id, email, 'authenticated'])
  assert.ok(body['email_confirmed_at'] && body['confirmed_at'])
  const app = { provider: 'email', providers: ['email'], plan: 'gold' }
  assert.deepEqual(body['app_metadata'], app)
  assert.deepEqual(body['user_metadata'], { full_name: 'Ana', email_verified: true })
  assert.equal(body['identities'][0].email, email)
  await signIn(stage, email)
  assert.equal((await stage.mails()).length, 0)
})

test('accounts without password or confirmation wait', async () => {
  const email = newEmail()
  const { body } = await admin('POST /admin/users', { email })
  assert.ok(!body['email_confirmed_at'])
  const phone = await admin('POST /admin/users', { phone: '+49 170 123', phone_confirm: true })
  assert.deepEqual([phone.body['phone'], phone.body['email']], ['49170123', ''])
  assert.ok(phone.body['phone_confirmed_at'] && phone.body['confirmed_at'])
  assert.equal(phone.body['app_metadata'].provider, 'phone')
})

test('what cannot be made is refused', async () => {
  const { email, id } = await person(stage)
  const make = (body: object) => admin('POST /admin/users', body)
  for (const body of [
    {},
    { email: 'x' },
    { email: newEmail(), password, password_hash: '$2a$10$' },
    { email: newEmail(), password_hash: 'md5:123' },
    {
      email: newEmail(),
      password_hash: '$argon2id$v=19$m=99999999,t=99,p=1$c2FsdHNhbHQ$aGFzaGhhc2g',
    },
    { email: newEmail(), password: 'x'.repeat(73) },
    { email: newEmail(), id: 'x' },
    { email: newEmail(), id: '00000000-0000-0000-0000-000000000000' },
    { email: newEmail(), ban_duration: 'for ever' },
    { email: newEmail(), id },
  ]) {
    assertRefused(await make(body), 400, 'validation_failed')
  }
  assertRefused(await make({ email: newEmail(), email_confirm: 'yes' }), 400, 'bad_json')
  assertRefused(await make({ email: email.toUpperCase() }), 422, 'email_exists')
  await make({ phone: '49170999' })
  assertRefused(await make({ phone: '+49170999' }), 422, 'phone_exists')
})

test('durations are Go’s', () => {
  const of = {
    '1h30m': 5400,
    '0': 0,
    '1.5h': 5400,
    '100ms': 0.1,
    '-1s': -1,
    '24h': 86_400,
    '.5m': 30,
  }
  for (const [text, seconds] of Object.entries(of)) assert.equal(readDuration(text), seconds)
  for (const text of ['', '1', '1 h', '1d', 'h', 'none', '1e3s', '99999999999h', '1h-1m']) {
    assert.equal(readDuration(text), undefined, text)
  }
})

test('the list goes by pages, newest first, and says where the next and the last are', async () => {
  const fresh = await openAuthService()
  for (let at = 1; at <= 5; at++) {
    const body = { email: `p${at}@example.com`, user_metadata: { full_name: `Person Ñ${at}` } }
    await fresh.ask('POST /admin/users', { token: fresh.service_key, body })
  }
  const list = (query = '') => fresh.ask(`GET /admin/users${query}`, { token: fresh.service_key })
  const all = await list('?page=&per_page=')
  assert.equal(all.body['aud'], 'authenticated')
  assert.equal(all.body['users'].length, 5)
  assert.equal(all.body['users'][0].email, 'p5@example.com')
  assert.equal(all.body['users'][0].identities.length, 1)
  const second = await list('?page=2&per_page=2')
  assert.deepEqual(
    second.body['users'].map(({ email }: { email: string }) => email),
    ['p3@example.com', 'p2@example.com'],
  )
  assert.equal(second.headers.get('x-total-count'), '5')
  const links =
    '</admin/users?page=3&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last"'
  assert.equal(second.headers.get('link'), links)
  const last = await list('?per_page=2&page=3')
  assert.equal(last.headers.get('link'), '</admin/users?page=3&per_page=2>; rel="last"')
  assert.equal((await list('?filter=P4@')).body['users'].length, 0)
  assert.equal((await list('?filter=p4@')).body['users'].length, 1)
  assert.equal((await list('?filter=person')).headers.get('x-total-count'), '5')
  const oldest = await list('?sort=created_at%20asc')
  assert.equal(oldest.body['users'][0].email, 'p1@example.com')
  for (const bad of [
    '?page=x',
    '?per_page=-1',
    '?page=1.5',
    '?page=0',
    '?sort=email',
    '?sort=created_at%20up',
  ]) {
    assertRefused(await list(bad), 400, 'validation_failed')
  }
  const { data } = await fresh.client(fresh.service_key).admin.listUsers({ page: 1, perPage: 2 })
  assert.deepEqual([data.users.length, 'total' in data && data.total], [2, 5])
  assert.deepEqual('nextPage' in data && [data.nextPage, data.lastPage], [2, 3])
  await fresh.close()
})

test('one account is found by its id', async () => {
  const { id, email } = await person(stage)
  assert.equal((await admin(`GET /admin/users/${id}`)).body['email'], email)
  assertRefused(await admin('GET /admin/users/x'), 404, 'validation_failed')
  assertRefused(await admin(`GET /admin/users/${nobody}`), 404, 'user_not_found')
  assertRefused(await admin(`PUT /admin/users/${nobody}`, {}), 404, 'user_not_found')
  assertRefused(await admin(`DELETE /admin/users/x`), 404, 'validation_failed')
})

test('an administrator’s changes hold at once, without a mail', async () => {
  const { id, token, email } = await person(stage)
  const { email: taken } = await person(stage)
  const change = (body: object) => admin(`PUT /admin/users/${id}`, body)
  assertRefused(await change({ email: taken }), 422, 'email_exists')
  assertRefused(await change({ password: 'password123' }), 422, 'weak_password')
  assertRefused(await change({ ban_duration: '1x' }), 400, 'validation_failed')
  assertRefused(await change({ email: 'x' }), 400, 'validation_failed')
  assert.equal((await get(token)).status, 200)
  const moved = newEmail()
  const { body } = await change({
    email: moved,
    user_metadata: { a: 1, email_verified: null },
    app_metadata: { plan: 'gold' },
  })
  assert.deepEqual([body['email'], body['identities'][0].email], [moved, moved])
  assert.deepEqual(body['user_metadata'], { a: 1 })
  assert.equal(body['app_metadata'].plan, 'gold')
  assert.equal((await get(token)).status, 200)
  await change({ password: 'another harbour at dusk' })
  assertRefused(await get(token), 403, 'session_not_found')
  await signIn(stage, moved, 'another harbour at dusk')
  assert.ok(!(await stage.mails()).some(({ to }) => to === moved || to === email))
})

test('deleting takes everything along, forgetting keeps the row alone', async () => {
  const gone = await person(stage)
  const { status, body } = await admin(`DELETE /admin/users/${gone.id}`)
  assert.deepEqual([status, body], [200, {}])
  assertRefused(await get(gone.token), 403, 'user_not_found')
  assertRefused(await admin(`GET /admin/users/${gone.id}`), 404, 'user_not_found')
  const soft = await person(stage)
  const { data: before } = await stage.client(stage.service_key).admin.getUserById(soft.id)
  assert.ok(before.user)
  const { error } = await stage.client(stage.service_key).admin.deleteUser(soft.id, true)
  assert.equal(error, null)
  const { body: left } = await admin(`GET /admin/users/${soft.id}`)
  assert.ok(left['deleted_at'] && !left['email'].includes('@'))
  assert.deepEqual([left['user_metadata'], left['app_metadata']], [{}, {}])
  assert.deepEqual(left['identities'][0].identity_data, {})
  assertRefused(await get(soft.token), 403, 'session_not_found')
  const { body: again } = await admin('POST /admin/users', { email: soft.email })
  assert.equal(again['email'], soft.email)
})

test('an administrator takes a lost second step away', async () => {
  const { id, token } = await person(stage)
  const enrolled = await stage.ask('POST /factors', { token, body: { factor_type: 'totp' } })
  const { id: factor_id, totp } = enrolled.body
  const { body: challenge } = await stage.ask(`POST /factors/${factor_id}/challenge`, { token })
  const generator = new TOTP({ secret: Secret.fromBase32(totp.secret) })
  const code = generator.generate({ timestamp: stage.now().getTime() })
  const { body: session } = await stage.ask(`POST /factors/${factor_id}/verify`, {
    token,
    body: { challenge_id: challenge['id'], code },
  })
  const { body: factors } = await admin(`GET /admin/users/${id}/factors`)
  assert.deepEqual([factors['length'], factors[0].status], [1, 'verified'])
  assertRefused(await admin(`DELETE /admin/users/${id}/factors/x`), 404, 'validation_failed')
  assertRefused(
    await admin(`DELETE /admin/users/${id}/factors/${nobody}`),
    404,
    'mfa_factor_not_found',
  )
  const { body: deleted } = await admin(`DELETE /admin/users/${id}/factors/${factor_id}`)
  assert.equal(deleted['id'], factor_id)
  assert.ok(!('factors' in (await get(session['access_token'])).body))
  const refreshed = await stage.ask('POST /token?grant_type=refresh_token', {
    body: { refresh_token: session['refresh_token'] },
  })
  assert.equal(claimsOf(refreshed.body['access_token'])['aal'], 'aal1')
})
