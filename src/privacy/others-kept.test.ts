// Promises of erasure: what others have is left as it is.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses, type Person } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { forgetEverywhere } from './jobs.server.ts'

const scene = openedScene()
const acme = opened(() => scene.company({ name: 'Acme' }))
const other = opened(() => scene.company({ name: 'Other' }))
const provider = opened(() => scene.superAdmin())

const forget = ({ id }: Person) => forgetEverywhere(false)({ person_id: id }, scene.tools)

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
    // Others' data with the same words: records, mails, notifications, answers, of this and another company.
    for (const company of [firm, other]) {
      await scene.sql`insert into answered_requests (person_id, key, question, answer)
        values (${company.admin.id}, 'may', '', '{"status": "May", "by": "Healthfund"}')`
      await scene.sql`select post_mail(${company.admin.email}, 'Healthfund in May', 'May status',
        '<p>http://127.0.0.1 in May</p>', false)`
      await scene.sql`select notify_person(${company.admin.id}, 'report_ready',
        '{"title": "The status of May"}')`
    }
    await scene.sql`insert into auth.buckets values (${`password of ${may.email.slice(1)}`}, 1, now()),
      (${`sign-in x${may.email}`}, 1, now())`
    await scene.sql`insert into auth.audit_log_entries (action, actor_name, address, traits)
      values ('login', ${`x${may.email}`}, '192.0.2.7', ${scene.sql.json({ note: may.email })})`
    const { id } = await may.api.privacy.request_erasure({})
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
    await scene.seal()
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
    await scene.sql`insert into inquiries (full_name, email, company, people, message) values
      ('Nia', ${nia.email}, 'Acme', 10, 'Please call me back.'),
      ('Mania', ${`ma${nia.email}`}, 'Acme', 10, 'Please call me back.')`
    const { id } = await nia.api.privacy.request_erasure({})
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
    const left =
      await scene.sql`select full_name from inquiries where email like ${`%${nia.email}`}`
    assert.deepEqual(
      left.map((lead) => lead['full_name']),
      ['Mania'],
    )
  })

  test('more than one person’s data can be is not erased before somebody has looked', async () => {
    const oli = await acme.hire('Oli')
    const { id } = await oli.api.privacy.request_erasure({})
    await scene.sql`insert into mails (recipient, person_id, subject, text, html)
      select ${oli.email}, ${oli.id}, 'x', 'x', 'x' from generate_series(1, 5001)`
    const { refusals } = await acme.admin.api.privacy.find_erasure({ id })
    assert.deepEqual(refusals, { approve: 'erasure_too_wide', refuse: null })
    await refuses('erasure_too_wide', acme.admin.api.privacy.approve_erasure({ id }))
    await scene.sql`delete from mails where person_id = ${oli.id}`
    await acme.admin.api.privacy.approve_erasure({ id })
  })

  test('nor is more than that of somebody who belongs to no company', async () => {
    const [boss, other] = [await scene.superAdmin(), await scene.superAdmin()]
    const { id } = await other.api.privacy.request_erasure({})
    await scene.sql`insert into mails (recipient, person_id, subject, text, html)
      select ${other.email}, ${other.id}, 'x', 'x', 'x' from generate_series(1, 5001)`
    await refuses('erasure_too_wide', boss.api.privacy.approve_erasure({ id }))
  })

  test('of an admin’s own acts only from where they were done goes, in thousands, and is proven', async () => {
    const other_company = await scene.company({ name: 'Other' })
    const second = await other_company.appoint('Second')
    await scene.sql`insert into audit_log (company_id, actor_id, actor_role, address, act, table_name, row_id, after)
      select ${other_company.id}, ${second.id}, 'company_admin', '192.0.2.9', 'insert', 'claim_types', n::text, '{"name": "X"}'
      from generate_series(1, 4500) n`
    const { id } = await second.api.privacy.request_erasure({})
    await scene.seal()
    await other_company.admin.api.privacy.approve_erasure({ id })
    await provider.api.privacy.approve_erasure({ id })
    await forget(second)
    const [acts] = await scene.sql<[{ known: number; whole: number }]>`
      select count(*) filter (where address <> '') as known, count(after) as whole from audit_log
      where actor_id = ${second.id} and table_name = 'claim_types'`
    assert.deepEqual([acts.known, acts.whole], [0, 4500])
    await scene.seal()
    const verify = async () => {
      const [found] = await scene.sql<[{ fault: string | null }]>`
        select fault from verify_audit(${other_company.id})`
      return found.fault
    }
    assert.equal(await verify(), null)
    const erasures = await other_company.admin.api.audit.list({ table: 'audit_erasures' })
    assert.ok(erasures.entries.length > 0, 'HR sees each erasure in the record')
    // An erasure that nobody granted is no erasure.
    const [entry] = await scene.sql<[{ id: number }]>`select id from audit_log
      where company_id = ${other_company.id} and erased_at is null and after is not null order by id limit 1`
    await scene.sql`select private.erase_entries(array[${entry.id}]::bigint[], null, true)`
    await scene.seal()
    assert.equal(await verify(), 'erasure_not_requested')
  })
})
