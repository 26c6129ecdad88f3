// The demo world: made once, in an empty database, by the product's own acts; then moved into its year.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { demoIsOn, type Config } from '#lib/config.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { admin, employee, password, provider } from './logins.ts'
import type { Asked } from './program.ts'

type Found = 'none' | 'unfinished' | 'finished'

/** Makes the world if it is wanted and the database empty; answers what to print at every start. */
export async function demoWorld(config: Config, url: string): Promise<string | undefined> {
  const sql = connect(url, { max: 1, name: 'healthfund demo' })
  try {
    const state = await lookFor(sql)
    if (!demoIsOn(config)) return state === 'none' ? undefined : warning
    if (state === 'finished') return printed
    // Of servers that start together one makes it and the others wait.
    await sql`select pg_advisory_lock(hashtext('healthfund demo'))`
    if (state === 'unfinished' && (await lookFor(sql)) === 'unfinished') await empty(sql)
    await make(config, url)
    return (await lookFor(sql)) === 'finished' ? printed : undefined
  } finally {
    await sql.end()
  }
}

const printed = [
  `Demo logins, all with the password ${password}`,
  `  Super Admin    ${provider.email}`,
  `  Company Admin  ${admin.email}`,
  `  Employee       ${employee.email}`,
].join('\n')

const warning =
  'WARNING: this database holds the demo world, whose passwords everybody knows, and DEMO is off.'

async function lookFor(sql: Sql): Promise<Found> {
  const [table] = await sql<[{ there: boolean }]>`
    select to_regclass('public.demo_world') is not null as there`
  if (!table.there) return 'none'
  const [row] = await sql<{ finished: boolean }[]>`
    select finished_at is not null as finished from demo_world`
  return row ? (row.finished ? 'finished' : 'unfinished') : 'none'
}

/** Half a world, and nothing else: it was begun in an empty database and its making was ended. */
async function empty(sql: Sql) {
  await sql.unsafe(`
    drop schema if exists public, auth, wall, graphile_worker cascade;
    create schema public;`)
}

async function make(config: Config, url: string) {
  const child = fork(new URL('program.ts', import.meta.url), { serialization: 'advanced' })
  const asked: Asked = { config, url }
  child.send(asked)
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('The demo world could not be made: the reason is above.')
}
