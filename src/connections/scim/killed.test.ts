// A server that is killed in the middle of a create: nobody is half made, and the same create goes through afterwards.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { connect } from '#lib/db.server.ts'
import { root, startServer, type Server } from '../../../test/server-process.ts'
import type { Company } from '../../../test/world/people.ts'
import { openScene, type Scene } from '../../../test/world/scene.ts'
import {
  newUser,
  providerOf,
  assertScimRefused,
  type ScimProvider,
} from '../../../test/world/scim.ts'
import { until } from '../../../test/until.ts'

let scene: Scene
let acme: Company
let provider: ScimProvider
let server: Server
before(async () => {
  await buildIfStale(root)
  scene = await openScene()
  acme = await scene.company()
  provider = await providerOf(scene, acme)
  await provider.add('First Today')
  server = await startServer({ url: scene.database_url, folder: scene.config.DATA_FOLDER })
})
after(async () => {
  server.process.kill('SIGKILL')
  await scene.close()
})

test('killed before it is written: nobody is there, and sent again they are made once', async () => {
  const user = newUser(acme, 'Half Made')
  const other = connect(scene.database_url, { max: 1 })
  try {
    // Making a person waits for the company's count of the day; there the server is killed.
    await other.begin(async (tx) => {
      const [{ holder }] = await tx<[{ holder: number }]>`
        select pg_backend_pid() as holder from people_added where company_id = ${acme.id} for update`
      const cut = fetch(`${server.origin}/scim/v2/Users`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${provider.key.secret}`,
          'content-type': 'application/scim+json',
        },
        body: JSON.stringify(user),
      }).catch(() => undefined)
      const waiting = () =>
        scene.sql`select from pg_stat_activity where ${holder} = any (pg_blocking_pids(pid))`
      await until(async () => (await waiting()).length > 0, 'the create waits')
      const ended = once(server.process, 'exit')
      server.process.kill('SIGKILL')
      await ended
      assert.equal(await cut, undefined)
    })
  } finally {
    await other.end()
  }
  const findUser = () => provider.ask('GET', `/Users?filter=userName eq "${user['userName']}"`)
  assert.equal((await findUser()).body['totalResults'], 0)
  assert.equal((await provider.ask('POST', '/Users', user)).status, 201)
  assertScimRefused(await provider.ask('POST', '/Users', user), 409, 'uniqueness')
  assert.equal((await findUser()).body['totalResults'], 1)
})
