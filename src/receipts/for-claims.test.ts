// Receipts and the claims they belong to.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { pharmacy, receiptPdf, receiptPhoto, three_megapixels } from '../../test/world/papers.ts'
import { refuses, won, type Company, type Person } from '../../test/world/people.ts'
import { makeAttach, bytesOfFile, receiptOf, send } from '../../test/world/receipts.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ worker: true })
let acme: Company
let other: Company
let ana: Person
let photo: Buffer<ArrayBuffer>
let pdf: Buffer<ArrayBuffer>
let attach: ReturnType<typeof makeAttach>
const photoOf = async (lines: string[]) => Buffer.from(await receiptPhoto(lines, three_megapixels))
before(async () => {
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  ana = await acme.hire('Ana')
  attach = makeAttach(scene, acme)
  photo = await photoOf(pharmacy)
  pdf = Buffer.from(await receiptPdf(pharmacy))
})

describe('for claims', () => {
  test('receipts are attached, once, and only one’s own', async () => {
    const person = await acme.hire()
    const [one, two] = [await send(person, pdf), await send(person, photo)]
    await Promise.all([receiptOf(person, one.id), receiptOf(person, two.id)])
    const claim = await attach(person, [one, two, one])
    await attach(person, [one], claim)
    for (const { id } of [one, two]) {
      assert.equal((await person.api.receipts.find({ id })).claim_id, claim)
    }
    const gone = { code: 'HF422', message: 'receipt_gone' }
    await assert.rejects(attach(person, [one]), gone)
    const free = await send(person, pdf)
    await assert.rejects(attach(ana, [free]), gone)
    await assert.rejects(attach(person, [free], claim, other), gone)
    await assert.rejects(attach(person, [free, { id: crypto.randomUUID() }]), gone)
    assert.equal((await person.api.receipts.find({ id: free.id })).claim_id, null)
    await person.api.receipts.remove({ id: free.id })
    await assert.rejects(attach(person, [free]), gone)
  })

  test('a receipt that is removed while it is attached is one or the other', async () => {
    const person = await acme.hire()
    const all = await Promise.all(Array.from({ length: 6 }, () => send(person, pdf)))
    for (const sent of all) {
      const [attached, removed] = await Promise.allSettled([
        attach(person, [sent]),
        person.api.receipts.remove({ id: sent.id }),
      ])
      assert.notEqual(attached.status, removed.status)
      const left = await scene.sql`select claim_id from receipts where id = ${sent.id}`
      assert.equal(left.length, attached.status === 'fulfilled' ? 1 : 0)
    }
  })

  test('of many claims that want the same receipt at once one gets it', async () => {
    const person = await acme.hire()
    const [one, two] = [await send(person, pdf), await send(person, photo)]
    const tries = Array.from({ length: 8 }, (_, at) =>
      attach(person, at % 2 ? [one, two] : [two, one]),
    )
    const done = await Promise.allSettled(tries)
    assert.equal(won(done).length, 1)
  })

  test('duplicates are found by the same file and by a like picture, not by the same printer', async () => {
    const [first, second] = [await acme.hire(), await acme.hire()]
    const mine = await send(first, photo)
    await receiptOf(first, mine.id)
    const claim = await attach(first, [mine])
    const again = await sharp(photo).autoOrient().resize(1500).jpeg({ quality: 60 }).toBuffer()
    const like = await send(second, Buffer.from(again))
    const same = await send(second, photo)
    const lines = pharmacy.map((line) => line.replaceAll('46.40', '99.10'))
    const another = await send(second, await photoOf(lines))
    for (const { id } of [like, same, another]) await receiptOf(second, id)
    const duplicates = await scene.sql`
      select receipt_id, own, same_file, score from receipt_duplicates(${acme.id}, ${second.id},
        ${[like.id, same.id, another.id]}::uuid[]) where claim_id = ${claim}`
    const found = new Map(
      duplicates.map((duplicate) => [duplicate.receipt_id as string, duplicate]),
    )
    assert.deepEqual(
      [found.get(same.id)?.own, found.get(same.id)?.same_file, found.get(same.id)?.score],
      [false, true, 100],
    )
    const score = Number(found.get(like.id)?.score)
    assert.ok(found.get(like.id)?.same_file === false && score >= 65 && score < 100, String(score))
    assert.equal(found.get(another.id), undefined)
    const own = await send(first, photo)
    const [duplicate] = await scene.sql`
      select own, same_file from receipt_duplicates(${acme.id}, ${first.id}, ${[own.id]}::uuid[])
      where claim_id = ${claim}`
    assert.deepEqual([duplicate?.own, duplicate?.same_file], [true, true])
    const elsewhere = await other.hire()
    const theirs = await send(elsewhere, photo)
    const none = await scene.sql`
      select from receipt_duplicates(${other.id}, ${elsewhere.id}, ${[theirs.id]}::uuid[])`
    assert.equal(none.length, 0)
  })

  test('a receipt serves a second claim from the same stored file, which goes with the last of them', async () => {
    const person = await acme.hire()
    const sent = await send(person, pdf)
    await receiptOf(person, sent.id)
    await refuses('receipt_gone', person.api.receipts.reuse({ ids: [sent.id] })) // not of a claim yet
    await attach(person, [sent])
    const [copy] = await person.api.receipts.reuse({ ids: [sent.id] })
    assert.ok(copy)
    assert.deepEqual([copy.claim_id, copy.read_state, copy.read_amount_cents], [null, 'read', 4640])
    const loose = await send(person, photo)
    const listed = await person.api.receipts.list({})
    assert.deepEqual(
      listed.map(({ id }) => id),
      [loose.id],
      'what was uploaded, not what was copied',
    )
    const [again] = await person.api.receipts.reuse({ ids: [sent.id] })
    assert.equal(again?.id, copy.id, 'the form was opened twice')
    const file = await bytesOfFile(person.api.receipts.file({ id: copy.id }))
    assert.deepEqual(file, await bytesOfFile(person.api.receipts.file({ id: sent.id })))
    await person.api.receipts.remove({ id: copy.id })
    assert.equal((await bytesOfFile(person.api.receipts.file({ id: sent.id }))).length, file.length)
    const ids = [sent.id, crypto.randomUUID()]
    await refuses('receipt_gone', person.api.receipts.reuse({ ids }))
  })

  test('a copy takes no place of those that wait to be claimed', async () => {
    const person = await acme.hire()
    const sent = await send(person, pdf)
    await attach(person, [sent])
    await scene.sql`
      insert into receipts (company_id, person_id, file_name, media_type, size_bytes, sha256, pages, width, height,
          storage_key, file_key, wrapped_key, parts)
        select company_id, person_id, file_name, media_type, size_bytes, sha256, pages, width, height,
          storage_key || nth, file_key, wrapped_key, parts
        from receipts, generate_series(1, 19) nth where id = ${sent.id}`
    await person.api.receipts.reuse({ ids: [sent.id] })
    await send(person, photo)
    await refuses('receipts_already_waiting', send(person, photo))
  })
})
