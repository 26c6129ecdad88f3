// A small file that unpacks to more than a worker may hold ends the worker, not the server.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createDeflate } from 'node:zlib'
import { pharmacy, receiptPdf } from '../../test/world/papers.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

/** A PDF of a page beside which a stream of objects stands, of so many MB of blanks. */
async function pdfBomb(size_mb: number) {
  const blanks = Readable.from(Array(size_mb).fill(Buffer.alloc(2 ** 20, ' ')))
  const packed = await buffer(blanks.pipe(createDeflate({ level: 1 })))
  const stream = `<</Type/ObjStm/N 1/First 10/Filter/FlateDecode/Length ${packed.length}>>`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 480]>>',
    `${stream}\nstream\n${packed.toString('latin1')}\nendstream`,
  ]
  const body = objects.map((text, at) => `${at + 1} 0 obj\n${text}\nendobj\n`).join('')
  return Buffer.from(`%PDF-1.7\n${body}trailer\n<</Size 5/Root 1 0 R>>\n%%EOF`, 'latin1')
}

test(
  'a file that takes too much memory is refused as that, nothing of it is kept, and the next is read',
  { skip: process.platform !== 'linux' && 'how much a process holds is only known on Linux' },
  async () => {
    const { api } = await (await scene.company()).hire()
    const send = (bytes: Uint8Array<ArrayBuffer>) =>
      api.receipts.upload({ file_name: 'bill.pdf' }, { file: new Blob([bytes]) })
    const bomb = await pdfBomb(700)
    assert.ok(bomb.length < 5 * 2 ** 20, `${bomb.length} bytes`)
    await refuses('receipt_too_heavy', send(bomb))
    assert.deepEqual(await api.receipts.list({}), [])
    assert.equal((await send(Buffer.from(await receiptPdf(pharmacy)))).pages, 1)
  },
)
