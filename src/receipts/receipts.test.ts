// Promises of receipts: who may send, see, open and remove them, and what an opening leaves behind.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { pharmacy, receiptPdf, receiptPhoto } from '../../test/receipts.ts'
import { openScene, refuses, type Company, type Person, type Scene } from '../../test/scene.ts'
import type { Receipt } from './receipts.contract.ts'

let scene: Scene
let acme: Company
let other: Company
let ana: Person
let photo: Buffer<ArrayBuffer>
let pdf: Buffer<ArrayBuffer>
let claims = 100
before(async () => {
  scene = await openScene({ worker: true })
  acme = await scene.company({ name: 'Acme' })
  other = await scene.company({ name: 'Other' })
  ana = await acme.hire('Ana')
  photo = Buffer.from(await receiptPhoto(pharmacy))
  pdf = Buffer.from(await receiptPdf(pharmacy))
})
after(() => scene.close())

const send = (person: Person, file: Uint8Array<ArrayBuffer>, file_name = 'IMG_0042.jpg') =>
  person.api.receipts.upload({ file_name }, { file: new Blob([file]) })

/** As claims do it. */
const attach = (
  person: Person,
  receipts: { id: string }[],
  claim = (claims += 1),
  company = acme,
) =>
  scene.sql`select * from attach_receipts(${company.id}, ${person.id},
    ${receipts.map(({ id }) => id)}::uuid[], ${claim})`.then((read) => ({ claim, read }))

async function seen(person: Person, id: string): Promise<Receipt> {
  for (let tries = 0; tries < 1200; tries += 1) {
    const found = await person.api.receipts.find({ id })
    if (found.read_state === 'read' || found.read_state === 'unreadable') return found
    await pause(25)
  }
  return assert.fail('the receipt was not read')
}

describe('a receipt', () => {
  test('of a phone’s photo is turned upright, bounded, bare of metadata, and read by itself', async () => {
    const sent = await send(ana, photo)
    assert.deepEqual(
      [sent.media_type, sent.pages, sent.width, sent.height],
      ['image/jpeg', 1, 1800, 2400],
    )
    const { read_amount_cents, read_currency, read_on, read_provider } = await seen(ana, sent.id)
    assert.deepEqual(
      [read_amount_cents, read_currency, read_on, read_provider],
      [4640, 'EUR', '2026-03-14', 'City Pharmacy'],
    )
    const file = Buffer.from(await (await ana.api.receipts.file({ id: sent.id })).arrayBuffer())
    const { exif, orientation, format } = await sharp(file).metadata()
    assert.deepEqual([exif, orientation, format], [undefined, undefined, 'jpeg'])
    assert.ok(!file.includes('Ana Horvat') && !file.includes('Telephone Works'))
  })

  test('of a PDF is read from its own text', async () => {
    const sent = await send(ana, pdf, 'receipt.pdf')
    assert.deepEqual(
      [sent.media_type, sent.pages, sent.read_state],
      ['application/pdf', 1, 'waiting'],
    )
    assert.equal((await seen(ana, sent.id)).read_amount_cents, 4640)
  })
})
