// Promises of receipts: who may send, see, open and remove them, and what an opening leaves behind.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { pharmacy, receiptPdf, receiptPhoto } from '../../test/world/papers.ts'
import { callerOf, refuses, type Company, type Person } from '../../test/world/people.ts'
import { makeAttach, bytesOfFile, receiptOf, send } from '../../test/world/receipts.ts'
import { giveRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ worker: true })
let acme: Company
let other: Company
let ana: Person
let photo: Buffer<ArrayBuffer>
let pdf: Buffer<ArrayBuffer>
let attach: ReturnType<typeof makeAttach>
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  ana = await acme.hire('Ana')
  attach = makeAttach(scene, acme)
  photo = Buffer.from(await receiptPhoto(pharmacy))
  pdf = Buffer.from(await receiptPdf(pharmacy))
})

const people_of = (...people: Person[]) => people.map(({ api }) => api.receipts)

describe('a receipt', () => {
  test('of a phone’s photo is turned upright, bounded, bare of metadata, and read by itself', async () => {
    const sent = await send(ana, photo)
    const { media_type, pages, width, height } = sent
    assert.deepEqual([media_type, pages, width, height], ['image/jpeg', 1, 1800, 2400])
    const read = await receiptOf(ana, sent.id)
    const { read_amount_cents, read_currency, read_on, read_provider } = read
    assert.deepEqual(
      [read_amount_cents, read_currency, read_on, read_provider],
      [4640, 'EUR', '2026-03-14', 'City Pharmacy'],
    )
    const file = await bytesOfFile(ana.api.receipts.file({ id: sent.id }))
    const { exif, orientation, format } = await sharp(file).metadata()
    assert.deepEqual([exif, orientation, format], [undefined, undefined, 'jpeg'])
    assert.ok(!file.includes('Ana Horvat') && !file.includes('Telephone Works'))
  })

  test('of a PDF is read from its own text, a scanned one by its pictures', async () => {
    const sent = await send(ana, pdf, 'receipt.pdf')
    assert.deepEqual(
      [sent.media_type, sent.pages, sent.read_state],
      ['application/pdf', 1, 'waiting'],
    )
    assert.equal((await receiptOf(ana, sent.id)).read_amount_cents, 4640)
    const scanned = Buffer.from(await receiptPdf(pharmacy, { owner: 'owner' }))
    const scan = await send(ana, scanned, 'scan.pdf')
    assert.equal((await receiptOf(ana, scan.id)).read_amount_cents, 4640)
  })

  test('on which nothing can be read says so', async () => {
    const blank = await sharp({
      create: { width: 600, height: 800, channels: 3, background: '#eee' },
    })
      .jpeg()
      .toBuffer()
    const { id } = await send(ana, Buffer.from(blank))
    assert.equal((await receiptOf(ana, id)).read_state, 'unreadable')
    await ana.api.receipts.remove({ id })
  })

  test('has a picture of each page, made once, small and large', async () => {
    const person = await acme.hire()
    const two = Buffer.from(await receiptPdf(pharmacy, { pages: 2 }))
    const { id } = await send(person, two, 'two.pdf')
    const small = await bytesOfFile(person.api.receipts.thumbnail({ id }))
    const { format, width } = await sharp(small).metadata()
    assert.equal(format, 'webp')
    assert.ok((width ?? 0) <= 240)
    const large = await bytesOfFile(person.api.receipts.thumbnail({ id, size: 'large', page: 2 }))
    assert.equal((await sharp(large).metadata()).width, 1400)
    await refuses('not_found', person.api.receipts.thumbnail({ id, size: 'large', page: 3 }))
    await refuses('invalid_input', person.api.receipts.thumbnail({ id, size: 'large', page: 21 }))
  })

  test('tells the person’s open screens when it is read', async () => {
    const person = await acme.hire()
    const stop = new AbortController()
    const stream = await person.api.live.open({}, { signal: stop.signal })
    const { id } = await send(person, pdf)
    let stream_text = ''
    const decoder = new TextDecoder()
    for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
      stream_text += decoder.decode(chunk)
      if (stream_text.split(`person:${person.id}`).length < 3) continue
      break // once that it is there, once that it is read
    }
    stop.abort()
    assert.equal((await receiptOf(person, id)).read_state, 'read')
  })
})

describe('who may', () => {
  test('see an unattached receipt: whoever sent it, and nobody else', async () => {
    const { id } = await send(ana, pdf)
    const colleague = await acme.hire()
    const stranger = await other.hire()
    const supervisor = await scene.superAdmin()
    for (const receipts of people_of(colleague, stranger, acme.admin, other.admin)) {
      await refuses('not_found', receipts.find({ id }))
      await refuses('not_found', receipts.file({ id }))
      await refuses('not_found', receipts.thumbnail({ id }))
    }
    for (const receipts of people_of(colleague, stranger)) {
      await refuses('not_found', receipts.remove({ id }))
      await refuses('not_found', receipts.opens({ id }))
      await refuses('receipt_gone', receipts.reuse({ ids: [id] }))
      assert.deepEqual(await receipts.list({}), [])
    }
    for (const act of ['find', 'file', 'thumbnail', 'opens', 'remove'] as const) {
      await refuses('forbidden', supervisor.api.receipts[act]({ id }))
    }
    for (const receipts of people_of(acme.admin, supervisor)) {
      await refuses('forbidden', receipts.upload({ file_name: 'a' }, { file: new Blob([pdf]) }))
    }
    await ana.api.receipts.remove({ id })
  })

  test('see an attached one: also the company’s admins, no other company’s', async () => {
    const sent = await send(ana, pdf)
    const { id } = sent
    const claim = await attach(ana, [sent])
    const colleague = await acme.hire()
    assert.equal((await acme.admin.api.receipts.find({ id })).claim_id, claim)
    assert.equal((await acme.admin.api.receipts.list({ claim_id: claim })).length, 1)
    assert.equal((await ana.api.receipts.list({ claim_id: claim })).length, 1)
    for (const receipts of people_of(colleague, other.admin)) {
      await refuses('not_found', receipts.find({ id }))
      await refuses('not_found', receipts.file({ id }))
      assert.deepEqual(await receipts.list({ claim_id: claim }), [])
    }
    assert.deepEqual(await acme.admin.api.receipts.list({}), [])
    await refuses('receipt_attached', ana.api.receipts.remove({ id }))
  })

  test('do so by straight SQL neither: what opens a file is told by the act that writes it down', async () => {
    const statement = scene.services.transactions.run(
      callerOf(ana),
      (tx) => tx`select wrapped_key from receipts`,
    )
    await assert.rejects(statement, { code: '42501' })
    for (const statement of [
      `insert into receipt_openings (company_id, receipt_id, person_id, opener_id, opener_name,
        opener_role, what) values ('${acme.id}', '${ana.id}', '${ana.id}', '${ana.id}', 'A', 'b', 'file')`,
      `delete from receipt_openings`,
      `delete from receipts`,
      `update receipts set read_amount_cents = 1`,
      `select * from receipt_duplicates('${acme.id}', '${ana.id}', '{}')`,
      `select attach_receipts('${acme.id}', '${ana.id}', '{}', 1)`,
      `select * from private.file_keys`,
    ]) {
      const act = scene.services.transactions.run(callerOf(ana), (tx) => tx.unsafe(statement))
      await assert.rejects(act, { code: '42501' }, statement)
    }
  })
})

describe('an opening', () => {
  test('is written down in the same act, and shown to whose receipt it is', async () => {
    const person = await acme.hire()
    const sent = await send(person, pdf)
    const { id } = sent
    await attach(person, [sent])
    const own = person.api.receipts
    await own.file({ id })
    await own.thumbnail({ id, size: 'large' })
    await own.thumbnail({ id })
    assert.deepEqual(await own.opens({ id }), [])
    await acme.admin.api.receipts.thumbnail({ id })
    assert.equal((await own.opens({ id })).length, 1)
    await acme.admin.api.receipts.thumbnail({ id, size: 'large' })
    await acme.admin.api.receipts.thumbnail({ id, size: 'large' })
    await acme.admin.api.receipts.file({ id })
    const opens = await own.opens({ id })
    assert.deepEqual(
      opens.map(({ opener_role, what }) => [opener_role, what]),
      [
        ['company_admin', 'file'],
        ['company_admin', 'picture'],
      ],
    )
    const [me] = await scene.sql`select full_name from profiles where id = ${acme.admin.id}`
    assert.equal(opens[0]?.opener_name, me?.full_name)
    await refuses('forbidden', acme.admin.api.receipts.opens({ id }))
    await refuses('not_found', other.admin.api.receipts.file({ id }))
    assert.equal((await own.opens({ id })).length, 2)
  })

  test('is by the role in which it was done: of an employee who reviews, an admin’s', async () => {
    const [person, rea] = [await acme.hire(), await acme.hire()]
    await giveRights(scene, acme, rea, 'reviewer')
    const sent = await send(person, pdf)
    await attach(person, [sent])
    await rea.api.receipts.file({ id: sent.id })
    const [opened] = await person.api.receipts.opens({ id: sent.id })
    assert.equal(opened?.opener_role, 'company_admin')
  })

  test('neither it nor anything else puts health content into the audit', async () => {
    const [audit] = await scene.sql<[{ all: string }]>`
      select string_agg(concat(before, after), ' ') as all from audit_log where table_name = 'receipts'`
    assert.ok(audit.all.includes('claim_id'))
    assert.doesNotMatch(audit.all, /Pharmacy|: 4640\b|IMG_0042|wrapped_key|sha256|read_/)
  })
})
