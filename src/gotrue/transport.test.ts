import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newEmail,
  openAuthService,
  openedAuthService,
  person,
  assertRefused,
  auth_site,
} from '../../test/auth-service.ts'
import { password } from '../../test/world/people.ts'

const stage = openedAuthService({ cors_origins: ['https://app.example.com'] })

test('errors have the older format, and the newer one for whoever names its version', async () => {
  const body = { email: newEmail(), password }
  const ask = (version?: string) =>
    stage.ask('POST /token?grant_type=password', {
      body,
      headers: version ? { 'X-Supabase-Api-Version': version } : {},
    })
  for (const version of [undefined, '2023-12-31', 'tomorrow', '2024-02-31', '2024-1-1']) {
    const old = await ask(version)
    assert.deepEqual(old.body, {
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
    })
    assert.equal(old.headers.get('x-supabase-api-version'), null)
    assert.equal(old.headers.get('x-sb-error-code'), 'invalid_credentials')
  }
  for (const version of ['2024-01-01', '2026-11-21']) {
    const fresh = await ask(version)
    assert.deepEqual(fresh.body, {
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    assert.equal(fresh.headers.get('x-supabase-api-version'), '2024-01-01')
    assert.equal(fresh.headers.get('x-sb-error-code'), 'invalid_credentials')
  }
})

test('weak passwords say why in both formats', async () => {
  const body = { email: newEmail(), password: 'short' }
  const old = await stage.ask('POST /signup', { body })
  assertRefused(old, 422, 'weak_password', 'Password should be at least 8 characters.')
  assert.deepEqual(old.body['weak_password'], { reasons: ['length'] })
  const headers = { 'X-Supabase-Api-Version': '2024-01-01' }
  const fresh = await stage.ask('POST /signup', {
    body: { ...body, password: 'password123' },
    headers,
  })
  assert.equal(fresh.body['code'], 'weak_password')
  assert.deepEqual(fresh.body['weak_password'], { reasons: ['pwned'] })
})

test('a body that is no object, malformed, empty or of wrong types is bad JSON', async () => {
  for (const raw of [
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '7',
    '{"email":{"$ne":null},"password":"x"}',
  ]) {
    assertRefused(await stage.ask('POST /token?grant_type=password', { raw }), 400, 'bad_json')
  }
  for (const body of [
    { email: ['a@b.c'] },
    { email: 7 },
    { email: true },
    { email: newEmail(), data: [] },
    { email: newEmail(), data: 'x' },
  ]) {
    assertRefused(await stage.ask('POST /signup', { body }), 400, 'bad_json')
  }
})

test('null is absent, and unknown members are ignored', async () => {
  const body = {
    email: newEmail(),
    password,
    data: null,
    code_challenge: null,
    code_challenge_method: null,
    gotrue_meta_security: {},
    surprise: [1, { two: 3 }],
  }
  assert.equal((await stage.ask('POST /signup', { body })).status, 200)
  const nulls = { email: null, phone: null, password: null }
  assertRefused(
    await stage.ask('POST /signup', { body: nulls }),
    422,
    'anonymous_provider_disabled',
  )
})

test('text that no database can hold is refused, never a fault', async () => {
  const nasty = ['\u0000', '\ud800', 'a\u0000b']
  for (const text of nasty) {
    const sign_in = { email: text, password }
    const answer = await stage.ask('POST /token?grant_type=password', { body: sign_in })
    assert.equal(answer.status, 400)
    const data = { data: { name: text } }
    const sign_up = await stage.ask('POST /signup', {
      body: { email: newEmail(), password, ...data },
    })
    assert.ok(sign_up.status < 500, String(sign_up.status))
  }
  const deep = `{"email":"${newEmail()}","password":"${password}","data":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`
  assert.equal((await stage.ask('POST /signup', { raw: deep })).status, 400)
  const bytes = await stage.app.request('http://x/auth/v1/recover', {
    method: 'POST',
    body: new Uint8Array([0x7b, 0xff, 0x7d]),
  })
  assert.equal(bytes.status, 400)
  const odd = await stage.ask(`GET /verify?type=signup&token=%00`)
  assert.ok(odd.status < 500)
})

test('a body beyond one MiB is too large, wherever it is sent', async () => {
  const padded = (length: number) => {
    const empty = JSON.stringify({ email: 'a@example.com', pad: '' })
    return JSON.stringify({ email: 'a@example.com', pad: 'x'.repeat(length - empty.length) })
  }
  assert.equal((await stage.ask('POST /recover', { raw: padded(1_048_576) })).status, 200)
  const over = await stage.ask('POST /recover', { raw: padded(1_048_577) })
  assertRefused(over, 413, 'request_entity_too_large')
  assertRefused(
    await stage.ask('POST /logout', { raw: padded(2_000_000) }),
    413,
    'request_entity_too_large',
  )
})

test('unknown addresses are 404, wrong verbs 405', async () => {
  assert.equal((await stage.ask('GET /nowhere')).status, 404)
  assert.equal((await stage.ask('POST /')).status, 404)
  for (const route of [
    'GET /signup',
    'PATCH /user',
    'GET /token',
    'DELETE /admin/users',
    'POST /health',
  ]) {
    const answer = await stage.ask(route)
    assert.equal(answer.status, 405, route)
    assert.ok(answer.headers.get('allow'))
  }
})

test('health, settings and keys are open to all', async () => {
  const health = await stage.ask('GET /health')
  assert.equal(health.body['name'], 'GoTrue')
  assert.deepEqual(Object.keys(health.body), ['version', 'name', 'description'])
  const { body } = await stage.ask('GET /settings')
  assert.equal(body['external'].email, true)
  assert.deepEqual(
    Object.entries(body['external'])
      .filter(([, on]) => on)
      .map(([name]) => name),
    ['email'],
  )
  assert.equal(body['disable_signup'], false)
  assert.equal(body['mailer_autoconfirm'], false)
  assert.equal(body['external'].anonymous_users, false)
  const keys = await stage.ask('GET /.well-known/jwks.json')
  assert.equal(keys.headers.get('cache-control'), 'public, max-age=600')
  const [key] = keys.body['keys']
  assert.deepEqual([key.alg, key.use, key.key_ops, key.kty], ['ES256', 'sig', ['verify'], 'EC'])
  assert.ok(key.kid && !('d' in key) && !('k' in key))
})

test('settings are live', async () => {
  const { body } = await stage
    .under({ disable_signup: true, autoconfirm: true })
    .ask('GET /settings')
  assert.deepEqual([body['disable_signup'], body['mailer_autoconfirm']], [true, true])
})

test('pages of allowed origins may call, and read the version', async () => {
  const origin = 'https://app.example.com'
  const preflight = await stage.app.request('http://x/auth/v1/token', {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
  assert.equal(preflight.headers.get('access-control-allow-credentials'), 'true')
  const methods = preflight.headers.get('access-control-allow-methods')
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    assert.match(methods!, RegExp(method))
  const allowed = preflight.headers.get('access-control-allow-headers')!
  for (const name of [
    'authorization',
    'apikey',
    'x-client-info',
    'x-supabase-api-version',
    'x-jwt-aud',
  ]) {
    assert.match(allowed, RegExp(name))
  }
  const answer = await stage.ask('GET /user', { headers: { origin } })
  assert.equal(answer.headers.get('access-control-allow-origin'), origin)
  const exposed = answer.headers.get('access-control-expose-headers')
  assert.equal(exposed, 'X-Total-Count, Link, X-Supabase-Api-Version')
  const stranger = await stage.ask('GET /user', { headers: { origin: 'https://evil.example' } })
  assert.equal(stranger.headers.get('access-control-allow-origin'), null)
})

test('while the database is away an answer is a 503 to retry, never a refusal', async () => {
  const away = await openAuthService()
  const { body } = await away.ask('POST /signup', { body: { email: newEmail(), password } })
  assert.ok(body['id'])
  await away.options.sql.end()
  const answer = await away.ask('POST /token?grant_type=password', {
    body: { email: newEmail(), password },
  })
  assert.equal(answer.status, 503)
  assert.equal(answer.headers.get('retry-after'), '1')
  assert.doesNotMatch(JSON.stringify(answer.body), /postgres|CONNECTION/i)
  await away.close()
})

test('what takes too long is a 504 to retry', async () => {
  const hurried = stage.under({ request_seconds: 0.2 })
  const { email } = await person(stage)
  await stage.owner.begin(async (tx) => {
    await tx`lock table auth.buckets in access exclusive mode`
    const answer = await hurried.ask('POST /recover', { body: { email } })
    assertRefused(answer, 504, 'request_timeout')
  })
  assert.equal((await stage.ask('POST /recover', { body: { email } })).status, 200)
})

test('the client of the browser reads our codes', async () => {
  const { error } = await stage.client().signInWithPassword({ email: newEmail(), password })
  assert.deepEqual([error?.code, error?.status], ['invalid_credentials', 400])
  const weak = await stage.client().signUp({ email: newEmail(), password: 'qwertyuiop' })
  assert.equal(weak.error?.name, 'AuthWeakPasswordError')
  assert.ok(auth_site)
})
