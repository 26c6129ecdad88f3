import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  newEmail,
  openedAuthService,
  person,
  assertRefused,
  type AuthService,
} from '../../test/auth-service.ts'

const stage = openedAuthService()
let limited: ReturnType<AuthService['under']>
before(async () => {
  limited = stage.under({ client_address: (c) => c.req.header('x-address') })
})

let count = 0
const newAddress = () => `203.0.113.${++count}`
const reset = (address: string, on = limited) =>
  on.ask('POST /token?grant_type=refresh_token', {
    body: { refresh_token: 'x' },
    headers: { 'x-address': address },
  })

async function flood(times: number, ask: () => Promise<{ body: Record<string, unknown> }>) {
  const all = await Promise.all(Array.from({ length: times }, ask))
  return all.filter(({ body }) => body['error_code'] === 'over_request_rate_limit').length
}

test('an address may ask thirty times at once, then as fast as its bucket fills', async () => {
  const address = newAddress()
  assert.equal(await flood(30, () => reset(address)), 0)
  const over = await reset(address)
  assertRefused(over, 429, 'over_request_rate_limit', 'Request rate limit reached')
  assert.equal(await flood(1, () => reset(newAddress())), 0)
  stage.pass(4)
  assert.equal(await flood(4, () => reset(address)), 2)
})

test('every door has a bucket of its own', async () => {
  const { token } = await person(stage)
  const address = newAddress()
  const headers = { 'x-address': address }
  const { body: factor } = await limited.ask('POST /factors', {
    token,
    headers,
    body: { factor_type: 'totp' },
  })
  const doors: [string, object, number][] = [
    ['GET /reauthenticate', {}, 10],
    ['POST /signup', { email: 'x' }, 10],
    ['POST /recover', {}, 10],
    ['POST /resend', {}, 10],
    ['POST /verify', {}, 10],
    ['PUT /user', { email: 'x' }, 10],
    [`POST /factors/${factor['id']}/verify`, { challenge_id: 'x', code: 'x' }, 4],
    [`POST /factors/${factor['id']}/challenge`, { channel: 7 }, 4],
  ]
  for (const [route, body, seconds_each] of doors) {
    const sent = route.startsWith('GET') ? {} : { body }
    const ask = () => limited.ask(route, { token, headers, ...sent })
    assert.equal(await flood(31, ask), 1, route)
    stage.pass(seconds_each)
    assert.equal(await flood(2, ask), 1, route)
  }
  const link = () => limited.ask('GET /verify', { headers })
  assert.ok((await flood(4, link)) >= 2)
})

test('links for an administrator to hand over are limited like what anybody asks for', async () => {
  const headers = { 'x-address': newAddress() }
  const { email } = await person(stage)
  const body = { type: 'recovery', email }
  const token = stage.service_key
  const link = () => limited.ask('POST /admin/generate_link', { token, headers, body })
  assert.equal(await flood(31, link), 1)
  const denied = () => limited.ask('POST /admin/generate_link', { headers, body })
  assertRefused(await denied(), 401, 'no_authorization')
})

test('what is refused before costs nothing: anonymous sign-ups, other grants', async () => {
  const headers = { 'x-address': newAddress() }
  const anonymous = () => limited.ask('POST /signup', { headers, body: {} })
  assert.equal(await flood(40, anonymous), 0)
  const grants = () => limited.ask('POST /token?grant_type=x', { headers, body: {} })
  assert.equal(await flood(40, grants), 0)
})

test('a whole IPv6 network is one address', async () => {
  const ask = (at: number) => reset(`2001:db8:1:2::${at.toString(16)}`)
  const all = await Promise.all(Array.from({ length: 31 }, (_, at) => ask(at)))
  assert.equal(all.filter(({ status }) => status === 429).length, 1)
  assert.notEqual((await reset('2001:db8:1:3::1')).status, 429)
})

test('who asks at this very machine is not limited; a loopback address alone is no proof', async () => {
  const client_address = () => '127.0.0.1'
  const local = stage.under({ client_address, is_local: () => true })
  assert.equal(await flood(40, () => reset('', local)), 0)
  const peer = stage.under({ client_address })
  assert.equal(await flood(40, () => reset('', peer)), 10)
})

test('mails are counted for all processes together', async () => {
  const processes = [1, 2, 3].map(() => stage.under({ mail_per_hour: 2 }))
  const before = (await stage.mails()).length
  await Promise.all(
    processes.map(async (service) => {
      const { email } = await person(stage, newEmail())
      return service.ask('POST /recover', { body: { email } })
    }),
  )
  assert.equal((await stage.mails()).length - before, 2)
  const { email } = await person(stage, newEmail())
  const next = await processes[0]!.ask('POST /recover', { body: { email } })
  assertRefused(next, 429, 'over_email_send_rate_limit')
})

describe('of an hour’s mails', () => {
  const emptied = () => stage.owner`delete from auth.buckets`
  before(emptied)
  after(emptied)
  const password = 'a harbour with many boats'
  const joins = (on: typeof limited, domain: string, address: string) =>
    on.ask('POST /signup', {
      body: { email: `n${++count}@${domain}`, password },
      headers: { 'x-address': address },
    })
  const recovers = (on: typeof limited, email: string, address: string) =>
    on.ask('POST /recover', { body: { email }, headers: { 'x-address': address } })
  const let_through = (all: { status: number }[]) => all.filter(({ status }) => status < 300).length
  const many = (times: number, ask: (n: number) => Promise<{ status: number; body: object }>) =>
    Promise.all(Array.from({ length: times }, (_, n) => ask(n)))
  const under = (mail_per_hour: number) =>
    stage.under({ mail_per_hour, client_address: (c) => c.req.header('x-address') })

  test('a quarter is kept for owners: sign-ups of a thousand strangers leave it alone', async () => {
    await emptied()
    const on = under(40)
    const strangers = await many(45, (n) => joins(on, `d${n}.example`, newAddress()))
    assert.equal(let_through(strangers), 30)
    const { email } = await person(stage)
    assert.equal((await recovers(on, email, newAddress())).status, 200)
    const [left] = await stage.owner<[{ level: number }]>`
      select level from auth.buckets where name = 'mails'`
    assert.ok(left.level >= 9, String(left.level))
  })

  test('one domain’s people and one network get their shares, and others theirs', async () => {
    await emptied()
    const on = under(40)
    const one_domain = await many(12, () => joins(on, 'crowd.example', newAddress()))
    assert.equal(let_through(one_domain), 10)
    assert.equal((await joins(on, 'quiet.example', newAddress())).status, 200)
    const flooder = newAddress()
    const one_network = await many(8, (n) => joins(on, `f${n}.example`, flooder))
    assert.equal(let_through(one_network), 5)
    const refusal = await recovers(on, newEmail(), flooder)
    assertRefused(refusal, 429, 'over_email_send_rate_limit', 'email rate limit exceeded')
    assert.equal((await recovers(on, newEmail(), newAddress())).status, 200)
  })

  test('an owner gets back in from a domain whose share is used up', async () => {
    await emptied()
    const on = under(40)
    const { email } = await person(stage)
    const domain = email.split('@')[1]!
    assert.equal(let_through(await many(11, () => joins(on, domain, newAddress()))), 10)
    assert.equal((await recovers(on, email, newAddress())).status, 200)
  })

  const moves = (on: typeof limited, token: string, address = newAddress(), email = newEmail()) =>
    on.ask('PUT /user', { token, body: { email }, headers: { 'x-address': address } })
  const proves = (on: typeof limited, token: string, address = newAddress()) =>
    on.ask('GET /reauthenticate', { token, headers: { 'x-address': address } })
  const ones = async (times: number, ask: (n: number) => Promise<{ status: number }>) => {
    const all: { status: number }[] = []
    for (let n = 0; n < times; n += 1) all.push(await ask(n))
    return let_through(all)
  }

  test('one account gets a tenth, wherever it asks from and whatever for', async () => {
    for (const asks of [moves, proves]) {
      await emptied()
      const on = under(40)
      const { token } = await person(stage)
      assert.equal(await ones(7, () => asks(on, token)), 5)
      assert.equal((await recovers(on, (await person(stage)).email, newAddress())).status, 200)
    }
  })

  test('one network gets a tenth, whoever is signed in there', async () => {
    for (const asks of [moves, proves]) {
      await emptied()
      const on = under(40)
      const flooder = newAddress()
      const ask = async () => asks(on, (await person(stage)).token, flooder)
      assert.equal(await ones(7, ask), 5)
    }
  })

  test('one address is written to by no more accounts than that', async () => {
    await emptied()
    const on = under(40)
    const target = newEmail()
    const move = async () => moves(on, (await person(stage)).token, newAddress(), target)
    assert.equal(await ones(7, move), 5)
  })

  test('moves to other addresses take nothing of what is kept for owners', async () => {
    await emptied()
    const on = under(40)
    const move = async (n: number) =>
      moves(on, (await person(stage)).token, newAddress(), `m${n}@m${n}.example`)
    assert.equal(await ones(17, move), 15)
    assert.equal((await recovers(on, (await person(stage)).email, newAddress())).status, 200)
  })

  test('what an asker used up does not tell whom they asked for', async () => {
    const { email } = await person(stage)
    for (const asked_for of [email, newEmail()]) {
      await emptied()
      const on = under(40)
      const asker = newAddress()
      const statuses = await many(6, () => recovers(on, asked_for, asker))
      assert.equal(let_through(statuses), 5)
    }
  })
})
