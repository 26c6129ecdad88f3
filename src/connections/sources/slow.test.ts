// File servers that answer slowly, or never: they hold up each other, and nobody else's work.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { openSource, sourceInput } from '../../../test/world/people-files.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import { until } from '../../../test/until.ts'

let scene: Scene
const asking = new Set<Socket>()
const silent = createServer((socket) => {
  asking.add(socket)
  socket.on('error', () => {}).on('close', () => asking.delete(socket))
})
before(async () => {
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  scene = await openScene({ worker: true, env: { WEBHOOK_ALLOW: '127.0.0.1' } })
})
after(async () => {
  silent.close()
  for (const socket of asking) socket.destroy()
  await scene.close()
})

test('two servers that say nothing leave the worker to all other jobs', async () => {
  const { port } = silent.address() as AddressInfo
  for (let companies = 0; companies < 2; companies += 1) {
    const { api } = await openSource(scene)
    await api.save(sourceInput(`https://127.0.0.1:${port}/people.csv`))
  }
  await until(() => asking.size > 0)
  await scene.sql`select add_job('connections:keep', key => 'another')`
  await until(async () => {
    const left = await scene.sql`select from graphile_worker._private_jobs where key = 'another'`
    return left.length === 0
  })
  assert.equal(asking.size, 1)
})
