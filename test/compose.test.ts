// compose.yaml beside the image: what it starts is there, what it sets is known, and what it mounts is what the image
// writes to. Docker itself is not tried here.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { env_vars } from '#lib/config.server.ts'
import { root } from './server-process.ts'

type Service = {
  image: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  env_file?: string
  stop_grace_period: string
  command?: string[]
  ports?: string[]
  volumes: string[]
  environment: Record<string, string>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: object
}
type Compose = { services: Record<'server' | 'worker' | 'database', Service>; volumes: object }
const { load } = createRequire(import.meta.url)('js-yaml') as { load: (text: string) => unknown }

describe('compose', () => {
  let text: string
  let compose: Compose
  let stage: string
  before(async () => {
    text = await readFile(path.join(root, 'compose.yaml'), 'utf8')
    compose = load(text) as Compose
    const dockerfile = await readFile(path.join(root, 'Dockerfile'), 'utf8')
    stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  })
  const ours = () => [compose.services.server, compose.services.worker]

  test('runs server and worker without rights, on a disk that they cannot write', () => {
    for (const one of ours()) {
      assert.deepEqual(
        [one.image, one.read_only, one.cap_drop, one.security_opt],
        ['healthfund', true, ['ALL'], ['no-new-privileges:true']],
      )
      assert.deepEqual(one.depends_on, { database: { condition: 'service_healthy' } })
      assert.ok(parseInt(one.stop_grace_period) > 10, 'a server may take ten seconds to end')
    }
    assert.match(stage, /^USER node$/m)
    assert.deepEqual(compose.services.server.ports, ['127.0.0.1:3000:3000'])
    const program = compose.services.worker.command?.at(-1) ?? ''
    assert.ok(existsSync(path.join(root, program)), program)
  })

  test('passes every setting on, and sets only what is known', () => {
    for (const one of ours()) {
      assert.equal(one.env_file, '.env')
      for (const name of Object.keys(one.environment)) assert.ok(name in env_vars, name)
      assert.equal(one.environment.WORKER, 'off', 'the worker runs beside the server')
    }
    const [, set = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(stage) ?? []
    for (const [, name = ''] of set.matchAll(/([A-Z_]+)=/g))
      assert.ok(name in env_vars || ['NODE_ENV', 'UV_THREADPOOL_SIZE'].includes(name), name)
    const head = text.slice(0, text.indexOf('\nx-healthfund'))
    for (const [, name = ''] of text.matchAll(/\$\{(\w+):\?/g))
      assert.ok(head.includes(`${name}=`), `${name} is wanted, and the head says so`)
  })

  test('mounts what the image writes to', () => {
    const volumes = JSON.parse(/^VOLUME (\[.+\])$/m.exec(stage)?.[1] ?? '[]') as string[]
    assert.equal(volumes.length, 2)
    for (const one of ours()) {
      const mounted = one.volumes.map((volume) => volume.split(':'))
      assert.deepEqual(new Set(mounted.map(([, place]) => place)), new Set(volumes))
      for (const [name = ''] of mounted) assert.ok(name in compose.volumes, name)
    }
    for (const place of volumes)
      assert.match(stage, new RegExp(`(DATA|BACKUP)_FOLDER=${place}( |$)`, 'm'))
  })

  test('makes the login that servers use, over an empty database', async () => {
    const { volumes } = compose.services.database
    const made = volumes.find((volume) => volume.startsWith('./'))?.split(':')[0] ?? ''
    const script = await readFile(path.join(root, made, 'owner.sh'), 'utf8')
    const [, login, database] =
      /postgres:\/\/(\w+):.*\/(\w+)$/.exec(ours()[0]?.environment.DATABASE_URL ?? '') ?? []
    assert.match(script, new RegExp(`create role ${login} login createrole createdb password`))
    assert.match(script, new RegExp(`create database ${database} owner ${login};`))
  })
})
