// The year is played: everything that happens in the demo world, by the product's own acts.
import { sealAll } from '#funds/jobs.server.ts'
import { openHouse, type House } from '#house.server.ts'
import type { Config } from '#lib/config.server.ts'
import { askForReports, catchUp, moveDays, readNews } from './afterwards.ts'
import { claimsOf } from './claims.ts'
import { aurora, cameOn, companies, found, suspended_days } from './companies.ts'
import { daysAfter } from './days.ts'
import { families, healthChecks } from './family.ts'
import { admin, employee, logins, password, provider } from './logins.ts'
import { fund, plan } from './money.ts'
import { bringIn, staffOf, standings, type Staff } from './people.ts'
import { handle } from './reviews.ts'
import { openStage, type Stage } from './stage.ts'

export async function make(config: Config, url: string) {
  const fast = new URL(url)
  fast.searchParams.set('synchronous_commit', 'off')
  const house = await openHouse(config, fast.href)
  try {
    const setup = await house.setupLink()
    if (!setup) return
    await house.sql.owner.begin(async (held) => {
      // As long as this process can write: who would take half a world away waits for it.
      await held`select pg_advisory_xact_lock(hashtext('healthfund demo making'))`
      await play(house, new URL(setup).searchParams.get('token') ?? '')
    })
  } finally {
    await house.close()
  }
}

/** Public for a test, which plays it in a house of its own. */
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
