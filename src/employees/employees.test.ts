// Promises of the Employees page: one person at a time, found among many, never overwritten silently.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { writeKey } from '#lib/page-key.ts'
import { openScene, refuses, type Company, type Person, type Scene } from '../../test/scene.ts'
import { until } from '../../test/until.ts'

let scene: Scene
let acme: Company
let other: Company
let hr: Person['api']
before(async () => {
  scene = await openScene({ worker: true, env: { AUTH_AUTOCONFIRM: 'on' } })
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  hr = acme.admin.api
})
after(() => scene.close())

const ana = (email: string) => ({
  full_name: 'Ana Horvat',
  email,
  phone: '+385 91 234 5678',
  department: 'Engineering',
})
/** As a file brings them: no password, not here yet. */
async function invited(email: string): Promise<string> {
  const [made] = await scene.sql<[{ person_id: string }]>`
    select person_id from private.add_people(${acme.id}, 'employee',
      array[row(${email}::text, 'Ivo Ivić', null, null)::private.newcomer], null)`
  return made.person_id
}

/** Until two acts stand behind the same row. */
async function bothWait() {
  for (;;) {
    const [found] = await scene.sql<[{ waiting: number }]>`
      select count(*) as waiting from pg_locks l join pg_stat_activity a using (pid)
      where a.datname = current_database() and not l.granted`
    if (found.waiting >= 2) return
    await pause(10)
  }
}

describe('adding one person', () => {
  test('gives a password once, to be changed at the first sign-in, and mails a link', async () => {
    const email = `ana@${acme.domain}`
    const { employee, initial_password } = await hr.employees.add(ana(email))
    assert.match(initial_password ?? '', /^[A-Za-z0-9]{12}Aa1!$/)
    assert.equal(employee.standing, 'active')
    const answer = await scene.house.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: initial_password }),
    })
    const { access_token } = await answer.json()
    assert.equal(answer.status, 200)
    const headers = { authorization: `Bearer ${access_token}` }
    const me = await (await scene.house.app.request('/api/me', { headers })).json()
    assert.equal(me.waiting_for, 'new_password')
    await until(async () =>
      (await scene.mailbox()).some(({ to, text }) => to === email && /https?:/.test(text)),
    )
  })

  test('vouches for addresses at the proven domain alone; a mistyped one can be taken back', async () => {
    const { employee, initial_password } = await hr.employees.add(ana('ana@acne.test'))
    assert.match(initial_password ?? '', /Aa1!$/)
    assert.deepEqual([employee.standing, employee.confirmed_at], ['pending', null])
    const signed_in = await scene.house.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ana@acne.test', password: initial_password }),
    })
    const headers = { authorization: `Bearer ${(await signed_in.json()).access_token}` }
    const me = await (await scene.house.app.request('/api/me', { headers })).json()
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
    assert.equal(employee.standing, 'active')
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
    assert.equal(employee.standing, 'active')
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
    const { employee, initial_password } = await hr.employees.add(ana('lost@nowhere.test'))
    assert.equal(initial_password, null)
    assert.equal(employee.id, lost.id)
    assert.equal((await lost.api.users.me({})).waiting_for, null)
    await until(async () =>
      (await scene.mailbox()).some(
        ({ to, subject }) => to === lost.email && subject === 'A company added your account',
      ),
    )
  })

  test('adds a person once, however many admins add them at the same moment', async () => {
    const tries = Array.from({ length: 8 }, (_, at) =>
      (at % 2 ? hr : other.admin.api).employees.add(ana('race@acme.test')),
    )
    const done = await Promise.allSettled(tries)
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('whom two companies take in at the same moment, the first of them has', async () => {
    const lost = await scene.signUp('lost@between.test', 'employee')
    await scene.sql`update profiles set confirmed_at = null where id = ${lost.id}`
    const { added } = await scene.sql.begin(async (tx) => {
      await tx`select from profiles where id = ${lost.id} for update`
      const added = Promise.allSettled([
        hr.employees.add(ana('lost@between.test')),
        other.admin.api.employees.add(ana('lost@between.test')),
      ])
      await bothWait()
      return { added }
    })
    const done = await added
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
    const [person] = await scene.sql`select company_id from profiles where id = ${lost.id}`
    assert.equal(person!['company_id'], done[0].status === 'fulfilled' ? acme.id : other.id)
  })

  test('is for company admins alone', async () => {
    const worker = await acme.hire('Willy')
    await refuses('forbidden', worker.api.employees.add(ana('x@acme.test')))
    await refuses('forbidden', (await scene.superAdmin()).api.employees.list({}))
    await refuses('not_signed_in', scene.visitor.employees.list({}))
  })

  test('whoever never came can be taken back; whoever came cannot', async () => {
    const id = await invited('typo@acme.test')
    await hr.employees.remove({ id })
    await refuses('not_found', hr.employees.find({ id }))
    await hr.employees.add(ana('typo@acme.test'))
    await refuses('came_already', hr.employees.remove({ id: (await acme.hire('Bruno')).id }))
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
    const [won] = done.flatMap((d) => (d.status === 'fulfilled' ? [d.value] : []))
    const [lost] = done.flatMap((d) => (d.status === 'rejected' ? [d.reason] : []))
    assert.equal(lost.code, 'changed_meanwhile')
    assert.equal((await hr.employees.find({ id })).full_name, won?.full_name)
    assert.equal(won?.version, version + 1)
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
    await refuses('leaves_before_joining', early)
    const later = await hr.employees.leave({ id, version: employee.version, left_on: day(40) })
    assert.deepEqual([later.standing, later.left_on], ['active', day(40)])
    const now = await hr.employees.leave({ id, version: later.version, left_on: joined })
    assert.equal(now.standing, 'left')
    const back = await hr.employees.stay({ id, version: now.version })
    assert.deepEqual([back.standing, back.left_on], ['active', null])
    await scene.sql`update profiles set left_on = private.today_at(company_id) + 1 where id = ${id}`
    await scene.sql`update profiles set joined_on = private.today_at(company_id) - 9, has_left = false,
      left_on = private.today_at(company_id) + 1 where id = ${id}`
    await scene.sql`alter table profiles disable trigger mark_left`
    await scene.sql`update profiles set left_on = private.today_at(company_id) where id = ${id}`
    await scene.sql`alter table profiles enable trigger mark_left`
    await scene.sql`select private.see_leavers_off()`
    assert.equal((await hr.employees.find({ id })).standing, 'left')
  })

  test('an invitation goes out again, but not twice in a minute, and not to who accepted it', async () => {
    const id = await invited('invited@acme.test')
    const again = await hr.employees.resend({ id })
    assert.equal(again.standing, 'pending')
    await refuses('mailed_just_now', hr.employees.resend({ id }))
    await until(async () => (await scene.mailbox()).some(({ to }) => to === 'invited@acme.test'))
    await refuses('already_accepted', hr.employees.resend({ id: (await acme.hire('Eva')).id }))
  })
})

describe('those who ask to join', () => {
  test('wait for approval, are let in or declined, and are no employees before', async () => {
    const shut = await scene.company({ name: 'Shut' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const [first, second] = [await shut.hire('First'), await shut.hire('Second')]
    const total = async () => (await shut.admin.api.employees.summary({})).total
    assert.equal(await total(), 0)
    assert.equal((await first.api.users.me({})).waiting_for, 'company_approval')
    const { people } = await shut.admin.api.employees.asking({})
    assert.deepEqual(
      people.map(({ full_name }) => full_name),
      ['First', 'Second'],
    )
    await refuses('not_found', hr.employees.approve({ id: first.id }))
    await shut.admin.api.employees.approve({ id: first.id })
    await refuses('not_asking', shut.admin.api.employees.approve({ id: first.id }))
    assert.equal((await first.api.users.me({})).waiting_for, null)
    await shut.admin.api.employees.decline({ id: second.id })
    assert.equal((await second.api.users.me({})).waiting_for, 'unknown_company')
    assert.equal(await total(), 1)
  })

  test('turning the domain on lets in those of the domain who wait', async () => {
    const shut = await scene.company({ name: 'Later' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const person = await shut.hire('Waiting')
    const answer = await shut.admin.api.companies.set_auto_registration({ enabled: true })
    assert.equal(answer.domain_auto_register, true)
    assert.equal((await person.api.users.me({})).waiting_for, null)
    assert.equal((await (await shut.hire('Next')).api.users.me({})).waiting_for, null)
  })
})

describe('whoever was declined', () => {
  test('is not let in by the domain afterwards, but can be approved by name', async () => {
    const shut = await scene.company({ name: 'Firm' })
    const { api } = shut.admin
    await api.companies.set_auto_registration({ enabled: false })
    const [emre, lotte] = [await shut.hire('Emre'), await shut.hire('Lotte')]
    await api.employees.decline({ id: emre.id })
    await api.companies.set_auto_registration({ enabled: true })
    assert.equal((await lotte.api.users.me({})).waiting_for, null)
    assert.equal((await emre.api.users.me({})).waiting_for, 'unknown_company')
    const { employees } = await api.employees.list({ limit: 10 })
    assert.deepEqual(
      employees.map(({ full_name }) => full_name),
      ['Lotte'],
    )
  })

  test('and whoever is approved finds it under the bell', async () => {
    const shut = await scene.company({ name: 'Bell' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const zoe = await shut.hire('Zoe')
    await shut.admin.api.employees.approve({ id: zoe.id })
    const told = await scene.sql`select code from notifications where person_id = ${zoe.id}`
    assert.deepEqual(
      told.map(({ code }) => code),
      ['account_approved'],
    )
  })
})

describe('the list', () => {
  let big: Company
  let api: Person['api']
  const departments = ['Engineering', 'People', 'Sales']
  before(async () => {
    big = await scene.company({ name: 'Big' })
    api = big.admin.api
    await scene.sql`select count(*) from private.add_people(${big.id}, 'employee', array(
      select row('person' || i || '@big.example', case when i % 10 = 0 then 'Žana ' else 'Marko ' end
        || 'Number' || lpad(i::text, 3, '0'), null, (${departments}::text[])[1 + i % 3])::private.newcomer
      from generate_series(1, 300) i), null)`
  })

  const pages = async (input: Parameters<typeof api.employees.list>[0]) => {
    const seen: string[] = []
    let after: string | undefined
    do {
      const page = await api.employees.list({ ...input, limit: 37, ...(after ? { after } : {}) })
      seen.push(...page.employees.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after)
    return seen
  }

  test('every order shows everybody once, page by page', async () => {
    const { total } = await api.employees.list({})
    assert.equal(total, 300)
    for (const sort of [
      'name',
      '-name',
      'email',
      '-email',
      'department',
      '-department',
      'joined',
      '-joined',
    ] as const) {
      const seen = await pages({ sort })
      assert.equal(new Set(seen).size, 300, sort)
      assert.equal(seen.length, 300, sort)
    }
  })

  test('search finds any part of name or e-mail, in all its words', async () => {
    const found = async (search: string) => (await api.employees.list({ search, limit: 200 })).total
    assert.equal(await found('number123'), 1)
    assert.equal(await found('UMBER12'), 10)
    assert.equal(await found('žana 0 big.ex'), 30)
    assert.equal(await found('person7@big'), 1)
    assert.equal(await found('100%'), 0)
    assert.equal(await found('nobody_like_this'), 0)
    const short = await api.employees.list({ search: 'ž', limit: 200 })
    assert.equal(short.employees.length, 30)
    const of_other = await acme.admin.api.employees.list({ search: 'number123' })
    assert.equal(of_other.total, 0)
  })

  test('whose name begins with what is searched for comes first, and everybody once', async () => {
    const few = await scene.company({ name: 'Few' })
    const names = [
      'Ana Marić',
      'Marko Babić',
      'Ema Ilić',
      'Mara Novak',
      'Šime Marković',
      'Iva Kralj',
    ]
    await scene.sql`select count(*) from private.add_people(${few.id}, 'employee', array(
      select row('p' || at || case name when 'Ema Ilić' then '.mar@' else '@' end || 'few.example', name,
        null, null)::private.newcomer from unnest(${names}::text[]) with ordinality n (name, at)), null)`
    const { list } = few.admin.api.employees
    const walk = async (sort?: 'name') => {
      const seen: string[] = []
      let after: string | undefined
      do {
        const page = await list({ search: 'Mar', limit: 1, sort, ...(after ? { after } : {}) })
        seen.push(...page.employees.map(({ full_name }) => full_name))
        after = page.next ?? undefined
      } while (after)
      return seen
    }
    const best = ['Mara Novak', 'Marko Babić', 'Ana Marić', 'Ema Ilić', 'Šime Marković']
    assert.deepEqual(await walk(), best)
    assert.deepEqual(await walk('name'), [...best].sort(new Intl.Collator('hr').compare))
    const all = await list({ search: 'mar' })
    assert.deepEqual(
      all.employees.map(({ full_name }) => full_name),
      best,
    )
    assert.equal(all.total, 5)
    await refuses('invalid_input', list({ search: 'mar', after: writeKey(['best', 'x']) }))
  })

  test('filters, list, count and summary agree', async () => {
    const [some] = (await api.employees.list({ department: 'Sales' })).employees
    await scene.sql`update profiles set status = 'active' where id = ${some!.id}`
    await api.employees.suspend({ id: some!.id })
    const summary = await api.employees.summary({})
    assert.deepEqual([summary.total, summary.suspended, summary.pending], [300, 1, 299])
    const suspended = await api.employees.list({ status: 'suspended' })
    assert.deepEqual([suspended.total, suspended.employees.length], [1, 1])
    const sales = await api.employees.list({ department: 'Sales', limit: 200 })
    assert.deepEqual([sales.total, sales.employees.length], [100, 100])
    const both = await api.employees.list({ department: 'Sales', status: 'pending', limit: 200 })
    assert.deepEqual([both.total, both.employees.length], [99, 99])
    const known = await api.employees.departments({})
    assert.deepEqual(
      known.map(({ people }) => people),
      [100, 100, 100],
    )
  })

  test('a page key that was tampered with is bad input', async () => {
    await refuses('invalid_input', api.employees.list({ after: 'abc' }))
    await refuses('invalid_input', api.employees.list({ after: btoa('["a","b"]') }))
  })

  test('the export holds everybody, and no formula', async () => {
    await api.employees.add({ ...ana('formula@big.example'), full_name: '=HYPERLINK("x")' })
    const text = await (await api.employees.export({})).text()
    assert.equal(text.trim().split('\r\n').length, 302)
    assert.match(text, /"'=HYPERLINK\(""x""\)"/)
    const one = await (await api.employees.export({ search: 'number123' })).text()
    assert.equal(one.trim().split('\r\n').length, 2)
  })
})

test('counts hold after many changes at once', async () => {
  const busy = await scene.company({ name: 'Busy' })
  const people = await Promise.all(Array.from({ length: 20 }, (_, at) => busy.hire(`P${at}`)))
  const acts = people.flatMap(({ id }) => [
    busy.admin.api.employees.suspend({ id }),
    busy.admin.api.employees.reactivate({ id }),
    busy.admin.api.employees.suspend({ id }),
  ])
  await Promise.allSettled(acts)
  const summary = await busy.admin.api.employees.summary({})
  const [counted] = await scene.sql<[{ active: number; suspended: number }]>`
    select count(*) filter (where status = 'active') as active,
      count(*) filter (where status = 'suspended') as suspended
    from profiles where company_id = ${busy.id} and role = 'employee'`
  assert.deepEqual([summary.active, summary.suspended], [counted.active, counted.suspended])
  assert.equal(summary.total, 20)
})
