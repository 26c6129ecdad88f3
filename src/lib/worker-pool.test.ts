import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { refuses } from '../../test/world/people.ts'
import { makeLog } from './log.server.ts'
import { confining_options, openWorkerPool } from './worker-pool.server.ts'

test('what works on strangers’ files reads the code it runs, and no key or settings', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-worker-'))
  const key = path.join(folder, 'installation.key')
  await writeFile(key, 'secret')
  const reads = (file: string) => {
    const program = `require('node:fs').readFileSync(${JSON.stringify(file)})`
    return spawnSync(process.execPath, [...confining_options, '-e', program]).status === 0
  }
  assert.equal(reads(path.resolve(import.meta.dirname, '../../package.json')), true)
  assert.equal(reads(key), false)
  assert.equal(reads('/etc/passwd'), false)
  await rm(folder, { recursive: true })
})

/** A worker whose program begins like this with each task, which it never answers. */
async function working(begun: string, within_ms = 600_000) {
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-work-'))
  const program = path.join(folder, 'work.mjs')
  await writeFile(program, `process.stdin.once('data', () => { ${begun} })`)
  const pool = openWorkerPool({
    program: pathToFileURL(program),
    size: 1,
    within_ms,
    memory_mb: 250,
    too_slow: 'report_too_slow',
    too_heavy: 'report_too_large',
    broken: 'report_broken',
    log: makeLog('fatal'),
  })
  try {
    return await pool.run({ what: 'draw' }, new Uint8Array())
  } finally {
    pool.close()
    await rm(folder, { recursive: true })
  }
}

test('work that fills its heap is too heavy: it is not begun again as if somebody had ended it', () =>
  refuses('report_too_large', working('for (const all = []; ; ) all.push({ all })')))

test('work that ends its process in another way is not called too heavy', () =>
  refuses('unavailable', working('process.abort()')))

test('work that takes longer than it may is too slow, however little it is', () =>
  refuses('report_too_slow', working('', 1)))
