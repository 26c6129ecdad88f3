// The contract layer by itself: a small contract of the test's own, on the real server.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Hono } from 'hono'
import { z } from 'zod'
import type { Actor } from '#actor.ts'
import { aKey, refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import {
  client,
  del,
  download,
  get,
  post,
  stream,
  upload,
  type Client,
  type Send,
} from './contract.ts'
import { makeLog } from './log.server.ts'
import { toResponse } from './failures.server.ts'
import { serve, type Handlers } from './serve.server.ts'

const Note = z.object({
  text: z.string().min(2, 'Two letters at least').max(50),
  count: z.int().default(1),
})
const notes = {
  read: get(
    '/notes/:id',
    z.object({ id: z.uuid(), words: z.coerce.number().int().optional() }),
    z.object({ id: z.string(), words: z.number().nullable() }),
  ),
  write: post('/notes', Note, z.object({ text: z.string(), at: z.number() }), { idempotent: true }),
  remove: del('/notes/:id', z.object({ id: z.uuid() }), z.object({})),
  store: upload(
    '/notes/files/:name',
    z.object({ name: z.string() }),
    z.object({ bytes: z.number() }),
    { limit_bytes: 2000 },
  ),
  print: download('/notes/files/:name', z.object({ name: z.string() })),
  follow: stream('/notes-live', z.object({}), z.instanceof(ReadableStream<Uint8Array>)),
  fail: post('/notes/fail', z.object({ how: z.string() }), z.object({})),
}

const aFile = (bytes: number) => new Blob(['x'.repeat(bytes)])

describe('a contract', () => {
  const scene = openedScene()
  let ana: Person
  let app: Hono
  let api: Client<typeof notes>
  let published: string[] = []

  const handlers: Handlers<typeof notes> = {
    read: async ({ input }) => ({ id: input.id, words: input.words ?? null }),
    write: async ({ tx, actor, input }) => {
      const [note] = await tx<[{ at: number }]>`
        insert into written_notes (text) values (${input.text}) returning at`
      await tx`select publish(${`person:${actor.id}`}), publish('admins:x'), publish('admins:x')`
      return { text: input.text, at: note.at }
    },
    remove: async () => ({}),
    store: async ({ body, within }) => {
      let bytes = 0
      for await (const chunk of body) bytes += chunk.byteLength
      return within(async () => ({ bytes }))
    },
    print: async ({ input }) => ({ name: input.name, type: 'text/plain', body: 'printed' }),
    follow: () => new Blob(['data: {}\n\n']).stream(),
    fail: async ({ tx, input }) => {
      await tx.unsafe(input.how)
      return {}
    },
  }

  before(async () => {
    ana = await (await scene.company()).hire('Ana')
    await scene.sql`create table written_notes (at int generated always as identity, text text)`
    await scene.sql`grant insert, select on written_notes to healthfund_request`
    app = new Hono()
    app.onError((error, c) => toResponse(error, c, makeLog('silent')))
    const serving = {
      app,
      prefix: '/api',
      transactions: scene.services.transactions,
      caller: async (c: { req: { header: (name: string) => string | undefined } }) => {
        const claims = await scene.services.verify(c.req.header('authorization')?.slice(7) ?? '')
        return (
          claims && {
            user_id: claims.sub,
            session_id: claims.session_id,
            address: '',
            request_id: '',
          }
        )
      },
      refusal: (_: unknown, act: string) =>
        act === 'notes.remove' ? ('forbidden' as const) : undefined,
      seat: (actor: Actor) => actor,
      openToAll: () => false,
      isLocal: () => true,
      publish: (topics: string[]) => (published = topics),
    }
    serve(serving, 'notes', notes, handlers)
    api = client(notes, sendAs(ana), 'http://local')
  })

  const sendAs =
    (person: Person | undefined): Send =>
    async (request) => {
      if (person) request.headers.set('authorization', `Bearer ${person.token}`)
      return app.request(request)
    }
  const raw = (
    body: BodyInit,
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ) =>
    app.request('/api/notes', {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${ana.token}`, ...headers },
    })
  const codeOf = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { code: string }).code,
  ]

  test('carries path, query and body, and fills defaults', async () => {
    const id = crypto.randomUUID()
    assert.deepEqual(await api.read({ id, words: 3 }), { id, words: 3 })
    assert.equal((await api.write({ text: 'hello' })).text, 'hello')
    assert.deepEqual(published, [`person:${ana.id}`, 'admins:x'])
  })

  test('names each field that is wrong', async () => {
    await assert.rejects(api.write({ text: 'x' }), (problem: { code: string; fields: object }) => {
      assert.equal(problem.code, 'invalid_input')
      assert.deepEqual(problem.fields, { text: ['Two letters at least'] })
      return true
    })
    await refuses('invalid_input', api.read({ id: 'not a uuid' }))
    await refuses('invalid_input', api.write({} as never))
  })

  test('refuses who is not signed in, and who may not, before looking at the input', async () => {
    const visitor = client(notes, sendAs(undefined), 'http://local')
    await refuses('not_signed_in', visitor.write({ text: 'hello' }))
    await refuses('forbidden', api.remove({ id: 'nonsense' }))
  })

  test('answers broken bodies with a problem, never with a fault', async () => {
    assert.deepEqual(await codeOf(await raw('{"text":')), [400, 'malformed_json'])
    assert.deepEqual(await codeOf(await raw(Buffer.from('{"text":"\xff"}', 'latin1'))), [
      400,
      'malformed_json',
    ])
    assert.deepEqual(await codeOf(await raw('["text"]')), [400, 'malformed_json'])
    assert.deepEqual(await codeOf(await raw('null')), [400, 'malformed_json'])
    assert.deepEqual(await codeOf(await raw('')), [422, 'invalid_input'])
    assert.deepEqual(await codeOf(await raw('{"text":{"$ne":null}}')), [422, 'invalid_input'])
    assert.deepEqual(await codeOf(await raw('{"text":"ab","count":"many"}')), [
      422,
      'invalid_input',
    ])
    assert.deepEqual(
      await codeOf(
        await raw('text=hello', { 'content-type': 'application/x-www-form-urlencoded' }),
      ),
      [415, 'unsupported_media_type'],
    )
    assert.deepEqual(await codeOf(await raw(JSON.stringify({ text: 'a'.repeat(2_000_000) }))), [
      413,
      'too_large',
    ])
    assert.deepEqual(await codeOf(await raw(`${'['.repeat(200_000)}${']'.repeat(200_000)}`)), [
      400,
      'malformed_json',
    ])
    const polluted = await raw('{"__proto__":{"text":"x"},"constructor":1,"text":"fine"}')
    assert.equal(polluted.status, 200)
  })

  test('a retry with the same key is the same act; the key of another act is refused', async () => {
    const written = async () => (await scene.sql`select from written_notes`).length
    const before_it = await written()
    const options = { idempotency_key: aKey() }
    const first = await api.write({ text: 'once' }, options)
    assert.deepEqual(await api.write({ text: 'once' }, options), first)
    await refuses('idempotency_key_reused', api.write({ text: 'other' }, options))
    // A retry's own work, begun before the first answer is found, is rolled back.
    assert.equal(await written(), before_it + 1)
    await assert.rejects(api.write({ text: 'once' }, { idempotency_key: 'k'.repeat(201) }), {
      code: 'invalid_input',
      fields: { 'Idempotency-Key': ['From 1 to 200 characters'] },
    })
  })

  test('eight presses with one key at the same moment get one and the same answer', async () => {
    const options = { idempotency_key: aKey() }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api.write({ text: 'press' }, options)),
    )
    assert.equal(new Set(answers.map(({ at }) => at)).size, 1)
  })

  test('files go up within their limit and come down under their name', async () => {
    assert.deepEqual(await api.store({ name: 'a' }, { file: aFile(1999) }), {
      bytes: 1999,
    })
    await refuses('too_large', api.store({ name: 'a' }, { file: aFile(2001) }))
    const visitor = client(notes, sendAs(undefined), 'http://local')
    await refuses('not_signed_in', visitor.store({ name: 'a' }, { file: aFile(1) }))
    assert.equal(await (await api.print({ name: 'Prüfung 1.txt' })).text(), 'printed')
    assert.ok((await api.follow({})) instanceof ReadableStream)
  })

  test('a database that refuses, waits or goes away is a problem of the right kind', async () => {
    await refuses('internal', api.fail({ how: 'select * from nowhere' }))
    await refuses('invalid_input', api.fail({ how: "select 'x'::uuid" }))
    await refuses(
      'not_found',
      api.fail({ how: "do $$ begin raise exception 'not_found' using errcode = 'HF422'; end $$" }),
    )
    await refuses('unavailable', api.fail({ how: 'select pg_terminate_backend(pg_backend_pid())' }))
    assert.equal((await api.write({ text: 'after' })).text, 'after')
  })

  test('what is stale in memory is asked again, within the same request', async () => {
    const ben = await (await scene.company()).hire('Ben')
    const his = client(notes, sendAs(ben), 'http://local')
    await his.write({ text: 'hello' })
    await scene.sql`update profiles set role = 'company_admin' where id = ${ben.id}`
    await his.write({ text: 'hello' })
    assert.equal((await ben.api.users.me({})).role, 'company_admin')
  })
})
