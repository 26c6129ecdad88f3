// Fills an empty database with so many people and their year, by set-based SQL. What makes the load slow (triggers,
// indexes) is off meanwhile; what triggers keep is written by it, and proven afterwards.
import { connect, type Sql } from '#lib/db.server.ts'
import { readSql, runSql } from '#lib/sql-files.server.ts'

/** Tables of which a year has many rows: their indexes are made at the end, in parallel lanes. */
const lanes = {
  transfers: ['accounts', 'transfers', 'transfer_seals'],
  audit: ['audit_log', 'audit_seals'],
  others: [
    'claims',
    'claim_events',
    'receipts',
    'notifications',
    'pay_items',
    'pay_claims',
    'auth.users',
    'auth.identities',
    'profiles',
    'bank_accounts',
    'grants',
  ],
}
/** While it is loaded; a bench of it begins with the settings of the product. */
export const settings_of_load = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '1GB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
}

type Loader = { sql: Sql; people: number; say: (what: string) => void }

/** Loads as the superuser of the bench's own PostgreSQL, who may leave out checks. */
export async function load(url: string, people: number, say: Loader['say']) {
  const sql = connect(url, { max: 4, name: 'bench size' })
  const loading = { sql, people, say }
  try {
    await step(loading, 'companies', { loud: true })
    await sql`update pg_index set indisready = false, indisvalid = false
      where indrelid = any (${Object.values(lanes).flat()}::regclass[])`
    await step(loading, 'people')
    await step(loading, 'drawn')
    for (const [from, until] of await months(sql)) {
      await step(loading, 'steps', { from, until })
      await Promise.all(['claims', 'moved', 'record'].map((name) => step(loading, name)))
    }
    await step(loading, 'kept')
    await Promise.all([
      step(loading, 'sealed').then(() => reindex(loading, lanes.transfers)),
      sealAudit(loading).then(() => reindex(loading, lanes.audit)),
      reindex(loading, lanes.others),
    ])
    await sql`drop schema size cascade`
    await sql`vacuum analyze`
    await sql`checkpoint`
    say('vacuumed')
  } finally {
    await sql.end()
  }
}

type StepOptions = { from?: string; until?: string; loud?: boolean }

async function step(
  { sql, people, say }: Loader,
  name: string,
  { from, until, loud }: StepOptions = {},
) {
  const file = await readSql(`bench/size/${name}.sql`)
  await sql.begin(async (tx) => {
    await tx`set local work_mem = '512MB'`
    await tx`select set_config('size.people', ${String(people)}, true),
      set_config('size.from', ${from ?? ''}, true), set_config('size.until', ${until ?? ''}, true)`
    if (!loud) await tx`set local session_replication_role = replica`
    await runSql(tx, file)
  })
  say(until ? `${name} until ${until}` : name)
}

/** The year in parts that are sorted in memory, so that all rows lie in the order of their time. */
async function months(sql: Sql): Promise<[string, string][]> {
  const days = await sql<{ day: string }[]>`
    select to_char(d, 'YYYY-MM-DD') as day from size.company c,
      generate_series(c.plan_year::timestamptz, now() + interval '1 month', interval '1 month') d
    where c.n = 1 order by d`
  return days.slice(1).map(({ day }, at) => [days[at]!.day, day])
}

/** The product's own sealing, of all there is at once. */
async function sealAudit({ sql, say }: Loader) {
  await sql.begin(async (tx) => {
    await tx`set local work_mem = '512MB'`
    const [{ last }] = await tx<[{ last: number }]>`select max(id) as last from audit_log`
    await tx`select private.seal_entries(0, ${last})`
    await tx`update private.audit_sweep set sealed = ${last}, high = ${last}`
  })
  say('sealed the record')
}

async function reindex({ sql, say }: Loader, tables: string[]) {
  for (const table of tables) {
    await sql.unsafe(`reindex table ${table}`)
    say(`indexes of ${table}`)
  }
}
