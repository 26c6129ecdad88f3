// The demo world: made once, in an empty database, by the product's own acts; then moved into its year.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { demoIsOn, type Config } from '#lib/config.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import type { Log } from '#lib/log.server.ts'
import { admin, employee, password, provider } from './logins.ts'
import type { ProgramInput } from './program.ts'

type DemoState = 'none' | 'unfinished' | 'finished'

/**
 * Makes the world if it is wanted and nobody is there yet; answers what to print at every start. One that could not be
 * made leaves an empty database behind, and the next start tries again.
 */
export async function demoWorld(config: Config, url: string): Promise<string | undefined> {
  const sql = connect(url, { max: 2, name: 'healthfund demo' })
  const with_demo = demoIsOn(config)
  try {
    const found = await lookFor(sql)
    if (found === 'finished') return with_demo ? printed : warning
    if (found === 'none' && !with_demo) return undefined
    return await sql.begin(async (held) => {
      // Of several servers that start together one makes the world, and the others wait.
      await held`select pg_advisory_xact_lock(hashtext('healthfund demo'))`
      return makeOrClear(sql, config, url)
    })
  } finally {
    await sql.end()
  }
}

async function makeOrClear(sql: Sql, config: Config, url: string) {
  const with_demo = demoIsOn(config)
  if ((await settled(sql)) === 'finished') return with_demo ? printed : warning
  if (!with_demo || !(await isFree(sql))) return undefined
  if (await othersRun(sql)) return others_run
  const made = await make(config, url)
  if ((await settled(sql)) === 'finished') return printed
  return made ? undefined : failed
}

const printed = [
  `Demo logins, all with the password ${password}`,
  `  Super Admin    ${provider.email}`,
  `  Company Admin  ${admin.email}`,
  `  Employee       ${employee.email}`,
].join('\n')

const warning =
  'WARNING: this database holds the demo world, whose passwords everybody knows, and DEMO is off.'

const others_run =
  'The demo world was not made: another server or worker runs on this database. Stop it, and start again.'

const failed =
  'The demo world could not be made, so this installation is empty: the log above says why, ' +
  'and the next start tries again.'

async function lookFor(sql: Sql): Promise<DemoState> {
  const [table] = await sql<[{ there: boolean }]>`
    select to_regclass('public.demo_world') is not null as there`
  if (!table.there) return 'none'
  const [row] = await sql<{ finished: boolean }[]>`
    select finished_at is not null as finished from demo_world`
  return row ? (row.finished ? 'finished' : 'unfinished') : 'none'
}

/** Removes half a world that nobody is making any more: it was begun in an empty database. */
async function settled(sql: Sql): Promise<Exclude<DemoState, 'unfinished'>> {
  const found = await lookFor(sql)
  if (found !== 'unfinished') return found
  await sql.begin(async (tx) => {
    // The process of a server that was killed may not have noticed yet.
    await tx`select pg_advisory_xact_lock(hashtext('healthfund demo making'))`
    await tx.unsafe(`
      drop schema if exists public, auth, private, graphile_worker cascade;
      create schema public;`)
  })
  return 'none'
}

/** Nothing of anybody's would be mixed with it, or lost with it. */
async function isFree(sql: Sql): Promise<boolean> {
  const [product] = await sql<[{ there: boolean }]>`
    select to_regclass('public.demo_world') is not null as there`
  const [other] = product.there
    ? await sql<[{ there: boolean }]>`
        select exists (select from auth.users) or exists (select from companies)
          or exists (select from inquiries) as there`
    : await sql<[{ there: boolean }]>`
        select exists (select from pg_tables where schemaname = 'public') as there`
  return !other.there
}

/** Other servers would see a year go by in a minute, and seal entries that are still to be moved. */
async function othersRun(sql: Sql): Promise<boolean> {
  const [table] = await sql<[{ there: boolean }]>`
    select to_regclass('private.processes') is not null as there`
  if (!table.there) return false
  const [others] = await sql<[{ run: boolean }]>`
    select exists (select from private.processes
      where heartbeat_at > now() - interval '1 minute') as run`
  return others.run
}

const look_every_ms = 500

/** A worker waits until the world is there, if one is being made or a server is about to make one. */
export async function untilDemoIsThere(config: Config, sql: Sql, log: Pick<Log, 'info'>) {
  const isAwaited = async () => {
    const found = await lookFor(sql)
    if (found !== 'none') return found === 'unfinished'
    return demoIsOn(config) && (await isFree(sql)) && !(await othersRun(sql))
  }
  if (!(await isAwaited())) return
  log.info('the worker waits until a server has made the demo world')
  while (await isAwaited()) await pause(look_every_ms)
}

const within_ms = 600_000

/** Whether it came to its end; why not is in the log. */
async function make(config: Config, url: string): Promise<boolean> {
  const options = { serialization: 'advanced', timeout: within_ms } as const
  const child = fork(new URL('program.ts', import.meta.url), options)
  const program_input: ProgramInput = { config, url }
  child.send(program_input)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}
