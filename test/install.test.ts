// Packages that run.mjs takes for installed: by the list that npm keeps, whichever npm wrote it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { root } from './server-process.ts'

describe('what is installed', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-install-'))
    const carried = ['run.mjs', 'src/commands/commands.mjs', 'src/lib/progress.mjs']
    for (const file of carried) await cp(path.join(root, file), path.join(folder, file))
    const made: Record<string, string> = {
      'package.json': '{ "type": "module" }',
      'src/commands/migrate.server.ts': "console.log('it runs')",
      'bin/npm': '#!/bin/sh\nexit 1\n',
      'package-lock.json': lock({ '': {}, 'node_modules/a': { version: '1.0.0' } }),
    }
    for (const [name, text] of Object.entries(made)) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
      await writeFile(path.join(folder, name), text, { mode: 0o755 })
    }
    await mkdir(path.join(folder, 'node_modules'))
  })
  after(() => rm(folder, { recursive: true }))

  const lock = (packages: object) => JSON.stringify({ packages })
  async function runs(listed: object) {
    await writeFile(path.join(folder, 'node_modules/.package-lock.json'), lock(listed))
    const PATH = [path.join(folder, 'bin'), process.env.PATH].join(path.delimiter)
    const env = { ...process.env, PATH }
    const { stdout, stderr } = spawnSync(process.execPath, ['run.mjs', 'migrate'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    return `${stdout}${stderr}`.trim()
  }

  test('is what the lock file wants, however npm marked it', async () => {
    assert.equal(await runs({ 'node_modules/a': { version: '1.0.0' } }), 'it runs')
    assert.equal(await runs({ 'node_modules/a': { version: '1.0.0', dev: true } }), 'it runs')
  })

  test('is not what has another version, or is not there', async () => {
    assert.match(await runs({ 'node_modules/a': { version: '1.0.1' } }), /^Installing what is/)
    assert.match(await runs({}), /^Installing what is missing\nnpm could not install/)
  })
})
