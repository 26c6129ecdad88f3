// The year is played in minutes: all acts in the order of their days, each noted with the moment at which it
// really happened. Then every moment of the world is moved to the day it was played for.
import type { Sql } from '#lib/db.server.ts'
import { daysAfter } from './days.ts'
import type { Deed, DemoPlan } from './plan.ts'
import type { DemoStage } from './stage.ts'

type Mark = { real_from: string; real_to: string; from: string; to: string }

/** Office hours, in UTC. */
const opens = 'T07:30:00Z'
const closes = 'T15:45:00Z'

export class Timeline {
  readonly #today: string
  readonly #sql: Sql

  constructor(sql: Sql, today: string) {
    this.#sql = sql
    this.#today = today
  }

  /** `began` is when the first of all was let in, who was there the day before anything else happened. */
  async play(plan: DemoPlan, stage: DemoStage, began: string) {
    const marks: Mark[] = []
    let real_from = began
    // A millisecond of the play is minutes of its day: an entry has the moment of its act, as all else of it has.
    await this.#sql`alter table transfers alter posted_at set default now()`
    const days = Object.entries(Object.groupBy(plan.deeds, ({ on }) => on))
    const in_order = days.toSorted(([a], [b]) => a.localeCompare(b))
    const eve = daysAfter(in_order[0]?.[0] ?? this.#today, -1)
    for (const [day, deeds = []] of [[eve, []] as const, ...in_order]) {
      const lanes = Map.groupBy(deeds, ({ company }) => company?.domain)
      await fewAtOnce([...lanes.values()], stage)
      const real_to = await this.#clock()
      marks.push({ real_from, real_to, ...this.#hours(day, real_to) })
      real_from = real_to
    }
    await this.#sql`alter table transfers alter posted_at set default clock_timestamp()`
    await this.#move(marks)
  }

  async #clock(): Promise<string> {
    const [row] = await this.#sql<[{ now: string }]>`select clock_timestamp()::text as now`
    return row.now
  }

  /** Nothing happens in the future, however early in the day the world is made. */
  #hours(day: string, now: string) {
    if (day < this.#today) return { from: day + opens, to: day + closes }
    const end = new Date(Date.parse(now) - 240_000)
    const yesterday = Date.parse(daysAfter(this.#today, -1) + closes)
    const from = new Date(Math.max(yesterday + 60_000, end.getTime() - 4 * 3_600_000))
    return { from: from.toISOString(), to: end.toISOString() }
  }

  /** Moments of the play become moments of their day, in every column that holds one; order stays. */
  async #move(marks: Mark[]) {
    const columns = await this.#sql<{ name: string; columns: string[] }[]>`
      select format('%I.%I', table_schema, table_name) as name, json_agg(column_name) as columns
      from information_schema.columns
      where table_schema in ('public', 'auth') and data_type = 'timestamp with time zone'
        and is_generated = 'NEVER' and table_name not in ('migrations', 'demo_world', 'signing_keys')
        and (table_schema, table_name) in (
          select table_schema, table_name from information_schema.tables
          where table_type = 'BASE TABLE')
      group by 1`
    await this.#sql.begin(async (tx) => {
      await tx`create temp table marks on commit drop as
        select m."real_from"::timestamptz, m."real_to"::timestamptz, m."from"::timestamptz as day_from,
          m."to"::timestamptz as day_to
        from json_to_recordset(${tx.json(marks)}::json)
          as m ("real_from" text, "real_to" text, "from" text, "to" text)`
      await tx`create index on marks (real_from)`
      await tx`analyze marks`
      await tx.unsafe(`
        create function pg_temp.moved(at timestamptz) returns timestamptz language sql stable as $$
          select coalesce((select m.day_from + (at - m.real_from)
              * (extract(epoch from m.day_to - m.day_from)
                / extract(epoch from m.real_to - m.real_from))::float8
            from marks m where m.real_from <= at and at < m.real_to
            order by m.real_from desc limit 1), at) $$`)
      for (const table of columns) await tx.unsafe(moving(table, marks[0]?.real_from ?? ''))
      await tx.unsafe(`
        create function pg_temp.moved(content jsonb) returns jsonb language sql stable as $$
          select jsonb_object_agg(key, case
              when jsonb_typeof(value) = 'string' and (key like '%\\_at' or key = 'since')
                then to_jsonb(pg_temp.moved((value #>> '{}')::timestamptz))
              else value end)
            from jsonb_each(content) $$`)
      await tx`
        update audit_log set before = pg_temp.moved(before), after = pg_temp.moved(after)
        where jsonb_path_exists(coalesce(before, '{}') || coalesce(after, '{}'),
          '$.keyvalue() ? (@.key like_regex "_at$|^since$")')`
    })
  }
}

/** Moves days without triggers: moving them is no act of anybody. */
function moving({ name, columns }: { name: string; columns: string[] }, since: string) {
  const sets = columns.map((column) => `"${column}" = pg_temp.moved("${column}")`)
  const played = columns.map((column) => `"${column}" >= '${since}'`)
  return `
    alter table ${name} disable trigger user;
    update ${name} set ${sets.join(', ')} where ${played.join(' or ')};
    alter table ${name} enable trigger user;`
}

/** More would only wait for the same two cores, and each connection learns all statements again. */
const lanes_at_once = 3

async function fewAtOnce(lanes: Deed[][], stage: DemoStage) {
  const go = async () => {
    for (let deeds = lanes.shift(); deeds; deeds = lanes.shift())
      for (const deed of deeds) await done(deed, stage)
  }
  await Promise.all(Array.from({ length: lanes_at_once }, go))
}

async function done({ on, company, what, act }: Deed, stage: DemoStage) {
  try {
    await act(stage)
    // Nobody of the demo withdraws a decision: people are notified of it at once.
    await stage.sql`select private.notify_decisions('infinity')`
  } catch (error) {
    const of = company ? ` of ${company.name}` : ''
    throw new Error(`The demo's ${what.name}${of} on ${on} was refused`, { cause: error })
  }
}
