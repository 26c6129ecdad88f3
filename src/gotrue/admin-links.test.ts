import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  linkIn,
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  auth_site,
} from '../../test/auth-service.ts'
import { password } from '../../test/world/people.ts'

const stage = openedAuthService()

const admin = (route: string, body?: object) =>
  stage.ask(route, { token: stage.service_key, ...(body ? { body } : {}) })

test('every type of link works, and is mailed to nobody', async () => {
  const count = (await stage.mails()).length
  const follow = async (type: string, body: object) => {
    const { status, body: made } = await admin('POST /admin/generate_link', { type, ...body })
    assert.equal(status, 200, made['msg'])
    assert.match(made['email_otp'], /^\d{6}$/)
    const link = new URL(made['action_link'])
    assert.equal(link.origin + link.pathname, `${auth_site}/auth/v1/verify`)
    assert.equal(link.searchParams.get('token'), made['hashed_token'])
    assert.equal(link.searchParams.get('redirect_to'), made['redirect_to'])
    const verify = { type: link.searchParams.get('type'), token_hash: made['hashed_token'] }
    const { status: verified } = await stage.ask('POST /verify', { body: verify })
    assert.equal(verified, 200)
    return made
  }
  const email = newEmail()
  const signed_up = await follow('signup', { email, password, data: { a: 1 } })
  assert.deepEqual([signed_up['email'], signed_up['verification_type']], [email, 'signup'])
  assert.equal(signed_up['user_metadata'].a, 1)
  assert.equal(signed_up['redirect_to'], auth_site)
  await signIn(stage, email)
  const invited = await follow('invite', { email: newEmail() })
  assert.ok(invited['invited_at'])
  await follow('recovery', { email, redirect_to: `${auth_site}/a?b=c&d=e` })
  assert.equal((await follow('magiclink', { email }))['verification_type'], 'magiclink')
  const unknown = await follow('magiclink', { email: newEmail() })
  assert.equal(unknown['verification_type'], 'signup')
  const new_email = newEmail()
  await follow('email_change_current', { email, new_email })
  await follow('email_change_new', { email, new_email })
  await signIn(stage, email)
  assert.equal((await stage.mails()).length, count)
})

test('both links of a change of address, made first, change it', async () => {
  const { email } = await person(stage)
  const new_email = newEmail()
  const make = async (type: string) =>
    (await admin('POST /admin/generate_link', { type, email, new_email })).body
  const links = [await make('email_change_current'), await make('email_change_new')]
  const follow = (made: (typeof links)[0]) =>
    stage.ask('POST /verify', { body: { type: 'email_change', token_hash: made['hashed_token'] } })
  assert.equal((await follow(links[0]!)).body['code'], '200')
  assert.equal((await follow(links[1]!)).body['user'].email, new_email)
})

test('links that cannot be are refused', async () => {
  const { email } = await person(stage)
  const make = (body: object) => admin('POST /admin/generate_link', body)
  assertRefused(await make({ type: 'signup', email: 'x' }), 400, 'validation_failed')
  assertRefused(await make({ type: 'toString', email }), 400, 'validation_failed')
  assertRefused(await make({ type: 'signup', email: newEmail() }), 400, 'validation_failed')
  const weak = { type: 'signup', email: newEmail(), password: 'password123' }
  assertRefused(await make(weak), 422, 'weak_password')
  for (const type of ['recovery', 'email_change_current', 'email_change_new']) {
    assertRefused(
      await make({ type, email: newEmail(), new_email: newEmail() }),
      404,
      'user_not_found',
    )
  }
  assertRefused(await make({ type: 'signup', email, password }), 422, 'email_exists')
  assertRefused(await make({ type: 'invite', email }), 422, 'email_exists')
  const { email: taken } = await person(stage)
  const change = { type: 'email_change_new', email, new_email: taken }
  assertRefused(await make(change), 422, 'email_exists')
})

test('the invited follow their mail and set a password without an old one', async () => {
  const email = newEmail()
  const { body } = await admin('POST /invite?redirect_to=http://localhost:3000/welcome', {
    email,
    data: { full_name: 'Ben' },
  })
  assert.ok(body['invited_at'])
  assert.equal(body['user_metadata'].full_name, 'Ben')
  const [mail] = await stage.mails()
  const { token, type, redirect_to } = linkIn(mail!)
  assert.deepEqual([mail!.to, type, redirect_to], [email, 'invite', `${auth_site}/welcome`])
  const { body: session } = await stage.ask('POST /verify', { body: { type, token_hash: token } })
  const set = { token: session['access_token'], body: { password } }
  assert.equal((await stage.ask('PUT /user', set)).status, 200)
  await signIn(stage, email)
  assertRefused(await admin('POST /invite', { email }), 422, 'email_exists')
  assertRefused(await admin('POST /invite', { email: 'x' }), 400, 'validation_failed')
})
