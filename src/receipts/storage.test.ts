// Promises of keeping: no file without a row, no row without a file, whichever side dies first; sealed, re-wrapped,
// on disk or on S3; and the server answers others meanwhile.
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { readConfig } from '#lib/config.server.ts'
import { diskStorage, openFiles } from '#lib/files.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { Problem } from '#problems.ts'
import { pharmacy, receiptPdf, receiptPhoto } from '../../test/world/papers.ts'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene, openScene } from '../../test/world/scene.ts'
import { until } from '../../test/until.ts'
import { openS3 } from '../../test/s3.ts'
import { keepReceipts, openReaders, sweepFiles } from './jobs.server.ts'
import { rotateFileKeys } from './rotate.server.ts'

const scene = openedScene()
let acme: Company
let ana: Person
let pdf: Buffer<ArrayBuffer>
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  ana = await acme.hire('Ana')
  pdf = Buffer.from(await receiptPdf(pharmacy))
})

const log = makeLog('silent')
const send = (person: Person, file: Buffer<ArrayBuffer> = pdf) =>
  person.api.receipts.upload({ file_name: 'a.pdf' }, { file: new Blob([file]) })
const stored = async () => {
  const all = await readdir(path.join(scene.env.DATA_FOLDER, 'files'), {
    recursive: true,
    withFileTypes: true,
  })
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
const sweep = () => sweepFiles(scene.services.files)({}, { sql: scene.sql, log })
const leftovers = () => scene.sql`select storage_key from private.leftover_files`

/** Each file has its row or is written down as left over, and each row has its file. */
async function isWhole() {
  const rows = await scene.sql<{ storage_key: string }[]>`select distinct storage_key from receipts`
  const named = rows
    .map((row) => path.join(scene.env.DATA_FOLDER, 'files', row.storage_key))
    .toSorted()
  assert.deepEqual((await stored()).toSorted(), named)
}

describe('a file and its row', () => {
  test('show nothing of the receipt on the disk', async () => {
    const sent = await send(ana)
    await scene.sql`update receipts set claim_id = 1 where id = ${sent.id}`
    for (const file of await stored()) {
      const bytes = await readFile(file)
      assert.ok(!bytes.includes('Pharmacy') && !bytes.includes('%PDF') && !bytes.includes('WEBP'))
    }
    await isWhole()
  })

  test('go together when the receipt is removed, or the person’s data erased', async () => {
    const leaver = await acme.hire()
    const { id } = await send(leaver)
    await send(leaver)
    await leaver.api.receipts.remove({ id })
    await scene.sql`delete from receipts where person_id = ${leaver.id}`
    assert.equal((await leftovers()).length, 2)
    await sweep()
    assert.equal((await leftovers()).length, 0)
    await isWhole()
  })

  test('go after a day without a claim', async () => {
    const [old, fresh] = [await send(ana), await send(ana)]
    await scene.sql`
      update receipts set created_at = now() - interval '25 hours' where id = ${old.id}`
    await keepReceipts({}, { sql: scene.sql, log })
    await sweep()
    await refuses('not_found', ana.api.receipts.find({ id: old.id }))
    assert.equal((await ana.api.receipts.find({ id: fresh.id })).id, fresh.id)
    await ana.api.receipts.remove({ id: fresh.id })
    await sweep()
    await isWhole()
  })

  test('leave nothing where the server died between them', async () => {
    // A crash before the row is written: the file is there, under a name that was written down first.
    await scene.sql`insert into private.leftover_files values (${`${acme.id}/ab/dead`}, now() + interval '1 hour')`
    await scene.services.files.put(`${acme.id}/ab/dead`, [{ name: 'file', bytes: pdf }])
    await sweep()
    assert.equal((await leftovers()).length, 1) // perhaps it is still on its way
    await scene.sql`update private.leftover_files set due_at = now()`
    await sweep()
    await isWhole()
    // A crash before the file is written: there is only the name.
    await scene.sql`insert into private.leftover_files values (${`${acme.id}/ab/none`}, now())`
    await sweep()
    assert.equal((await leftovers()).length, 0)
  })

  test('leave nothing where the disk was full or away, and say so', async () => {
    const { files } = scene.services
    const put = files.put
    const config = readConfig({ DATA_FOLDER: scene.env.DATA_FOLDER })
    const full = openFiles({
      config,
      sql: scene.sql,
      installation_key: scene.services.installation_key,
      storage: diskStorage(path.join(scene.env.DATA_FOLDER, 'files'), () =>
        Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
      ),
    })
    files.put = full.put
    await refuses('storage_full', send(ana))
    files.put = put
    assert.deepEqual(await ana.api.receipts.list({}), [])
    await sweep()
    await isWhole()
  })

  test('a file that comes after its name was given up is refused', async () => {
    const { files } = scene.services
    const put = files.put
    files.put = async (key, parts) => {
      const place = await put(key, parts)
      await scene.sql`update private.leftover_files set due_at = now()`
      await sweep()
      return place
    }
    await refuses('receipt_gone', send(ana))
    files.put = put
    await isWhole()
  })

  test('say that the file was changed', async () => {
    const sent = await send(ana)
    const [row] = await scene.sql<[{ storage_key: string }]>`
      select storage_key from receipts where id = ${sent.id}`
    const file = path.join(scene.env.DATA_FOLDER, 'files', row.storage_key)
    const good = await readFile(file)
    const bad = Buffer.from(good)
    bad[bad.length - 5] = (bad.at(-5) ?? 0) ^ 255
    await writeFile(file, bad)
    await refuses('file_damaged', ana.api.receipts.file({ id: sent.id }))
    await writeFile(file, good)
    await ana.api.receipts.file({ id: sent.id })
    await ana.api.receipts.remove({ id: sent.id })
    await sweep()
  })
})

describe('the keys', () => {
  test('are rotated by wrapping again: the files stay, everything opens, the old one goes a day later', async () => {
    const sent = await Promise.all([send(ana), send(ana), send(ana)])
    const ids = sent.map(({ id }) => id)
    const wrapped = () =>
      scene.sql<{ file_key: number; wrapped_key: Uint8Array }[]>`
        select file_key, wrapped_key from receipts where id = any (${ids}::uuid[]) order by id`
    const before_it = await wrapped()
    const on_disk = await Promise.all((await stored()).map((file) => readFile(file, 'base64')))
    const config = readConfig({ DATA_FOLDER: scene.env.DATA_FOLDER })
    const key = scene.services.installation_key
    const { rewrapped, dropped } = await rotateFileKeys(config, scene.sql, key)
    assert.ok(rewrapped >= 3)
    assert.equal(dropped, 0)
    const after_it = await wrapped()
    assert.ok(after_it.every((row, at) => row.file_key > (before_it[at]?.file_key ?? 0)))
    assert.deepEqual(
      await Promise.all((await stored()).map((file) => readFile(file, 'base64'))),
      on_disk,
    )
    for (const id of ids) await ana.api.receipts.file({ id })
    // Another server knows the old key for a minute more: what it wraps still opens, then is wrapped again.
    await ana.api.receipts.file({ id: (await send(ana)).id })
    await scene.sql`update private.file_keys set retired_at = now() - interval '2 days' where retired_at is not null`
    const again = await rotateFileKeys(config, scene.sql, key)
    assert.equal(again.dropped, 1)
    for (const { id } of await ana.api.receipts.list({})) await ana.api.receipts.file({ id })
  })
})

describe('the work on files', () => {
  test('goes on when its process is killed', async () => {
    const { workers } = scene.services
    await workers.run({ what: 'normalise' }, pdf)
    const [pid] = workers.pids()
    assert.ok(pid)
    const under_way = workers.run({ what: 'normalise' }, pdf)
    process.kill(pid, 'SIGKILL')
    assert.equal((await under_way).parts.length, 3)
    assert.ok(workers.pids().every((another) => another !== pid))
  })

  test('does not keep the server from answering: a photo is processed and read beside it', async () => {
    const person = await acme.hire()
    const photo = Buffer.from(await receiptPhoto(pharmacy))
    const files = scene.services.files
    const readers = await openReaders({
      url: scene.database_url,
      sql: scene.sql,
      log,
      files,
      size: 1,
    })
    try {
      const stretch_ms = await longestStretch(async () => {
        const { id } = await send(person, photo)
        await until(async () => (await person.api.receipts.find({ id })).read_state === 'read')
      })
      assert.ok(stretch_ms < 300, `${stretch_ms} ms without an answer to anybody`)
    } finally {
      await readers.stop()
    }
  })

  test('of reading is taken up again by whoever comes after a killed server, three times at most', async () => {
    const person = await acme.hire()
    const { id } = await send(person)
    await scene.sql`
      update receipts set read_state = 'reading', read_tries = 1, read_touched_at = now() - interval '3 minutes'
      where id = ${id}`
    await scene.sql`delete from graphile_worker._private_jobs`
    await keepReceipts({}, { sql: scene.sql, log })
    const jobs =
      await scene.sql`select from graphile_worker.jobs where task_identifier = 'receipts:read'`
    assert.equal(jobs.length, 1)
    const begin = () => scene.sql`select tries from private.begin_reading(${acme.id}, ${id})`
    assert.deepEqual([(await begin())[0]?.tries, (await begin())[0]?.tries], [2, 3])
    await begin()
    assert.equal((await person.api.receipts.find({ id })).read_state, 'unreadable')
  })
})

/**
 * The most that this thread computed between two turns of its event loop while something went on. Of the processor: a
 * clock would count what others do on the machine.
 */
async function longestStretch(work: () => Promise<unknown>) {
  let longest = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.threadCpuUsage()
  }, 5)
  await work()
  clearInterval(timer)
  return longest
}

test('on S3 a receipt is sent, opened and removed; a lost server is told, and leaves nothing half done', async () => {
  const s3 = await openS3()
  const there = await openScene({ env: s3.env })
  try {
    const company = await there.company()
    const person = await company.hire()
    const { id } = await send(person)
    assert.equal((await person.api.receipts.file({ id })).type, 'application/pdf')
    await s3.stop()
    await refuses('storage_away', send(person))
    await refuses('storage_away', person.api.receipts.file({ id }))
    const answer = await there.services.app.request(`/api/receipts/${id}/file`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2'])
    assert.equal((await person.api.receipts.list({})).length, 1)
    const sweeping = sweepFiles(there.services.files)({}, { sql: there.sql, log })
    await assert.rejects(sweeping, (error) => error instanceof Problem)
    const again = await openS3(s3.port, s3.directory)
    await person.api.receipts.file({ id })
    await person.api.receipts.remove({ id })
    await sweepFiles(there.services.files)({}, { sql: there.sql, log })
    assert.equal((await there.sql`select from private.leftover_files`).length, 0)
    const kept = await readdir(path.join(s3.directory, 'receipts'), { recursive: true })
    assert.deepEqual(
      kept.filter((name) => name.includes(id)),
      [],
    )
    await again.stop()
  } finally {
    await there.close()
    await s3.close()
  }
})
