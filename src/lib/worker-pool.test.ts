import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { confined } from './worker-pool.server.ts'

test('what works on strangers’ files reads the code it runs, and no key or settings', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-workroom-'))
  const key = path.join(folder, 'installation.key')
  await writeFile(key, 'secret')
  const reads = (file: string) => {
    const program = `require('node:fs').readFileSync(${JSON.stringify(file)})`
    return spawnSync(process.execPath, [...confined, '-e', program]).status === 0
  }
  assert.equal(reads(path.resolve(import.meta.dirname, '../../package.json')), true)
  assert.equal(reads(key), false)
  assert.equal(reads('/etc/passwd'), false)
  await rm(folder, { recursive: true })
})
