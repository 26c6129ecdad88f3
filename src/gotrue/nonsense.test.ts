import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertRefused, newEmail, openedAuthService, person } from '../../test/auth-service.ts'
import { password } from '../../test/world/people.ts'

const stage = openedAuthService({ mfa_phone: true })

const names = [
  'email phone password data type token token_hash redirect_to nonce current_password app_metadata',
  'user_metadata refresh_token factor_type issuer friendly_name challenge_id code webauthn channel role',
  'id aud new_email password_hash email_confirm phone_confirm ban_duration should_soft_delete',
].flatMap((line) => line.split(' '))
const texts = ['', ' ', 'x', '\u0000', '\ud800', '../..', "'; drop table x; --", 'x'.repeat(5000)]
const hash = '$argon2id$v=19$m=1,t=1,p=1$YWFh$YWFh'
const passkey = { type: 'create', credential_response: { id: 7 } }
const values: unknown[] = texts.concat(['99999999h', hash, '\u202e'])
values.push(null, true, 7, -1.5, 1e308, [], {}, [[]], passkey, { $ne: null }, { toString: 1 }, [
  'a',
])

test('nonsense is refused or ignored, and never a fault', async () => {
  const { token, id } = await person(stage)
  const { body: factor } = await stage.ask('POST /factors', {
    token,
    body: { factor_type: 'totp' },
  })
  const valid = {
    email: 'a@example.com',
    password,
    type: 'signup',
    factor_type: 'totp',
    code: '123456',
  }
  const keys = { user: token, admin: stage.service_key }
  const routes: [string, keyof typeof keys][] = [
    ['POST /signup', 'user'],
    ['POST /token?grant_type=password', 'user'],
    ['POST /token?grant_type=refresh_token', 'user'],
    ['POST /recover', 'user'],
    ['POST /resend', 'user'],
    ['POST /verify', 'user'],
    ['PUT /user', 'user'],
    ['POST /factors', 'user'],
    [`POST /factors/${factor['id']}/challenge`, 'user'],
    [`POST /factors/${factor['id']}/verify`, 'user'],
    ['POST /admin/users', 'admin'],
    [`PUT /admin/users/${id}`, 'admin'],
    ['POST /admin/generate_link', 'admin'],
    ['POST /invite', 'admin'],
  ]
  for (const [route, key] of routes) {
    const bodies = values.map((value, at) => {
      const several = names.filter((_, place) => (place + at) % 7 === 0)
      return {
        ...valid,
        email: newEmail(),
        ...Object.fromEntries(several.map((name) => [name, value])),
      }
    })
    const alone = names.map((name, at) => ({ [name]: values[(at * 5) % values.length] }))
    for (const body of [...bodies, ...alone]) {
      const { status, body: answer } = await stage.ask(route, { token: keys[key], body })
      assert.ok(
        status < 500,
        `${route} ${JSON.stringify(body)} ${status} ${JSON.stringify(answer)}`,
      )
    }
  }
})

test('nonsense in addresses and headers, too', async () => {
  const odd = ['%00', '%ff', '..%2f', 'x'.repeat(3000), '%F0%9F%92%A9', "'", '1e9', '-1', '%5B%5D']
  const token = stage.service_key
  for (const text of odd) {
    for (const route of [
      `GET /admin/users?page=${text}`,
      `GET /admin/users?filter=${text}`,
      `GET /admin/users?sort=${text}`,
      `GET /admin/users/${text}`,
      `GET /verify?type=${text}&token=${text}&redirect_to=${text}`,
      `GET /verify?type=signup&token=${text}&redirect_to=http://localhost:3000/${text}`,
      `POST /logout?scope=${text}`,
      `POST /token?grant_type=${text}`,
    ]) {
      const { status } = await stage.ask(route, { token, headers: { 'x-jwt-aud': "x'y" } })
      assert.ok(status < 500, `${route} ${status}`)
    }
  }
})

test('a name is as long as the forms let it be, and is not cut', async () => {
  for (const [name, what] of [
    ['full_name', 'Name'],
    ['company_name', 'Company name'],
  ] as const) {
    const named = (words: string) =>
      stage.ask('POST /signup', { body: { email: newEmail(), password, data: { [name]: words } } })
    assertRefused(await named('n'.repeat(101)), 400, 'validation_failed', 'At most 100 characters')
    const too_short = `${what} must be at least 2 characters`
    assertRefused(await named('n\u200b'), 400, 'validation_failed', too_short)
    assert.equal((await named(`${'n'.repeat(100)}\u200b\n`)).status, 200)
  }
})
