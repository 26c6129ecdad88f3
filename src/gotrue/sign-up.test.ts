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
  type AuthAnswer,
  type AuthService,
} from '../../test/auth-service.ts'
import { claimsOf, password } from '../../test/world/people.ts'

const stage = openedAuthService()

const signUp = (body: object, on: Pick<AuthService, 'ask'> = stage): Promise<AuthAnswer> =>
  on.ask('POST /signup', { body })

test('a new account is a bare user, waits to be confirmed, and got a mail', async () => {
  const email = newEmail()
  const data = {
    full_name: 'Ana',
    sub: 'forged',
    email: 'forged@example.com',
    email_verified: true,
  }
  const { status, body } = await signUp({ email: email.toUpperCase(), password, data })
  assert.equal(status, 200)
  assert.ok(!('access_token' in body) && typeof body['id'] === 'string')
  assert.deepEqual(
    [body['aud'], body['role'], body['email'], body['phone']],
    ['authenticated', 'authenticated', email, ''],
  )
  assert.ok(body['confirmation_sent_at'] && !body['email_confirmed_at'] && !body['last_sign_in_at'])
  assert.deepEqual(body['app_metadata'], { provider: 'email', providers: ['email'] })
  assert.deepEqual(body['user_metadata'], {
    full_name: 'Ana',
    sub: body['id'],
    email,
    email_verified: false,
    phone_verified: false,
  })
  const [identity] = body['identities']
  assert.equal(identity.provider, 'email')
  assert.equal(identity.id, body['id'])
  assert.equal(identity.email, email)
  assert.equal(identity.identity_data.email_verified, false)
  assert.equal(body['is_anonymous'], false)
  const [mail] = await stage.mails()
  assert.equal(mail?.to, email)
  assert.match(codeIn(mail), /^\d{6}$/)
})

test('what only administrators decide has no effect', async () => {
  const { body } = await signUp({
    email: newEmail(),
    password,
    role: 'service_role',
    id: '11111111-1111-4111-8111-111111111111',
    aud: 'elsewhere',
    app_metadata: { admin: true },
    email_confirm: true,
  })
  assert.equal(body['role'], 'authenticated')
  assert.notEqual(body['id'], '11111111-1111-4111-8111-111111111111')
  assert.equal(body['aud'], 'authenticated')
  assert.deepEqual(body['app_metadata'], { provider: 'email', providers: ['email'] })
  assert.ok(!body['email_confirmed_at'])
})

test('refusals come in order', async () => {
  assertRefused(
    await signUp({}),
    422,
    'anonymous_provider_disabled',
    'Anonymous sign-ins are disabled',
  )
  assertRefused(await signUp({ email: '', phone: '' }), 422, 'anonymous_provider_disabled')
  const closed = stage.under({ disable_signup: true })
  assertRefused(await signUp({ email: 'x' }, closed), 422, 'signup_disabled')
  assertRefused(
    await signUp({ email: 'x' }),
    400,
    'validation_failed',
    'Signup requires a valid password',
  )
  assertRefused(await signUp({ email: 'x', password: 'é'.repeat(37) }), 400, 'validation_failed')
  assertRefused(await signUp({ email: 'x', password: 'short' }), 422, 'weak_password')
  assertRefused(await signUp({ email: 'x', phone: '1', password }), 400, 'validation_failed')
  assertRefused(await signUp({ phone: '+49 170 1', password }), 400, 'phone_provider_disabled')
  for (const email of [
    'x',
    'a@',
    '@b.c',
    'a b@c.de',
    'a@b@c',
    'x@y',
    'a@localhost',
    'a@127.0.0.1',
    'eve..10@b.com',
    `${'a'.repeat(250)}@b.com`,
    'ä@ö.de',
  ]) {
    assertRefused(await signUp({ email, password }), 400, 'validation_failed')
  }
})

test('guessable passwords are refused, 72 bytes are the most', async () => {
  const weak = ['password123', 'Password123!', '12345678', 'aaaaaaaa', 'qwertyuiop', 'Passw0rd!']
  for (const word of weak) {
    assertRefused(await signUp({ email: newEmail(), password: word }), 422, 'weak_password')
  }
  const email = 'josephine.baker@example.com'
  assertRefused(await signUp({ email, password: 'josephine.baker' }), 422, 'weak_password')
  const strict = stage.under({ min_password_length: 12 })
  const eleven = await signUp({ email: newEmail(), password: 'xK7q_Wz2pLm' }, strict)
  assertRefused(eleven, 422, 'weak_password', 'Password should be at least 12 characters.')
  const longest = `${'korrekt pferd '.repeat(5)}ab`
  assert.equal(Buffer.byteLength(longest), 72)
  const known = newEmail()
  assert.equal((await signUp({ email: known, password: longest })).status, 200)
  await signIn(stage, known, longest)
})

test('an unconfirmed address gets another mail, but not within a minute, and nothing else changes', async () => {
  const slow = stage.under({ mail_every_seconds: 60 })
  const email = newEmail()
  const first = await signUp({ email, password, data: { name: 'first' } }, slow)
  assertRefused(await signUp({ email, password }, slow), 429, 'over_email_send_rate_limit')
  stage.pass(61)
  const second = await signUp(
    { email, password: 'another harbour at dusk', data: { name: 'x' } },
    slow,
  )
  assert.equal(second.status, 200)
  assert.notEqual(second.body['id'], first.body['id'])
  const [kept] = await stage.owner`
    select raw_user_meta_data ->> 'name' as name from auth.users where email = ${email}`
  assert.equal(kept?.['name'], 'first')
  await signIn(stage, email, password)
  const mails = (await stage.mails()).filter(({ to }) => to === email)
  assert.equal(mails.length, 2)
})

/** An answer without what is random or of the moment; the order of its members counts. */
const shapeOf = (body: object) =>
  JSON.stringify(body)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'instant')
    .replaceAll(/[\w.]+@example\.com/g, 'address')

test('an address answers alike, and as soon again, whether it is known, waits or is new', async () => {
  const slow = stage.under({ mail_every_seconds: 60 })
  const { email, id } = await person(stage)
  const waiting = newEmail()
  await signUp({ email: waiting, password: 'their own words in here', data: { b: 2 } })
  const invited = newEmail()
  const invitation = { email: invited, data: { salary: 1 } }
  await stage.ask('POST /invite', { token: stage.service_key, body: invitation })
  stage.pass(61)
  const fresh = await signUp({ email: newEmail(), password, data: { a: 1 } }, slow)
  assert.equal(fresh.body['identities'].length, 1)
  for (const known of [email, waiting, invited]) {
    const answer = await signUp({ email: known, password, data: { a: 1 } }, slow)
    assert.deepEqual([answer.status, shapeOf(answer.body)], [200, shapeOf(fresh.body)], known)
    assert.notEqual(answer.body['id'], id)
  }
  for (const again of [email, waiting, invited, fresh.body['email']])
    assertRefused(await signUp({ email: again, password }, slow), 429, 'over_email_send_rate_limit')
  await signIn(stage, email)
  const mails = (await stage.mails()).filter(({ to }) => to === email)
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Somebody tried to sign up with your address'],
  )
})

test('a password that somebody prepared is not the account’s once its owner confirmed it', async () => {
  const grant = 'POST /token?grant_type=password'
  for (const by of ['link', 'code']) {
    const email = newEmail()
    await signUp({ email, password })
    const [mail] = await stage.mails()
    const body =
      by === 'link'
        ? { type: 'signup', token_hash: linkIn(mail!).token }
        : { type: 'signup', email, token: codeIn(mail!) }
    const { body: session } = await stage.ask('POST /verify', { body })
    assertRefused(await stage.ask(grant, { body: { email, password } }), 400, 'invalid_credentials')
    const own = 'an orchard in late october'
    const token = session['access_token']
    assert.equal((await stage.ask('PUT /user', { token, body: { password: own } })).status, 200)
    await signIn(stage, email, own)
  }
  const email = newEmail()
  await signUp({ email, password })
  const { token: token_hash } = linkIn((await stage.mails())[0]!)
  const verify = (word: string) =>
    stage.ask('POST /verify', { body: { type: 'signup', token_hash, password: word } })
  assertRefused(await verify('12345678'), 422, 'weak_password')
  assert.equal((await verify('an orchard in late october')).status, 200)
  await signIn(stage, email, 'an orchard in late october')
})

test('a stranger who asks for another mail shortens no invitation', async () => {
  const email = newEmail()
  await stage.ask('POST /invite', { token: stage.service_key, body: { email } })
  const body = { type: 'signup', email }
  assert.equal((await stage.ask('POST /resend', { body })).status, 200)
  const [mail] = await stage.mails()
  const { type, token } = linkIn(mail!)
  assert.equal(type, 'invite')
  stage.pass(6 * 86_400)
  const { status } = await stage.ask('POST /verify', { body: { type, token_hash: token } })
  assert.equal(status, 200)
})

test('with autoconfirm a new account is signed in at once, and known ones are refused', async () => {
  const auto = stage.under({ autoconfirm: true })
  const email = newEmail()
  const { status, body } = await signUp({ email, password }, auto)
  assert.equal(status, 200)
  assert.equal(body['token_type'], 'bearer')
  assert.ok(body['user'].email_confirmed_at && body['user'].confirmed_at)
  assert.equal(body['user'].user_metadata.email_verified, true)
  assert.deepEqual(claimsOf(body['access_token'])['amr'][0].method, 'password')
  const known = await signUp({ email, password }, auto)
  assertRefused(known, 422, 'user_already_exists', 'User already registered')
  const unconfirmed = newEmail()
  await signUp({ email: unconfirmed, password })
  assertRefused(await signUp({ email: unconfirmed, password }, auto), 422, 'user_already_exists')
})

test('of sign-ups that race for an address one makes the account', async () => {
  const email = newEmail()
  const auto = stage.under({ autoconfirm: true })
  const all = await Promise.all(Array.from({ length: 8 }, () => signUp({ email, password }, auto)))
  assert.deepEqual(statusesOf(all), [200, ...Array(7).fill(422)])
  const [{ count } = { count: 0 }] = await stage.owner`
    select count(*) from auth.users where email = ${email}`
  assert.equal(count, 1)
  const slow = stage.under({ mail_every_seconds: 60 })
  const other = newEmail()
  const mailed = await Promise.all(
    Array.from({ length: 5 }, () => signUp({ email: other, password }, slow)),
  )
  assert.deepEqual(statusesOf(mailed), [200, 429, 429, 429, 429])
})

test('the service sends only so many mails an hour, whoever asks', async () => {
  await stage.owner`delete from auth.buckets`
  const poor = stage.under({ mail_per_hour: 2 })
  assert.equal((await signUp({ email: newEmail(), password }, poor)).status, 200)
  const { email } = await person(stage)
  assert.equal((await poor.ask('POST /recover', { body: { email } })).status, 200)
  assertRefused(
    await signUp({ email: newEmail(), password }, poor),
    429,
    'over_email_send_rate_limit',
  )
  for (const address of [email, newEmail()]) {
    const answer = await poor.ask('POST /recover', { body: { email: address } })
    assertRefused(answer, 429, 'over_email_send_rate_limit', 'email rate limit exceeded')
  }
  const auto = stage.under({ mail_per_hour: 2, autoconfirm: true })
  assert.equal((await signUp({ email: newEmail(), password }, auto)).status, 200)
  stage.pass(1801)
  assert.equal((await signUp({ email: newEmail(), password }, poor)).status, 200)
  await stage.owner`delete from auth.buckets`
})

test('the same address under another audience is another account, if that is served', async () => {
  const { email } = await person(stage)
  const headers = { 'X-JWT-AUD': 'partners' }
  const refusal = await stage.ask('POST /signup', { body: { email, password }, headers })
  assertRefused(refusal, 400, 'validation_failed')
  const serving = stage.under({ audiences: ['authenticated', 'partners'] })
  const { body } = await serving.ask('POST /signup', { body: { email, password }, headers })
  assert.equal(body['aud'], 'partners')
  const sign_in = { body: { email, password }, headers }
  const { body: session } = await stage.ask('POST /token?grant_type=password', sign_in)
  assert.equal(claimsOf(session['access_token'])['aud'], 'partners')
})

test('the client takes the bare user for what it is', async () => {
  const { data, error } = await stage.client().signUp({ email: newEmail(), password })
  assert.equal(error, null)
  assert.equal(data.session, null)
  assert.ok(data.user?.id)
  const auto = await stage
    .under({ autoconfirm: true })
    .client()
    .signUp({ email: newEmail(), password })
  assert.ok(auto.data.session?.access_token)
})
