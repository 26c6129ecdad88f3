import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRefreshToken, writeRefreshToken } from './refresh-tokens.server.ts'
import {
  openedAuthService,
  person,
  assertRefused,
  suspend,
  type AuthService,
} from '../../test/auth-service.ts'
import { claimsOf } from '../../test/world/people.ts'

const stage = openedAuthService()

const refresh = (refresh_token: unknown, on: Pick<AuthService, 'ask'> = stage) =>
  on.ask('POST /token?grant_type=refresh_token', { body: { refresh_token } })
const next = async (token: string) => {
  const { status, body } = await refresh(token)
  assert.equal(status, 200, body['msg'])
  return body['refresh_token'] as string
}

test('a refresh rotates the token, keeps the session and shows what administrators changed', async () => {
  const { id, token, refresh_token } = await person(stage)
  await stage.ask(`PUT /admin/users/${id}`, {
    token: stage.service_key,
    body: { app_metadata: { plan: 'gold' } },
  })
  const { body } = await refresh(refresh_token)
  assert.notEqual(body['refresh_token'], refresh_token)
  const [before, now] = [claimsOf(token), claimsOf(body['access_token'])]
  assert.equal(now['session_id'], before['session_id'])
  assert.deepEqual(now['amr'], before['amr'])
  assert.equal(now['app_metadata']['plan'], 'gold')
  assert.equal(body['user'].app_metadata.plan, 'gold')
})

test('what was not written by us is malformed; what was, but is gone, is not found', async () => {
  const { refresh_token } = await person(stage)
  const forged = (token: string) =>
    `${token.slice(0, -8)}${token.at(-8) === 'A' ? 'B' : 'A'}${token.slice(-7)}`
  for (const bad of [
    '',
    undefined,
    null,
    'short',
    'x'.repeat(58),
    'æ'.repeat(12),
    forged(refresh_token),
  ]) {
    assertRefused(await refresh(bad), 400, 'validation_failed')
  }
  assertRefused(await refresh('abcdefghij12'), 400, 'refresh_token_not_found')
  const [session] = await stage.owner`select gen_random_uuid() as id`
  const unknown = writeRefreshToken(session!['id'], 0, Buffer.alloc(32))
  assertRefused(await refresh(unknown), 400, 'refresh_token_not_found')
  const { session_id } = readRefreshToken(refresh_token)!
  const foreign = writeRefreshToken(session_id, 0, Buffer.alloc(32))
  assertRefused(await refresh(foreign), 400, 'refresh_token_not_found')
})

test('a token ahead of us was not issued here', async () => {
  const { refresh_token } = await person(stage)
  const { session_id } = readRefreshToken(refresh_token)!
  const [row] = await stage.owner`select refresh_key from auth.sessions where id = ${session_id}`
  const ahead = writeRefreshToken(session_id, 5, row!['refresh_key'])
  assertRefused(await refresh(ahead), 400, 'validation_failed')
  await next(refresh_token)
})

test('tabs that race all get the same next token', async () => {
  const { refresh_token } = await person(stage)
  const all = await Promise.all(Array.from({ length: 12 }, () => refresh(refresh_token)))
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
  assert.equal(new Set(all.map(({ body }) => body['refresh_token'])).size, 1)
})

test('the parent of the current token is good for ever: the answer may have been lost', async () => {
  const { refresh_token } = await person(stage)
  const second = await next(refresh_token)
  stage.pass(5000)
  assert.equal(await next(refresh_token), second)
  stage.pass(100_000)
  assert.equal(await next(refresh_token), second)
  assert.notEqual(await next(second), second)
})

test('an older token is good for ten seconds, and then ends the whole session', async () => {
  const { refresh_token: first } = await person(stage)
  const second = await next(first)
  const third = await next(second)
  assert.equal(await next(first), third)
  stage.pass(11)
  const { body } = await refresh(third)
  const fourth = body['refresh_token']
  stage.pass(11)
  assertRefused(
    await refresh(second),
    400,
    'refresh_token_already_used',
    'Invalid Refresh Token: Already Used',
  )
  assertRefused(await refresh(fourth), 400, 'refresh_token_not_found')
  assertRefused(await refresh(second), 400, 'refresh_token_not_found')
  assertRefused(
    await stage.ask('GET /user', { token: body['access_token'] }),
    403,
    'session_not_found',
  )
  const [entry] = await stage.owner`
    select action from auth.audit_log_entries order by id desc limit 1`
  assert.equal(entry?.['action'], 'token_revoked')
})

test('signed out, banned and suspended sessions don’t refresh', async () => {
  const out = await person(stage)
  await stage.ask('POST /logout', { token: out.token })
  assertRefused(await refresh(out.refresh_token), 400, 'refresh_token_not_found')
  const ban = await person(stage)
  const body = { ban_duration: '24h' }
  await stage.ask(`PUT /admin/users/${ban.id}`, { token: stage.service_key, body })
  assertRefused(await refresh(ban.refresh_token), 400, 'user_banned')
  const lifted = { ban_duration: 'none' }
  await stage.ask(`PUT /admin/users/${ban.id}`, { token: stage.service_key, body: lifted })
  await next(ban.refresh_token)
  const suspended = await person(stage)
  await suspend(stage, suspended.id)
  assert.equal((await refresh(suspended.refresh_token)).status, 400)
})

test('sessions end where the operator set an end', async () => {
  const { refresh_token } = await person(stage)
  const idle = stage.under({ session_idle_seconds: 600 })
  const short = stage.under({ session_seconds: 1200 })
  stage.pass(500)
  assert.equal((await refresh(refresh_token, idle)).status, 200)
  stage.pass(601)
  assertRefused(await refresh(refresh_token, idle), 400, 'session_expired')
  assert.equal((await refresh(refresh_token, short)).status, 200)
  stage.pass(200)
  assertRefused(await refresh(refresh_token, short), 400, 'session_expired')
  await next(refresh_token)
})

test('admins sign in again sooner, and their tokens are renewed within their idle time', async () => {
  const limits = { admin_session_seconds: 7200, admin_idle_seconds: 1800 }
  const services = stage.under(limits)
  const grant = 'POST /token?grant_type=password'
  const [company] = await stage.owner`insert into companies (name) values ('Acme') returning id`
  const enter = async (role: string) => {
    const { id, email } = await person(stage)
    await stage.owner`update profiles set role = ${role}, status = 'active',
      company_id = ${role === 'super_admin' ? null : company!['id']} where id = ${id}`
    const { body } = await services.ask(grant, {
      body: { email, password: 'a quiet harbour at dawn' },
    })
    return { expires_in: body['expires_in'], token: body['refresh_token'] as string }
  }
  const [admin, boss, worker] = [
    await enter('company_admin'),
    await enter('super_admin'),
    await enter('employee'),
  ]
  assert.deepEqual([admin.expires_in, boss.expires_in, worker.expires_in], [600, 600, 3600])
  stage.pass(1700)
  const kept = await refresh(admin.token, services)
  assert.deepEqual([kept.status, kept.body['expires_in']], [200, 600])
  stage.pass(200)
  assertRefused(await refresh(boss.token, services), 400, 'session_expired')
  for (let passed = 1900; passed <= 7200; passed += 1000) {
    assert.equal((await refresh(admin.token, services)).status, 200)
    stage.pass(1000)
  }
  assertRefused(await refresh(admin.token, services), 400, 'session_expired')
  assert.equal((await refresh(worker.token, services)).status, 200)
})

test('a session that stays locked is a conflict to try again, not a lost one', async () => {
  const { refresh_token } = await person(stage)
  const { session_id } = readRefreshToken(refresh_token)!
  await stage.owner.begin(async (tx) => {
    await tx`select from auth.sessions where id = ${session_id} for update`
    assertRefused(await refresh(refresh_token), 409, 'conflict')
  })
  await next(refresh_token)
})

test('the client refreshes, and keeps its session', async () => {
  const client = stage.client()
  const { email } = await person(stage)
  await client.signInWithPassword({ email, password: 'a quiet harbour at dawn' })
  const { data, error } = await client.refreshSession()
  assert.equal(error, null)
  assert.ok(data.session?.refresh_token)
  assert.equal((await client.getUser()).error, null)
})
