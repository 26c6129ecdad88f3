// A database is brought to what a version wants as a whole or not at all.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Sql } from '#lib/db.server.ts'
import { migrate, ownSchema, migrationState, type OwnSchema } from '#lib/migrate.server.ts'
import { runCommand } from './command-run.ts'
import { testSql, type DatabaseWithSql } from './database.ts'

const file = (path: string, text: string) => ({ path, text, hash: text })

describe('bringing a database up to date', () => {
  let database: DatabaseWithSql
  let sql: Sql
  let own: OwnSchema
  before(async () => {
    database = await testSql(1)
    sql = database.sql
    own = await ownSchema()
  })
  after(() => database.drop())

  /** All that the code makes, a line each. */
  async function code(): Promise<string[]> {
    const lines = await sql<{ line: string }[]>`
      select pg_get_functiondef(oid) || coalesce(proacl::text, '') as line from pg_proc
        where prokind = 'f' and pronamespace::regnamespace::text in ('public', 'auth', 'private')
          and not exists (select from pg_depend e where e.objid = pg_proc.oid and e.deptype = 'e')
      union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
      union all select p::text from pg_policies p
      union all select v::text from pg_views v where schemaname in ('public', 'auth', 'private')
      union all select concat_ws(' ', oid::regclass, (select array_agg(a order by a::text)
          from unnest(relacl) a where a::text !~ '^healthfund=')) from pg_class
        where relkind in ('r', 'v') and relnamespace::regnamespace::text in ('public', 'auth', 'private')
      order by 1`
    return lines.map(({ line }) => line)
  }
  async function applied() {
    const [one] = await sql<
      { hash: string; at: string }[]
    >`select hash, at from private.applied_code`
    return { ...one }
  }

  test('is done once: a second start changes nothing', async () => {
    const before = await applied()
    await Promise.all([migrate(database.url), migrate(database.url)])
    assert.deepEqual(await applied(), before)
  })

  test('makes the code exactly what the files say: what is no longer in them goes', async () => {
    const before = await code()
    await sql`create function left_over() returns integer language sql return 1`
    await sql`create view private.left_over as select left_over() as one`
    await sql`create function private.uses_it() returns bigint language sql
      begin atomic select count(*) from private.left_over; end`
    await sql`create policy left_over on claims using (true)`
    await sql`create trigger left_over before update on claims
      for each row execute function private.raise_version()`
    await sql`grant select on mails, auth.users to healthfund_request`
    await sql`grant execute on function seal_audit to public`
    await sql`drop function suspend_person`
    await sql`update private.applied_code set hash = 'another'`
    await migrate(database.url)
    assert.deepEqual(await code(), before)
  })

  test('two servers that start together with new code make it once', async () => {
    const code = [
      ...own.code,
      file('src/new.sql', 'create function newer() returns integer language sql return 2;'),
    ]
    const both = [1, 2].map(() => migrate(database.url, { ...own, code }))
    await Promise.all(both)
    const one = await applied()
    await migrate(database.url, { ...own, code })
    assert.deepEqual(await applied(), one)
    assert.equal((await sql`select newer() as is`)[0]?.is, 2)
    await migrate(database.url)
  })

  test('new tables come together with new code, whatever the old code used of the old ones', async () => {
    const tables = [
      ...own.tables,
      file('db/900_types.sql', 'alter table inquiries alter column people type bigint;'),
    ]
    await migrate(database.url, { ...own, tables })
    const [column] = await sql`select format_type(atttypid, -1) as type from pg_attribute
      where attrelid = 'inquiries'::regclass and attname = 'people'`
    assert.equal(column?.type, 'bigint')
    await sql`delete from migrations where name = '900_types.sql'`
  })

  test('a database some files behind goes every step, its rows with it, and no trigger sees that', async () => {
    await sql`insert into inquiries (full_name, email, company, people, message)
      values ('Ana', 'ana@acme.test', 'Acme', 300, 'How does it work?')`
    const audited = async () => (await sql`select count(*) as count from audit_log`)[0]?.count
    const before = await audited()
    const steps = [
      file(
        'db/902_heads.sql',
        'alter table inquiries add column heads bigint;\nupdate inquiries set heads = people * 2;',
      ),
      file('db/903_heads.sql', 'alter table inquiries alter column heads set not null;'),
    ]
    assert.equal(await migrationState(sql), 'current')
    await migrate(database.url, { ...own, tables: [...own.tables, ...steps] })
    assert.equal((await sql`select heads from inquiries`)[0]?.heads, 600)
    assert.equal(await audited(), before)
    const statements = await sql<
      { name: string }[]
    >`select name from migrations where name > '9' order by name`
    assert.deepEqual(
      statements.map(({ name }) => name),
      ['902_heads.sql', '903_heads.sql'],
    )
    await sql`alter table inquiries drop column heads`
    await sql`delete from migrations where name > '9'`
  })

  test('a statement that fails is named by file and line, and the database is as before', async () => {
    const before = await code()
    const tables = [...own.tables, file('db/901_more.sql', 'create table more (id integer);')]
    const broken = {
      'src/broken.sql:3: function nobody() does not exist':
        '-- A comment; with a semicolon.\n\nselect nobody();',
      'src/broken.sql:4: column "nothing" does not exist':
        "select ';';\ncreate function f() returns text language sql\nbegin atomic\n  select nothing from claims;\nend;",
      'src/broken.sql:2: could not find a function named "missing"':
        'create function f() returns integer language sql as $$ select 1; $$;\ngrant execute on function missing to public;',
    }
    for (const [message, text] of Object.entries(broken)) {
      const code = [...own.code, file('src/broken.sql', text)]
      await assert.rejects(migrate(database.url, { ...own, tables, code }), { message })
    }
    assert.deepEqual(await code(), before)
    assert.equal((await sql`select to_regclass('more') as there`)[0]?.there, null)
    const text = 'create table more (id integer);\ncreate table more (id integer);'
    const again = [...own.tables, file('db/901_more.sql', text)]
    await assert.rejects(migrate(database.url, { ...own, tables: again }), {
      message: 'db/901_more.sql:2: relation "more" already exists',
    })
  })

  test('an older version leaves a newer one’s database alone', async () => {
    const before = await code()
    await assert.rejects(migrate(database.url, { ...own, tables: own.tables.slice(0, -1) }), {
      message:
        /^This database has db\/.*\.sql, which this version does not know: start a later one\.$/,
    })
    await migrate(database.url, { ...own, version: '1.10.0' })
    const older = { ...own, version: '1.9.9', code: own.code.slice(0, -1) }
    await assert.rejects(migrate(database.url, older), {
      message: 'This database has run version 1.10.0 and this is 1.9.9: start that one.',
    })
    assert.deepEqual(await code(), before)
    await sql`update private.applied_code set version = ${own.version}`
  })

  test('a database of other tables than ours is refused as it is, with what to do', async () => {
    const before = await code()
    const [first, second, ...others] = own.tables
    const changed = [{ ...first!, hash: 'another' }, second!, ...others]
    const unknown = [first!, { ...second!, path: 'db/002_people.sql' }, ...others]
    for (const tables of [changed, unknown, [...unknown, file('db/900_new.sql', 'select 1;')]])
      await assert.rejects(migrate(database.url, { ...own, tables }), {
        message:
          /^This database was made from a db\/00[12]_\w+\.sql that this version does not have: .*npm run reset\.$/,
      })
    assert.deepEqual(await code(), before)
  })

  test('is a command of its own as well, which says what it did', async () => {
    await sql`update private.applied_code set hash = 'of another state'`
    const env = { DATABASE_URL: database.url }
    const outputs = [await runCommand(['migrate'], env), await runCommand(['migrate'], env)]
    assert.deepEqual(
      outputs.map(({ code, out }) => [code, out]),
      [
        [0, `The database is up to date now: version ${own.version}.`],
        [0, `The database was up to date: version ${own.version}.`],
      ],
    )
    assert.notEqual((await applied()).hash, 'of another state')
  })
})
