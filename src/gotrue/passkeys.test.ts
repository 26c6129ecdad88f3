import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  codeIn,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  type AuthService,
} from '../../test/auth-service.ts'
import { claimsOf } from '../../test/world/people.ts'
import { makePasskey } from '../../test/passkey.ts'

const stage = openedAuthService()

const enroll = (token: string, body: object, on: Pick<AuthService, 'ask'> = stage) =>
  on.ask('POST /factors', { token, body })
const challenge = (
  token: string,
  factor_id: string,
  body?: object,
  on: Pick<AuthService, 'ask'> = stage,
) => on.ask(`POST /factors/${factor_id}/challenge`, { token, ...(body ? { body } : {}) })
const verify = (
  token: string,
  factor_id: string,
  body: object,
  on: Pick<AuthService, 'ask'> = stage,
) => on.ask(`POST /factors/${factor_id}/verify`, { token, body })

test('a phone is asked by text message, once a minute', async () => {
  const texting = stage.under({ mfa_phone: true, mail_every_seconds: 60 })
  const { token } = await person(stage)
  const body = { factor_type: 'phone', friendly_name: 'mine' }
  assertRefused(await enroll(token, body, texting), 400, 'validation_failed')
  assertRefused(await enroll(token, { ...body, phone: '0170' }, texting), 400, 'validation_failed')
  const phone = '+49 170 1234567'
  const { body: first } = await enroll(token, { ...body, phone }, texting)
  const { body: factor } = await enroll(token, { ...body, phone }, texting)
  assert.notEqual(first['id'], factor['id'])
  assert.deepEqual(factor, {
    id: factor['id'],
    type: 'phone',
    friendly_name: 'mine',
    phone, // as it was given, not as it is kept
  })
  assertRefused(await challenge(token, factor['id']), 422, 'mfa_phone_verify_not_enabled')
  const pigeon = await challenge(token, factor['id'], { channel: 'pigeon' }, texting)
  assertRefused(pigeon, 400, 'validation_failed')
  const { body: issued } = await challenge(token, factor['id'], { channel: 'sms' }, texting)
  const again = await challenge(token, factor['id'], undefined, texting)
  assertRefused(again, 429, 'over_sms_send_rate_limit')
  const [message] = await stage.mails()
  assert.equal(message!.to, '+491701234567')
  const code = codeIn(message!)
  const wrong = code === '000000' ? '000001' : '000000'
  const give = (code: string) =>
    verify(token, factor['id'], { challenge_id: issued['id'], code }, texting)
  assertRefused(await give(wrong), 422, 'mfa_verification_failed')
  const { status, body: session } = await give(code)
  assert.equal(status, 200)
  assert.equal(claimsOf(session['access_token'])['amr'][0].method, 'mfa/phone')
  const taken = await enroll(session['access_token'], { ...body, phone }, texting)
  assertRefused(taken, 422, 'mfa_verified_factor_exists')
})

test('a passkey is made, used, and cannot be replaced by another', async () => {
  const { token, email } = await person(stage)
  const { body: factor } = await enroll(token, { factor_type: 'webauthn', friendly_name: 'key' })
  assert.deepEqual(Object.keys(factor), ['id', 'type', 'friendly_name'])
  const id = factor['id'] as string
  const { body: issued } = await challenge(token, id, {
    webauthn: { rpId: 'evil.example', rpOrigins: ['https://evil.example'] },
  })
  assert.equal(issued['webauthn'].type, 'create')
  const options = issued['webauthn'].credential_options.publicKey
  assert.equal(options.rp.id, 'localhost')
  const passkey = makePasskey('http://localhost:3000', 'localhost')
  const challenge_id = issued['id']
  const give = (webauthn: unknown, token: string, challenge_id: string) =>
    verify(token, id, { challenge_id, webauthn })
  assertRefused(await give(undefined, token, challenge_id), 400, 'validation_failed')
  assertRefused(await give({ type: 'destroy' }, token, challenge_id), 400, 'validation_failed')
  assertRefused(await give({ type: 'create' }, token, challenge_id), 400, 'validation_failed')
  const broken = { type: 'create', credential_response: { id: 'x' } }
  assertRefused(await give(broken, token, challenge_id), 400, 'validation_failed')
  const elsewhere = makePasskey('https://evil.example', 'localhost').create(options)
  const wrong = await give({ type: 'create', credential_response: elsewhere }, token, challenge_id)
  assertRefused(wrong, 422, 'mfa_verification_failed')
  const created = { type: 'create', credential_response: passkey.create(options) }
  const { status, body: session } = await give(created, token, challenge_id)
  assert.equal(status, 200, session['msg'])
  assert.equal(claimsOf(session['access_token'])['amr'][0].method, 'mfa/webauthn')

  const { token: later } = await signIn(stage, email)
  const { body: request } = await challenge(later, id)
  assert.equal(request['webauthn'].type, 'request')
  const publicKey = request['webauthn'].credential_options.publicKey
  assert.equal(publicKey.allowCredentials.length, 1)
  const another = makePasskey('http://localhost:3000', 'localhost')
  const replaced = { type: 'create', credential_response: another.create(publicKey) }
  assertRefused(await give(replaced, later, request['id']), 422, 'mfa_verification_failed')
  const stranger = { type: 'request', credential_response: another.use(publicKey) }
  assertRefused(await give(stranger, later, request['id']), 422, 'mfa_verification_failed')
  const used = { type: 'request', credential_response: passkey.use(publicKey) }
  const { status: signed_in } = await give(used, later, request['id'])
  assert.equal(signed_in, 200)
})
