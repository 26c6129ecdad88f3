// The steps of docs/debian.md: the commands and files that they name are there, and `healthfund` runs a command
// with the settings as systemd reads them.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { commands } from '../src/commands/commands.mjs'
import { env_vars } from '#lib/config.server.ts'
import { root } from './server-process.ts'

const read = (name: string) => readFile(path.join(root, name), 'utf8')

describe('the steps on Debian', () => {
  let lines: string[]
  before(async () => {
    const page = await read('docs/debian.md')
    lines = [...page.matchAll(/^```\n([^]*?)^```$/gm)].flatMap(([, block = '']) =>
      block.split('\n'),
    )
    assert.ok(lines.length > 80)
  })

  test('name commands and flags that there are', () => {
    const named = lines.filter((line) => line.startsWith('healthfund '))
    assert.ok(named.length >= 3)
    for (const line of named) {
      const [, name = '', ...words] = line.split(' ')
      assert.ok(name in commands, line)
      for (const word of words)
        if (word.startsWith('--')) assert.ok(word.slice(2) in (commands[name]?.flags ?? {}), line)
    }
  })

  test('set what can be set', () => {
    const from = lines.findIndex((line) => line.startsWith('cat > /etc/healthfund.env'))
    const set = lines.slice(from + 1, lines.indexOf('SETTINGS', from))
    assert.ok(set.length > 15)
    for (const line of set) assert.ok((line.split('=')[0] ?? '') in env_vars, line)
  })

  test('may be pasted whole: apt swallows nothing that stands behind it', () => {
    const installs = lines.filter((line) => line.startsWith('apt install'))
    assert.ok(installs.length > 3)
    for (const line of installs) assert.match(line, / < \/dev\/null$/)
  })

  test('go back to the backup before the upgrade, which none that comes after it takes away', () => {
    const folderIn = (command: string) =>
      new RegExp(`^healthfund ${command} (\\S+)`, 'm').exec(lines.join('\n'))?.[1]
    const folder = folderIn('backup')
    assert.match(folder ?? '', /^\/var\/backups\/healthfund\/before-/)
    assert.equal(folderIn('restore'), folder)
  })

  test('show figures and alerts to nobody else, and sign in to the mail server', async () => {
    const services = lines.flatMap((line) => /ARGS="(.*)"/.exec(line)?.[1] ?? [])
    assert.equal(services.length, 2)
    for (const args of services)
      for (const [, at] of args.matchAll(/listen-address=(\S*)/g))
        assert.match(at ?? '', /^(127|$)/)
    const file = /smtp_auth_password_file: (\S+)/.exec(
      await read('ops/prometheus/alertmanager.yml'),
    )?.[1]
    assert.ok(file && lines.some((line) => line.endsWith(` ${file}`)))
  })

  test('install files that are there, and start units that are there', async () => {
    const units = await readdir(path.join(root, 'ops/systemd'))
    for (const line of lines) {
      for (const [place] of line.matchAll(/\bops\/[\w./*-]+/g)) {
        const { dir, base } = path.parse(place)
        const ending = base.startsWith('*') ? base.slice(1) : undefined
        const there = await readdir(path.join(root, dir))
        assert.ok(
          there.some((name) => (ending ? name.endsWith(ending) : name === base)),
          place,
        )
      }
      if (!line.startsWith('systemctl ')) continue
      for (const [unit] of line.matchAll(/\bhealthfund[\w-]*@?/g))
        assert.ok(units.includes(`${unit}.service`), line)
    }
  })
})

describe('healthfund', () => {
  let folder: string
  before(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'healthfund-steps-'))))
  after(() => rm(folder, { recursive: true }))

  /** The environment of the command; the user it would run as is for root alone. */
  async function dependsOf(file: string) {
    const settings_file = path.join(folder, 'env')
    await writeFile(settings_file, file)
    await mkdir(path.join(folder, 'home'), { recursive: true })
    const script = (await read('ops/systemd/healthfund'))
      .replace('/etc/healthfund.env', settings_file)
      .replace(/^install .*$/m, '')
      .replace('cd /opt/healthfund', `cd ${folder}/home`)
      .replace(/^exec setpriv .*$/m, 'exec env --null')
    assert.doesNotMatch(script, /setpriv|\/etc|\/opt/)
    const output = String(execFileSync('sh', ['-c', script], { env: { PATH: process.env.PATH } }))
    return Object.fromEntries(output.split('\0').map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
  }

  test('takes each setting as it is written, characters of the shell as well', async () => {
    const found = await dependsOf(
      [
        '# a word, and an empty line',
        '',
        'BACKUP_SCHEDULE=17 2 * * *',
        'MAIL_FROM=Healthfund <no-reply@example.com>',
        'OPERATOR_NAME="Example & Sons"',
        "OPERATOR_ADDRESS='1 Street'",
        'METRICS_TOKEN=a$b`c=',
        'SITE_URL=https://fund.example.com',
      ].join('\n'),
    )
    assert.equal(found.BACKUP_SCHEDULE, '17 2 * * *')
    assert.equal(found.MAIL_FROM, 'Healthfund <no-reply@example.com>')
    assert.equal(found.OPERATOR_NAME, 'Example & Sons')
    assert.equal(found.OPERATOR_ADDRESS, '1 Street')
    assert.equal(found.METRICS_TOKEN, 'a$b`c=')
    assert.equal(found.SITE_URL, 'https://fund.example.com', 'the last line needs no end')
  })

  test('uses the folders of the units, or what the settings say, as they do', async () => {
    assert.equal((await dependsOf('BACKUP_FOLDER=/mnt/backups\n')).BACKUP_FOLDER, '/mnt/backups')
    const found = await dependsOf('')
    const unit = await read('ops/systemd/healthfund@.service')
    for (const name of ['DATA_FOLDER', 'BACKUP_FOLDER', 'NODE_ENV', 'WORKER'])
      assert.match(unit, new RegExp(`^Environment=.*\\b${name}=${found[name]}( |$)`, 'm'))
  })
})

test('alerts are sent on, as the tool of the mails’ sender reads it, where it is installed', (t) => {
  try {
    execFileSync('amtool', ['check-config', path.join(root, 'ops/prometheus/alertmanager.yml')], {
      stdio: 'pipe',
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    t.skip('amtool is not installed here (Debian: prometheus-alertmanager)')
  }
})
