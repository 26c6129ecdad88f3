// An embedded PostgreSQL that others use, or that somebody else started, is theirs.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { connect } from '#lib/db.server.ts'
import { startEmbedded, stopUnused } from '#lib/embedded.server.ts'
import { commandOf } from '#lib/processes.server.ts'

let place: string
before(async () => (place = await mkdtemp(path.join(tmpdir(), 'embedded-'))))
after(() => rm(place, { recursive: true }))

const start = (folder: string) => startEmbedded({ folder, report() {} })
const runs = async (pid: number) => (await commandOf(pid)) !== ''

/** Its number and its port, as it wrote them itself. */
async function postmasterOf(folder: string) {
  const lines = (await readFile(path.join(folder, 'data/postmaster.pid'), 'utf8')).split('\n')
  return { pid: Number(lines[0]), port: lines[3]! }
}

/** Set by the superuser, whom no limit holds. */
async function limit(folder: string, most: number) {
  const password = (await readFile(path.join(folder, 'superuser-password'), 'utf8')).trim()
  const { port } = await postmasterOf(folder)
  const sql = connect(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`, { max: 1 })
  await sql.unsafe(`alter role healthfund connection limit ${most}`)
  await sql.end()
}

test('one that merely cannot be asked is ended by nobody', async () => {
  const folder = path.join(place, 'crowded')
  const first = await start(folder)
  const { pid } = await postmasterOf(folder)
  await limit(folder, 1)
  const why = /PostgreSQL of \S+ \(process \d+\).*too many connections.*kill \d+/
  await assert.rejects(stopUnused(folder), why)
  await limit(folder, 0)
  await first.stop()
  assert.ok(!(await runs(pid)))
  await assert.rejects(start(folder), /too many connections/)
  assert.ok(await runs((await postmasterOf(folder)).pid), 'somebody uses it')
  await limit(folder, -1)
  assert.ok(await stopUnused(folder))
})

test('one that is never ready is not waited for without end', async () => {
  const folder = path.join(place, 'unready')
  const data = path.join(folder, 'data')
  await (await start(folder)).stop()
  const other = spawn('sh', ['-c', 'sleep 60 & wait', data], { detached: true, stdio: 'ignore' })
  const words = `${other.pid}\n${data}\n1\n1\n\n127.0.0.1\n\nstarting\n`
  await writeFile(path.join(data, 'postmaster.pid'), words)
  try {
    const sentence = /PostgreSQL of \S+ \(process \d+\) was not ready within 0 seconds/
    await assert.rejects(startEmbedded({ folder, patience_ms: 100 }), sentence)
    assert.ok(await runs(other.pid!))
  } finally {
    process.kill(-other.pid!)
  }
})
