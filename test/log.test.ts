// The log is for operators: it says what went wrong and where, never what people wrote.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { devNull, tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Hono } from 'hono'
import { toAuthResponse as authResponse, tooManyRequests } from '#gotrue/failure.server.ts'
import { Problem } from '#problems.ts'
import { testSql, type DatabaseWithSql } from './database.ts'
import type { Sql } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { toResponse } from '#lib/failures.server.ts'

describe('the log', () => {
  let database: DatabaseWithSql
  let sql: Sql
  before(async () => {
    database = await testSql(1)
    sql = database.sql
  })
  after(() => database.drop())

  const logged = (entry: object) => {
    const lines: string[] = []
    makeLog('info', { write: (line: string) => void lines.push(line) }).error(entry, 'failed')
    return lines.join('')
  }
  const failing = async (act: Promise<unknown>) =>
    act.then(
      () => assert.fail('it did not fail'),
      (error: unknown) => error,
    )

  test('names the constraint that a row broke, and nothing of the row', async () => {
    await sql`create temp table notes (
      note text constraint note_short check (length(note) < 5), person text unique)`
    const broken = await failing(sql`insert into notes values ('a malignant melanoma', 'Ana')`)
    assert.match(JSON.stringify({ ...(broken as object) }), /melanoma/) // PostgreSQL does say it
    const line = logged({ err: broken, request_id: 'r1' })
    assert.match(line, /note_short/)
    assert.match(line, /"code":"23514"/)
    assert.match(line, /log\.test\.ts/)
    assert.doesNotMatch(line, /melanoma|Ana/)

    await sql`insert into notes values ('ok', 'Ana Horvat')`
    const twice = await failing(sql`insert into notes values ('ok', 'Ana Horvat')`)
    assert.doesNotMatch(logged({ err: twice }), /Horvat/)
  })

  test('says that a value has the wrong form, and not the value, also of a cause', async () => {
    const wrong = await failing(sql`select ${'born 1980-01-01 "melanoma"'}::text::uuid`)
    const line = logged({ err: new Error('could not be done', { cause: wrong }) })
    assert.match(line, /could not be done/)
    assert.match(line, /invalid input syntax for type uuid/)
    assert.doesNotMatch(line, /1980-01|melanoma/)
  })

  test('takes nobody down where it cannot be written: a terminal was closed, a disk is full', async () => {
    const code = `const { makeLog } = await import('./src/lib/log.server.ts')
      makeLog('info').info('gone')`
    const closed = openSync(devNull, 'r')
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: path.resolve(import.meta.dirname, '..'),
      stdio: ['ignore', closed, 'ignore'],
      timeout: 20_000,
    })
    assert.deepEqual(await once(child, 'exit'), [0, null])
    closeSync(closed)
  })

  test('keeps the last lines of a process, also where there was no room for a while', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'log-'))
    const file = path.join(folder, 'log')
    const code = `const { makeLog } = await import('./src/lib/log.server.ts')
      const { closeSync, openSync } = await import('node:fs')
      const { once } = await import('node:events')
      const { symbols } = await import('pino')
      const log = makeLog('info')
      const out = log[symbols.streamSym]
      log.info('no room')
      await new Promise((go) => out.once('error', go))
      closeSync(1)
      openSync('${file}', 'a') // the lowest number that is free: 1
      log.info('room again')
      await once(out, 'drain')
      log.info('is written now')
      log.info('the last, which waits')
      process.exit()`
    const closed = openSync(devNull, 'r')
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      cwd: path.resolve(import.meta.dirname, '..'),
      stdio: ['ignore', closed, 'inherit'],
      timeout: 20_000,
    })
    assert.deepEqual(await once(child, 'exit'), [0, null])
    closeSync(closed)
    const lines = (await readFile(file, 'utf8')).trim().split('\n')
    // Of the last two lines, one is on its way while the other is flushed.
    assert.deepEqual(
      new Set(lines.map((line) => JSON.parse(line).msg)),
      new Set(['is written now', 'no room', 'room again', 'the last, which waits']),
    )
    assert.equal(lines.length, 4)
    await rm(folder, { recursive: true })
  })

  test('tells of whoever was refused: by which door and under which code, not what they asked', async () => {
    const lines: string[] = []
    const log = makeLog('info', { write: (line: string) => void lines.push(line) })
    const app = new Hono()
    app.onError((error, c) => toResponse(error, c, log))
    app.get('/claims/:id', (c) => {
      c.set('caller' as never, 'person-7' as never)
      throw new Problem('forbidden')
    })
    app.get('/mine', () => {
      throw new Problem('not_found')
    })
    await app.request('/claims/4711?search=melanoma')
    await app.request('/mine')
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /"code":"forbidden","route":"\/claims\/:id","who":"person-7"/)
    assert.doesNotMatch(lines[0]!, /claims\/4711|melanoma/)

    const auth = new Hono()
    auth.onError((error, c) => authResponse(error, c, log))
    auth.post('/token', () => {
      throw tooManyRequests()
    })
    await auth.request('/token', { method: 'POST', body: '{"email":"ana@acme.test"}' })
    assert.match(lines[1]!, /"code":"over_request_rate_limit","route":"\/token"/)
    assert.doesNotMatch(lines[1]!, /acme/)
  })

  test('writes no password, token or address, wherever they stand', () => {
    const secret = { email: 'ana@acme.test', password: 'a quiet harbour', token: 'abc.def' }
    const line = logged({ asked: secret, headers: { authorization: 'Bearer abc.def' } })
    assert.doesNotMatch(line, /acme|harbour|abc\.def/)
  })
})
