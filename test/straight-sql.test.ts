// Straight SQL as the login that requests use gets nothing from the functions that run as the owner.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Person } from './world/people.ts'
import { openStraight } from './world/straight.ts'

const { scene, sql, ana, stranger, as, asAna, close } = await openStraight()
after(close)

describe('a function that runs as the owner', () => {
  test('mails nobody, tells nobody and sets nobody to work', async () => {
    for (const statement of [
      `select post_mail('${stranger.email}', 'Hello', 'Hello', 'Hello', true)`,
      `select add_job('privacy:forget', '{"person_id": "${stranger.id}"}')`,
    ])
      await assert.rejects(
        asAna((tx) => tx.unsafe(statement)),
        { code: '42501' },
        statement,
      )
    for (const act of [`ask_for_advisories()`, `post_test_mail('x', 'x', 'x', true)`])
      await assert.rejects(
        asAna((tx) => tx.unsafe(`select ${act}`)),
        { message: 'forbidden' },
        act,
      )
  })

  test('writes into the record which file was taken, and no text of one’s own', async () => {
    for (const [taken, particulars] of [
      ['Paid in full, says the auditor', {}],
      ['audit.export', { note: 'x'.repeat(500) }],
      [null, {}],
      ['audit.export', null],
    ] as const)
      await assert.rejects(
        asAna((tx) => tx`select record_download(${taken}, ${particulars && tx.json(particulars)})`),
        { message: 'forbidden' },
        String(taken),
      )
  })

  test('writes no notice of anybody’s wording, of a colleague, an owner or the provider', async () => {
    const acme = await scene.company({ name: 'Acme' })
    const colleague = await acme.hire('Colleague')
    const waits = await scene.signUp(`waits@${acme.domain}`, 'company_admin')
    const people = [stranger, colleague, acme.admin, await scene.superAdmin()]
    const statements = [
      ...people.map(
        ({ id }) => `select notify_person('${id}', 'api_key_made', '{"name": "Pay here"}')`,
      ),
      `select notify_right_holders('${acme.id}', 'api_key_made', '{"name": "Pay here"}')`,
    ]
    for (const person of [await acme.hire('Ana'), waits, acme.admin]) {
      for (const statement of statements)
        await assert.rejects(
          as(person, (tx) => tx.unsafe(statement)),
          { code: '42501' },
          statement,
        )
    }
    for (const statement of statements)
      await assert.rejects(sql.unsafe(statement), { code: '42501' }, statement)
  })

  test('tells what a company has decided to its own people alone', async () => {
    const companyOf = async ({ id }: Person) =>
      (await scene.sql<[{ of: string }]>`select company_id as of from profiles where id = ${id}`)[0]
        .of
    const theirs = await companyOf(stranger)
    const own = await companyOf(ana)
    const years = await scene.sql<{ company_id: string; starts_on: string }[]>`
      select company_id, min(starts_on) as starts_on from plan_years group by company_id`
    const begins = (of: string) => years.find(({ company_id }) => company_id === of)!.starts_on
    const query = (of: string) => `select company_today('${of}') as today,
      current_plan_year('${of}') as year, plan_year_of('${of}', current_date) as year_of,
      company_days_off('${of}') as days_off, child_age_of('${of}') as child_age,
      policy_is_superseded('${of}', 0) as policy,
      dependent_share('${of}', '${begins(of)}', current_date) as share,
      leavers_refusal(jsonb_populate_record(null::imports, '{"company_id": "${of}", "full_list": true}'),
        true, '${ana.id}') as leavers,
      own_department_refusal('${of}', '${ana.id}') as department`
    const nothing = {
      today: null,
      year: null,
      year_of: null,
      days_off: null,
      child_age: null,
      policy: null,
      share: null,
      leavers: null,
      department: null,
    }
    await scene.sql`insert into family_rules (company_id, child_age) values (${theirs}, 24)`
    await scene.sql`insert into employee_groups (company_id, name, departments)
      select id, 'Field', '{Sales}' from companies`
    assert.deepEqual([...(await asAna((tx) => tx.unsafe(query(theirs))))], [nothing])
    assert.deepEqual([...(await sql.unsafe(query(theirs)))], [nothing])
    const [mine] = await asAna((tx) =>
      tx.unsafe<[{ year: unknown; department: string; share: number | null }]>(query(own)),
    )
    assert.ok(mine.year)
    assert.notEqual(mine.share, null)
    assert.equal(mine.department, 'department_kept_by_hr')
  })

  /** The caller is a part of their answer, or they are listed here, with the reason. */
  const for_anybody = [
    'become', // makes somebody of nobody
    'become_key', // likewise
    'publish', // that something has changed, and not what
    'submit_inquiry', // the contact page
    'audit_span', // of two times of day
  ]
  test('asks who asks', async () => {
    const routines = await scene.sql<{ name: string; definer: boolean; body: string }[]>`
      select p.proname as name, pg_get_functiondef(p.oid) as body, p.prosecdef
          and (has_function_privilege('healthfund_request', p.oid, 'execute')
            or has_function_privilege('healthfund_key', p.oid, 'execute')) as definer
        from pg_proc p where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
          and p.prokind = 'f'`
    // Some of both schemas share a name.
    const bodies = new Map<string, string>()
    for (const { name, body } of routines) bodies.set(name, (bodies.get(name) ?? '') + body)
    assert.ok(routines.length > 200)
    const asks = (body: string, functions_read: Set<string>): boolean => {
      if (/\bactor(_id|_role|_company)?\(|\bmay_know\(|\brequire_role\(/.test(body)) return true
      functions_read.add(body)
      const called = [...body.matchAll(/\b(\w+)\(/g)].map(([, other]) => bodies.get(other!))
      return called.some(
        (other) => other && !functions_read.has(other) && asks(other, functions_read),
      )
    }
    const silent = routines
      .filter(({ body, definer }) => definer && !asks(body, new Set()))
      .map(({ name }) => name)
    assert.deepEqual(silent.toSorted(), for_anybody.toSorted())
  })
})
