// Public holidays, from a kept list of the world's: the places it knows, and the days of those where companies are.
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Sql } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { oneByOne } from '#lib/one-by-one.server.ts'

const { version } = createRequire(import.meta.url)('date-holidays/package.json') as {
  version: string
}
const list = `date-holidays ${version}, in English`
const named = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const years_before = 1
const years_ahead = 2
const hour_ms = 3_600_000

// The list is large, and few need it: the job, and requests that meet a new version of it.
const theList = async () => (await import('date-holidays')).default

/** Countries and regions of the list that is installed, so that they can be chosen. */
export async function keepPlaces(sql: Sql) {
  const [known] = await sql`select from holiday_places where list = ${list} limit 1`
  if (known) return
  const Holidays = await theList()
  const all = new Holidays()
  const places = Object.entries(all.getCountries('en')).flatMap(([country, name]) => [
    { country, region: '', name: named.of(country) ?? name },
    ...Object.entries(all.getStates(country, 'en') ?? {}).map(([region, of]) => ({
      country,
      region,
      name: of,
    })),
  ])
  await sql`
    insert into holiday_places (country, region, name, list)
    select p.*, ${list} from jsonb_to_recordset(${sql.json(places)})
      p (country text, region text, name text)
    on conflict (country, region) do update set name = excluded.name, list = excluded.list`
}

type Holiday = { on_day: string; name: string }

/** The whole days on which nobody works in a place. A holiday of several days is each of them. */
export async function holidaysOf(country: string, region: string, from: number, until: number) {
  const Holidays = await theList()
  const options = { types: ['public' as const], languages: ['en'] }
  const place = region ? new Holidays(country, region, options) : new Holidays(country, options)
  const years = Array.from({ length: until - from + 1 }, (_, at) => from + at)
  const found = new Map<string, string>()
  for (const { date, name, start, end } of years.flatMap((year) => place.getHolidays(year, 'en'))) {
    for (const day of daysOf(date, (end.getTime() - start.getTime()) / hour_ms))
      found.set(day, found.get(day) ?? name)
  }
  return [...found]
    .map(([on_day, name]): Holiday => ({ on_day, name }))
    .toSorted((a, b) => (a.on_day < b.on_day ? -1 : 1))
}

/** `date` is the beginning in the place's own time. The day clocks are put forward has 23 hours. */
function daysOf(date: string, hours: number): string[] {
  const first = date.slice(0, 10)
  const whole = date.slice(11, 19) === '00:00:00' ? Math.floor((hours + 1) / 24) : 0
  return Array.from({ length: whole }, (_, at) =>
    new Date(Date.parse(first) + at * 24 * hour_ms).toISOString().slice(0, 10),
  )
}

const Input = z.object({ company_id: z.uuid().optional() })

/** Reads holidays each night, and when a company sets its place: some years around today, and then the deadlines by them. */
export const keepHolidays: Task = async (input, { sql, log }) => {
  const { company_id = null } = Input.parse(input)
  const places = await sql<{ country: string; region: string; this: number }[]>`
    select p.country, p.region, y.this from holiday_places p,
        (select extract(year from now())::int as this) y
      where (p.kept_list is distinct from p.list
          or p.kept_until < make_date(y.this + ${years_ahead}::int, 12, 31))
        and exists (select from companies c where c.country = p.country and c.region = p.region)`
  for (const { country, region, this: year } of places) {
    const [from, until] = [year - years_before, year + years_ahead]
    const days = await holidaysOf(country, region, from, until)
    await sql`
      select private.keep_holidays(p, ${days.map(({ on_day }) => on_day)}::date[],
        ${days.map(({ name }) => name)}, make_date(${from}, 1, 1),
        make_date(${until}, 12, 31))
      from holiday_places p where p.country = ${country} and p.region = ${region}`
  }
  const companies = await sql<{ id: string }[]>`
    select id from companies where country is not null and (${company_id}::uuid is null or id = ${company_id})`
  await oneByOne(
    companies,
    log,
    ({ id }) => sql`select private.renew_deadlines(${id}), private.publish_now(${`admins:${id}`})`,
  )
}
