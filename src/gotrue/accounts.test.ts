import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Problem } from '#problems.ts'
import { initialPassword, mailInvitation, makeAccount } from './accounts.server.ts'
import { completeSetup, setupLink } from './setup.server.ts'
import {
  linkIn,
  newEmail,
  openAuthService,
  openedAuthService,
  person,
  assertRefused,
  signIn,
} from '../../test/auth-service.ts'
import { lost, password } from '../../test/world/people.ts'

const stage = openedAuthService()
let company_id: string
before(async () => {
  const [made] = await stage.owner<{ id: string }[]>`
    insert into companies (name, status) values ('Acme', 'active') returning id`
  company_id = made!.id
})

const account = (more = {}) =>
  ({
    email: newEmail(),
    full_name: 'Ana Lima',
    role: 'employee',
    company_id,
    mail: 'none',
    ...more,
  }) as const
const profile = async (id: string) => {
  const [found] = await stage.owner`
    select role, status, company_id, full_name from profiles where id = ${id}`
  return found
}
const refuses = (code: string, act: Promise<unknown>) =>
  assert.rejects(act, (error: Problem) => (assert.equal(error.code, code), true))

test('an employee gets a place, an initial password to change, and a link', async () => {
  const initial = initialPassword()
  assert.match(initial, /^[A-Za-z2-9]{12}Aa1!$/)
  const input = account({ password: initial, mail: 'set_password' })
  const { id } = await makeAccount(stage.options, input)
  assert.deepEqual(
    { ...(await profile(id)) },
    {
      role: 'employee',
      status: 'pending',
      company_id,
      full_name: 'Ana Lima',
    },
  )
  const { token, body } = await signIn(stage, input.email, initial)
  assert.equal(body['user'].app_metadata.must_change_password, true)
  const change = { password, current_password: initial }
  const changed = await stage.ask('PUT /user', { token, body: change })
  assert.ok(!('must_change_password' in changed.body['app_metadata']))
  const [mail] = await stage.mails()
  assert.deepEqual([mail!.to, mail!.subject], [input.email, 'Your Healthfund account is ready'])
  assert.doesNotMatch(mail!.text, /https?:\/\/\S*[.,)](\s|$)/, 'an address ends where it ends')
})

test('the link of an account that was made for somebody works for days, and makes them active', async () => {
  const input = account({ mail: 'invite', role: 'company_admin' })
  const { id } = await makeAccount(stage.options, input)
  const { type, token } = linkIn((await stage.mails())[0]!)
  assert.equal(type, 'invite')
  stage.pass(6 * 86_400)
  const { status } = await stage.ask('POST /verify', { body: { type, token_hash: token } })
  assert.equal(status, 200)
  assert.equal((await profile(id))?.['status'], 'active')
  const vouched = await makeAccount(stage.options, account({ confirmed: true }))
  assert.equal((await profile(vouched.id))?.['status'], 'active')
})

test('taken and wrong addresses are told by their field', async () => {
  const { email } = await person(stage)
  await refuses('invalid_input', makeAccount(stage.options, account({ email })))
  await refuses('invalid_input', makeAccount(stage.options, account({ email: 'x' })))
})

test('many accounts are made by one statement, and invited one by one', async () => {
  const { email: known } = await person(stage)
  const added = await stage.owner<{ id: string; email: string }[]>`
    select * from auth.add_accounts(array(
      select row(email, name, jsonb_build_object('role', 'employee', 'company_id', ${company_id}::text),
          null)::auth.new_account
        from (select 'Bulk.' || n || '@example.com' as email, 'Person ' || n as name
          from generate_series(1, 500) n
          union all values (${known}, 'Known'), ('bulk.1@example.com ', 'Twice')) given))`
  assert.equal(added.length, 500)
  const { id, email } = added.find((one) => one.email === 'bulk.7@example.com')!
  assert.equal((await profile(id))?.['company_id'], company_id)
  await mailInvitation(stage.options, id)
  const { type, token } = linkIn((await stage.mails())[0]!)
  const { body } = await stage.ask('POST /verify', { body: { type, token_hash: token } })
  assert.deepEqual([body['user'].email, body['user'].user_metadata.full_name], [email, 'Person 7'])
  assert.equal(body['user'].identities.length, 1)
  assert.equal((await profile(id))?.['status'], 'active')
})

test('people are signed out everywhere at once', async () => {
  const people = [await person(stage), await person(stage)]
  const stays = await person(stage)
  const ended = async (ids: string[]) =>
    stage.owner`select auth.end_sessions(${`{${ids.join(',')}}`}::text::uuid[])::int as ended`
  assert.deepEqual(await ended(people.map(({ id }) => id)), [{ ended: 2 }])
  assert.deepEqual(await ended([]), [{ ended: 0 }])
  for (const { token } of people) {
    assertRefused(await stage.ask('GET /user', { token }), 403, 'session_not_found')
  }
  assert.equal((await stage.ask('GET /user', { token: stays.token })).status, 200)
})

test('the first super admin is made once, by whoever holds the printed link', async () => {
  const link = new URL((await setupLink(stage.options))!)
  assert.equal(link.pathname, '/auth/setup')
  const token = link.searchParams.get('token')!
  const setup = { token, full_name: 'Root', email: newEmail('root'), password }
  const refusesSetup = (code: string, more: object) =>
    refuses(code, completeSetup(stage.options, { ...setup, ...more }))
  await refusesSetup('not_found', { token: 'guess' })
  await refusesSetup('invalid_input', { email: 'x' })
  await refusesSetup('invalid_input', { password: 'password123' })
  await refusesSetup('invalid_input', { password: 'x'.repeat(80) })
  await refusesSetup('invalid_input', { full_name: ' ' })
  const races = await Promise.allSettled(
    Array.from({ length: 4 }, (_, at) =>
      completeSetup(stage.options, { ...setup, email: newEmail(`root${at}`) }),
    ),
  )
  assert.deepEqual(lost(races), ['not_found', 'not_found', 'not_found'])
  const supers = await stage.owner`
    select email, status from profiles where role = 'super_admin' and status = 'active'`
  assert.equal(supers.length, 1)
  const { body } = await signIn(stage, supers[0]!['email'])
  assert.ok(body['user'].email_confirmed_at)
  await refusesSetup('not_found', {})
  assert.equal(await setupLink(stage.options), undefined)
})

test('an operator who had signed up before takes that account over, and nobody else keeps it', async () => {
  const fresh = await openAuthService()
  const email = newEmail()
  await fresh.ask('POST /signup', { body: { email, password: 'a squatter at this door' } })
  const squatter = await signIn(fresh, email, 'a squatter at this door')
  const token = new URL((await setupLink(fresh.options))!).searchParams.get('token')!
  await completeSetup(fresh.options, { token, full_name: 'Root', email, password })
  assertRefused(await fresh.ask('GET /user', { token: squatter.token }), 403, 'session_not_found')
  await signIn(fresh, email)
  await fresh.close()
})
