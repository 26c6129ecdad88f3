// Open screens hear of what concerns them, whichever server did it, and of nothing else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openLive, type Live } from '#lib/live.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { topicsOf } from '#topics.ts'
import type { Person } from './world/people.ts'
import { confirmRights } from './world/rights.ts'
import { openScene, type Scene } from './world/scene.ts'

describe('live screens', () => {
  let scene: Scene
  let live_here: Live
  let elsewhere: Live
  let ana: Person
  before(async () => {
    scene = await openScene()
    const log = makeLog('silent')
    live_here = await openLive(scene.sql, log)
    elsewhere = await openLive(scene.sql, log)
    ana = await (await scene.company()).hire('Ana')
  })
  after(async () => {
    await live_here.close()
    await elsewhere.close()
    await scene.close()
  })

  function listen(live: Live, topics: string[]) {
    const leaving = new AbortController()
    const reader = live.stream(topics, leaving.signal).getReader()
    const decoder = new TextDecoder()
    return {
      /** The next thing told, past the greeting. */
      async next(): Promise<string[]> {
        for (;;) {
          const { value, done } = await reader.read()
          if (done) throw new Error('the stream ended')
          const event = /^data: (.*)$/m.exec(decoder.decode(value))?.[1]
          if (event) return (JSON.parse(event) as { topics: string[] }).topics
        }
      },
      leave: () => leaving.abort(),
    }
  }

  test('an act is heard here at once, and on the other servers', async () => {
    const listeners = [live_here, elsewhere].map((live) =>
      listen(live, ['person:ana', 'admins:acme']),
    )
    live_here.publish(['admins:acme', 'person:ben'])
    for (const listener of listeners) {
      assert.deepEqual(await listener.next(), ['admins:acme'])
      listener.leave()
    }
  })

  test('who opens a stream hears what was published a moment before', async () => {
    live_here.publish(['person:cem', 'admins:other'])
    const late = listen(live_here, ['person:cem', 'person:dora'])
    assert.deepEqual(await late.next(), ['person:cem'])
    late.leave()
    const second = listen(elsewhere, ['person:dora'])
    live_here.publish(['person:dora'])
    assert.deepEqual(await second.next(), ['person:dora'])
    const third = listen(elsewhere, ['person:cem', 'person:dora'])
    assert.deepEqual(await third.next(), ['person:cem', 'person:dora'])
    for (const listener of [second, third]) listener.leave()
  })

  test('many topics in one batch all arrive', async () => {
    const topics = Array.from({ length: 500 }, (_, n) => `person:${'x'.repeat(36)}${n}`)
    const listener = listen(elsewhere, topics)
    const topics_received = new Set<string>()
    live_here.publish(topics)
    while (topics_received.size < topics.length)
      for (const topic of await listener.next()) topics_received.add(topic)
    listener.leave()
  })

  test('who hears again after the connection broke is told to look again at everything', async () => {
    const listener = listen(elsewhere, ['person:eva', 'admins:eden'])
    await scene.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%healthfund_published%'`
    assert.deepEqual(await listener.next(), ['person:eva', 'admins:eden'])
    listener.leave()
    const another = listen(elsewhere, ['person:gil'])
    live_here.publish(['person:gil'])
    assert.deepEqual(await another.next(), ['person:gil'])
    another.leave()
  })

  test('the other servers are told later, if the database is away at that moment', async () => {
    let away = 2
    const sometimes = new Proxy(scene.sql, {
      apply(sql, self, args) {
        away -= 1
        if (away >= 0) return Promise.reject(new Error('away'))
        return Reflect.apply(sql, self, args) as unknown
      },
    })
    const third = await openLive(sometimes, makeLog('silent'))
    const listener = listen(elsewhere, ['person:finn'])
    third.publish(['person:finn'])
    assert.deepEqual(await listener.next(), ['person:finn'])
    assert.equal(away, -1)
    listener.leave()
    await third.close()
  })

  test('who leaves is forgotten', async () => {
    const before_it = live_here.streams()
    const listener = listen(live_here, ['person:ana'])
    assert.equal(live_here.streams(), before_it + 1)
    listener.leave()
    assert.equal(live_here.streams(), before_it)
  })

  test('a person hears of themselves; admins of their company; a pending one of nobody else', () => {
    const person = {
      id: 'p',
      company_id: 'c',
      currency: 'EUR',
      has_own: false,
      rights: [],
    } as const
    const actor = { ...person, waiting_for: null, status: 'active' } as const
    assert.deepEqual(topicsOf({ ...actor, role: 'employee' }), ['person:p'])
    assert.deepEqual(topicsOf({ ...actor, role: 'company_admin' }), [
      'person:p',
      'admins:c',
      'company:c',
    ])
    assert.deepEqual(topicsOf({ ...actor, role: 'super_admin' }), ['person:p', 'supers'])
    assert.deepEqual(topicsOf({ ...actor, role: 'super_admin', status: 'pending' }), ['person:p'])
  })

  const ended = async (stream: ReadableStream<Uint8Array>) => {
    const reader = stream.getReader()
    while (!(await reader.read()).done);
    return true
  }
  const logOut = ({ token }: Person) =>
    scene.services.app.request('/auth/v1/logout', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })

  test('a stream ends with its session, and when a role, an account or a company changes', async () => {
    const acme = await scene.company()
    const [out, suspended, raised] = [await acme.hire(), await acme.hire(), await acme.hire()]
    const boss = await scene.superAdmin()
    const streams = await Promise.all([out, suspended, raised].map(({ api }) => api.live.open({})))
    await logOut(out)
    await acme.admin.api.employees.suspend({ id: suspended.id })
    await boss.api.users.change_role({
      id: raised.id,
      role: 'company_admin',
      company_id: acme.id,
    })
    await confirmRights(scene, acme.admin, raised)
    assert.deepEqual(await Promise.all(streams.map(ended)), [true, true, true])
    const again = await raised.api.live.open({})
    await again.cancel()
  })

  test('a stream ends when a right of its person counts and when it ends, so that the screen asks again', async () => {
    const acme = await scene.company()
    const ida = await acme.hire('Ida')
    const { rights } = acme.admin.api
    const before_it = await ida.api.live.open({})
    const { id } = await rights.give({ person_id: ida.id, kind: 'viewer' })
    assert.ok(await ended(before_it))
    const meanwhile = await ida.api.live.open({})
    await rights.end({ id })
    assert.ok(await ended(meanwhile))
  })

  test('a second step that is missing keeps a stream to oneself', () => {
    const person = {
      id: 'p',
      company_id: 'c',
      currency: 'EUR',
      has_own: false,
      rights: [],
    } as const
    const actor = { ...person, status: 'active' } as const
    for (const role of ['super_admin', 'company_admin'] as const)
      for (const waiting_for of ['two_step', 'new_password'] as const)
        assert.deepEqual(topicsOf({ ...actor, role, waiting_for }), ['person:p'])
  })

  test('one person has ten streams; an eleventh ends the first', async () => {
    const ben = await (await scene.company()).hire('Ben')
    const first = await ben.api.live.open({})
    const others = await Promise.all(Array.from({ length: 10 }, () => ben.api.live.open({})))
    assert.ok(await ended(first))
    await Promise.all(others.map((stream) => stream.cancel()))
  })

  test('the stream of a signed-in person opens by the front door', async () => {
    const stream = await ana.api.live.open({})
    assert.ok(stream instanceof ReadableStream)
    await stream.cancel()
  })
})
