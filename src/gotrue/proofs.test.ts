// How long a session counts as its person's own; later acts ask for a proof again.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import {
  codeIn,
  linkIn,
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  signIn,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService({ access_token_seconds: 2_000_000 })

const other = 'another harbour at dusk'
const minutes = (count: number) => stage.pass(count * 60)
const put = (token: string, body: object) => stage.ask('PUT /user', { token, body })
const follow = async (email: string, body: object) => {
  const { token: token_hash } = linkIn((await stage.mails()).find(({ to }) => to === email)!)
  const answer = await stage.ask('POST /verify', { body: { token_hash, ...body } })
  assert.equal(answer.status, 200, answer.body['msg'])
  return answer.body['access_token'] as string
}
async function recovered() {
  const who = await person(stage)
  await stage.ask('POST /recover', { body: { email: who.email } })
  return { ...who, token: await follow(who.email, { type: 'recovery' }) }
}

describe('a session that a mailed link began', () => {
  test('chooses a password for a quarter of an hour, and is one like any other then', async () => {
    const { token } = await recovered()
    minutes(14)
    assert.equal((await put(token, { password: other })).status, 200)
    const late = await recovered()
    minutes(16)
    assertRefused(await put(late.token, { password: other }), 400, 'current_password_required')
    const confirmed = await stage.ask('POST /confirmation', {
      token: late.token,
      body: { password: other },
    })
    assertRefused(confirmed, 400, 'current_password_invalid')
    const change = { password: other, current_password: password }
    assert.equal((await put(late.token, change)).status, 200)
  })

  test('chooses one once', async () => {
    const { token } = await recovered()
    assert.equal((await put(token, { password: other })).status, 200)
    const third = { password: 'a third harbour at noon' }
    assertRefused(await put(token, third), 400, 'current_password_required')
    assert.equal((await put(token, { ...third, current_password: other })).status, 200)
  })

  test('has chosen where the password came with the link', async () => {
    const email = newEmail()
    await stage.ask('POST /signup', { body: { email, password } })
    const token = await follow(email, { type: 'signup', password })
    assertRefused(await put(token, { password: other }), 400, 'current_password_required')
    const same = { password, current_password: password }
    assertRefused(await put(token, same), 422, 'same_password')
  })

  test('of an invitation waits for as long as there is no password of their own', async () => {
    const email = newEmail()
    await stage.ask('POST /invite', { token: stage.service_key, body: { email } })
    const token = await follow(email, { type: 'invite' })
    minutes(60 * 24)
    assert.equal((await put(token, { password })).status, 200)
    assertRefused(await put(token, { password: other }), 400, 'current_password_required')
  })

  test('is not made younger by being refreshed', async () => {
    const { email } = await person(stage)
    await stage.ask('POST /recover', { body: { email } })
    const { token: token_hash } = linkIn((await stage.mails())[0]!)
    const { body } = await stage.ask('POST /verify', { body: { type: 'recovery', token_hash } })
    minutes(16)
    const { refresh_token } = body
    const again = await stage.ask('POST /token?grant_type=refresh_token', {
      body: { refresh_token },
    })
    const token = again.body['access_token']
    assertRefused(await put(token, { password: other }), 400, 'current_password_required')
  })
})

describe('an account without a password', () => {
  /** A person whom a company's provider vouches for, without a password here. */
  async function bySso() {
    const who = await person(stage)
    const { session_id } = claimsOf(who.token)
    await stage.owner`update auth.users set password_hash = null where id = ${who.id}`
    await stage.owner`update auth.amr_claims set method = 'sso/oidc' where session_id = ${session_id}`
    return who
  }

  test('gets one within minutes of a sign-in at the provider, no later', async () => {
    const { token } = await bySso()
    minutes(4)
    assert.equal((await put(token, { password })).status, 200)
    const late = await bySso()
    minutes(6)
    assertRefused(await put(late.token, { password }), 400, 'reauthentication_needed')
  })

  test('gets one later by a mailed code, once', async () => {
    const { token, email } = await bySso()
    minutes(6)
    assert.equal((await stage.ask('GET /reauthenticate', { token })).status, 200)
    const nonce = codeIn((await stage.mails()).find(({ to }) => to === email)!)
    const wrong = nonce === '000000' ? '000001' : '000000'
    assertRefused(await put(token, { password, nonce: wrong }), 422, 'reauthentication_not_valid')
    assert.equal((await put(token, { password, nonce })).status, 200)
    assertRefused(await put(token, { password: other, nonce }), 400, 'current_password_required')
  })

  test('says so to its own screens', async () => {
    const { token } = await bySso()
    const shown = async () => (await stage.ask('GET /user', { token })).body['app_metadata']
    assert.equal((await shown())['has_no_password'], true)
    assert.equal((await put(token, { password })).status, 200)
    assert.equal((await shown())['has_no_password'], undefined)
  })
})

describe('the six digits of a mail', () => {
  const mail = async (email: string) => {
    assert.equal((await stage.ask('POST /recover', { body: { email } })).status, 200)
    return (await stage.mails()).find(({ to }) => to === email)!
  }
  const give = (email: string, token: string) =>
    stage.ask('POST /verify', { body: { type: 'recovery', email, token } })
  const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')
  /** Five at each mail, and a new mail for the next five. */
  async function guess(email: string) {
    for (let mailed = 0; mailed < 4; mailed += 1) {
      const wrong = otherThan(codeIn(await mail(email)))
      for (let at = 0; at < 5; at += 1) assertRefused(await give(email, wrong), 403, 'otp_expired')
    }
  }

  test('are guessed at twenty times in a day, however many are mailed; links go on', async () => {
    const { email } = await person(stage)
    await guess(email)
    assertRefused(await give(email, codeIn(await mail(email))), 403, 'otp_expired')
    await signIn(stage, email)
    await follow(email, { type: 'recovery' })
    minutes(60 * 24)
    assert.equal((await give(email, codeIn(await mail(email)))).status, 200)
  })

  test('that were right give back what wrong ones took', async () => {
    const { email } = await person(stage)
    for (let round = 0; round < 3; round += 1) {
      const code = codeIn(await mail(email))
      for (let at = 0; at < 4; at += 1) await give(email, otherThan(code))
      assert.equal((await give(email, code)).status, 200)
    }
    await guess(email)
  })

  test('that a stranger used up are not those of who is signed in', async () => {
    const { email, token, id } = await person(stage)
    await guess(email)
    await stage.owner`update auth.users set password_hash = null where id = ${id}`
    await stage.ask('GET /reauthenticate', { token })
    const nonce = codeIn((await stage.mails()).find(({ to }) => to === email)!)
    assert.equal((await put(token, { password, nonce })).status, 200)
  })
})

describe('a second step', () => {
  const enroll = (token: string, body: object = { factor_type: 'totp' }) =>
    stage.ask('POST /factors', { token, body })
  const drop = (token: string, id: string) => stage.ask(`DELETE /factors/${id}`, { token })
  const confirm = async (token: string) => {
    const answer = await stage.ask('POST /confirmation', { token, body: { password } })
    assert.equal(answer.status, 200)
  }
  const challenge = (token: string, id: string) =>
    stage.ask(`POST /factors/${id}/challenge`, { token })
  async function withApp(name = 'app', token?: string) {
    const who = token ? { token } : await person(stage)
    const { body } = await enroll(who.token, { factor_type: 'totp', friendly_name: name })
    const { body: issued } = await challenge(who.token, body['id'])
    const timestamp = stage.now().getTime()
    const code = new TOTP({ secret: Secret.fromBase32(body['totp'].secret) }).generate({
      timestamp,
    })
    const proof = { challenge_id: issued['id'], code }
    const lifted = await stage.ask(`POST /factors/${body['id']}/verify`, {
      token: who.token,
      body: proof,
    })
    assert.equal(lifted.status, 200, lifted.body['msg'])
    return { id: body['id'] as string, token: lifted.body['access_token'] as string }
  }

  test('is set up by whoever has just said their password, not by who finds the screen open', async () => {
    const { token } = await person(stage)
    minutes(6)
    assertRefused(await enroll(token), 400, 'reauthentication_needed')
    await confirm(token)
    assert.equal((await enroll(token)).status, 200)
  })

  test('is set up without one right after signing up', async () => {
    const email = newEmail()
    await stage.ask('POST /invite', { token: stage.service_key, body: { email } })
    const token = await follow(email, { type: 'invite' })
    minutes(10)
    assert.equal((await enroll(token)).status, 200)
    minutes(6)
    const more = { factor_type: 'totp', friendly_name: 'more' }
    assertRefused(await enroll(token, more), 400, 'reauthentication_needed')
  })

  test('is removed by whoever has just said their password, the last one and any', async () => {
    const first = await withApp()
    const second = await withApp('tablet', first.token)
    minutes(6)
    const third = { factor_type: 'totp', friendly_name: 'third' }
    assertRefused(await enroll(second.token, third), 400, 'reauthentication_needed')
    assertRefused(await drop(second.token, first.id), 400, 'reauthentication_needed')
    await confirm(second.token)
    for (const { id } of [first, second]) assert.equal((await drop(second.token, id)).status, 200)
  })

  test('that was begun and left is nobody else’s to finish, and anybody’s to forget', async () => {
    const { token } = await person(stage)
    const { body } = await enroll(token, { factor_type: 'webauthn', friendly_name: 'laptop' })
    minutes(6)
    assertRefused(await challenge(token, body['id']), 400, 'reauthentication_needed')
    assert.equal((await drop(token, body['id'])).status, 200)
  })

  test('is set up by the client, which signs in once more where it is asked to', async () => {
    const client = stage.client()
    const { email } = await person(stage)
    await client.signInWithPassword({ email, password })
    minutes(6)
    const factor_input = { factorType: 'totp', friendlyName: 'app' } as const
    assert.equal((await client.mfa.enroll(factor_input)).error?.code, 'reauthentication_needed')
    await client.signInWithPassword({ email, password })
    assert.equal((await client.mfa.enroll(factor_input)).error, null)
  })
})
