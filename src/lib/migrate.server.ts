// Brings a database to what this version knows, in one transaction and once, however many servers start
// together: the tables of db/, forward only, and the code of src/ (functions, views, triggers, policies,
// grants), which is made again whole as soon as any of it has changed.
import { createHash, createHmac } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { runMigrations } from 'graphile-worker'
import { code_files } from '#code.server.ts'
import { connect, type Sql, type Tx } from './db.server.ts'
import { workerPool } from './jobs.server.ts'
import { readSql, runSql, type SqlFile } from './sql-files.server.ts'
import { version } from './version.server.ts'

/** The logins that serve requests. They own nothing; their passwords follow from the owner's address. */
const logins = ['healthfund_request', 'healthfund_key', 'healthfund_auth'] as const
export type Login = (typeof logins)[number]

export function urlFor(login: Login, owner_url: string): string {
  const url = new URL(owner_url)
  const secret = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  url.username = login
  url.password = createHmac('sha256', secret).update(login).digest('base64url')
  return url.href
}

/** The files that a version of this software expects in its database. */
export type OwnSchema = { version: string; tables: SqlFile[]; code: SqlFile[] }

export async function ownSchema(): Promise<OwnSchema> {
  const code = code_files.map((name) => readSql(`src/${name}`))
  return { version, tables: await tableFiles(), code: await Promise.all(code) }
}

export async function migrate(url: string, schema?: OwnSchema): Promise<void> {
  const target_schema = schema ?? (await ownSchema())
  await withMigrationLock(url, (sql) => bringUp(sql, target_schema))
}

/** Makes the tables that a backup had, and no triggers: rows are restored before anything watches them. */
export async function makeTables(url: string, known: AppliedFile[]): Promise<void> {
  const all = await tableFiles()
  const tables = known.map((one) => sameAs(one, all))
  await withMigrationLock(url, async (sql) => {
    const missing = notYetIn(await seenBy(sql), tables)
    await sql.begin((tx) => runTables(tx, missing))
  })
}

async function withMigrationLock(url: string, work: (sql: Sql) => Promise<void>) {
  const sql = connect(url, { max: 1 })
  try {
    await sql`select pg_advisory_lock(hashtext('healthfund migrations'))`
    await makeLogins(sql, url)
    await sql.unsafe(nothing_for_all)
    await prepareJobs(url)
    await work(sql)
  } finally {
    await sql.end()
  }
}

async function prepareJobs(url: string) {
  const pgPool = workerPool(url, { warn() {} })
  try {
    await runMigrations({ pgPool, logger: silent })
  } finally {
    await pgPool.end()
  }
}

async function makeLogins(sql: Sql, url: string) {
  // Logins belong to the whole PostgreSQL, so databases that are migrated at once wait for each other here.
  for (const login of logins) {
    const [known] = await sql`select from pg_roles where rolname = ${login}`
    if (known && (await getsIn(login, url))) continue
    const { password } = new URL(urlFor(login, url))
    const verb = known ? 'alter' : 'create'
    try {
      await sql.unsafe(`${verb} role ${login} login noinherit password '${password}'`)
    } catch (error) {
      if (!(await getsIn(login, url))) throw error // else somebody was quicker
    }
  }
}

async function getsIn(login: Login, url: string): Promise<boolean> {
  const sql = connect(urlFor(login, url), { max: 1 })
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end()
  }
}

type AppliedFile = { name: string; hash: string }
const nameOf = ({ path }: SqlFile) => path.replace('db/', '')

async function tableFiles(): Promise<SqlFile[]> {
  const names = await readdir(new URL('../../db/', import.meta.url))
  const sql_names = names.filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(sql_names.map((name) => readSql(`db/${name}`)))
}

function sameAs(known: AppliedFile, all: SqlFile[]): SqlFile {
  const found = all.find((file) => isOf(file, known))
  if (found) return found
  throw new Error(
    `The backup was made by another version: this one has no such db/${known.name}. Restore it with that version.`,
  )
}

async function bringUp(sql: Sql, { version, tables, code }: OwnSchema) {
  const applied_files = await seenBy(sql)
  const missing = notYetIn(applied_files, tables)
  const hash = hashOf(code)
  const applied = applied_files.length > 0 ? await appliedCode(sql, version) : undefined
  if (missing.length === 0 && applied?.hash === hash && applied.version === version) return
  await unlessDeadlocked(() =>
    sql.begin(async (tx) => {
      await tx.unsafe(drop_code)
      await runTables(tx, missing)
      for (const file of code) await runSql(tx, file)
      await tx.unsafe(close_code)
      await tx`insert into private.applied_code (hash, version) values (${hash}, ${version})
        on conflict (one) do update set hash = excluded.hash, version = excluded.version, at = now()`
    }),
  )
}

/** Changes nothing. What this version may not touch is thrown, as at a start. */
export async function migrationState(sql: Sql): Promise<'empty' | 'behind' | 'current'> {
  const [found] = await sql<[{ there: boolean }]>`
    select to_regclass('private.applied_code') is not null as there`
  if (!found.there) return 'empty'
  const { version, tables, code } = await ownSchema()
  const missing = notYetIn(await knownTo(sql), tables)
  const applied = await appliedCode(sql, version)
  return missing.length === 0 && applied?.hash === hashOf(code) ? 'current' : 'behind'
}

async function seenBy(sql: Sql): Promise<AppliedFile[]> {
  await sql`create table if not exists migrations (
    name text primary key, hash text not null, at timestamptz not null default now())`
  await sql`comment on table migrations is 'Which files of db/ this database has seen.'`
  await sql`alter table migrations enable row level security`
  return knownTo(sql)
}

const knownTo = (sql: Sql) => sql<AppliedFile[]>`select name, hash from migrations order by name`

async function runTables(tx: Tx, files: SqlFile[]) {
  for (const file of files) {
    await runSql(tx, file)
    await tx`insert into migrations (name, hash) values (${nameOf(file)}, ${file.hash})`
  }
}

/** Files run once and never change: a database that has seen others is a later version's, or was never released. */
function notYetIn(database: AppliedFile[], tables: SqlFile[]): SqlFile[] {
  const missing = tables.filter((file) => !database.some((one) => isOf(file, one)))
  const other = database.find((one) => !tables.some((file) => isOf(file, one)))
  if (other) throw new Error(missing.length === 0 ? laterThan(other.name) : otherThan(other.name))
  return missing
}

const isOf = (file: SqlFile, { name, hash }: AppliedFile) =>
  nameOf(file) === name && file.hash === hash
const laterThan = (name: string) =>
  `This database has db/${name}, which this version does not know: start a later one.`
const otherThan = (name: string) =>
  `This database was made from a db/${name} that this version does not have: it cannot be upgraded here. ` +
  'Keep the version that made it; or, if nothing in it is worth keeping, start over: npm run reset.'

async function appliedCode(sql: Sql, version: string) {
  const [applied] = await sql<{ hash: string; version: string }[]>`
    select hash, version from private.applied_code`
  if (applied && ordinal(version) < ordinal(applied.version))
    throw new Error(
      `This database has run version ${applied.version} and this is ${version}: start that one.`,
    )
  return applied
}

const ordinal = (version: string) =>
  version.split('.').reduce((sum, part) => sum * 10_000 + Number.parseInt(part), 0)

const hashOf = (files: SqlFile[]) =>
  createHash('sha256')
    .update(files.map(({ path, hash }) => `${path} ${hash}\n`).join(''))
    .digest('hex')

/** Running servers lock rows in an order of their own: if the migration is chosen as a deadlock's victim, it tries again. */
async function unlessDeadlocked(act: () => Promise<unknown>, tries = 5): Promise<void> {
  try {
    await act()
  } catch (error) {
    if ((error as { code?: string }).code !== '40P01' || tries === 1) throw error
    await unlessDeadlocked(act, tries - 1)
  }
}

const silent = { error() {}, warn() {}, info() {}, debug() {}, scope: () => silent } as never

/** Nobody but the owner makes tables, for a time or for good: their names could stand before the real ones. */
const nothing_for_all = `
do $all$
begin
  if exists (select from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      where d.datname = current_database() and a.grantee = 0 and a.privilege_type = 'TEMPORARY') then
    execute format('revoke temporary on database %I from public', current_database());
  end if;
end $all$`

const ours = `(select oid from pg_namespace where nspname in ('public', 'auth', 'private'))`
const of_an_extension = (oid: string) =>
  `exists (select from pg_depend e where e.objid = ${oid} and e.deptype = 'e')`

/** Views and routines go from the outside in, until only those are left that a table itself needs. */
const drop_code = `
do $drop$
declare
  what text;
begin
  select string_agg(format('drop %s %I on %s', o.kind, o.name, o.at), '; ') into what from (
    select 'policy' as kind, p.polname as name, p.polrelid::regclass as at from pg_policy p
    union all
    select 'trigger', t.tgname, t.tgrelid::regclass from pg_trigger t where not t.tgisinternal) o
    join pg_class c on c.oid = o.at where c.relnamespace in ${ours};
  execute coalesce(what, 'select');
  loop
    select string_agg(format('drop %s %s', o.kind, o.name), '; ') into what from (
      select 'view' as kind, c.oid::regclass::text as name, 'pg_class'::regclass as class, c.oid
        from pg_class c where c.relkind = 'v' and c.relnamespace in ${ours}
      union all
      select 'routine', p.oid::regprocedure::text, 'pg_proc'::regclass, p.oid
        from pg_proc p where p.pronamespace in ${ours}) o
      where not ${of_an_extension('o.oid')}
        and not exists (select from pg_depend d left join pg_rewrite r
            on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
          where d.refclassid = o.class and d.refobjid = o.oid and d.deptype in ('n', 'a')
            and r.ev_class is distinct from o.oid);
    exit when what is null;
    execute what;
  end loop;
  for what in select nspname from pg_namespace where oid in ${ours} loop
    execute format('revoke all on all tables in schema %1$I from ${logins.join(', ')};
      revoke all on schema %1$I from ${logins.join(', ')}', what);
  end loop;
end $drop$`

/** Takes all functions from everybody: grants say who may call which. */
const close_code = `
do $close$
begin
  execute (select 'revoke execute on routine ' || string_agg(p.oid::regprocedure::text, ', ') || ' from public'
    from pg_proc p where p.pronamespace in ${ours} and not ${of_an_extension('p.oid')});
end $close$`
