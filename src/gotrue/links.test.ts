import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  codeIn,
  linkIn,
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  auth_site,
  statusesOf,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService({
  redirect_allow_list: ['https://*.example.com/**', 'myapp://callback'],
})

const verify = (body: object) => stage.ask('POST /verify', { body })
const recover = (email: string) => stage.ask('POST /recover', { body: { email } })
async function signUp(email = newEmail()) {
  await stage.ask('POST /signup', { body: { email, password } })
  const mail = await stage.mailTo(email)
  return { email, mail, code: codeIn(mail), ...linkIn(mail) }
}
const wrongCode = (code: string) => (code === '000000' ? '000001' : '000000')
const link = (email: string, type: string, more = {}) =>
  stage.ask('POST /admin/generate_link', {
    token: stage.service_key,
    body: { type, email, ...more },
  })

test('following the link confirms the address and signs in, once', async () => {
  const { email, url, token, type } = await signUp()
  assert.equal(`${url.origin}${url.pathname}`, `${auth_site}/auth/verify`)
  assert.equal(type, 'signup')
  const { status, body } = await verify({ type, token_hash: token })
  assert.equal(status, 200)
  assert.equal(body['user'].email, email)
  assert.ok(body['user'].email_confirmed_at)
  assert.equal(body['user'].user_metadata.email_verified, true)
  assert.equal(body['user'].identities[0].identity_data.email_verified, true)
  assert.equal(claimsOf(body['access_token'])['amr'][0].method, 'otp')
  const again = await verify({ type, token_hash: token })
  assertRefused(again, 403, 'otp_expired', 'Email link is invalid or has expired')
})

test('looking whether a link still works signs nobody in and uses nothing up', async () => {
  const { token, type } = await signUp()
  const looks = { type, token_hash: token, looks: 'yes' }
  for (const { status, body } of [await verify(looks), await verify(looks)]) {
    assert.deepEqual([status, body['access_token']], [200, undefined])
  }
  assert.equal((await verify({ type, token_hash: token })).status, 200)
  assertRefused(await verify(looks), 403, 'otp_expired', 'Email link is invalid or has expired')
})

test('the code confirms, too, under either name', async () => {
  for (const type of ['signup', 'email']) {
    const { email, code } = await signUp()
    const body = { type, email: email.toUpperCase(), token: code }
    assert.equal((await verify(body)).status, 200)
    assertRefused(await verify(body), 403, 'otp_expired', 'Token has expired or is invalid')
  }
})

test('malformed questions are told apart from wrong tokens', async () => {
  const { email, code, token } = await signUp()
  for (const body of [
    {},
    { type: 'signup' },
    { type: 'signup', token: code, token_hash: token },
    { type: 'signup', token: code },
    { type: 'signup', token: code, email, phone: '491701' },
    { type: 'signup', token_hash: token, email },
    { type: 'signup', token_hash: token, redirect_to: auth_site },
    { type: 'constructor', token_hash: token },
    { type: 'nonsense', email, token: code },
    { type: 'signup', email: 'x', token: code },
    { type: 'sms', phone: 'x', token: code },
  ]) {
    assertRefused(await verify(body), 400, 'validation_failed')
  }
  assertRefused(await verify({ type: 'sms', phone: '+491701', token: code }), 403, 'otp_expired')
  const expired = 'Token has expired or is invalid'
  const body = { type: 'signup', email: newEmail(), token: code }
  assertRefused(await verify(body), 403, 'otp_expired', expired)
  assertRefused(await verify({ type: 'recovery', email, token: code }), 403, 'otp_expired', expired)
  assertRefused(await verify({ type: 'recovery', token_hash: token }), 403, 'otp_expired')
  assert.equal((await verify({ type: 'signup', email, token: code, options: {} })).status, 200)
})

test('five wrong codes void the code, not the link', async () => {
  const { email, code, token } = await signUp()
  const guesses = Array.from({ length: 8 }, () =>
    verify({ type: 'signup', email, token: wrongCode(code) }),
  )
  for (const guess of await Promise.all(guesses)) assertRefused(guess, 403, 'otp_expired')
  assertRefused(await verify({ type: 'signup', email, token: code }), 403, 'otp_expired')
  assert.equal((await verify({ type: 'signup', token_hash: token })).status, 200)
})

test('of many who follow a link at once one is signed in', async () => {
  const { token } = await signUp()
  const body = { type: 'signup', token_hash: token }
  const all = await Promise.all(Array.from({ length: 6 }, () => verify(body)))
  assert.deepEqual(statusesOf(all), [200, 403, 403, 403, 403, 403])
})

test('links end after an hour, and with the next one', async () => {
  const first = await signUp()
  const second = await signUp(first.email)
  assertRefused(await verify({ type: 'signup', token_hash: first.token }), 403, 'otp_expired')
  stage.pass(3601)
  assertRefused(await verify({ type: 'signup', token_hash: second.token }), 403, 'otp_expired')
  const third = await signUp(first.email)
  stage.pass(3500)
  assert.equal((await verify({ type: 'signup', token_hash: third.token })).status, 200)
})

test('confirming ends the sessions of whoever prepared the account', async () => {
  const { email, token } = await signUp()
  const before = await signIn(stage, email)
  assert.equal((await stage.ask('GET /user', { token: before.token })).status, 200)
  const { body } = await verify({ type: 'signup', token_hash: token })
  const gone = await stage.ask('GET /user', { token: before.token })
  assertRefused(gone, 403, 'session_not_found')
  const own = { password: 'another harbour at dusk' }
  const set = await stage.ask('PUT /user', { token: body['access_token'], body: own })
  assert.equal(set.status, 200)
})

test('banned people don’t come in by a link', async () => {
  const { email, id } = await person(stage)
  await recover(email)
  const { token } = linkIn(await stage.mailTo(email))
  const body = { ban_duration: '1h' }
  await stage.ask(`PUT /admin/users/${id}`, { token: stage.service_key, body })
  assertRefused(await verify({ type: 'recovery', token_hash: token }), 403, 'user_banned')
})

test('the link of the protocol signs in by a redirect', async () => {
  const { email } = await person(stage)
  const { body } = await link(email, 'magiclink', { redirect_to: 'https://app.example.com/in?x=1' })
  const path = body['action_link'].replace(`${auth_site}/auth/v1`, '')
  const answer = await stage.ask(`GET ${path}`)
  assert.equal(answer.status, 303)
  const target = new URL(answer.headers.get('location')!)
  assert.equal(
    `${target.origin}${target.pathname}${target.search}`,
    'https://app.example.com/in?x=1',
  )
  const params = new URLSearchParams(target.hash.slice(1))
  assert.deepEqual(
    [...params.keys()],
    ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'sb', 'token_type', 'type'],
  )
  assert.deepEqual([params.get('token_type'), params.get('type')], ['bearer', 'magiclink'])
  const { status } = await stage.ask('GET /user', { token: params.get('access_token')! })
  assert.equal(status, 200)
  const again = await stage.ask(`GET ${path}`)
  assert.equal(again.status, 303)
  const failure = new URLSearchParams(new URL(again.headers.get('location')!).hash.slice(1))
  assert.deepEqual(Object.fromEntries(failure), {
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
    sb: '',
  })
})

test('without type or token the link is refused as JSON', async () => {
  assertRefused(await stage.ask('GET /verify?token=x'), 400, 'validation_failed')
  assertRefused(await stage.ask('GET /verify?type=signup'), 400, 'validation_failed')
})

test('the first half of a change of address redirects with a message', async () => {
  const { email } = await person(stage)
  const new_email = newEmail()
  const { body } = await link(email, 'email_change_current', { new_email })
  const { headers } = await stage.ask(
    `GET ${body['action_link'].replace(`${auth_site}/auth/v1`, '')}`,
  )
  const params = new URLSearchParams(new URL(headers.get('location')!).hash.slice(1))
  assert.deepEqual([...params.keys()], ['message', 'sb'])
})

test('links lead to ourselves or where the operator allows, else home', async () => {
  const leads = async (redirect_to: string, headers = {}) => {
    const query = redirect_to ? `&redirect_to=${encodeURIComponent(redirect_to)}` : ''
    const answer = await stage.ask(`GET /verify?token=x&type=signup${query}`, { headers })
    return answer.headers.get('location')!.replace(/#.*/, '')
  }
  for (const good of [
    'http://localhost:3000/welcome?a=b',
    'http://localhost:9999/any/port',
    'https://app.example.com/deep/er',
    'https://app.example.com/',
    'myapp://callback',
  ]) {
    assert.equal(await leads(good), good)
  }
  for (const bad of [
    'https://localhost:3000/',
    'http://localhost.evil.com/',
    'http://localhost:3000@evil.com/',
    'http://evil.com\\@localhost:3000/',
    'https://a.b.example.com/',
    'https://evil.com/.example.com/',
    'https://evil.com\\.example.com/x',
    'https://evil.com#.example.com/x',
    'http://app.example.com/',
    'javascript:alert(1)//localhost',
    '//evil.com',
    '/relative',
    'myapp://callback.evil',
    'https://app.example.com/x\r\nset-cookie: a=b',
    '',
  ]) {
    assert.equal(await leads(bad), auth_site, bad)
  }
  assert.equal(
    await leads('', { referer: 'https://app.example.com/from' }),
    'https://app.example.com/from',
  )
  assert.equal(await leads('', { referer: 'https://evil.com/' }), auth_site)
})

test('nothing that is kept opens anything', async () => {
  const { email, code, token } = await signUp()
  const rows = await stage.owner`select * from auth.one_time_tokens where relates_to = ${email}`
  const kept = JSON.stringify(rows, (_, value) =>
    value?.type === 'Buffer' ? Buffer.from(value.data).toString('hex') : value,
  )
  assert.ok(!kept.includes(token) && !kept.includes(`"${code}"`))
})

test('mails say why they came, in text and HTML, and write nothing of strangers', async () => {
  const email = newEmail()
  const data = { full_name: '<b>Win a prize at evil.example</b>' }
  await stage.ask('POST /signup', { body: { email, password, data } })
  const { text, html, subject } = await stage.mailTo(email)
  assert.equal(subject, 'Confirm your email address')
  for (const content of [text, html]) {
    assert.match(content, /signed up for Healthfund/)
    assert.match(content, /If that was not you/)
    assert.doesNotMatch(content, /evil/)
    assert.match(content.slice(0, content.indexOf(codeIn({ text }))), /^\D*(\D|\d(?!\d{5}))*$/)
  }
  assert.match(
    html,
    /href="http:\/\/localhost:3000\/auth\/verify\?token=[0-9a-f]{56}&amp;type=signup/,
  )
})

test('the client verifies by hash and by code', async () => {
  const one = await signUp()
  const by_hash = await stage.client().verifyOtp({ type: 'email', token_hash: one.token })
  assert.equal(by_hash.data.user?.email, one.email)
  const two = await signUp()
  const verify_body = { type: 'signup', email: two.email, token: two.code } as const
  assert.ok((await stage.client().verifyOtp(verify_body)).data.session)
  const wrong = await stage.client().verifyOtp(verify_body)
  assert.equal(wrong.error?.code, 'otp_expired')
  const { error } = await stage.client().resetPasswordForEmail(two.email)
  assert.equal(error, null)
})
