// The demo world: made once, in an empty database, by the product's own acts; then moved into its year.
import { sealAll } from '#funds/jobs.server.ts'
import { openHouse, type House } from '#house.server.ts'
import { demoIsOn, type Config } from '#lib/config.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { askForReports, catchUp, moveDays, readNews } from './afterwards.ts'
import { claimsOf } from './claims.ts'
import { aurora, cameOn, companies, found, suspended_days } from './companies.ts'
import { daysAfter } from './days.ts'
import { families, healthChecks } from './family.ts'
import { fund, plan } from './money.ts'
import { bringIn, employee, staffOf, standings, type Staff } from './people.ts'
import { handle } from './reviews.ts'
import { openStage, type Stage } from './stage.ts'

const password = 'quiet-harbour-42'
const provider = { full_name: 'Priya Raman', email: 'priya@healthfund.example' }
const admin = { full_name: 'Helena Brandt', email: 'helena@aurora.example' }

const logins = [
  {
    role: 'super_admin',
    ...provider,
    password,
    sees: 'Runs the platform: twelve companies, their people and money, reports, the health of the system.',
  },
  {
    role: 'company_admin',
    ...admin,
    password,
    sees: 'HR of Aurora Robotics: 300 people, their fund, and the claims that wait for a decision.',
  },
  {
    role: 'employee',
    ...employee,
    password,
    sees: 'An engineer at Aurora with a family: balances, claims, dependents, health checks.',
  },
]

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
  const fast = new URL(url)
  fast.searchParams.set('synchronous_commit', 'off')
  const house = await openHouse(config, fast.href)
  try {
    const setup = await house.setupLink()
    if (setup) await play(house, new URL(setup).searchParams.get('token') ?? '')
  } finally {
    await house.close()
  }
}

/** Public for the tests, which play it in a house of their own. */
export async function play(house: House, token: string) {
  const sql = house.sql.owner
  const [{ today }] = await sql<
    [{ today: string }]
  >`select (now() at time zone 'UTC')::date as today`
  await sql`insert into demo_world (made_for, logins) values (${today}, ${sql.json(logins)})`
  await house.completeSetup({ token, ...provider, password })
  const stage = openStage(house, today)
  for (const company of companies)
    story(stage, { company, id: '', people: staffOf(stage, company) })
  stage.timeline.at(daysAfter(today, -4), 'provider', () =>
    stage.signUp('tom.alder@healthfund.example', { full_name: 'Tom Alder', role: 'super_admin' }),
  )
  await stage.timeline.play()
  await moveDays(sql)
  await catchUp(stage)
  await readNews(stage)
  await askForReports(stage, provider.email)
  await Promise.all([admin, employee].map(({ email }) => stage.givePassword(email, password)))
  await stage.close()
  await sealAll(sql)
  await sql`update demo_world set finished_at = now()`
  await sql`analyze`
}

/** Everything that will happen at a company, planned for its days. */
function story(stage: Stage, staff: Staff) {
  const { company } = staff
  const { timeline, today } = stage
  timeline.at(cameOn(company, today), company.domain, async () => {
    staff.id = await found(stage, company, provider.email)
    await plan(stage, company)
  })
  bringIn(stage, staff)
  fund(stage, staff, provider.email)
  standings(stage, staff)
  const kin = families(stage, staff)
  if (company.month > 2 && company.ends !== 'pending')
    handle(stage, staff, claimsOf(stage, staff, kin))
  if (company === aurora) healthChecks(stage, staff, provider.email)
  if (company.ends === 'suspended') {
    timeline.at(daysAfter(today, -suspended_days), company.domain, async () => {
      await (await stage.as(provider.email)).companies.suspend({ id: staff.id })
    })
  }
}
