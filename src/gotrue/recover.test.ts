import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  linkIn,
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  type AuthService,
} from '../../test/auth-service.ts'
import { password } from '../../test/world/people.ts'

const stage = openedAuthService()

const verify = (body: object) => stage.ask('POST /verify', { body })
const recover = (email: string, query = '', on: Pick<AuthService, 'ask'> = stage) =>
  on.ask(`POST /recover${query}`, { body: { email } })
async function signUp(email = newEmail()) {
  await stage.ask('POST /signup', { body: { email, password } })
  return { email }
}

test('asking for a new password answers the same to all', async () => {
  const slow = stage.under({ mail_every_seconds: 60 })
  const { email } = await person(stage)
  for (const address of [email, email, newEmail()]) {
    const { status, body } = await recover(address, '', slow)
    assert.deepEqual([status, body], [200, {}])
  }
  const mails = (await stage.mails()).filter(({ to }) => to === email)
  assert.equal(mails.length, 1)
  assertRefused(await recover(''), 400, 'validation_failed')
  assertRefused(await recover('x'), 400, 'validation_failed')
  assertRefused(await stage.ask('POST /recover', { body: {} }), 400, 'validation_failed')
})

test('and waits for nothing that only an account makes work of', async () => {
  const { email } = await person(stage)
  const { email: unconfirmed } = await signUp()
  await stage.owner.begin(async (tx) => {
    await tx`select from auth.users where email in (${email}, ${unconfirmed}) for update`
    assert.deepEqual((await recover(email)).status, 200)
    const again = await stage.ask('POST /resend', { body: { type: 'signup', email: unconfirmed } })
    assert.equal(again.status, 200)
    assert.deepEqual(await tx`select from mails where recipient = ${email}`, [])
  })
  assert.ok(await stage.mailTo(email))
  assert.equal((await stage.mails()).filter(({ to }) => to === unconfirmed).length, 2)
})

test('a recovery link signs in, sets a password without the old one, and confirms', async () => {
  const { email } = await signUp()
  await recover(email, '?redirect_to=http://localhost:3000/auth/reset-password?a=1%26b=2')
  const { token, type, redirect_to, url } = linkIn(await stage.mailTo(email))
  assert.equal(type, 'recovery')
  assert.equal(redirect_to, 'http://localhost:3000/auth/reset-password?a=1&b=2')
  assert.match(url.search, /redirect_to=http%3A%2F%2F/)
  const { body } = await verify({ type, token_hash: token })
  assert.ok(body['user'].email_confirmed_at)
  const own = { password: 'another harbour at dusk' }
  const set = await stage.ask('PUT /user', { token: body['access_token'], body: own })
  assert.equal(set.status, 200)
  await signIn(stage, email, own.password)
})

test('mails are sent again to whoever has something to confirm, and to nobody else', async () => {
  const slow = stage.under({ mail_every_seconds: 60 })
  const resend = (body: object) => slow.ask('POST /resend', { body })
  const email = newEmail()
  for (const body of [
    { email },
    { type: 'recovery', email },
    { type: 'signup' },
    { type: 'signup', phone: '491701' },
    { type: 'sms', email },
    { type: 'signup', email, phone: '491701' },
    { type: 'signup', email: 'x' },
  ]) {
    assertRefused(await resend(body), 400, 'validation_failed')
  }
  assertRefused(await resend({ type: 'sms', phone: '491701' }), 400, 'phone_provider_disabled')
  const { email: confirmed } = await person(stage)
  const count = (await stage.mails()).length
  for (const body of [
    { type: 'signup', email },
    { type: 'signup', email: confirmed },
    { type: 'email_change', email: confirmed },
  ]) {
    assert.deepEqual((await resend(body)).body, {})
  }
  assert.equal((await stage.mails()).length, count)
  stage.pass(61)
  await slow.ask('POST /signup', { body: { email, password } })
  const unknown = newEmail()
  assert.deepEqual((await resend({ type: 'signup', email: unknown })).body, {})
  stage.pass(30)
  // Unknown, unconfirmed and long confirmed addresses wait equally long.
  for (const known of [email, unknown]) {
    assertRefused(await resend({ type: 'signup', email: known }), 429, 'over_email_send_rate_limit')
  }
  stage.pass(31)
  assert.deepEqual((await resend({ type: 'signup', email: confirmed })).body, {})
  assertRefused(
    await resend({ type: 'signup', email: confirmed }),
    429,
    'over_email_send_rate_limit',
  )
  assert.deepEqual((await resend({ type: 'signup', email })).body, {})
  const { token } = linkIn(await stage.mailTo(email))
  assert.equal((await verify({ type: 'signup', token_hash: token })).status, 200)
})
