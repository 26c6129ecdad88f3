// An account's address moves once the old one and the new one agree, and tells nobody who has which.
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
  statusesOf,
  type AuthService,
} from '../../test/auth-service.ts'
import { password } from '../../test/world/people.ts'

const stage = openedAuthService()

const put = (token: string, body: object, on: Pick<AuthService, 'ask'> = stage) =>
  on.ask('PUT /user', { token, body })
const get = (token: string) => stage.ask('GET /user', { token })

test('an e-mail address changes once both addresses agree', async () => {
  for (const first of ['old', 'new'] as const) {
    const { email, token } = await person(stage)
    const new_email = newEmail('moved')
    const changed = await put(token, { email: new_email.toUpperCase() })
    assert.deepEqual([changed.body['email'], changed.body['new_email']], [email, new_email])
    assert.ok(changed.body['email_change_sent_at'])
    const [to_new, to_old] = await stage.mails()
    assert.deepEqual([to_new!.to, to_old!.to], [new_email, email])
    const [one, two] = first === 'old' ? [to_old!, to_new!] : [to_new!, to_old!]
    const follow = (mail: typeof one) =>
      stage.ask('POST /verify', { body: { type: 'email_change', token_hash: linkIn(mail).token } })
    const half = await follow(one)
    assert.equal(half.status, 200)
    assert.equal(half.body['code'], '200')
    assert.ok(half.body['msg'] && !('access_token' in half.body))
    assertRefused(await follow(one), 403, 'otp_expired')
    await signIn(stage, email)
    const done = await follow(two)
    assert.equal(done.body['user'].email, new_email)
    assert.ok(done.body['access_token'] && !('new_email' in done.body['user']))
    assert.equal(done.body['user'].identities[0].email, new_email)
    assert.equal(done.body['user'].user_metadata.email, new_email)
    await signIn(stage, new_email)
    const [profile] =
      await stage.owner`select email from profiles where id = ${done.body['user'].id}`
    assert.equal(profile?.['email'], new_email)
  }
})

test('whether somebody has the new address is told to them, and looks the same to who asks', async () => {
  const request = async (email: string) => {
    const { token } = await person(stage)
    const { status, headers, body } = await put(token, { email })
    const { body: user } = await get(token)
    assert.equal(user['new_email'], email)
    const left = [...headers.keys()].filter((name) => name !== 'date')
    return { status, left, members: Object.keys(body), pending: body['new_email'] === email }
  }
  const { email: taken } = await person(stage)
  const free = newEmail()
  assert.deepEqual(await request(taken), await request(free))
  const to = async (address: string) =>
    (await stage.mails()).filter((mail) => mail.to === address).map(({ subject }) => subject)
  assert.deepEqual(await to(taken), ['Somebody tried to use your address'])
  assert.deepEqual(await to(free), ['Confirm your new email address'])
})

test('an account moves to no address that somebody has, whoever asked before it was theirs', async () => {
  const { email, token } = await person(stage)
  const address = newEmail()
  await put(token, { email: address })
  const [to_new] = await stage.mails()
  await person(stage, address)
  await put(token, { email: address })
  const follow = (body: object) =>
    stage.ask('POST /verify', { body: { type: 'email_change', ...body } })
  assertRefused(await follow({ token_hash: linkIn(to_new!).token }), 403, 'otp_expired')
  const to_old = (await stage.mails()).find(({ to }) => to === email)
  assert.equal((await follow({ token_hash: linkIn(to_old!).token })).body['code'], '200')
  await signIn(stage, email)
})

test('the address of an account that is not confirmed yet stays', async () => {
  const email = newEmail()
  await stage.ask('POST /signup', { body: { email, password } })
  const { token } = await signIn(stage, email)
  assertRefused(await put(token, { email: newEmail() }), 422, 'email_not_confirmed')
  assert.equal((await put(token, { data: { a: 1 } })).status, 200)
})

test('two who ask for each other’s address at once are both answered', async () => {
  const [one, two] = [await person(stage), await person(stage)]
  const both = await Promise.all([
    put(one.token, { email: two.email }),
    put(two.token, { email: one.email }),
  ])
  assert.deepEqual(statusesOf(both), [200, 200])
})

test('codes change an address, too', async () => {
  const { email, token } = await person(stage)
  const new_email = newEmail()
  await put(token, { email: new_email })
  const [to_new, to_old] = await stage.mails()
  const type = 'email_change'
  const give = (address: string, code: string) =>
    stage.ask('POST /verify', { body: { type, email: address, token: code } })
  assert.equal((await give(email, codeIn(to_old!))).body['code'], '200')
  await person(stage, new_email)
  assertRefused(await give(new_email, codeIn(to_new!)), 422, 'email_exists')
})

test('a pending change is asked for once a minute, and can be mailed again', async () => {
  const slow = stage.under({ mail_every_seconds: 60 })
  const { email, token } = await person(stage)
  const new_email = newEmail()
  assert.equal((await put(token, { email: new_email }, slow)).status, 200)
  assertRefused(await put(token, { email: newEmail() }, slow), 429, 'over_email_send_rate_limit')
  const body = { type: 'email_change', email }
  const [old] = await stage.mails()
  assert.deepEqual((await slow.ask('POST /resend', { body })).body, {})
  assert.deepEqual((await stage.mails())[0], old)
  const unknown = { type: 'email_change', email: newEmail() }
  assert.deepEqual((await slow.ask('POST /resend', { body: unknown })).body, {})
  for (const again of [body, unknown])
    assertRefused(
      await slow.ask('POST /resend', { body: again }),
      429,
      'over_email_send_rate_limit',
    )
  stage.pass(61)
  assert.deepEqual((await slow.ask('POST /resend', { body })).body, {})
  assert.notDeepEqual((await stage.mails())[0], old)
  const stale = { type: 'email_change', token_hash: linkIn(old!).token }
  assertRefused(await stage.ask('POST /verify', { body: stale }), 403, 'otp_expired')
})
