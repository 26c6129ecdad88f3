// Objects that a page refers to, too: nothing of a blacked out page of a PDF is left behind another one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { PDFDocument, PDFRawStream, StandardFonts } from '@cantoo/pdf-lib'
import { pharmacy, receiptPdf } from '../../test/world/papers.ts'
import { textOfPdf } from '../../test/world/receipts.ts'
import { blackOut } from './black-out.server.ts'

/** All that a PDF's streams hold, opened. */
async function contentOf(file: Uint8Array) {
  const pdf = await PDFDocument.load(file)
  return pdf.context
    .enumerateIndirectObjects()
    .flatMap(([, object]) => (object instanceof PDFRawStream ? [object.contents] : []))
    .map((bytes) => {
      try {
        return inflateSync(bytes).toString('latin1')
      } catch {
        return Buffer.from(bytes).toString('latin1')
      }
    })
    .join('\n')
}

test('a page that shares a drawing with one that is blacked out becomes a picture, a page apart stays', async () => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Courier)
  const [form] = await pdf.embedPdf(await receiptPdf(pharmacy))
  for (const word of ['first', 'second', 'third']) {
    const page = pdf.addPage([300, 480])
    page.drawText(`The ${word} page`, { x: 20, y: 20, font, size: 10 })
    if (word !== 'third') page.drawPage(form!)
  }
  const whole = await pdf.save()
  assert.match((await textOfPdf(Buffer.from(whole)))[2]!, /Ibuprofen/)
  const covered = { page: 1, left: 0.05, top: 0.1, width: 0.9, height: 0.6 }
  const { media_type, parts } = await blackOut(whole, 'application/pdf', [covered])
  assert.equal(media_type, 'application/pdf')
  assert.deepEqual(
    parts.map(({ name }) => name),
    ['small', 'large-1', 'file'],
  )
  const file = Buffer.from(parts.at(-1)!.bytes)
  const [, first, second, third] = await textOfPdf(file)
  assert.deepEqual([first, second], [undefined, undefined])
  assert.match(third!, /The third page/)
  const letters = (text: string) => Buffer.from(text).toString('hex')
  assert.match(await contentOf(whole), new RegExp(letters('Ibuprofen'), 'i'))
  const content = await contentOf(file)
  assert.doesNotMatch(content, new RegExp(`Ibuprofen|${letters('Ibuprofen')}`, 'i'))
  assert.match(content, new RegExp(letters('third'), 'i'))
  const bare = await PDFDocument.load(file, { updateMetadata: false })
  assert.deepEqual([bare.getProducer(), bare.getTitle()], [undefined, undefined])
})
