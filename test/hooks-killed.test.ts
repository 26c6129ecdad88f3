// A worker is killed outright, twice, while it tells a company's system of claims: each event comes, in its order, and
// what comes twice bears the same id.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { root } from './server-process.ts'
import { isSignedBy, openReceiver } from './webhook-receiver.ts'
import { fundedCompany, type FundedCompany } from './world/company.ts'
import { openScene, type Scene } from './world/scene.ts'
import { hookOf } from './world/webhooks.ts'
import { until } from './until.ts'

let scene: Scene
let acme: FundedCompany
let receiver: Awaited<ReturnType<typeof openReceiver>>
let worker: ChildProcess | undefined
before(async () => {
  scene = await openScene({ env: { WEBHOOK_ALLOW: '127.0.0.1' } })
  acme = await fundedCompany(scene)
  receiver = await openReceiver()
})
after(async () => {
  worker?.kill('SIGKILL')
  await receiver.close()
  await scene.close()
})

function startWorker() {
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env
  const env = { ...rest, ...scene.env, DATABASE_URL: scene.database_url }
  worker = spawn(process.execPath, ['src/commands/worker.server.ts'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
async function kill() {
  const ended = once(worker!, 'exit')
  worker!.kill('SIGKILL')
  await ended
}

test('every event of claims’ lives comes, signed, in its order, however often the worker dies', async () => {
  const { admin } = acme.company
  const ana = await acme.hire('Ana')
  const events = ['claim.submitted', 'claim.question', 'claim.answered', 'claim.withdrawn'] as const
  const hook = await hookOf(scene, admin, { url: receiver.url, events: [...events] })
  const expected: string[] = []
  const live = async () => {
    const { id, version } = await acme.claim(ana, { amount_cents: 5100 })
    await admin.api.review.ask({ id, version, text: 'Which clinic was it?' })
    await ana.api.claims.answer({ id, text: 'The one at the harbour', receipt_ids: [] })
    await ana.api.claims.withdraw({ id })
    expected.push(...events.map((event) => `${event} ${id}`))
  }
  // The answer to one in three is never given before the worker is dead.
  let silent = 0
  receiver.answer((_, answer) => {
    const { length } = receiver.received
    if (length === 3 || length === 8) silent = length
    else answer.end()
  })
  startWorker()
  for (const death of [3, 8]) {
    await live()
    await live()
    await until(() => silent === death)
    await kill()
    startWorker()
  }
  await live()
  const ids = () => [...new Set(receiver.received.map(({ id }) => id))]
  await until(() => ids().length >= expected.length)
  for (const one of receiver.received) assert.ok(isSignedBy(hook.secret, one))
  const first = ids().map((id) => receiver.received.find((one) => one.id === id)!)
  assert.deepEqual(
    first.map(({ type, data }) => `${type} ${String(data['id'])}`),
    expected,
  )
  // The delivery that the dead worker had sent without hearing an answer came once more, and no other before it.
  const all = receiver.received.map(({ id }) => id)
  assert.equal(all.length, expected.length + 2)
  assert.equal(all[3], all[2])
  assert.equal(all[8], all[7])
})
