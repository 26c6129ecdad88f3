// The demo world is a world of this product: its ledgers verify, its days are a year, its people can enter.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openServices, type Services } from '#services.server.ts'
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { demoIsOn, readConfig } from '#lib/config.server.ts'
import { demoWorld } from '../demo/world.ts'
import { demoDatabase, type DemoDatabase } from './database.ts'
import { apiFor, peopleAt, type Api } from './world/people.ts'

describe('the demo world', () => {
  let database: DemoDatabase
  let services: Services
  let printed: string | undefined
  const enter = async (email: string) =>
    (await peopleAt(services, services.sql.owner).signIn(email, 'quiet-harbour-42')).api
  const config = () => readConfig({ DATA_FOLDER: database.folder, LOG_LEVEL: 'fatal', DEMO: 'on' })
  before(async () => {
    database = await demoDatabase()
    printed = await demoWorld(config(), database.url)
    services = await openServices(config(), database.url)
  })
  after(async () => {
    await services.close()
    await database.drop()
  })

  test('prints its logins, and the site offers the same', async () => {
    const { demo } = await apiFor(services, undefined).site.about({})
    assert.equal(demo?.logins.length, 3)
    for (const { email, password } of demo?.logins ?? []) {
      assert.ok(printed?.includes(email))
      assert.ok(printed?.includes(password))
    }
  })

  test('each login enters as its role; everybody else has no password', async () => {
    const who: Record<string, Api> = {}
    for (const email of [
      'priya@healthfund.example',
      'helena@aurora.example',
      'jonas@aurora.example',
    ])
      who[email] = await enter(email)
    const roles = await Promise.all(
      Object.values(who).map(async (api) => (await api.users.me({})).role),
    )
    assert.deepEqual(roles, ['super_admin', 'company_admin', 'employee'])
    const [{ count }] = await services.sql.owner<[{ count: number }]>`
      select count(*)::int as count from auth.users where password_hash is not null
        and email not in ('priya@healthfund.example', 'helena@aurora.example', 'jonas@aurora.example')
        and not password_must_change`
    assert.equal(count, 0)
  })

  test('one company has closed its first year, and kept a part of it for the second', async () => {
    const years = await services.sql.owner<{ closed: boolean; carried: number; claims: number }[]>`
      select y.closed_at is not null as closed,
        (select coalesce(sum(g.carried_cents), 0)::bigint from grants g
          where g.company_id = y.company_id and g.plan_year = y.starts_on) as carried,
        (select count(*) from claims c
          where c.company_id = y.company_id and c.plan_year = y.starts_on) as claims
      from plan_years y join companies o on o.id = y.company_id
      where o.domain = 'juniper.example' order by y.starts_on`
    const [first, second] = years
    assert.equal(years.length, 2)
    assert.ok(first!.closed && first!.claims > 0, JSON.stringify(first))
    assert.ok(!second!.closed && second!.carried > 0, JSON.stringify(second))
    const [waits] = await services.sql.owner<[{ count: number }]>`
      select count(*)::int from claims c join plan_years y on y.company_id = c.company_id
        and y.starts_on = c.plan_year where y.closed_at is not null and c.status = 'pending'`
    assert.equal(waits.count, 0)
  })

  test('has twelve companies in every state and 300 people at Aurora', async () => {
    const { companies, total } = await (await enter('priya@healthfund.example')).companies.list({})
    assert.equal(total, 12)
    assert.deepEqual([...new Set(companies.map(({ status }) => status))].toSorted(), [
      'active',
      'pending',
      'suspended',
    ])
    assert.ok(new Set(companies.map(({ currency }) => currency)).size >= 6)
    const summary = await (await enter('helena@aurora.example')).employees.summary({})
    assert.ok(summary.active >= 295, `${summary.active}`)
    assert.ok(summary.requested > 0 && summary.suspended > 0 && summary.leavers > 0)
  })

  test('has claims in every state at Aurora, some late, most paid, and something of each for Jonas', async () => {
    const helena = await enter('helena@aurora.example')
    const counts = await helena.review.summary({})
    for (const state of ['pending', 'approved', 'rejected', 'withdrawn', 'overdue'] as const)
      assert.ok(counts[state] > 0, state)
    assert.ok(counts.total > 300, `${counts.total}`)
    const { runs } = await helena.payouts.runs({})
    assert.ok(runs.length >= 8 && runs.every(({ made_by, released_by }) => made_by !== released_by))
    const jonas = await enter('jonas@aurora.example')
    const { claims } = await jonas.claims.mine({})
    assert.deepEqual([...new Set(claims.map(({ status }) => status))].toSorted(), [
      'approved',
      'pending',
      'rejected',
      'withdrawn',
    ])
    assert.equal((await jonas.dependents.mine({})).active, 4)
  })

  test('every company that began lives: its money is used, its people can be paid, its holidays are known', async () => {
    const found = await services.sql.owner<
      { name: string; used: number; paid_to: number; holidays: boolean; currency: string }[]
    >`
      select o.name, o.currency,
        (select 100.0 * sum(a.balance_cents) filter (where a.kind in ('payable', 'paid'))
            / sum(a.balance_cents) from accounts a where a.company_id = o.id
            and a.person_id is not null and a.kind in ('available', 'held', 'payable', 'paid')
          )::float as used,
        (select 100.0 * count(b.person_id) / count(*) from
            (select distinct company_id, person_id from claims where company_id = o.id) c
            left join bank_accounts b using (company_id, person_id))::float as paid_to,
        exists (select from private.days_off(o.id)) as holidays
      from companies o where o.status <> 'pending'`
    assert.equal(found.length, 11)
    for (const { name, used, paid_to, holidays, currency } of found) {
      assert.ok(used >= 3 && used <= 60, `${name} used ${used}%`)
      assert.ok(holidays, `${name} knows no holidays`)
      if (currency !== 'USD') assert.ok(paid_to >= 80, `${name}: ${paid_to}% can be paid`)
    }
  })

  test('a bill is opened by the claim it belongs to', async () => {
    const [found] = await services.sql.owner<[{ jonas: number; waiting: number }]>`
      select count(distinct c.id) filter (where f.email = 'jonas@aurora.example')::int as jonas,
        count(distinct c.id) filter (where c.status = 'pending')::int as waiting
      from receipts r join claims c on c.company_id = r.company_id and c.id = r.claim_id
        join profiles f on f.id = c.person_id`
    assert.ok(found.jonas >= 8 && found.waiting >= 4, JSON.stringify(found))
  })

  test('what is said of a decision is true of the year: automatic approvals of its month, and who looked', async () => {
    const untrue = await services.sql.owner`
      select c.id, t.step from claim_events e
        join claims c on c.company_id = e.company_id and c.id = e.claim_id
        join companies o on o.id = c.company_id
        cross join lateral jsonb_array_elements(e.trace::jsonb) as t (step)
        cross join lateral (select count(*) as claims from claims x
          where x.company_id = c.company_id and x.person_id = c.person_id and x.automatic and x.id < c.id
            and date_trunc('month', x.submitted_at at time zone o.time_zone)
              = date_trunc('month', e.at at time zone o.time_zone)) m
      where t.step ->> 'rule' = 'automatic_this_month'
        and ((t.step #>> '{facts,this_month}')::int <> m.claims
          or (t.step ->> 'outcome' = 'fine') <> (m.claims < (t.step #>> '{facts,at_most}')::int))`
    assert.deepEqual([...untrue], [])
    const unseen = await services.sql.owner`
      select c.id from claims c where c.status in ('approved', 'rejected') and not c.automatic
        and exists (select from receipts r where r.company_id = c.company_id and r.claim_id = c.id)
        and not exists (select from receipt_openings i join receipts r on r.company_id = i.company_id
            and r.id = i.receipt_id
          where r.company_id = c.company_id and r.claim_id = c.id and i.opener_role = 'company_admin'
            and i.at < c.reviewed_at)`
    assert.deepEqual([...unseen], [])
  })

  test('its ledgers verify from their rows, sealed to the last transfer', async () => {
    const { good, sentence } = await verifyAll(services.sql.owner)
    assert.ok(good, sentence)
    const [open] = await services.sql.owner`select count(*)::int as count from unsealed_transfers`
    assert.equal(open?.count, 0)
    const [wrong] = await services.sql.owner`
      select count(*)::int as count from (
        select posted_at < lag(posted_at) over (partition by company_id order by id) as back
        from transfers) t where back`
    assert.equal(wrong?.count, 0, 'a statement that goes back in time')
  })

  test('is a year, none of it in the future', async () => {
    const [found] = await services.sql.owner`
      select now() - min(posted_at) > '300 days' as long, max(posted_at) <= now() as over,
        count(distinct posted_at::date)::int > 60 as spread
      from transfers t join companies c on c.id = t.company_id where c.domain = 'aurora.example'`
    assert.deepEqual({ ...found }, { long: true, over: true, spread: true })
    const [future] = await services.sql.owner`
      select (select count(*) from audit_log where at > now())::int as history,
        (select count(*) from profiles where created_at > now())::int as people`
    assert.deepEqual({ ...future }, { history: 0, people: 0 })
  })

  test('its record reads as people would have made it', async () => {
    const [found] = await services.sql.owner`
      select count(*) filter (where l.act = 'update' and l.actor_role = 'system'
            and l.table_name in ('pay_runs', 'transfers', 'dependents'))::int as moved,
          count(*) filter (where l.actor_role = 'system'
            and l.table_name in ('bank_accounts', 'company_accounts'))::int as accounts_of_nobody,
          count(*) filter (where l.actor_id is not null and coalesce(l.address, '') = '')::int as from_nowhere
        from audit_log l`
    assert.deepEqual({ ...found }, { moved: 0, accounts_of_nobody: 0, from_nowhere: 0 })
    const [first] = await services.sql.owner`
      select p.created_at < (select min(created_at) from companies) as before_all
        from profiles p where p.email = 'priya@healthfund.example'`
    assert.ok(first?.['before_all'], 'the provider came after its companies')
    const [strangers] = await services.sql.owner`
      select count(*)::int as count from auth.users u where u.last_sign_in_at is null
        and exists (select from claims c where c.person_id = u.id)`
    assert.equal(strangers?.count, 0, 'claims of somebody who never signed in')
    const late = await services.sql.owner`
      select l.table_name, f.key, l.at, f.value from audit_log l,
          jsonb_each_text(coalesce(l.before, '{}') || coalesce(l.after, '{}')) f
        where f.key in ('made_at', 'released_at', 'submitted_at', 'reviewed_at', 'asked_at', 'requested_at', 'created_at',
            'added_at', 'added_on', 'changed_at', 'cut_off_on', 'joined_on')
          and f.value::timestamptz > l.at + interval '1 second'
          and l.at < now() - interval '3 days' limit 5`
    assert.deepEqual([...late], [], 'a moment after the entry that tells of it')
    const [apart] = await services.sql.owner`
      select count(*)::int as count from transfers t
        where t.event in ('claim_held', 'claim_appealed', 'claim_approved') and not exists (select from claim_events e
          where e.company_id = t.company_id and e.claim_id = t.claim_id and e.at = t.posted_at)`
    assert.equal(apart?.count, 0, 'an entry at another moment than the act')
  })

  test('is made once: a second start leaves it as it is', async () => {
    const count = async () => (await services.sql.owner`select count(*) from audit_log`)[0]?.count
    const before_it = await count()
    assert.equal(await demoWorld(config(), database.url), printed)
    assert.equal(await count(), before_it)
  })

  test('with DEMO off over such a database, the start warns and the site offers no logins', async () => {
    const off = readConfig({ DATA_FOLDER: database.folder, LOG_LEVEL: 'fatal', DEMO: 'off' })
    assert.match((await demoWorld(off, database.url)) ?? '', /WARNING/)
    const closed = await openServices(off, database.url)
    assert.equal((await apiFor(closed, undefined).site.about({})).demo, null)
    await closed.close()
  })
})

test('a demo is never made in a brought database, nor open to the world, unless asked for', () => {
  const on = (env: Record<string, string>) => demoIsOn(readConfig(env))
  const DATABASE_URL = 'postgres://owner:secret@127.0.0.1:5432/fund'
  assert.deepEqual(
    [{}, { DATABASE_URL }, { HOST: '0.0.0.0' }, { DATABASE_URL, DEMO: 'on' }, { DEMO: 'off' }].map(
      on,
    ),
    [true, false, false, true, false],
  )
})
