// `npm run reset` asks whoever sits at a terminal, and believes the folder's whole path alone.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { root } from './server-process.ts'

const terminal = spawnSync('script', ['--version'], { encoding: 'utf8' })
const has_terminal = /util-linux/.test(terminal.stdout ?? '')
if (!has_terminal) console.log('NOT PLAYED at a terminal: `script` of util-linux is not installed')

describe('the question of reset', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'healthfund-question-'))
    await mkdir(path.join(folder, 'postgres/data'), { recursive: true })
    await writeFile(path.join(folder, 'installation.key'), 'x')
  })
  after(() => rm(folder, { recursive: true }))

  test('is asked of nobody where there is no terminal, and nothing is deleted', () => {
    const { DATABASE_URL: _, ...rest } = process.env
    const env = { ...rest, DATA_FOLDER: folder }
    const run = spawnSync(process.execPath, ['run.mjs', 'reset'], {
      cwd: root,
      env,
      input: folder,
    })
    assert.equal(run.status, 1)
    assert.match(String(run.stderr), /permanently\. If you mean it: --yes /)
    assert.deepEqual(readdirSync(folder), ['installation.key', 'postgres'])
  })
  if (!has_terminal) return

  async function answering(answer: string) {
    const { DATABASE_URL: _, NODE_TEST_CONTEXT: __, ...rest } = process.env
    const env = { ...rest, SHELL: '/bin/sh', DATA_FOLDER: folder, ADVISORY_REGISTRY: 'off' }
    const words = ['-qec', `'${process.execPath}' run.mjs reset`, '/dev/null']
    const child = spawn('script', words, { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      const was_asked = output.includes(question)
      output += part
      if (!was_asked && output.includes(question)) child.stdin.write(`${answer}\r`)
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, output }
  }
  const question = 'If you mean it, write '

  test('deletes nothing at another word', async () => {
    for (const answer of ['yes', 'postgres', '']) {
      const { code, output } = await answering(answer)
      assert.equal(code, 1, output)
      assert.match(output, /permanently\./)
      assert.match(output, /That is not its path\. Nothing is deleted\./)
      assert.deepEqual(await readdir(folder), ['installation.key', 'postgres'])
    }
  })

  test('deletes at the path', async () => {
    const { code, output } = await answering(folder)
    assert.equal(code, 0, output)
    assert.match(output, /is gone\. npm start makes a new one\./)
    assert.deepEqual(await readdir(folder), [])
  })
})
