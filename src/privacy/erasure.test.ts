// Promises of erasure: who asks, who decides, what stands against it, and that nothing of the person is left.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  openScene,
  password,
  refuses,
  type Company,
  type Person,
  type Scene,
} from '../../test/scene.ts'
import { sealAudit } from '#audit/jobs.server.ts'
import { everywhere } from '../../test/everywhere.ts'
import { poster } from '#lib/mail.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { unsubscribing } from '#notifications/unsubscribe.server.ts'
import { forgetEverywhere } from './jobs.server.ts'

let scene: Scene
let acme: Company
let other: Company
let provider: Person
before(async () => {
  scene = await openScene()
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  provider = await scene.superAdmin()
})
after(() => scene.close())

const forget = ({ id }: Person) =>
  forgetEverywhere(false)({ person_id: id }, { sql: scene.sql, log: scene.house.log })

const tools = () => ({ sql: scene.sql, log: scene.house.log })

/** What was written meanwhile, too: an entry is sealed once nobody can write in front of it. */
async function seal() {
  for (let times = 0; times < 2; times += 1) await sealAudit({}, tools())
}

const mailing = () => ({
  site_url: 'http://127.0.0.1',
  post: poster(false),
  links: unsubscribing(Buffer.alloc(32), 'http://127.0.0.1'),
})

async function erased(person: Person) {
  const { id } = await person.api.privacy.ask_for_erasure({ reason: 'I moved on' })
  await acme.admin.api.privacy.approve_erasure({ id })
  await provider.api.privacy.approve_erasure({ id })
  await forget(person)
  return id
}

describe('asking for erasure', () => {
  test('needs the password again', async () => {
    const ana = await acme.hire('Ana')
    await scene.stale(ana)
    await refuses('password_needed', ana.api.privacy.ask_for_erasure({}))
    assert.equal(await scene.confirm(ana, 'not the one'), false)
    await refuses('password_needed', ana.api.privacy.ask_for_erasure({}))
    assert.ok(await scene.confirm(ana))
    assert.equal((await ana.api.privacy.ask_for_erasure({})).status, 'asked')
  })

  test('is one request, however often it is pressed; it can be taken back and asked anew', async () => {
    const bea = await acme.hire('Bea')
    const { privacy } = bea.api
    await refuses('no_erasure_asked', privacy.take_back_erasure({}))
    const pressed = await Promise.allSettled([1, 2, 3].map(() => privacy.ask_for_erasure({})))
    assert.equal(pressed.filter(({ status }) => status === 'fulfilled').length, 1)
    await refuses('erasure_asked_already', privacy.ask_for_erasure({}))
    assert.equal((await privacy.take_back_erasure({})).status, 'withdrawn')
    await refuses('no_erasure_asked', privacy.take_back_erasure({}))
    assert.equal((await privacy.ask_for_erasure({})).status, 'asked')
  })

  test('the only admin of a company and the last super admin are told why not', async () => {
    const lone = await scene.company({ name: 'Lone' })
    await refuses('erasure_only_admin', lone.admin.api.privacy.ask_for_erasure({}))
    await refuses('erasure_last_super_admin', provider.api.privacy.ask_for_erasure({}))
  })
})

describe('deciding on erasure', () => {
  test('HR first, then the provider; nobody of another company, no employee, no visitor', async () => {
    const cara = await acme.hire('Cara')
    const { id } = await cara.api.privacy.ask_for_erasure({})
    const refusal = 'You still owe us a laptop.'
    for (const { api } of [other.admin, provider]) {
      await refuses('not_found', api.privacy.approve_erasure({ id }))
      await refuses('not_found', api.privacy.refuse_erasure({ id, refusal }))
      const { erasures } = await api.privacy.erasures({})
      assert.ok(!erasures.some((erasure) => erasure.id === id))
    }
    await refuses('forbidden', cara.api.privacy.approve_erasure({ id }))
    await refuses('not_signed_in', scene.visitor.privacy.approve_erasure({ id }))

    const seen = await acme.admin.api.privacy.approve_erasure({ id })
    assert.deepEqual([seen.status, seen.yours_to_decide], ['with_provider', false])
    await refuses('erasure_decided', acme.admin.api.privacy.approve_erasure({ id }))
    await refuses('erasure_decided', acme.admin.api.privacy.refuse_erasure({ id, refusal }))
    const { erasures } = await provider.api.privacy.erasures({})
    assert.equal(erasures.find((erasure) => erasure.id === id)?.yours_to_decide, true)
    assert.ok((await provider.api.privacy.erasures_waiting({})).person_name)
    assert.equal((await cara.api.privacy.take_back_erasure({})).status, 'withdrawn')
    await refuses('erasure_decided', provider.api.privacy.approve_erasure({ id }))
  })

  test('a refusal needs a sentence, and is told', async () => {
    const dan = await acme.hire('Dan')
    const { id } = await dan.api.privacy.ask_for_erasure({})
    await refuses('invalid_input', acme.admin.api.privacy.refuse_erasure({ id, refusal: ' ' }))
    const refusal = 'A lawsuit about your claim is under way.'
    await acme.admin.api.privacy.refuse_erasure({ id, refusal })
    const { erasure } = await dan.api.privacy.erasure({})
    assert.deepEqual([erasure?.status, erasure?.refusal], ['refused', refusal])
    const [told] = await scene.sql`select code from notifications where person_id = ${dan.id}
      order by id desc limit 1`
    assert.equal(told?.['code'], 'erasure_refused')
  })

  test('two who decide at the same moment: one counts, whichever they chose', async () => {
    const eve = await acme.hire('Eve')
    const { id } = await eve.api.privacy.ask_for_erasure({})
    const { privacy } = acme.admin.api
    const refusal = 'Please wait until March.'
    const decided = await Promise.allSettled([
      privacy.approve_erasure({ id }),
      privacy.refuse_erasure({ id, refusal }),
      privacy.approve_erasure({ id }),
    ])
    assert.equal(decided.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const one of decided) {
      if (one.status === 'rejected') assert.equal(one.reason.code, 'erasure_decided')
    }
  })

  test('taken back and granted at the same moment: one of the two', async () => {
    const fay = await acme.hire('Fay')
    const { id } = await fay.api.privacy.ask_for_erasure({})
    await acme.admin.api.privacy.approve_erasure({ id })
    const done = await Promise.allSettled([
      fay.api.privacy.take_back_erasure({}),
      provider.api.privacy.approve_erasure({ id }),
    ])
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
  })

  test('money that was paid too much stands against it until it is settled', async () => {
    const gil = await acme.hire('Gil')
    const { id } = await gil.api.privacy.ask_for_erasure({})
    await scene.sql`insert into accounts (company_id, plan_year, kind, category, person_id, balance_cents)
      select company_id, starts_on, 'overpaid', 'treatment', ${gil.id}, 4200 from plan_years
      where company_id = ${acme.id} order by starts_on desc limit 1`
    const { erasures } = await acme.admin.api.privacy.erasures({})
    const obstacles = erasures.find((erasure) => erasure.id === id)?.obstacles
    const told = obstacles?.map(({ code, cents }) => [code, cents])
    assert.deepEqual(told, [['erasure_overpaid', 4200]])
    await refuses('erasure_overpaid', acme.admin.api.privacy.approve_erasure({ id }))
    await scene.sql`update accounts set balance_cents = 0
      where person_id = ${gil.id} and kind = 'overpaid'`
    await acme.admin.api.privacy.approve_erasure({ id })
  })

  test('two admins who are erased at the same moment: one stays', async () => {
    const duo = await scene.company({ name: 'Duo' })
    const second = await scene.signUp(`second@${duo.domain}`, 'employee')
    await scene.sql`update profiles set role = 'company_admin' where id = ${second.id}`
    const back = await scene.signIn(second.email)
    const asked = [
      await duo.admin.api.privacy.ask_for_erasure({}),
      await back.api.privacy.ask_for_erasure({}),
    ]
    await refuses('yourself', duo.admin.api.privacy.approve_erasure({ id: asked[0]!.id }))
    await back.api.privacy.approve_erasure({ id: asked[0]!.id })
    await duo.admin.api.privacy.approve_erasure({ id: asked[1]!.id })
    const done = await Promise.allSettled(
      asked.map(({ id }) => provider.api.privacy.approve_erasure({ id })),
    )
    assert.equal(done.filter(({ status }) => status === 'fulfilled').length, 1)
    const failed = done.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    assert.equal(failed.reason.code, 'erasure_only_admin')
  })
})

describe('who is erased', () => {
  test('is out at once, and the address is free for a new account', async () => {
    const hal = await acme.hire('Hal')
    await erased(hal)
    await refuses('not_signed_in', hal.api.users.me({}))
    const answer = await scene.house.app.request('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: hal.email, password }),
    })
    assert.equal(answer.status, 400)
    const again = await scene.signUp(hal.email, 'employee', { full_name: 'Hal Again' })
    assert.notEqual(again.id, hal.id)
  })

  test('is a former member for HR, whom nobody reactivates, renames or invites', async () => {
    const ira = await acme.hire('Ira')
    const id = await erased(ira)
    const { employees, privacy } = acme.admin.api
    const found = await employees.find({ id: ira.id })
    assert.deepEqual([found.full_name, found.standing], ['Former member', 'left'])
    const change = {
      id: ira.id,
      version: found.version,
      full_name: 'Ira Reborn',
      department: 'Sales',
    }
    await refuses('person_erased', employees.edit(change))
    await refuses('person_erased', employees.suspend({ id: ira.id }))
    const { erasures } = await privacy.erasures({ show: 'ended' })
    const done = erasures.find((erasure) => erasure.id === id)
    assert.deepEqual(
      [done?.status, done?.person_name, done?.reason],
      ['done', 'Former member', null],
    )
  })

  test('leaves a ledger that verifies, and a record of changes whose chain holds', async () => {
    const joy = await acme.hire('Joy')
    await joy.api.dependents.add({
      full_name: 'Jim',
      relationship: 'parent',
      born_on: '1950-01-01',
    })
    await seal()
    await erased(joy)
    await seal()
    const [books] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_ledger(${acme.id})`
    assert.equal(books.fault, null)
    const check = async () => {
      const [found] = await scene.sql<[{ fault: string | null; erased: number; audit_id: number }]>`
        select fault, erased, audit_id from verify_audit(${acme.id})`
      return found
    }
    const held = await check()
    assert.equal(held.fault, null)
    assert.ok(held.erased > 0)
    // What was erased can't be filled with something else, nor can an entry pass for an erased one.
    const [entry] = await scene.sql<[{ id: number; actor_role: string }]>`
      select id, actor_role from audit_log
      where company_id = ${acme.id} and erased_at is not null order by id limit 1`
    await scene.sql`update audit_log set actor_role = 'system?' where id = ${entry.id}`
    const { fault, audit_id } = await check()
    assert.deepEqual([fault, audit_id], ['entry_changed', entry.id])
    await scene.sql`update audit_log set actor_role = ${entry.actor_role} where id = ${entry.id}`
    const [whole] = await scene.sql<[{ id: number }]>`select id from audit_log
      where company_id = ${acme.id} and erased_at is null order by id limit 1`
    await scene.sql`update audit_log set after = null, erased_at = now() where id = ${whole.id}`
    assert.equal((await check()).fault, 'entry_changed')
  })

  test('is told by a last mail where there is a mail server, once', async () => {
    const lea = await acme.hire('Lea')
    const { id } = await lea.api.privacy.ask_for_erasure({})
    await acme.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    const told = forgetEverywhere(true)
    const tools = { sql: scene.sql, log: scene.house.log }
    await Promise.all([told({ person_id: lea.id }, tools), told({ person_id: lea.id }, tools)])
    const mails = await scene.sql<{ subject: string }[]>`
      delete from mails where recipient = ${lea.email} returning subject`
    assert.deepEqual(
      mails.map(({ subject }) => subject),
      ['Your data has been erased'],
    )
  })

  test('is in no column of any table any more, by name, address, phone, family or note', async () => {
    const kim = await acme.hire('Kimberley')
    const needles = [
      'Quark',
      'kimberley',
      '5550199',
      'Zebulon',
      'Zenobia',
      'Zebediah',
      'Doctor Needle',
      'migraine-note',
    ]
    await scene.sql`update profiles set phone = '+1 202 5550199' where id = ${kim.id}`
    const { dependents } = kim.api
    await dependents.add({
      full_name: 'Zebulon Quark',
      relationship: 'child',
      born_on: '2019-05-05',
    })
    await dependents.add({ full_name: 'Zenobia', relationship: 'spouse', born_on: '1990-05-05' })
    const asking = async (approval_needed: boolean) => {
      await scene.sql`insert into family_rules (company_id, approval_needed)
        values (${acme.id}, ${approval_needed})
        on conflict (company_id) do update set approval_needed = excluded.approval_needed`
    }
    await asking(true)
    await dependents.add({ full_name: 'Zebediah', relationship: 'child', born_on: '2020-05-05' })
    await asking(false)
    await mailNotifications(mailing())({}, tools())
    const { notifications } = await acme.admin.api.notifications.list({})
    assert.ok(notifications.some(({ about_name }) => about_name === 'Kimberley'))
    await kim.api.privacy.ask_for_export({})
    const { version } = await acme.admin.api.employees.find({ id: kim.id })
    await acme.admin.api.employees.edit({
      id: kim.id,
      version,
      full_name: 'Kimberley Quark-Lee',
      department: 'Research',
    })
    assert.ok((await everywhere(scene.sql, needles)).length > 5, 'the search finds what is there')
    await erased(kim)
    assert.deepEqual(await everywhere(scene.sql, needles), [])
    const later = await acme.admin.api.notifications.list({})
    assert.ok(later.notifications.some(({ about_name }) => about_name === 'Former member'))
  })
})

describe('what others have left', () => {
  const of_platform = '00000000-0000-0000-0000-000000000000'
  /** All that could be taken for somebody’s by a word, but what is the person’s own. */
  async function others({ id }: Person) {
    const [left] = await scene.sql`select
      (select array_agg(l.id || coalesce(l.before::text, '') || coalesce(l.after::text, '') order by l.id)
        from audit_log l where l.actor_id is distinct from ${id} and l.row_id <> ${id}
          and l.table_name <> 'dependents') as record,
      (select array_agg(m::text order by m.id) from mails m where m.person_id is distinct from ${id})
        as mails,
      (select array_agg(n::text order by n.person_id, n.id) from notifications n
        where n.person_id <> ${id}) as notifications,
      (select array_agg(a::text order by a.person_id, a.key) from answered_requests a
        where a.person_id <> ${id}) as answers,
      (select array_agg(e::text order by e.id) from auth.audit_log_entries e
        where e.actor_id is distinct from ${id}
          and coalesce(e.traits ->> 'user_id', '') <> ${id}) as accounts,
      (select array_agg(b.name order by b.name) from auth.buckets b
        where position(${id} in b.name) = 0) as buckets`
    return left as Record<string, string[] | null>
  }

  test('all of it, whatever the person called their family', async () => {
    const firm = await scene.company({ name: 'Firm' })
    const may = await firm.hire('May')
    for (const full_name of ['status', 'May', 'Healthfund', 'company_id', 'amount_cents', 'http']) {
      const child = { full_name, relationship: 'child', born_on: '2019-05-05' } as const
      await may.api.dependents.add(child)
    }
    // What bears the same words and is others': records, mails, bells, answers, of this and another company.
    for (const company of [firm, other]) {
      await scene.sql`insert into answered_requests (person_id, key, question, answer)
        values (${company.admin.id}, 'may', '', '{"status": "May", "by": "Healthfund"}')`
      await scene.sql`select post_mail(${company.admin.email}, 'Healthfund in May', 'May status',
        '<p>http://127.0.0.1 in May</p>', false)`
      await scene.sql`select notify_person(${company.admin.id}, 'funds', 'earlier',
        '{"title": "May", "sentence": "The status of May"}', '/x')`
    }
    await scene.sql`insert into auth.buckets values (${`password of ${may.email.slice(1)}`}, 1, now()),
      (${`sign-in x${may.email}`}, 1, now())`
    await scene.sql`insert into auth.audit_log_entries (action, actor_name, address, traits)
      values ('login', ${`x${may.email}`}, '192.0.2.7', ${scene.sql.json({ note: may.email })})`
    const { id } = await may.api.privacy.ask_for_erasure({})
    await firm.admin.api.privacy.approve_erasure({ id })
    const was = await others(may)
    await provider.api.privacy.approve_erasure({ id })
    await forget(may)
    const now = await others(may)
    for (const [what, rows] of Object.entries(was)) {
      const left = new Set(now[what])
      assert.deepEqual(rows?.filter((row) => !left.has(row)) ?? [], [], what)
      assert.ok(rows && rows.length > 0, `there was something in ${what}`)
    }
    await seal()
    for (const chain of [firm.id, of_platform]) {
      const [{ fault }] = await scene.sql<[{ fault: string | null }]>`
        select fault from private.check_chain(${chain})`
      assert.equal(fault, null)
    }
  })

  test('the approver is shown how much goes, by kind; the request keeps it', async () => {
    const nia = await acme.hire('Nia')
    await nia.api.dependents.add({
      full_name: 'Noe',
      relationship: 'child',
      born_on: '2019-05-05',
    })
    await scene.sql`insert into leads (full_name, email, company, people, message) values
      ('Nia', ${nia.email}, 'Acme', 10, 'Please call me back.'),
      ('Mania', ${`ma${nia.email}`}, 'Acme', 10, 'Please call me back.')`
    const { id } = await nia.api.privacy.ask_for_erasure({})
    const { erasures } = await acme.admin.api.privacy.erasures({})
    const going = erasures.find((erasure) => erasure.id === id)!.going
    const items = Object.fromEntries(going.map(({ kind, items }) => [kind, items]))
    assert.equal(items['family'], 1)
    assert.equal(items['inquiries'], 1)
    assert.ok(items['record']! > 1)
    await acme.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    await forget(nia)
    const [kept] = await scene.sql<[{ gone: Record<string, number> }]>`
      select gone from erasures where id = ${id}`
    assert.equal(kept.gone['family'], 1)
    const left = await scene.sql`select full_name from leads where email like ${`%${nia.email}`}`
    assert.deepEqual(
      left.map((lead) => lead['full_name']),
      ['Mania'],
    )
  })

  test('more than one person’s data can be is not erased before somebody has looked', async () => {
    const oli = await acme.hire('Oli')
    const { id } = await oli.api.privacy.ask_for_erasure({})
    await scene.sql`insert into mails (recipient, person_id, subject, text, html)
      select ${oli.email}, ${oli.id}, 'x', 'x', 'x' from generate_series(1, 5001)`
    await refuses('erasure_too_wide', acme.admin.api.privacy.approve_erasure({ id }))
    await scene.sql`delete from mails where person_id = ${oli.id}`
    await acme.admin.api.privacy.approve_erasure({ id })
  })

  test('of an admin’s own acts only from where they were done goes, in thousands, and is proven', async () => {
    const twin = await scene.company({ name: 'Twin' })
    const second = await twin.hire('Second')
    await scene.sql`update profiles set role = 'company_admin' where id = ${second.id}`
    await scene.sql`insert into audit_log (company_id, actor_id, actor_role, address, act, table_name, row_id, after)
      select ${twin.id}, ${second.id}, 'company_admin', '192.0.2.9', 'insert', 'claim_types', n::text, '{"name": "X"}'
      from generate_series(1, 4500) n`
    const { id } = await (await scene.signIn(second.email)).api.privacy.ask_for_erasure({})
    await seal()
    await twin.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    await forget(second)
    const [acts] = await scene.sql<[{ known: number; whole: number }]>`
      select count(*) filter (where address <> '') as known, count(after) as whole from audit_log
      where actor_id = ${second.id} and table_name = 'claim_types'`
    assert.deepEqual([acts.known, acts.whole], [0, 4500])
    await seal()
    const verify = async () => {
      const [found] = await scene.sql<[{ fault: string | null }]>`
        select fault from verify_audit(${twin.id})`
      return found.fault
    }
    assert.equal(await verify(), null)
    const told = await twin.admin.api.audit.list({ table: 'audit_erasures' })
    assert.ok(told.entries.length > 0, 'HR sees each erasure in the record')
    // An erasure that nobody granted is no erasure.
    const [entry] = await scene.sql<[{ id: number }]>`select id from audit_log
      where company_id = ${twin.id} and erased_at is null and after is not null order by id limit 1`
    await scene.sql`select private.erase_entries(array[${entry.id}]::bigint[], null, true)`
    await seal()
    assert.equal(await verify(), 'erasure_unasked')
  })
})
