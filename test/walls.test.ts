// Limits for everybody, whatever a handler forgets: straight SQL as the login that requests use.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { connect, type Sql, type Tx } from '#lib/db.server.ts'
import { callerOf } from './world/people.ts'
import { openStraight } from './world/straight.ts'

const { scene, sql, ana, stranger, asAna, close } = await openStraight()
after(close)

describe('the wall', () => {
  const denied = (statement: string) =>
    assert.rejects(
      asAna((tx) => tx.unsafe(statement)),
      { code: '42501' },
      statement,
    )

  test('a person sees themselves and nobody of another company', async () => {
    const profiles = await asAna((tx) => tx<{ id: string }[]>`select id from profiles`)
    assert.deepEqual(
      profiles.map(({ id }) => id),
      [ana.id],
    )
    const companies = await asAna((tx) => tx`select id from companies`)
    assert.equal(companies.length, 1)
  })

  test('without a person nothing is seen at all', async () => {
    assert.equal((await sql`select from profiles`).length, 0)
    assert.equal((await sql`select from companies`).length, 0)
    assert.equal((await sql`select from audit_log`).length, 0)
  })

  test('nobody becomes somebody by setting a variable', async () => {
    const forged = `company_admin ${stranger.id} `
    const forging = asAna(async (tx) => {
      await tx`select set_config('app.actor', ${forged}, true)`
      return tx`select id from profiles`
    })
    await assert.rejects(forging, { code: '42501' })
    const sealing = asAna(async (tx) => {
      await tx`select set_config('app.actor', ${forged}, true), private.seal(${forged}, '')`
    })
    await assert.rejects(sealing, { code: '42501' })
  })

  test('what was sealed seals nothing in another transaction, nor with its parts moved', async () => {
    type Sealed = Record<'actor' | 'address' | 'request' | 'session' | 'seal', string>
    const sealed = await asAna(async (tx) => {
      const [found] = await tx<[Sealed]>`
        select current_setting('app.actor') as actor, current_setting('app.address') as address,
          current_setting('app.request') as request, current_setting('app.session') as session,
          current_setting('app.seal') as seal`
      const { actor, address, request, session } = found
      const moved = {
        actor: `${actor}|${address}`,
        address: request,
        request: session,
        session: '',
      }
      await tx`savepoint before`
      await assert.rejects(setTo(tx, { ...moved, seal: found.seal }), { code: '42501' })
      await tx`rollback to before`
      assert.equal((await tx`select from profiles where id = ${ana.id}`).length, 1)
      return found
    })
    await assert.rejects(
      sql.begin((tx) => setTo(tx, sealed)),
      { code: '42501' },
    )
    async function setTo(tx: Tx, settings: Sealed) {
      for (const [name, value] of Object.entries(settings)) {
        await tx`select set_config(${`app.${name}`}, ${value}, true)`
      }
      return tx`select from profiles where id = ${ana.id}`
    }
  })

  test('a session that is not theirs makes nobody of them', async () => {
    const { session_id } = callerOf(stranger)
    await assert.rejects(sql`select become(${ana.id}, ${session_id})`, { code: 'HF401' })
  })

  test('the password of somebody else’s session is not theirs', async () => {
    await scene.stale(ana)
    await scene.confirm(stranger)
    const attempt = asAna(async (tx) => {
      await tx`select set_config('app.session', ${callerOf(stranger).session_id}, true)`
      await tx`select request_export()`
    })
    await assert.rejects(attempt, { code: '42501' })
    const [{ fresh }] = await scene.sql<[{ fresh: boolean }]>`
      select exists (select from auth.amr_claims where session_id = ${callerOf(stranger).session_id}
        and at > now() - interval '5 minutes') as fresh`
    assert.ok(fresh)
    await assert.rejects(
      asAna((tx) => tx`select request_export()`),
      { message: 'password_needed' },
    )
  })

  test('who is signed out while acting is told so, and not asked for a password', async () => {
    const again = await scene.signIn(ana.email)
    const { session_id } = callerOf(again)
    const attempt = sql.begin(async (tx) => {
      await tx`select become(${ana.id}, ${session_id})`
      await scene.sql`delete from auth.sessions where id = ${session_id}`
      await tx`select request_export()`
    })
    await assert.rejects(attempt, { code: 'HF401' })
  })

  test('where an act came from, and by which request, is sealed with who did it', async () => {
    for (const name of ['app.address', 'app.request', 'app.session']) {
      const forging = asAna(async (tx) => {
        await tx`select set_config(${name}, '203.0.113.9', true)`
        return tx`select id from profiles`
      })
      await assert.rejects(forging, { code: '42501' }, name)
    }
  })

  test('roles, history, mails, accounts and secrets cannot be written or read', async () => {
    await denied(`update profiles set role = 'super_admin' where id = '${ana.id}'`)
    await denied(
      `insert into audit_log (actor_role, act, table_name, row_id) values ('x', 'insert', 'x', 'x')`,
    )
    await denied('update audit_log set actor_role = null')
    await denied('delete from audit_log')
    await denied('select * from audit_seals')
    await denied('select private.erase_entries(array[]::bigint[], null, true)')
    await denied('select * from private.processes')
    await denied(
      `insert into reports (kind, from_on, to_on, title) values ('claims_activity', now(), now(), 'x')`,
    )
    await denied('delete from report_files')
    await denied('select * from mails')
    await denied('select * from auth.users')
    await denied('select * from private.secret')
    await denied('select * from graphile_worker.jobs')
    await denied(`select private.place_new_person('${ana.id}')`)
    await denied('select * from auth.recovery_codes')
    await denied('select * from mail_paces')
    await denied(`update notifications set code = 'x'`)
    await denied(`insert into notifications (person_id, kind, code, facts, path)
      values ('${ana.id}', 'account', 'x', '{}', '/')`)
    await denied(`insert into preferences (person_id) values ('${stranger.id}')`)
    await denied(`select private.switch_off('${stranger.id}', 'claim_updates')`)
    await denied(`update mails set headers = '{}'`)
    await denied(`update companies set admins_need_two_step = true`)
  })

  test('a claim, its story, its money and a run change by their acts alone', async () => {
    await denied(`update claims set status = 'approved'`)
    await denied(`update claims set passed_by = '{}'`)
    await denied(`insert into claim_events (company_id, claim_id, number, event, by_role)
      values (actor_company(), 1, 1, 'approved', 'company_admin')`)
    await denied(`select private.move_money(c, 'approve', 100, actor_id()) from claims c`)
    await denied(`select private.lock_reviewed_claim('approve', 1, 1)`)
    await denied(`update pay_runs set status = 'released'`)
    await denied(`select private.lock_person('suspend', '${ana.id}')`)
  })

  test('nobody makes tables, functions, types or schemas of their own, for a time or for good', async () => {
    await denied('create temp table profiles (id uuid)')
    await denied('create temp view companies as select 1 as id')
    await denied('create temp sequence numbers')
    await denied('create function pg_temp.actor_role() returns text return 1')
    await denied('create type pg_temp.uuid as (id text)')
    await denied('create table public.mine (id uuid)')
    await denied('create function public.mine() returns integer return 1')
    await denied('create schema mine')
    await denied('create operator public.= (function = texteq, leftarg = text, rightarg = uuid)')
    await denied('create extension dblink')
    await denied(`copy (select 1) to program 'true'`)
    await denied(`select pg_read_file('PG_VERSION')`)
  })

  describe('with temporary objects, were they allowed again,', () => {
    let owner: Sql
    const change = (verb: string) =>
      owner`select current_database() as name`.then(([row]) =>
        owner.unsafe(verb.replace('$', `temporary on database ${row!['name']}`)),
      )
    before(async () => {
      owner = connect(scene.database_url, { max: 1 })
      await change('grant $ to healthfund_request')
    })
    after(async () => {
      await change('revoke $ from healthfund_request')
      await owner.end()
    })

    /** Straight SQL of a stolen connection: these objects, then `become`, then the question; nothing stays. */
    async function afterMaking(objects: string, question: string, person = ana) {
      let answer: unknown[] = []
      const { session_id } = callerOf(person)
      const attempt = sql.begin(async (tx) => {
        await tx.unsafe(objects)
        await tx`select public.become(${person.id}, ${session_id})`
        for (const one of question.split(';')) answer = [...(await tx.unsafe(one))]
        throw new Error('undone')
      })
      await assert.rejects(attempt, { message: 'undone' })
      return answer
    }
    const who = 'select public.actor_role() as role, count(*)::int as seen from public.profiles'
    const herself = [{ role: 'employee', seen: 1 }]

    test('a table before profiles makes nobody a super admin', async () => {
      const forged = `create temp table profiles (like public.profiles including defaults);
        insert into profiles (id, role, status, email, full_name, joined_on, has_left, has_own,
            has_rights, version, created_at)
          values ('${ana.id}', 'super_admin', 'active', 'x', 'x', now(), false, false, false, 1,
            now());`
      assert.deepEqual(await afterMaking(forged, who), herself)
      const first = `set local search_path = pg_temp, public;`
      assert.deepEqual(await afterMaking(forged + first, who), herself)
    })

    test('neither does a view before companies, nor a function or a type before ours', async () => {
      const tricks = [
        `create temp view companies as select null::uuid as id, 'active' as status, 'EUR' as currency,
          false as admins_need_two_step`,
        `create function pg_temp.actor() returns text return 'super_admin ${ana.id} '`,
        `create function pg_temp.split_part(text, text, integer) returns text return 'super_admin'`,
        `create type pg_temp.uuid as (id text)`,
        `create domain pg_temp.text as pg_catalog.text default 'super_admin'`,
        `create function pg_temp.same(pg_catalog.text, pg_catalog.text) returns boolean return true;
          create operator pg_temp.= (function = pg_temp.same, leftarg = text, rightarg = text)`,
      ]
      for (const trick of tricks) {
        assert.deepEqual(await afterMaking(`${trick};`, who), herself, trick)
        const first = `${trick}; set local search_path = pg_temp, pg_catalog, public;`
        const [rows_after] = await afterMaking(
          first,
          'select count(*)::int as seen from public.profiles',
        )
        assert.deepEqual(rows_after, { seen: 1 }, trick)
      }
    })

    test('a trigger on a table before ours never runs as the owner', async () => {
      const hr = (await scene.company({ name: 'Third' })).admin
      const rows = await afterMaking(
        `create temp table seen (name text);
        grant all on seen to public;
        create temp table imports (like public.imports including defaults);
        grant all on imports to public;
        create function pg_temp.note() returns trigger language plpgsql as $$
          begin insert into pg_temp.seen values (current_user); return null; end $$;
        create trigger note after insert on imports for each row execute function pg_temp.note()`,
        `select open_import('people.csv');
        select name as found from pg_temp.seen union all select file_name from pg_temp.imports
          union all select 'ours' from public.imports`,
        hr,
      )
      assert.deepEqual(rows, [{ found: 'ours' }])
    })
  })

  test('the owner of the embedded database is no superuser, and neither are its logins', async () => {
    const roles = await scene.sql<{ name: string; super: boolean; bypasses: boolean }[]>`
      select rolname as name, rolsuper as super, rolbypassrls as bypasses from pg_roles
      where rolname in (current_user, 'healthfund_request', 'healthfund_key', 'healthfund_auth')`
    assert.equal(roles.length, 4)
    if (process.env.DATABASE_URL) return // brought by somebody, who may have chosen otherwise
    for (const role of roles) assert.ok(!role.super && !role.bypasses, role.name)
    await assert.rejects(scene.sql`copy (select 1) to program 'true'`, { code: '42501' })
    await assert.rejects(scene.sql`select pg_read_file('PG_VERSION')`, { code: '42501' })
  })

  test('the auth service has the schema auth; of the rest it may only post mails', async () => {
    const open = await scene.sql<{ what: string }[]>`
      select p.oid::regproc::text as what from pg_proc p
        where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
          and has_schema_privilege('healthfund_auth', p.pronamespace, 'usage')
          and has_function_privilege('healthfund_auth', p.oid, 'execute')
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      union all select c.oid::regclass::text from pg_class c
        where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
          and c.relkind in ('r', 'p', 'v', 'm')
          and has_any_column_privilege('healthfund_auth', c.oid, 'select, insert, update')`
    assert.deepEqual(
      open.map(({ what }) => what),
      ['post_mail'],
    )
  })

  test('signing out ends the token at once, in the database too', async () => {
    const gone = await scene.signIn(stranger.email)
    await scene.services.app.request('/auth/v1/logout?scope=local', {
      method: 'POST',
      headers: { authorization: `Bearer ${gone.token}` },
    })
    await assert.rejects(gone.api.users.me({}), { code: 'not_signed_in' })
    assert.equal((await stranger.api.users.me({})).id, stranger.id)
  })
})
