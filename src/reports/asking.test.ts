// Reports: who may have one, of what, and when one comes automatically.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeLog } from '#lib/log.server.ts'
import { scheduleOf } from '#schedule.server.ts'
import { refuses } from '../../test/world/people.ts'
import { opened } from '../../test/world/opened.ts'
import { openedScene } from '../../test/world/scene.ts'
import { makeReport, scheduleReports } from './jobs.server.ts'
import type { ReportDocument } from './document.ts'
import { drawingWorkers, render } from './render.server.ts'

const scene = openedScene()
const boss = opened(() => scene.superAdmin())
const acme = opened(() => scene.company({ name: 'Acme' }))

const log = makeLog('fatal')
const drawings = drawingWorkers(log)
after(() => drawings.close())
const make = async (id: string, by = drawings) => makeReport(by)({ id }, { sql: scene.sql, log })

describe('drawing', () => {
  const draw = (document: object) => render(drawings, document as ReportDocument)

  test('what takes too much memory is too large, what can’t be drawn is broken; the next is drawn', async () => {
    await refuses('report_too_large', draw({ title: 'x'.repeat(200 * 2 ** 20) }))
    await refuses('report_broken', draw({ sheets: [] }))
    const { id } = await boss.api.reports.generate({
      kind: 'fund_allocation',
      from: '2025-01',
      to: '2025-01',
    })
    await make(id)
    const { reports } = await boss.api.reports.list({})
    assert.equal(reports.find((report) => report.id === id)?.status, 'ready')
  })
})

describe('asking', () => {
  const period = { from: '2025-01', to: '2025-02' }

  test('bad periods are refused beside their field', async () => {
    const { generate } = boss.api.reports
    const ask = (from: string, to: string) => generate({ kind: 'claims_activity', from, to })
    await refuses('period_ends_before_it_begins', ask('2025-02', '2025-01'))
    await refuses('period_too_long', ask('2015-01', '2024-12'))
    // A zone in which it is tomorrow already, so that its month has begun.
    const next = new Date(Date.now() + 14 * 3_600_000)
    next.setUTCMonth(next.getUTCMonth() + 1, 1)
    const month = next.toISOString().slice(0, 7)
    await refuses('period_in_future', ask(month, month))
    await refuses('period_in_future', ask('2098-01', '2099-12'))
    await refuses('invalid_input', ask('2025-13', '2025-13'))
    await refuses('invalid_input', ask('2025-01-01', '2025-02-01'))
    const gone = '00000000-0000-4000-8000-000000000000'
    await assert.rejects(generate({ kind: 'claims_activity', ...period, company_id: gone }), {
      code: 'company_gone',
      fields: { company_id: ['This company no longer exists'] },
    })
  })

  test('whoever asks twice, or at the same moment, gets the same report', async () => {
    const ask = () => boss.api.reports.generate({ kind: 'utilization_trends', ...period })
    const reports = await Promise.all([ask(), ask(), ask(), ask()])
    const [{ id }] = reports
    assert.equal(new Set(reports.map(({ id }) => id)).size, 1)
    const [job] = await scene.sql<[{ jobs: number }]>`
      select count(*)::int as jobs from graphile_worker._private_jobs
      where payload ->> 'id' = ${id}`
    assert.equal(job.jobs, 1)
    await make(id)
    assert.notEqual((await ask()).id, id, 'once made, another one may be asked for')
  })

  test('a report that waits has no files yet; one that is deleted has none any more', async () => {
    const { reports } = boss.api
    const requested = await reports.generate({
      kind: 'claims_activity',
      from: '2024-05',
      to: '2024-05',
    })
    assert.equal(requested.status, 'waiting')
    await refuses('report_not_ready', reports.file({ id: requested.id, format: 'pdf' }))
    await refuses('report_not_failed', reports.retry({ id: requested.id }))
    await reports.remove({ id: requested.id })
    await make(requested.id) // the job finds nothing to do
    await refuses('not_found', reports.file({ id: requested.id, format: 'pdf' }))
    await refuses('not_found', reports.remove({ id: requested.id }))
  })

  test('what cannot be made says why, and can be tried again', async () => {
    const { reports } = boss.api
    const requested = await reports.generate({
      kind: 'claims_activity',
      from: '2024-06',
      to: '2024-06',
    })
    const gathers = scene.sql.unsafe('private.report_movements(uuid, date, date)')
    await scene.sql`alter function ${gathers} rename to hidden`
    try {
      for (let tries = 1; tries < 3; tries += 1)
        await assert.rejects(make(requested.id), /report_movements.* does not exist/)
      await make(requested.id)
    } finally {
      await scene.sql`alter function private.hidden(uuid, date, date) rename to report_movements`
    }
    const found = async () =>
      (await reports.list({})).reports.find(({ id }) => id === requested.id)!
    assert.equal((await found()).status, 'failed')
    assert.match((await found()).fault!, /^Something went wrong/)
    assert.equal((await reports.retry({ id: requested.id })).status, 'waiting')
    const hurried = drawingWorkers(log, 1)
    for (let tries = 1; tries < 3; tries += 1)
      await refuses('report_too_slow', make(requested.id, hurried))
    await make(requested.id, hurried)
    hurried.close()
    assert.match((await found()).fault!, /^This report takes too long to make/)
    assert.equal((await reports.retry({ id: requested.id })).status, 'waiting')
    await make(requested.id)
    assert.equal((await found()).status, 'ready')
  })

  test('a failed one that is being made again is that one, also where both are tried at once', async () => {
    const { reports } = boss.api
    const ask = () => reports.generate({ kind: 'claims_activity', from: '2024-07', to: '2024-07' })
    const failed = await ask()
    await scene.sql`update reports set status = 'failed', fault = 'No space left'
      where id = ${failed.id}`
    const again = await ask()
    assert.notEqual(again.id, failed.id)
    assert.equal((await reports.retry({ id: failed.id })).id, again.id)
    await scene.sql`update reports set status = 'failed' where id = ${again.id}`
    const tried = await Promise.all([failed, again].map(({ id }) => reports.retry({ id })))
    assert.equal(new Set(tried.map(({ id }) => id)).size, 1)
  })

  test('those of this month are counted by UTC, as its reports are, wherever the database is', async () => {
    const counted = async () => (await boss.api.reports.summary({})).this_month
    const before = await counted()
    await scene.sql`insert into reports (kind, from_on, to_on, title, status, created_at)
      select 'claims_activity', now(), now(), 'Counted', 'ready', m.began - n * interval '1 hour'
        from (select date_trunc('month', now() at time zone 'UTC') at time zone 'UTC') m (began)
        cross join generate_series(0, 1) n`
    assert.equal((await counted()) - before, 1)
  })

  test('the list is read by type and by page; only the provider reads it', async () => {
    const { reports } = boss.api
    const kinds = [
      'fund_allocation',
      'claims_activity',
      'fund_allocation',
      'utilization_trends',
    ] as const
    for (const kind of kinds) await reports.generate({ kind, ...period })
    const financial = await reports.list({ type: 'Financial' })
    assert.ok(financial.reports.length > 0)
    assert.ok(financial.reports.every(({ kind }) => kind === 'fund_allocation'))
    const ids: string[] = []
    let after: string | undefined
    do {
      const page = await reports.list({ limit: 3, ...(after ? { after } : {}) })
      ids.push(...page.reports.map(({ id }) => id))
      after = page.next ?? undefined
    } while (after)
    const { total } = await reports.summary({})
    assert.equal(new Set(ids).size, total)
    const ana = await acme.hire('Ana')
    for (const { api } of [acme.admin, ana]) {
      await refuses('forbidden', api.reports.list({}))
      await refuses('forbidden', api.reports.generate({ kind: 'claims_activity', ...period }))
      await refuses('forbidden', api.reports.file({ id: ids[0]!, format: 'csv' }))
    }
  })
})

test('monthly reports are made when the month is over in every time zone', () => {
  const line = scheduleOf(scene.config).find((one) => one.includes('reports:monthly'))
  const [minute = '', hour = '', day] = line?.split(' ') ?? []
  assert.equal(day, '1')
  const made_at = new Date(`2027-01-01T${hour.padStart(2, '0')}:${minute.padStart(2, '0')}Z`)
  for (const timeZone of [...Intl.supportedValuesOf('timeZone'), 'Etc/GMT+12'])
    assert.match(made_at.toLocaleDateString('sv-SE', { timeZone }), /^2027-01-0/, timeZone)
})

test('on the first of the month who wants a report gets it, once, and word of it', async () => {
  const other = await scene.superAdmin()
  await boss.api.reports.schedule({ kind: 'claims_activity', enabled: true })
  await other.api.reports.schedule({ kind: 'claims_activity', enabled: true })
  await other.api.reports.schedule({ kind: 'fund_allocation', enabled: true })
  const off = await other.api.reports.schedule({ kind: 'fund_allocation', enabled: false })
  assert.deepEqual(
    off.filter(({ enabled }) => enabled).map(({ kind }) => kind),
    ['claims_activity'],
  )
  const run = () => scheduleReports({}, { sql: scene.sql, log: makeLog('fatal') })
  await Promise.all([run(), run()])
  await run()
  const { reports } = await boss.api.reports.list({ limit: 100 })
  const scheduled = reports.filter(({ is_scheduled }) => is_scheduled)
  assert.equal(scheduled.length, 1)
  await make(scheduled[0]!.id)
  const notices = await scene.sql<{ person_id: string; title: string }[]>`
    select person_id, facts ->> 'title' as title from notifications where path = '/dashboard/reports'`
  assert.deepEqual(new Set(notices.map(({ person_id }) => person_id)), new Set([boss.id, other.id]))
  assert.match(notices[0]!.title, /^Claims activity · /)
  assert.equal((await boss.api.reports.summary({})).scheduled, 1)
})
