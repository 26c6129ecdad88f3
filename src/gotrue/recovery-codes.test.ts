import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import {
  linkIn,
  openedAuthService,
  person,
  assertRefused,
  signIn,
  statusesOf,
  type JsonBody,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService({ client_address: () => '192.0.2.1' })

const at = '/factors/recovery-codes'
const ask = (route: string, token: string, body?: object, headers = {}) =>
  stage.ask(route, { token, headers, ...(body ? { body } : {}) })

async function withApp(token: string, name = 'my phone') {
  const begun = { factor_type: 'totp', friendly_name: name }
  const { body: factor } = await ask('POST /factors', token, begun)
  const { body: issued } = await ask(`POST /factors/${factor['id']}/challenge`, token)
  const code = new TOTP({ secret: Secret.fromBase32(factor['totp'].secret) }).generate({
    timestamp: stage.now().getTime(),
  })
  const proof = { challenge_id: issued['id'], code }
  const { status, body } = await ask(`POST /factors/${factor['id']}/verify`, token, proof)
  assert.equal(status, 200, body['msg'])
  return { factor, token: body['access_token'] as string }
}

/** Somebody at aal2, with an app and ten codes. */
async function twoStep() {
  const who = await person(stage)
  const { factor, token } = await withApp(who.token)
  const { status, body } = await ask(`POST ${at}`, token)
  assert.equal(status, 200, body['msg'])
  return { ...who, factor, token, codes: body['codes'] as string[], set: body }
}
const mailsTo = async (email: string) => (await stage.mails()).filter(({ to }) => to === email)

describe('recovery codes', () => {
  test('are ten, shown once, kept by hash, and stand among the factors', async () => {
    const { token, codes, set } = await twoStep()
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^[a-hjkmnp-z2-9]{16}$/)
    assert.deepEqual([set['type'], set['total']], ['recovery_code', 10])
    const { body: status } = await ask(`GET ${at}`, token)
    assert.deepEqual(status, { id: set['id'], type: 'recovery_code', total: 10, remaining: 10 })
    const { body: user } = await ask('GET /user', token)
    assert.deepEqual(
      user['factors'].map(({ factor_type, status: is }: JsonBody) => [factor_type, is]),
      [
        ['totp', 'verified'],
        ['recovery_code', 'verified'],
      ],
    )
    const kept = await stage.owner`select * from auth.recovery_codes where factor_id = ${set['id']}`
    assert.ok(!JSON.stringify(kept).includes(codes[0]!))
    assertRefused(await ask(`POST ${at}`, token), 422, 'mfa_verified_factor_exists')
  })

  test('need a second step that they stand in for, and a session that has it', async () => {
    const { token, email } = await person(stage)
    for (const route of [`POST ${at}`, `POST ${at}/regenerate`, `DELETE ${at}`]) {
      assertRefused(await ask(route, token), 403, 'insufficient_aal')
      assertRefused(await stage.ask(route, { body: {} }), 401, 'no_authorization')
    }
    assertRefused(await ask(`GET ${at}`, token), 404, 'mfa_factor_not_found')
    assertRefused(
      await ask(`POST ${at}/verify`, token, { code: 'x' }),
      422,
      'mfa_verification_failed',
    )
    const lifted = await withApp(token)
    assertRefused(await ask(`POST ${at}/regenerate`, lifted.token), 404, 'mfa_factor_not_found')
    await ask(`DELETE /factors/${lifted.factor['id']}`, lifted.token)
    const { token: again } = await signIn(stage, email)
    assertRefused(await ask(`POST ${at}`, again), 403, 'insufficient_aal')
  })

  test('each raises a session once, however it is typed, and its owner is told', async () => {
    const { email, codes } = await twoStep()
    const { token } = await signIn(stage, email)
    const elsewhere = await signIn(stage, email)
    const [first = '', second = ''] = codes
    const typed = first.toUpperCase().replace(/(.{4})/g, '$1- ')
    const { status, body } = await ask(`POST ${at}/verify`, token, { code: typed })
    assert.equal(status, 200, body['msg'])
    const claims = claimsOf(body['access_token'])
    assert.equal(claims['aal'], 'aal2')
    assert.equal(claims['amr'][0].method, 'mfa/recovery_code')
    assertRefused(await ask('GET /user', elsewhere.token), 403, 'session_not_found')
    const { token: third } = await signIn(stage, email)
    assertRefused(
      await ask(`POST ${at}/verify`, third, { code: first }),
      422,
      'mfa_verification_failed',
    )
    assert.equal((await ask(`POST ${at}/verify`, third, { code: second })).status, 200)
    const [mail] = await mailsTo(email)
    assert.equal(mail?.subject, 'A recovery code was used to sign in')
    assert.match(mail.text, /8 codes are left\.[^]*from the address 192\.0\.2\.1/)
  })

  test('of many who use one code at once one is raised', async () => {
    const { email, codes } = await twoStep()
    const sessions = await Promise.all([1, 2, 3, 4].map(() => signIn(stage, email)))
    const all = await Promise.all(
      sessions.map(({ token }) => ask(`POST ${at}/verify`, token, { code: codes[0] })),
    )
    assert.equal(statusesOf(all).filter((status) => status === 200).length, 1)
  })

  test('that are wrong are limited, and those of another are wrong', async () => {
    const { email, codes } = await twoStep()
    const other = await twoStep()
    const { token } = await signIn(stage, email)
    const use = (code: string) => ask(`POST ${at}/verify`, token, { code })
    for (const code of ['', 'abc', 'a'.repeat(5000), other.codes[0]!, `${codes[0]}a`]) {
      assertRefused(await use(code), 422, 'mfa_verification_failed')
    }
    for (let tried = 5; tried < 10; tried += 1) await use('aaaa-bbbb-cccc-dddd')
    assertRefused(await use(codes[0]!), 429, 'mfa_recovery_codes_locked')
    stage.pass(91)
    assert.equal((await use(codes[0]!)).status, 200)
  })

  test('made again void those of before, and so does the last second step’s end', async () => {
    const { email, token, codes, set, factor } = await twoStep()
    const { body: renewed } = await ask(`POST ${at}/regenerate`, token)
    assert.equal(renewed['id'], set['id'])
    const { token: low } = await signIn(stage, email)
    assertRefused(
      await ask(`POST ${at}/verify`, low, { code: codes[0] }),
      422,
      'mfa_verification_failed',
    )
    assert.equal((await mailsTo(email))[0]?.subject, 'New recovery codes were made')
    assert.equal((await ask(`DELETE /factors/${factor['id']}`, token)).status, 200)
    assertRefused(await ask(`GET ${at}`, token), 404, 'mfa_factor_not_found')
    const left = await stage.owner`select from auth.recovery_codes where factor_id = ${set['id']}`
    assert.equal(left.length, 0)
    assert.equal((await mailsTo(email))[0]?.subject, 'Two-step verification is off')
  })

  test('are made, and given up, by whoever proved within minutes that the session is theirs', async () => {
    const { token } = await twoStep()
    const acts = [`POST ${at}`, `POST ${at}/regenerate`, `DELETE ${at}`]
    stage.pass(301)
    for (const act of acts) assertRefused(await ask(act, token), 400, 'reauthentication_needed')
    assert.equal((await ask('POST /confirmation', token, { password })).status, 200)
    assert.equal((await ask(`POST ${at}/regenerate`, token)).status, 200)
    assert.equal((await ask(`DELETE ${at}`, token)).status, 200)
    assert.equal((await ask(`POST ${at}`, token)).status, 200)
  })

  test('are no factor to be challenged', async () => {
    const { token, set } = await twoStep()
    assertRefused(
      await ask(`POST /factors/${set['id']}/challenge`, token),
      400,
      'validation_failed',
    )
  })

  test('survive a lost phone: in by a code, the lost app removed, a new one set up', async () => {
    const { email, codes, factor } = await twoStep()
    const client = stage.client()
    await client.signInWithPassword({ email, password })
    assert.equal((await client.mfa.unenroll({ factorId: factor['id'] })).error?.status, 422)
    const { token } = await signIn(stage, email)
    const { body } = await ask(`POST ${at}/verify`, token, { code: codes[9] })
    const raised = body['access_token'] as string
    const fresh = await withApp(raised, 'new phone')
    assert.equal((await ask(`DELETE /factors/${factor['id']}`, fresh.token)).status, 200)
    const { body: left } = await ask(`GET ${at}`, fresh.token)
    assert.equal(left['remaining'], 9)
  })
})

describe('the owner is told by mail', () => {
  const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject)

  test('when a second step is added or removed', async () => {
    const { email, token } = await twoStep()
    assert.deepEqual(await subjects(email), ['Two-step verification is on'])
    const { factor, token: higher } = await withApp(token, 'tablet')
    assert.equal((await subjects(email))[0], 'A second step was added')
    await ask(`DELETE /factors/${factor['id']}`, higher)
    const [mail] = await mailsTo(email)
    assert.equal(mail?.subject, 'A second step was removed')
    assert.match(mail.text, /an authenticator app \(tablet\)/)
  })

  test('when the password changes, however it changes', async () => {
    const { email, token } = await person(stage)
    const change = { password: 'another harbour at dusk', current_password: password }
    assert.equal((await ask('PUT /user', token, change)).status, 200)
    assert.deepEqual(await subjects(email), ['Your password was changed'])
    await stage.ask('POST /recover', { body: { email } })
    const { token: token_hash } = linkIn((await mailsTo(email))[0]!)
    const { body } = await stage.ask('POST /verify', { body: { type: 'recovery', token_hash } })
    await ask('PUT /user', body['access_token'], { password: 'a third one of many' })
    assert.equal((await subjects(email))[0], 'Your password was changed')
  })

  test('at the old address when the address changes', async () => {
    const { email, token } = await person(stage)
    const fresh = `new.${email}`
    await ask('PUT /user', token, { email: fresh })
    for (const mail of [(await mailsTo(email))[0]!, (await mailsTo(fresh))[0]!]) {
      const { token: token_hash } = linkIn(mail)
      await stage.ask('POST /verify', { body: { type: 'email_change', token_hash } })
    }
    const [mail] = await mailsTo(email)
    assert.equal(mail?.subject, 'Your email address was changed')
    assert.match(mail.text, new RegExp(`sign in with ${fresh.replaceAll('.', '\\.')}`))
  })

  test('of a new device, but not of the first one, nor of its updates', async () => {
    const { email } = await person(stage)
    const from = (agent: string) =>
      stage.ask('POST /token?grant_type=password', {
        body: { email, password },
        headers: { 'user-agent': agent },
      })
    const firefox = (version: number) =>
      `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
    await from(firefox(130))
    await from(firefox(131))
    assert.deepEqual(await subjects(email), [])
    await from(firefox(131).replace('X11; Linux x86_64', 'Windows NT 10.0'))
    await from(firefox(132).replace('X11; Linux x86_64', 'Windows NT 10.0'))
    assert.deepEqual(await subjects(email), ['A new device signed in to your account'])
    assert.match((await mailsTo(email))[0]!.text, /with Firefox on Windows/)
  })

  test('under the bell as well, once, whatever the switches say', async () => {
    const { id, token, email } = await person(stage)
    await stage.owner`insert into preferences
      select ${id}, false, w.claim_updates, w.fund_alerts, w.health_tips from preferences_of(${id}) w`
    await withApp(token)
    const entries = await stage.owner`
      select code, kind, mailed_at is not null as mailed from notifications where person_id = ${id}`
    assert.deepEqual(
      entries.map((row) => ({ ...row })),
      [{ code: 'two_step_on', kind: 'account', mailed: true }],
    )
    assert.equal((await subjects(email)).length, 1)
  })
})

test('whoever finds an open session cannot try passwords on it for ever', async () => {
  const { token } = await person(stage)
  const put = (current_password: string) =>
    ask('PUT /user', token, { password: 'another harbour at dusk', current_password })
  for (let tried = 0; tried < 10; tried += 1) {
    assertRefused(await put('not this one'), 400, 'current_password_invalid')
  }
  assertRefused(await put(password), 429, 'over_request_rate_limit')
  stage.pass(91)
  assert.equal((await put(password)).status, 200)
})

test('a password asked for again is proven again for the session that asks', async () => {
  const { token } = await person(stage)
  stage.pass(3000)
  const confirm = (word: object) => ask('POST /confirmation', token, word)
  assertRefused(await confirm({ password: 'wrong' }), 400, 'current_password_invalid')
  assertRefused(await confirm({}), 400, 'current_password_invalid')
  assertRefused(await stage.ask('POST /confirmation', { body: {} }), 401, 'no_authorization')
  assert.equal((await confirm({ password })).status, 200)
  const [proven] = await stage.owner`
    select extract(epoch from ${stage.now().toISOString()}::timestamptz - at)::int as age
    from auth.amr_claims where session_id = ${claimsOf(token)['session_id']} and method = 'password'`
  assert.ok(proven?.['age'] < 60)
})
