// Faults are survived: connections die under load, and nothing that was acknowledged is lost.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Person } from './world/people.ts'
import { openedScene } from './world/scene.ts'
import { until } from './until.ts'

describe('broken connections', () => {
  const scene = openedScene()
  let ana: Person
  before(async () => {
    ana = await (await scene.company()).hire('Ana')
  })

  const breakAll = () => scene.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename <> current_user`

  test('are a 503 for those they hit, and the next request is served', async () => {
    const ending = new AbortController()
    const codes = new Map<string, number>()
    const client = async () => {
      while (!ending.signal.aborted) {
        const code = await ana.api.users.me({}).then(
          () => 'ok',
          (error: { code: string }) => error.code,
        )
        codes.set(code, (codes.get(code) ?? 0) + 1)
      }
    }
    const clients = Array.from({ length: 16 }, client)
    for (let times = 0; times < 25; times += 1) {
      const served = codes.get('ok') ?? 0
      await until(() => (codes.get('ok') ?? 0) >= served + 20, 'twenty answers more')
      await breakAll()
    }
    ending.abort()
    await Promise.all(clients)
    assert.deepEqual(
      [...codes.keys()].filter((code) => code !== 'ok' && code !== 'unavailable'),
      [],
    )
    assert.equal((await ana.api.users.me({})).id, ana.id)
    const again = await scene.signIn(ana.email)
    assert.equal((await again.api.users.me({})).id, ana.id)
  })
})
