// Promises of the Employees page: one person at a time, never overwritten silently.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { lost, refuses, won, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { todayOf } from '../../test/world/company.ts'

const scene = openedScene({ worker: true, env: { AUTH_AUTOCONFIRM: 'on' } })
let acme: Company
let other: Company
let hr: Person['api']
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  hr = acme.admin.api
})

const ana = (email: string) => ({
  full_name: 'Ana Horvat',
  email,
  phone: '+385 91 234 5678',
  department: 'Engineering',
})
/** An invited person as a file brings them: no password, not here yet. */
async function invited(email: string): Promise<string> {
  const [made] = await scene.sql<[{ person_id: string }]>`
    select person_id from private.add_people(${acme.id}, 'employee',
      array[row(${email}::text, 'Ivo Ivić', null, null)::private.newcomer], null)`
  return made.person_id
}

/** Waits until two acts queue for the same row. */
const bothWait = () =>
  until(async () => {
    const [found] = await scene.sql<[{ waiting: number }]>`
      select count(*) as waiting from pg_locks l join pg_stat_activity a using (pid)
      where a.datname = current_database() and not l.granted`
    return found.waiting >= 2
  }, 'two acts that wait')

describe('adding one person', () => {
  test('gives a password once, to be changed at the first sign-in, and mails a link', async () => {
    const email = `ana@${acme.domain}`
    const { employee, initial_password } = await hr.employees.add(ana(email))
    assert.match(initial_password ?? '', /^[A-Za-z0-9]{12}Aa1!$/)
    assert.equal(employee.account_state, 'active')
    const answer = await scene.services.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: initial_password }),
    })
    const { access_token } = await answer.json()
    assert.equal(answer.status, 200)
    const headers = { authorization: `Bearer ${access_token}` }
    const me = await (await scene.services.app.request('/api/me', { headers })).json()
    assert.equal(me.waiting_for, 'new_password')
    await until(async () =>
      (await scene.mailbox()).some(({ to, text }) => to === email && /https?:/.test(text)),
    )
  })

  test('vouches for addresses at the proven domain alone; a mistyped one can be taken back', async () => {
    const { employee, initial_password } = await hr.employees.add(ana('ana@acne.test'))
    assert.match(initial_password ?? '', /Aa1!$/)
    assert.deepEqual([employee.account_state, employee.confirmed_at], ['pending', null])
    const signed_in = await scene.services.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@acne.test', password: initial_password }),
    })
    const headers = { authorization: `Bearer ${(await signed_in.json()).access_token}` }
    const me = await (await scene.services.app.request('/api/me', { headers })).json()
    assert.equal(me.waiting_for, 'email_confirmation')
    await until(async () =>
      (await scene.mailbox()).some(
        ({ to, text }) => to === 'ana@acne.test' && /type=invite/.test(text),
      ),
    )
    await hr.employees.remove({ id: employee.id })
    await refuses('not_found', hr.employees.find({ id: employee.id }))
  })

  test('before activation adds people at its own domain only, and no more than 500 a day', async () => {
    const { admin, domain, id } = await scene.company({ name: 'Fresh', status: 'pending' })
    const { employee } = await admin.api.employees.add(ana(`first@${domain}`))
    assert.equal(employee.account_state, 'active')
    for (const email of ['cfo@bigcorp.example', `x@sub.${domain}`, 'someone@gmail.com'])
      await refuses('outside_own_domain', admin.api.employees.add(ana(email)))
    const squatted = await scene.sql`select 1 from auth.users where email = 'cfo@bigcorp.example'`
    assert.equal(squatted.length, 0)
    const [counted] = await scene.sql`select people from people_added where company_id = ${id}`
    assert.equal(counted?.people, 1)
    await scene.sql`update people_added set people = 500 where company_id = ${id}`
    await refuses('added_enough_today', admin.api.employees.add(ana(`next@${domain}`)))
    await scene.sql`update companies set status = 'active' where id = ${id}`
    await admin.api.employees.add(ana(`next@${domain}`))
    await admin.api.employees.add(ana('partner@bigcorp.example'))
    await scene.sql`update people_added set people = 250000 where company_id = ${id}`
    await refuses('added_enough_today', admin.api.employees.add(ana(`last@${domain}`)))
    await scene.sql`update people_added set day = day - 1 where company_id = ${id}`
    await admin.api.employees.add(ana(`last@${domain}`))
  })

  test('takes no notice of an account of another audience at the same address', async () => {
    await scene.sql`insert into auth.users (id, email, aud) values
      (gen_random_uuid(), ${`decoy@${acme.domain}`}, 'decoy')`
    const { employee } = await hr.employees.add(ana(`decoy@${acme.domain}`))
    assert.equal(employee.account_state, 'active')
  })

  test('says each field’s fault in the specification’s words', async () => {
    const bad = { full_name: 'A', email: 'nope', phone: '123', department: '' }
    await assert.rejects(hr.employees.add(bad), {
      code: 'invalid_input',
      fields: {
        full_name: ['Name must be at least 2 characters'],
        email: ['Invalid email address'],
        phone: ['Phone must be at least 10 characters'],
        department: ['Department required'],
      },
    })
  })

  test('refuses who is here already, and who is elsewhere without saying where', async () => {
    await hr.employees.add(ana('twice@acme.test'))
    await refuses('already_here', hr.employees.add(ana('TWICE@acme.test ')))
    await other.admin.api.employees.add(ana('elsewhere@acme.test'))
    const refused = hr.employees.add(ana('elsewhere@acme.test'))
    await assert.rejects(refused, (error: { code: string; message: string; fields: object }) => {
      assert.equal(error.code, 'email_taken')
      assert.doesNotMatch(JSON.stringify(error) + error.message, /Other/)
      return true
    })
  })

  test('takes in an account that belongs nowhere yet, with the password it has', async () => {
    const lost = await scene.signUp('lost@nowhere.test', 'employee')
    assert.equal((await lost.api.users.me({})).waiting_for, 'unknown_company')
    await scene.sql`update profiles set created_at = now() - interval '200 days'
      where id = ${lost.id}`
    const { employee, initial_password } = await hr.employees.add(ana('lost@nowhere.test'))
    assert.equal(initial_password, null)
    const today = await todayOf(scene, acme)
    assert.equal(employee.joined_on, today, 'not the day they made their account')
    assert.equal(employee.id, lost.id)
    assert.equal((await lost.api.users.me({})).waiting_for, null)
    await until(async () =>
      (await scene.mailbox()).some(
        ({ to, subject }) => to === lost.email && subject === 'A company added your account',
      ),
    )
  })

  test('shuts nobody out whom it took in so: they get a last day, and the account stays theirs', async () => {
    const lost = await scene.signUp('stranger@nowhere.test', 'employee')
    const { employee } = await hr.employees.add(ana(lost.email))
    const { id, version, joined_on, refusals } = await hr.employees.find({ id: employee.id })
    assert.equal(refusals.suspend, 'own_account')
    await refuses('own_account', hr.employees.suspend({ id }))
    await hr.employees.leave({ id, version, left_on: joined_on })
    assert.ok((await scene.signIn(lost.email)).token)
    const boss = await scene.superAdmin()
    assert.equal((await boss.api.users.suspend({ id })).status, 'suspended')
  })

  test('adds a person once, however many admins add them at the same moment', async () => {
    const tries = Array.from({ length: 8 }, (_, at) =>
      (at % 2 ? hr : other.admin.api).employees.add(ana('race@acme.test')),
    )
    const done = await Promise.allSettled(tries)
    const [of_winner, of_other] = [Array(3).fill('already_here'), Array(4).fill('email_taken')]
    assert.deepEqual(lost(done).toSorted(), [...of_winner, ...of_other])
  })

  test('whom two companies take in at the same moment, the first of them has', async () => {
    const between = await scene.signUp('lost@between.test', 'employee')
    await scene.sql`update profiles set confirmed_at = null where id = ${between.id}`
    const { added } = await scene.sql.begin(async (tx) => {
      await tx`select from profiles where id = ${between.id} for update`
      const added = Promise.allSettled([
        hr.employees.add(ana('lost@between.test')),
        other.admin.api.employees.add(ana('lost@between.test')),
      ])
      await bothWait()
      return { added }
    })
    const done = await added
    assert.deepEqual(lost(done), ['email_taken'])
    const [person] = await scene.sql`select company_id from profiles where id = ${between.id}`
    assert.equal(person!['company_id'], done[0].status === 'fulfilled' ? acme.id : other.id)
  })

  test('is for company admins alone', async () => {
    const worker = await acme.hire('Willy')
    await refuses('forbidden', worker.api.employees.add(ana('x@acme.test')))
    await refuses('forbidden', (await scene.superAdmin()).api.employees.list({}))
    await refuses('not_signed_in', scene.visitor.employees.list({}))
  })

  test('whoever never came can have their invitation cancelled; whoever came cannot', async () => {
    const id = await invited('typo@acme.test')
    await hr.employees.remove({ id })
    await refuses('not_found', hr.employees.find({ id }))
    await hr.employees.add(ana('typo@acme.test'))
    await refuses('account_in_use', hr.employees.remove({ id: (await acme.hire('Bruno')).id }))
  })
})

describe('editing', () => {
  test('another admin’s profile is refused, not silently left as it is', async () => {
    const second = await acme.hire('Second')
    const boss = await scene.superAdmin()
    await boss.api.users.change_role({ id: second.id, role: 'company_admin', company_id: acme.id })
    for (const id of [second.id, acme.admin.id]) {
      const [row] = await scene.sql<[{ version: number }]>`
        select version from profiles where id = ${id}`
      const change = { id, version: row.version, full_name: 'Not Me', department: 'Sales' }
      await refuses('not_found', hr.employees.edit(change))
      const [kept] = await scene.sql`select full_name from profiles where id = ${id}`
      assert.notEqual(kept?.full_name, 'Not Me')
    }
  })

  test('the second of two editors is told, and nothing is overwritten', async () => {
    const { employee } = await hr.employees.add(ana('edit@acme.test'))
    const { id, version } = employee
    const change = { id, version, phone: null, department: 'Engineering' }
    const done = await Promise.allSettled([
      hr.employees.edit({ ...change, full_name: 'First Editor' }),
      hr.employees.edit({ ...change, full_name: 'Second Editor' }),
    ])
    const [edited] = won(done)
    assert.deepEqual(lost(done), ['changed_meanwhile'])
    assert.equal((await hr.employees.find({ id })).full_name, edited?.full_name)
    assert.equal(edited?.version, version + 1)
  })

  test('another company’s person is not found', async () => {
    const { employee } = await other.admin.api.employees.add(ana('foreign@other.test'))
    const { id, version } = employee
    await refuses('not_found', hr.employees.find({ id }))
    await refuses('not_found', hr.employees.edit({ ...ana(''), id, version, department: 'Ops' }))
    await refuses('not_found', hr.employees.suspend({ id }))
    await refuses('not_found', hr.employees.reactivate({ id }))
    await refuses('not_found', hr.employees.resend({ id }))
    await refuses('not_found', hr.employees.remove({ id }))
    await refuses('not_found', hr.employees.leave({ id, version, left_on: '2030-01-01' }))
    await refuses('not_found', hr.employees.stay({ id, version }))
    await refuses('not_found', hr.employees.approve({ id }))
    await refuses('not_found', hr.employees.decline({ id }))
  })

  test('suspending ends every session at once; re-activating lets in again', async () => {
    const person = await acme.hire('Sue')
    await hr.employees.suspend({ id: person.id })
    await refuses('not_signed_in', person.api.users.me({}))
    await refuses('not_active', hr.employees.suspend({ id: person.id }))
    await hr.employees.reactivate({ id: person.id })
    await refuses('not_suspended', hr.employees.reactivate({ id: person.id }))
    assert.equal((await scene.signIn(person.email)).id, person.id)
  })

  test('a last day may be past, today or to come, and be taken back', async () => {
    const { employee } = await hr.employees.add(ana(`leaver@${acme.domain}`))
    const { id } = employee
    const joined = employee.joined_on
    const day = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const early = hr.employees.leave({ id, version: employee.version, left_on: '2001-01-01' })
    await refuses('employment_ends_before_it_begins', early)
    const later = await hr.employees.leave({ id, version: employee.version, left_on: day(40) })
    assert.deepEqual([later.account_state, later.left_on], ['active', day(40)])
    const now = await hr.employees.leave({ id, version: later.version, left_on: joined })
    assert.equal(now.account_state, 'left')
    const back = await hr.employees.stay({ id, version: now.version })
    assert.deepEqual([back.account_state, back.left_on], ['active', null])
    await scene.sql`update profiles set left_on = private.today_at(company_id) + 1 where id = ${id}`
    await scene.sql`update profiles set joined_on = private.today_at(company_id) - 9, has_left = false,
      left_on = private.today_at(company_id) + 1 where id = ${id}`
    await scene.sql`alter table profiles disable trigger mark_left`
    await scene.sql`update profiles set left_on = private.today_at(company_id) where id = ${id}`
    await scene.sql`alter table profiles enable trigger mark_left`
    await scene.sql`select private.mark_departed_employees()`
    assert.equal((await hr.employees.find({ id })).account_state, 'left')
  })

  test('an invitation goes out again, but not twice in a minute, and not to who accepted it', async () => {
    const id = await invited('invited@acme.test')
    const again = await hr.employees.resend({ id })
    assert.equal(again.account_state, 'pending')
    await refuses('mailed_just_now', hr.employees.resend({ id }))
    await until(async () => (await scene.mailbox()).some(({ to }) => to === 'invited@acme.test'))
    await refuses('already_accepted', hr.employees.resend({ id: (await acme.hire('Eva')).id }))
  })
})
