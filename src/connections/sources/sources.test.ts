// Promises of fetching from servers: only from whom an admin trusts, and only what is whole.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { newKey, openHttps, openSftp } from '../../../test/file-servers.ts'
import {
  fetchNow,
  openSource,
  serversOf,
  noticesFor,
  sourceInput,
} from '../../../test/world/people-files.ts'
import { refuses } from '../../../test/world/people.ts'
import { openedScene } from '../../../test/world/scene.ts'
import type { Take } from './jobs.server.ts'

const scene = openedScene({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
const { opened, closeAll } = serversOf()
afterEach(closeAll)

const open = (people?: number) => openSource(scene, people)

describe('an SSH server', () => {
  test('is told nothing before an admin has said that its key is theirs; then its file is compared', async () => {
    const { stage, api, file } = await open()
    const key = newKey()
    const server = await opened(openSftp(file, key.private))
    await api.save(sourceInput(server.url))
    assert.equal((await fetchNow(stage)).fault, 'host_key_new')
    assert.deepEqual(server.logins, [])
    const { source } = await api.find({})
    assert.match(source!.host_key_met!, /^SHA256:[\w+/]{43}$/)
    assert.equal(source!.next_at, null)
    await refuses('host_key_changed', api.trust({ host_key: 'SHA256:another' }))
    await api.trust({ host_key: source!.host_key_met! })
    const fetched = await fetchNow(stage)
    assert.deepEqual([fetched.outcome, fetched.bytes], ['compared', file.bytes.length])
    const found = await stage.company.admin.api.imports.find({ id: fetched.import_id! })
    assert.deepEqual([found.fresh, found.status, found.file_name], [4, 'checked', 'people.csv'])
    assert.deepEqual(await noticesFor(stage.company), ['people_fetched'])
  })

  test('with another key than it had is told nothing, and HR hears of it once', async () => {
    const { stage, api, file } = await open()
    const first = await opened(openSftp(file, newKey().private))
    await api.save(sourceInput(first.url))
    await fetchNow(stage)
    await api.trust({ host_key: (await api.find({})).source!.host_key_met! })
    const other = await opened(openSftp(file, newKey().private))
    await scene.sql`update people_sources set url = ${other.url} where company_id = ${stage.id}`
    assert.equal((await fetchNow(stage)).fault, 'host_key')
    assert.equal((await fetchNow(stage)).fault, 'host_key')
    assert.deepEqual(other.logins, [])
    assert.deepEqual(await noticesFor(stage.company), ['people_fetch_failed'])
    await scene.stale(stage.company.admin)
    const { host_key_met } = (await api.find({})).source!
    await refuses('password_needed', api.trust({ host_key: host_key_met! }))
    await scene.confirm(stage.company.admin)
    await api.trust({ host_key: host_key_met! })
    assert.equal((await fetchNow(stage)).outcome, 'compared')
    assert.equal((await api.find({})).source!.failing_since, null)
  })

  /** A server whose key is trusted. */
  const trusted = async (more = {}) => {
    const it = await open()
    const login = newKey()
    const server = await opened(openSftp(it.file, newKey().private, login))
    await it.api.save(sourceInput(server.url, more))
    await fetchNow(it.stage)
    await it.api.trust({ host_key: (await it.api.find({})).source!.host_key_met! })
    return { ...it, server, login }
  }

  test('that knows another password lets nobody in, and HR hears of it once', async () => {
    const { stage } = await trusted({ secret: 'wrong' })
    assert.equal((await fetchNow(stage)).fault, 'login')
    assert.equal((await fetchNow(stage)).fault, 'login')
    assert.deepEqual(await noticesFor(stage.company), ['people_fetch_failed'])
  })

  test('lets in by a private key; one that is none is no login', async () => {
    const { stage, api, server, login } = await trusted({
      secret_kind: 'key',
      secret: newKey().private,
    })
    assert.equal((await fetchNow(stage)).fault, 'login')
    await api.save(sourceInput(server.url, { secret_kind: 'key', secret: 'no key' }))
    assert.equal((await fetchNow(stage)).fault, 'login')
    await api.save(sourceInput(server.url, { secret_kind: 'key', secret: login.private }))
    assert.equal((await fetchNow(stage)).outcome, 'compared')
    assert.ok(server.logins.every((one) => one.endsWith(' hr')))
  })

  test('whose file breaks off, or is being written, changes nothing; nor does one that is not there', async () => {
    const { stage, api, file, server } = await trusted()
    file.bytes = Buffer.concat([file.bytes, Buffer.alloc(200_000, '\n')])
    file.breaks_after = 100_000
    assert.equal((await fetchNow(stage)).outcome, 'failed')
    delete file.breaks_after
    file.grows = true
    assert.equal((await fetchNow(stage)).fault, 'cut')
    file.grows = false
    file.announced_size = 80_000_000
    assert.equal((await fetchNow(stage)).fault, 'too_large')
    delete file.announced_size
    for (const name of ['none.csv', '100%.csv']) {
      await api.save(sourceInput(server.url.replace('people.csv', name), { secret: undefined }))
      assert.equal((await fetchNow(stage)).fault, 'no_file')
    }
    assert.deepEqual(await stage.company.admin.api.imports.list({}), [])
  })
})

describe('an HTTPS server', () => {
  test('gives its file to a login or a token, whole or not at all', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url))
    assert.equal((await fetchNow(stage)).outcome, 'compared')
    await api.save(sourceInput(server.url, { login: undefined }))
    assert.equal((await fetchNow(stage)).outcome, 'compared')
    assert.equal(server.requests.at(-1)!.authorization, 'Bearer right')
    file.breaks_after = 40
    assert.equal((await fetchNow(stage)).fault, 'cut')
    delete file.breaks_after
    await api.save(sourceInput(server.url, { secret: 'wrong' }))
    assert.equal((await fetchNow(stage)).fault, 'login')
    await api.save(sourceInput(server.url.replace('people', 'moved'), {}))
    assert.equal((await fetchNow(stage)).fault, 'redirect')
    await api.save(sourceInput(server.url.replace('people', 'none')))
    assert.equal((await fetchNow(stage)).fault, 'no_file')
  })

  test('may name its file as it likes', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url.replace('people', 'people-100%-%E4')))
    const { outcome, import_id } = await fetchNow(stage)
    assert.equal(outcome, 'compared')
    const { file_name } = await stage.company.admin.api.imports.find({ id: import_id! })
    assert.equal(file_name, 'people-100%-%E4.csv')
  })

  test('is told neither a private key nor the password of the SSH server of the same name', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    const secret_kind = 'key' as const
    const told_whole = api.save(sourceInput(server.url, { secret_kind, secret: 'private' }))
    await refuses('ssh_key_needs_sftp', told_whole)
    await api.save(sourceInput(server.url.replace('https', 'sftp')))
    await refuses('source_secret_needed', api.save(sourceInput(server.url, { secret: undefined })))
    await fetchNow(stage)
    assert.deepEqual(server.requests, [])
  })

  test('that nobody vouches for is told nothing', async () => {
    const { stage, api, file } = await open()
    const server = await opened(openHttps(file))
    await api.save(sourceInput(server.url))
    assert.equal((await fetchNow(stage, ['127.0.0.1'], '')).fault, 'certificate')
    assert.deepEqual(server.requests, [])
  })
})

test('a fault that nobody foresaw is told like any other, and is no reason to ask all day', async () => {
  const { stage, api, file } = await open()
  const server = await opened(openHttps(file))
  await api.save(sourceInput(server.url))
  const breaking: Take = () => Promise.reject(new TypeError('nobody foresaw it'))
  const { fault } = await fetchNow(stage, undefined, undefined, breaking)
  assert.equal(fault, 'internal')
  assert.deepEqual(await noticesFor(stage.company), ['people_fetch_failed'])
  assert.equal((await api.find({})).source!.fetching_at, null)
  assert.equal((await fetchNow(stage)).outcome, 'compared')
})
