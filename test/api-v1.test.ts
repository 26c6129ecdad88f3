// The public API keeps what it promised, and its examples run.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { serve, type ServerType } from '@hono/node-server'
import { openapi } from '#lib/openapi.ts'
import { public_contracts } from '#permissions/key-rights.ts'
import { breaksIn } from './openapi-breaks.ts'
import { keyOf } from './world/keys.ts'
import type { Company } from './world/people.ts'
import { openScene, type Scene } from './world/scene.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

describe('what v1 promised', () => {
  const promised = JSON.parse(read('docs/api-v1.json'))
  const now = JSON.parse(JSON.stringify(openapi(public_contracts, '/api/v1')))
  const changed = (change: (copy: typeof now) => void) => {
    const copy = structuredClone(now)
    change(copy)
    return breaksIn(now, copy)
  }
  const list = '/api/v1/employees'
  const answerOf = (copy: typeof now) =>
    copy.paths[list].get.responses['200'].content['application/json'].schema
  const bodyOf = (copy: typeof now) =>
    copy.paths[list].post.requestBody.content['application/json'].schema

  test('still holds', () => {
    assert.deepEqual(breaksIn(promised, now), [])
  })

  test('docs/api-v1.json has all there is (npm run check -- --write renews it)', () => {
    assert.deepEqual(promised, now)
  })

  test('new acts, optional fields, fields of answers and values of a status break nothing', () => {
    const more = (copy: typeof now) => {
      copy.paths['/api/v1/more'] = copy.paths[list]
      bodyOf(copy).properties.shoe_size = { type: 'integer' }
      answerOf(copy).properties.more = { type: 'string' }
      answerOf(copy).properties.employees.items.properties.account_state.enum.push('away')
    }
    assert.deepEqual(changed(more), [])
  })

  test('what goes, is newly demanded or is of another type is found', () => {
    const breaking: ((copy: typeof now) => void)[] = [
      (copy) => delete copy.paths[list],
      (copy) => delete copy.paths[list].post,
      (copy) => delete answerOf(copy).properties.next,
      (copy) => delete answerOf(copy).properties.employees.items.properties.email,
      (copy) => (answerOf(copy).properties.employees.items.properties.email.type = 'integer'),
      (copy) => delete bodyOf(copy).properties.phone,
      (copy) => bodyOf(copy).required.push('phone'),
      (copy) => (copy.paths[list].get.parameters = []),
      (copy) => (copy.paths[list].get.parameters[0].required = true),
    ]
    for (const change of breaking) assert.ok(changed(change).length > 0, String(change))
  })
})

describe('the examples of docs/connections.md', () => {
  let scene: Scene
  let acme: Company
  let server: ServerType
  let env: NodeJS.ProcessEnv
  before(async () => {
    scene = await openScene()
    acme = await scene.company()
    const key = await keyOf(scene, acme.admin, ['people:write', 'claims:read'])
    const { promise, resolve } = Promise.withResolvers<number>()
    server = serve(
      { fetch: scene.services.app.fetch, port: 0, hostname: '127.0.0.1' },
      ({ port }) => resolve(port),
    )
    const HEALTHFUND_URL = `http://127.0.0.1:${await promise}`
    env = { ...process.env, HEALTHFUND_URL, HEALTHFUND_KEY: key.secret }
  })
  after(async () => {
    server.close()
    await scene.close()
  })

  const run = (program: string, args: string[]) =>
    new Promise<string>((resolve, reject) => {
      const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (words: string) => (output += words))
      child.on('error', reject)
      child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(output))))
    })
  const examples = [...read('docs/connections.md').matchAll(/```(sh|ts)\n([\s\S]*?)```/g)]
  const perform = (at: number) => {
    const [, kind, text] = examples[at]!
    return kind === 'sh'
      ? run('sh', ['-c', text!])
      : run(process.execPath, ['--input-type=module-typescript', '-e', text!])
  }

  test('are five beside the one of webhooks, and each does what it says', async () => {
    assert.equal(examples.length, 6)
    const listed = JSON.parse(await perform(0))
    assert.equal(listed.total, 0)
    const added = JSON.parse(await perform(1))
    assert.equal(added.employee.full_name, 'Ana Horvat')
    assert.match(await perform(2), /^1 people, the last day of Ana Horvat is \d{4}-/)
    assert.equal(await perform(3), '')
    assert.equal(
      (await perform(4)).trim(),
      ['1 new, 0 changed, 0 not in the file', 'importing'].join('\n'),
    )
  })
})
