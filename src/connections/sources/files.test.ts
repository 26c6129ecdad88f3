// Promises of a fetched list of employees: once, as far as the company says, and of the setting of it.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { newKey, openHttps, openSftp } from '../../../test/file-servers.ts'
import {
  asCsv,
  entryOf,
  fetchNow,
  openSource,
  serversOf,
  noticesFor,
  sourceInput,
  type Entry,
} from '../../../test/world/people-files.ts'
import { refuses } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { fetchDue } from './jobs.server.ts'

const scene = openedScene({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
const { opened, closeAll } = serversOf()
afterEach(closeAll)

const open = (people?: number) => openSource(scene, people)

const write = (entries: Entry[]) => Buffer.from(asCsv(entries))

describe('a file', () => {
  test('that is the same as before does nothing; one that says nothing new leaves nothing to do', async () => {
    const { stage, api, file, entries } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url, { applies: 'changes' }))
    assert.equal((await fetchNow(stage)).outcome, 'applied')
    assert.equal((await fetchNow(stage)).outcome, 'same')
    assert.equal((await stage.company.admin.api.imports.list({})).length, 1)
    file.bytes = write([...entries, { ...entryOf(9, 'x.test', stage.plan_year), email: '' }])
    assert.equal((await fetchNow(stage)).outcome, 'compared')
    assert.deepEqual((await noticesFor(stage.company)).sort(), ['people_fetched'])
    assert.equal((await fetchNow(stage)).outcome, 'same')
    const { imports } = stage.company.admin.api
    await imports.match({ columns: {}, encoding: null, date_order: 'mdy' })
    assert.equal((await fetchNow(stage)).outcome, 'compared', 'its days are read another way')
  })

  test('applies what comes and changes by itself; who is missing leaves only where that is set, within the limit', async () => {
    const { stage, api, file, entries } = await open(30)
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url, { applies: 'changes' }))
    await fetchNow(stage)
    file.bytes = write(entries.slice(1).map((entry) => ({ ...entry, department: 'Moved' })))
    assert.equal((await fetchNow(stage)).outcome, 'applied')
    const gone = async () => {
      const [row] = await scene.sql<[{ gone: number; moved: number }]>`
        select count(left_on)::int as gone, count(*) filter (where department = 'Moved')::int as moved
        from profiles where company_id = ${stage.id} and role = 'employee'`
      return [row.gone, row.moved]
    }
    assert.deepEqual(await gone(), [0, 29])
    await api.save(sourceInput(server.url, { applies: 'all' }))
    assert.equal((await fetchNow(stage)).outcome, 'applied')
    assert.deepEqual(await gone(), [1, 29])
    // More people leave than one admin may decide, and there is no second admin: it waits for somebody to look.
    file.bytes = write(entries.slice(9))
    const many = await fetchNow(stage)
    assert.deepEqual([many.outcome, many.fault], ['compared', 'leaves_need_second_admin'])
    const second = await stage.admin('Second')
    await scene.sql`update company_rights set given_at = now() - interval '2 days'
      where person_id = ${second.id}`
    file.bytes = write(entries.slice(8))
    const large = await fetchNow(stage)
    assert.equal(large.outcome, 'waiting')
    assert.deepEqual(await gone(), [1, 29])
    const { admin } = stage.company
    await scene.confirm(admin)
    await assert.rejects(admin.api.imports.approve({ id: large.import_id! }), {
      code: 'import_started_by_you',
      message: /or set up the source that it comes from\. Another admin must approve it$/,
    })
  })

  test('takes the place of the one before it, which nobody can approve any more', async () => {
    const { stage, api, file, entries } = await open(30)
    const { imports } = stage.company.admin.api
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url, { applies: 'all' }))
    await fetchNow(stage)
    const second = await stage.admin('Second')
    await scene.sql`update company_rights set given_at = now() - interval '2 days'
      where person_id = ${second.id}`
    file.bytes = write(entries.slice(9))
    const cut = await fetchNow(stage)
    assert.equal(cut.outcome, 'waiting')
    const waiting = async () =>
      (await second.api.needs.list({})).lines.filter(({ kind }) => kind === 'import_waits').length
    assert.equal(await waiting(), 1)
    // An unreadable file replaces none.
    file.bytes = Buffer.from('nothing;of;ours\n1;2;3\n')
    assert.equal((await fetchNow(stage)).outcome, 'failed')
    assert.equal(await waiting(), 1)
    file.bytes = write(entries)
    assert.equal((await fetchNow(stage)).outcome, 'nothing')
    await scene.confirm(second)
    await refuses('not_found', second.api.imports.approve({ id: cut.import_id! }))
    assert.equal(await waiting(), 0)
    assert.deepEqual(
      (await imports.list({})).map(({ status }) => status),
      ['done'],
    )
  })

  test('that was discarded stays so by the clock, and is compared again when an owner asks for it', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url))
    const { import_id } = await fetchNow(stage)
    await api.fetch({})
    assert.equal((await fetchNow(stage)).outcome, 'same', 'it is there to be looked at')
    await stage.company.admin.api.imports.discard({ id: import_id! })
    assert.equal((await fetchNow(stage)).outcome, 'same')
    await api.fetch({})
    assert.equal((await fetchNow(stage)).outcome, 'compared')
  })

  test('that is being applied or undone is not compared again, though an owner asks for it', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url))
    const { import_id } = await fetchNow(stage)
    for (const status of ['importing', 'undoing']) {
      await scene.sql`update imports set status = ${status} where id = ${import_id}`
      await api.fetch({})
      assert.equal((await fetchNow(stage)).outcome, 'same', status)
    }
    await scene.sql`update imports set status = 'undone' where id = ${import_id}`
    await api.fetch({})
    assert.equal((await fetchNow(stage)).outcome, 'compared')
  })

  test('that can’t be read says why', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url))
    file.bytes = Buffer.from('nothing;of;ours\n1;2;3\n')
    assert.equal((await fetchNow(stage)).fault, 'csv_columns_missing')
    assert.deepEqual(await noticesFor(stage.company), ['people_fetch_failed'])
  })
})

describe('the setting', () => {
  test('takes no address that is not public, nor fetches from one that is allowed no more', async () => {
    const { stage, api, file } = await open()
    for (const [url, code] of [
      ['sftp://10.0.0.1/people.csv', 'webhook_url_private'],
      ['sftp://0x7f.1:22/people.csv', undefined], // 127.0.0.1, which this operator allows
      ['sftp://[::1]/people.csv', 'webhook_url_private'],
      ['sftp://localhost/people.csv', 'webhook_url_private'],
      ['sftp://hr:pw@files.example.com/people.csv', 'webhook_url_invalid'],
      ['sftp://files.example.com', 'webhook_url_invalid'],
      ['http://files.example.com/people.csv', 'webhook_needs_https'],
      ['https://169.254.169.254/latest', 'webhook_url_private'],
      ['file:///etc/passwd', 'webhook_url_invalid'],
    ] as const) {
      if (!code) await api.save(sourceInput(url))
      else
        await assert.rejects(api.save(sourceInput(url)), ({ fields }: { fields: unknown }) => {
          assert.ok(fields, `${url}: ${code}`)
          return true
        })
    }
    const sftp = await opened(openSftp(file, newKey().private))
    await api.save(sourceInput(sftp.url))
    assert.equal((await fetchNow(stage, [])).fault, 'address')
    const web = await opened(openHttps(file))
    await api.save(sourceInput(web.url))
    assert.equal((await fetchNow(stage, [])).fault, 'address')
    assert.deepEqual([sftp.logins, web.requests], [[], []])
  })

  test('asks for the password, keeps its secret encrypted and to itself, and for another server asks for another', async () => {
    const { stage, admin, api } = await open()
    await scene.stale(admin)
    await refuses('password_needed', api.save(sourceInput('sftp://files.example.com/p.csv')))
    await scene.confirm(admin)
    const { source } = await api.save(
      sourceInput('sftp://files.example.com/p.csv', { secret: 'hush' }),
    )
    assert.doesNotMatch(JSON.stringify(source), /hush/)
    const sealed = async () => {
      const [row] = await scene.sql<[{ sealed: Buffer | null }]>`
        select sealed from people_sources where company_id = ${stage.id}`
      return row.sealed
    }
    assert.doesNotMatch(String(await sealed()), /hush/)
    const record = await scene.sql`select after from audit_log where company_id = ${stage.id}
      and table_name = 'people_sources'`
    assert.doesNotMatch(JSON.stringify(record), /sealed|hush/)
    await api.save(sourceInput('sftp://files.example.com/q.csv', { secret: undefined }))
    assert.ok(await sealed())
    for (const other of [
      sourceInput('sftp://elsewhere.example.com/q.csv', { secret: undefined }),
      sourceInput('https://files.example.com/q.csv', { secret: undefined }),
      sourceInput('sftp://files.example.com/q.csv', { secret_kind: 'key', secret: undefined }),
    ]) {
      await assert.rejects(api.save(other), {
        code: 'source_secret_needed',
        fields: { secret: ['Enter the password, token or key of this server'] },
      })
    }
    const moved = sourceInput('sftp://elsewhere.example.com/q.csv', { secret_kind: 'none' })
    await api.save({ ...moved, secret: undefined })
    assert.equal(await sealed(), null)
    await api.save(sourceInput('https://files.example.com/q.csv', { secret: 'hush' }))
    await api.save(sourceInput('https://Files.Example.com:443/p.csv', { secret: undefined }))
    assert.ok(await sealed(), 'the same server, spelled otherwise')
    const employee = await stage.hire()
    await refuses('forbidden', employee.api.sources.find({}))
    const other = await scene.company({ name: 'Other' })
    assert.equal((await other.admin.api.sources.find({})).source, null)
    await refuses('not_found', other.admin.api.sources.fetch({}))
    await api.remove({})
    assert.equal((await api.find({})).source, null)
  })

  test('is due at its hour where the company is, each day once', async () => {
    const { stage, api } = await open()
    await scene.sql`update companies set time_zone = 'Pacific/Kiritimati' where id = ${stage.id}`
    const { source } = await api.save(sourceInput('https://files.example.com/p.csv', { hour: 5 }))
    const hour = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Pacific/Kiritimati',
      hour: '2-digit',
    })
    assert.equal(hour.format(new Date(source!.next_at!)), '05')
    const ahead = Date.parse(source!.next_at!) - Date.now()
    assert.ok(ahead > 0 && ahead <= 24 * 3_600_000)
    await scene.sql`update people_sources set next_at = now() - interval '1 minute',
      fetching_at = null where company_id = ${stage.id}`
    await fetchDue({}, scene.tools)
    const [due] = await scene.sql`select next_at > now() as again, fetching_at is not null as now
      from people_sources where company_id = ${stage.id}`
    assert.deepEqual({ ...due }, { again: true, now: true })
  })

  test('is not due while the company is suspended, and at once when it is back', async () => {
    const { stage, api } = await open()
    await api.save(sourceInput('https://files.example.com/p.csv'))
    const isFetched = async () => {
      await scene.sql`update people_sources set next_at = now() - interval '1 minute',
        fetching_at = null where company_id = ${stage.id}`
      await fetchDue({}, scene.tools)
      const [due] = await scene.sql<[{ is_now: boolean }]>`
        select fetching_at is not null as is_now from people_sources where company_id = ${stage.id}`
      return due.is_now
    }
    await scene.confirm(stage.provider)
    await stage.provider.api.companies.suspend({ id: stage.id })
    assert.equal(await isFetched(), false)
    await stage.provider.api.companies.activate({ id: stage.id })
    assert.equal(await isFetched(), true)
  })

  test('does nothing in the name of somebody who is no admin any more', async () => {
    const { stage, api, file } = await open()
    const second = await stage.admin('Second')
    const server = await opened(openHttps(file))
    await scene.confirm(second)
    await second.api.sources.save(sourceInput(server.url))
    await scene.sql`update profiles set role = 'employee' where id = ${second.id}`
    assert.equal((await fetchNow(stage)).fault, 'source_admin_gone')
    assert.deepEqual(await stage.company.admin.api.imports.list({}), [])
    await api.save(sourceInput(server.url))
    assert.equal((await fetchNow(stage)).outcome, 'compared')
  })
})
