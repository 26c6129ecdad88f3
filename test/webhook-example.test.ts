// The example of docs/connections.md that takes webhooks, as it stands there: it believes what we sent, once, and nobody else.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { openScene, type Scene } from './world/scene.ts'
import { hookOf, webhookSenderOf } from './world/webhooks.ts'
import { until } from './until.ts'

const text = readFileSync(new URL('../docs/connections.md', import.meta.url), 'utf8')
const example = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].at(-1)![1]!

let scene: Scene
let child: ChildProcess | undefined
let output = ''
before(async () => {
  scene = await openScene({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
})
after(async () => {
  child?.kill()
  await scene.close()
})

const untilOutput = (words: RegExp) => until(() => words.exec(output) ?? undefined)

test('it takes what is signed, once, and refuses what is not', async () => {
  const { admin } = await scene.company()
  // Its port is not known before it runs, nor its secret before the webhook is made.
  const hook = await hookOf(scene, admin, { url: 'http://127.0.0.1:1/', events: ['claim.paid'] })
  child = spawn(process.execPath, ['--input-type=module-typescript', '-e', example], {
    env: { ...process.env, WEBHOOK_SECRET: hook.secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout!.setEncoding('utf8').on('data', (words: string) => (output += words))
  const [, port] = await untilOutput(/listening at (\d+)/)
  const url = `http://127.0.0.1:${port}/`
  const { webhooks } = admin.api
  await webhooks.change({ id: hook.id, url, events: ['claim.paid'], in_order: true })
  await webhooks.test({ id: hook.id })
  const sender = webhookSenderOf(scene)
  await sender.drain()
  await untilOutput(/webhook\.test \{\}/)
  const [sent] = (await webhooks.deliveries({ id: hook.id })).deliveries
  assert.deepEqual([sent!.status, sent!.code], ['delivered', 204])
  await webhooks.replay({ id: sent!.id })
  await sender.drain()
  await sender.close()
  const forged = await fetch(url, {
    method: 'POST',
    headers: {
      'webhook-id': sent!.message,
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    },
    body: '{"type":"claim.paid","data":{}}',
  })
  assert.equal(forged.status, 401)
  assert.equal(output.match(/webhook\.test/g)?.length, 1)
})
