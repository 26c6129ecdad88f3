// The real conversation with a mail server: what arrives, and what becomes of what is refused.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { write } from '#lib/mail-text.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { mailTask, poster } from '#lib/mail.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { testDatabase, type TestDatabase } from '../../test/database.ts'

type Refusal = { at: 'RCPT' | 'DATA'; code: number } | undefined

describe('a mail server', () => {
  let database: TestDatabase
  let sql: Sql
  let server: SMTPServer
  let url: string
  let refusal: Refusal
  const arrived: string[] = []

  before(async () => {
    database = await testDatabase()
    sql = connect(database.url, { max: 2 })
    const refused = () =>
      Object.assign(new Error('Come back later'), { responseCode: refusal?.code })
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onRcptTo: (_, __, done) => done(refusal?.at === 'RCPT' ? refused() : null),
      onData(stream, _, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          if (refusal?.at === 'DATA') return done(refused())
          arrived.push(Buffer.concat(chunks).toString())
          return done()
        })
      },
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    url = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  })
  after(async () => {
    await new Promise<void>((resolve) => server.close(resolve))
    await sql.end()
    await database.drop()
  })
  beforeEach(async () => {
    refusal = undefined
    arrived.length = 0
    await sql`delete from mails`
  })

  const mail = {
    subject: 'Ačkoliv: 3 € für Ana',
    paragraphs: ['Grüße & <b>bold</b>', 'Second line'],
    link: { label: 'Open', address: 'https://fund.test/dashboard?a=1&b=2' },
    foot: {
      text: 'You get this because.',
      links: [{ label: 'Off', address: 'https://fund.test/x' }],
    },
  }
  const headers = {
    'List-Unsubscribe': '<https://fund.test/mail/unsubscribe?token=abc.def>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  async function post() {
    await sql.begin((tx) => poster(true)(tx, write('ana@acme.test', mail, headers)))
    const [kept] = await sql<[{ id: number }]>`select id from mails`
    return kept.id
  }
  const send = async (id: number) =>
    mailTask(url, 'Healthfund <fund@fund.test>')({ id }, { sql, log: makeLog('silent') })
  const waiting = async () => (await sql`select id from mails`).length

  test('gets both texts, the head and nothing that a mail could smuggle in, once', async () => {
    const id = await post()
    await send(id)
    await send(id)
    assert.equal(arrived.length, 1)
    const [mail = ''] = arrived
    assert.match(mail, /^Content-Type: multipart\/alternative/m)
    assert.match(mail, /^Content-Type: text\/plain; charset=utf-8/m)
    assert.match(mail, /^Content-Type: text\/html; charset=utf-8/m)
    assert.match(mail, /^From: Healthfund <fund@fund\.test>/m)
    assert.match(mail, /^To: ana@acme\.test/m)
    assert.match(
      mail,
      /^List-Unsubscribe: <https:\/\/fund\.test\/mail\/unsubscribe\?token=abc\.def>/m,
    )
    assert.match(mail, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m)
    assert.match(mail, /^Auto-Submitted: auto-generated/m)
    assert.match(mail, /^Subject: =\?UTF-8\?/m)
    assert.equal(await waiting(), 0)
  })

  test('that greylists gets it again when the queue comes back', async () => {
    const id = await post()
    refusal = { at: 'RCPT', code: 451 }
    await assert.rejects(send(id), { responseCode: 451 })
    assert.deepEqual([await waiting(), arrived.length], [1, 0])
    refusal = { at: 'DATA', code: 452 }
    await assert.rejects(send(id), { responseCode: 452 })
    refusal = undefined
    await send(id)
    assert.deepEqual([await waiting(), arrived.length], [0, 1])
  })

  test('that is not there keeps the mail waiting', async () => {
    const id = await post()
    const nobody = mailTask('smtp://127.0.0.1:1', 'fund@fund.test')
    await assert.rejects(nobody({ id }, { sql, log: makeLog('silent') }), { code: 'ESOCKET' })
    assert.equal(await waiting(), 1)
  })

  test('that knows no such address is not asked for ever', async () => {
    const id = await post()
    refusal = { at: 'RCPT', code: 550 }
    await send(id)
    assert.deepEqual([await waiting(), arrived.length], [0, 0])
  })

  test('is asked by a job that commits with the act, or not at all', async () => {
    await post()
    const jobs = await sql`select from graphile_worker.jobs where task_identifier = 'mail:send'`
    assert.ok(jobs.length > 0)
    const failing = sql.begin(async (tx) => {
      await poster(true)(tx, write('ben@acme.test', mail))
      throw new Error('not after all')
    })
    await assert.rejects(failing, /not after all/)
    assert.equal(await waiting(), 1)
  })
})
