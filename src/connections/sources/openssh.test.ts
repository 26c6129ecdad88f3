// A list of employees from OpenSSH's own server, where that is installed.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { allowListOf } from '#lib/addresses.server.ts'
import { freePort } from '../../../test/free-port.ts'
import { until } from '../../../test/until.ts'
import { FetchFault, fetchFile } from './fetching.server.ts'

const sshd = '/usr/sbin/sshd'
const missing = !existsSync(sshd) && 'OpenSSH’s server is not installed'

test(
  'OpenSSH’s server: its key is met and trusted, then the file comes',
  { skip: missing },
  async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-sshd-'))
    const at = (name: string) => path.join(folder, name)
    for (const name of ['host', 'login', 'other'])
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', at(name)])
    const { username, uid } = userInfo()
    if (uid === 0) mkdirSync('/run/sshd', { recursive: true })
    const port = await freePort()
    const settings = {
      Port: port,
      ListenAddress: '127.0.0.1',
      HostKey: at('host'),
      AuthorizedKeysFile: at('login.pub'),
      PidFile: 'none',
      UsePAM: 'no',
      StrictModes: 'no',
      PermitRootLogin: 'yes',
      Subsystem: 'sftp internal-sftp',
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} ${value}\n`)
    await writeFile(at('settings'), lines.join(''))
    await writeFile(at('people.csv'), 'Name;Email\nZoë;zoe@acme.test\n')
    const server = spawn(sshd, ['-D', '-e', '-f', at('settings')], { stdio: 'ignore' })
    t.after(async () => {
      server.kill()
      await rm(folder, { recursive: true })
    })
    await until(
      () =>
        new Promise<boolean>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () =>
            resolve(false),
          )
          socket.unref().on('connect', () => socket.destroy())
        }),
      'the SSH server to listen',
    )
    const from = {
      url: `sftp://127.0.0.1:${port}${at('people.csv')}`,
      login: username,
      secret_kind: 'key' as const,
      secret: await readFile(at('login'), 'utf8'),
      host_key: null,
      allowed: allowListOf(['127.0.0.1']),
    }
    const faultOf = (more: object) =>
      fetchFile({ ...from, ...more }).then(
        () => assert.fail('it came'),
        (error: FetchFault) => error,
      )
    const met = await faultOf({})
    const shown = execFileSync('ssh-keygen', ['-lf', at('host.pub')], { encoding: 'utf8' })
    assert.deepEqual([met.fault, met.host_key_met], ['host_key_new', shown.split(' ')[1]])
    const host_key = met.host_key_met ?? ''
    const file = await fetchFile({ ...from, host_key })
    assert.equal(file.toString(), 'Name;Email\nZoë;zoe@acme.test\n')
    const others = await readFile(at('other'), 'utf8')
    assert.equal((await faultOf({ host_key, secret: others })).fault, 'login')
    assert.equal((await faultOf({ host_key: `${host_key}x` })).fault, 'host_key')
    assert.equal((await faultOf({ host_key, url: `${from.url}x` })).fault, 'no_file')
  },
)
