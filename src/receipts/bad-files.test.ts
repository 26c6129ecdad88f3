// Promises of what is refused, each with its own sentence and nothing half done; and of what is let in but not as
// it came.
import assert from 'node:assert/strict'
import { crc32, deflateSync } from 'node:zlib'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { PDFDict, PDFDocument, PDFName, PDFRawStream, PDFString } from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { Problem, type ProblemCode } from '#problems.ts'
import { pharmacy, receiptPaper, receiptPdf } from '../../test/world/papers.ts'
import { refuses, won, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let acme: Company
let paper: Buffer
before(async () => {
  acme = await scene.company()
  paper = await receiptPaper(pharmacy, 2)
})

const send = (person: Person, file: Uint8Array, file_name = 'receipt.jpg', type = 'image/jpeg') =>
  person.api.receipts.upload({ file_name }, { file: new Blob([Buffer.from(file)], { type }) })
const fileOf = async (person: Person, id: string) =>
  Buffer.from(await (await person.api.receipts.file({ id })).arrayBuffer())

/** No row, no file waiting to be named but those that are due to go. */
async function nothingKept(person: Person) {
  assert.deepEqual(await person.api.receipts.list({}), [])
  const later = await scene.sql`select from private.leftover_files where due_at > now()`
  assert.equal(later.length, 0)
}

const bytes = (...parts: (string | Buffer | number[])[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
    ),
  )

function chunk(type: string, data: Buffer) {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const named = bytes(type, data)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return bytes(length, named, sum)
}
/** A PNG that says it is as large as told, with a little data. */
function pngOf(width: number, height: number, ...more: Buffer[]) {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const data = deflateSync(Buffer.alloc(1000))
  const start = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  return bytes(
    start,
    chunk('IHDR', head),
    ...more,
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  )
}
/** A JPEG whose frame says it is 65,500 pixels wide and high. */
async function hugeJpeg() {
  const jpeg = await sharp(paper).jpeg().toBuffer()
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(65_500, frame + 5)
  jpeg.writeUInt16BE(65_500, frame + 7)
  return jpeg
}
const solid = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' } })

describe('a file is refused', () => {
  const cases: [string, ProblemCode, () => Promise<Uint8Array> | Uint8Array][] = [
    ['empty', 'receipt_empty', () => Buffer.alloc(0)],
    ['a text', 'receipt_kind', () => Buffer.from('Total 12.00 EUR')],
    [
      'an SVG that calls itself a JPEG',
      'receipt_kind',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
    ],
    [
      'HTML that calls itself a JPEG',
      'receipt_kind',
      () => Buffer.from('<!doctype html><script>alert(1)</script>'),
    ],
    ['a GIF', 'receipt_kind', () => solid(300, 300).gif().toBuffer()],
    ['a TIFF', 'receipt_kind', () => solid(300, 300).tiff().toBuffer()],
    ['a program', 'receipt_kind', () => bytes('MZ', Buffer.alloc(500))],
    ['a ZIP', 'receipt_kind', () => bytes('PK\x03\x04', Buffer.alloc(500))],
    ['a phone’s HEIC', 'receipt_heic', () => bytes([0, 0, 0, 24], 'ftypheic', Buffer.alloc(500))],
    ['an AVIF', 'receipt_heic', () => solid(300, 300).avif({ effort: 0 }).toBuffer()],
    ['of one pixel', 'receipt_too_small', () => solid(1, 1).png().toBuffer()],
    ['ninety pixels wide', 'receipt_too_small', () => solid(90, 4000).jpeg().toBuffer()],
    ['of 100 megapixels', 'receipt_too_many_pixels', () => solid(10_000, 10_000).png().toBuffer()],
    ['an image bomb in PNG', 'receipt_too_many_pixels', () => pngOf(60_000, 60_000)],
    ['an image bomb in JPEG', 'receipt_too_many_pixels', hugeJpeg],
    ['a PNG that ends too soon', 'receipt_broken', () => pngOf(2000, 2000)],
    [
      'a JPEG that ends at its head',
      'receipt_broken',
      async () => (await sharp(paper).jpeg().toBuffer()).subarray(0, 200),
    ],
    [
      'a WebP that ends at its head',
      'receipt_broken',
      async () => (await sharp(paper).webp().toBuffer()).subarray(0, 60),
    ],
    [
      'a PDF in name only',
      'receipt_broken',
      () => Buffer.from('%PDF-1.7\nnothing that a PDF has\n%%EOF'),
    ],
    ['a PDF with a password', 'receipt_locked', () => receiptPdf(pharmacy, { password: 'secret' })],
    ['a PDF of 21 pages', 'receipt_too_many_pages', () => receiptPdf(pharmacy, { pages: 21 })],
    ['a PDF whose page is a dot', 'receipt_too_small', () => receiptPdf(['x'], { size: [5, 5] })],
  ]
  for (const [what, code, make] of cases) {
    test(what, async () => {
      const person = await acme.hire()
      await refuses(code, send(person, await make()))
      await nothingKept(person)
    })
  }

  test('of 11 MB, before it is whole', async () => {
    const person = await acme.hire()
    await refuses('too_large', send(person, Buffer.alloc(11 * 2 ** 20)))
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(2 ** 18)),
    })
    const answer = await scene.services.app.request('/api/receipts?file_name=a.jpg', {
      method: 'POST',
      body: endless,
      headers: { authorization: `Bearer ${person.token}` },
      duplex: 'half',
    } as RequestInit)
    assert.equal(answer.status, 413)
    await nothingKept(person)
  })

  test('without a name, or with one beyond measure', async () => {
    const person = await acme.hire()
    await refuses('invalid_input', send(person, paper, ' '))
    await refuses('invalid_input', send(person, paper, 'x'.repeat(201)))
  })

  test('the 21st that waits for a claim; and whoever sends without end', async () => {
    const person = await acme.hire()
    const sent = await send(person, paper)
    await scene.sql`
      insert into receipts (company_id, person_id, file_name, media_type, size_bytes, sha256, pages, width,
          height, storage_key, file_key, wrapped_key, parts)
        select company_id, person_id, file_name, media_type, size_bytes, sha256, pages, width, height,
          storage_key, file_key, wrapped_key, parts from receipts, generate_series(1, 18)
          where id = ${sent.id}`
    const both = await Promise.allSettled([send(person, paper), send(person, paper)])
    assert.equal(won(both).length, 1)
    await refuses('receipts_already_waiting', send(person, paper))
    const many = await Promise.allSettled(Array.from({ length: 40 }, () => send(person, paper)))
    const codes = many.map((one) => one.status === 'rejected' && (one.reason as Problem).code)
    assert.ok(codes.includes('too_many_requests'))
  })
})

describe('what hides in a file does not come through', () => {
  test('behind a picture', async () => {
    const person = await acme.hire()
    const jpeg = await sharp(paper)
      .withExifMerge({ IFD0: { Artist: 'PAYLOAD' } })
      .jpeg()
      .toBuffer()
    const polyglot = bytes(jpeg, '<script>PAYLOAD</script>', 'PK\x03\x04PAYLOAD')
    const sent = await send(person, polyglot, '../../etc/<b>"x".html', 'text/html')
    const kept = await fileOf(person, sent.id)
    assert.ok(!kept.includes('PAYLOAD') && !kept.includes('script'))
    const answer = await scene.services.app.request(`/api/receipts/${sent.id}/file`, {
      headers: { authorization: `Bearer ${person.token}` },
    })
    const { headers } = answer
    assert.equal(headers.get('content-type'), 'image/jpeg')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="[\w.]+\.jpg"/)
  })

  test('in a PNG that inflates to a hundred megabytes of text', async () => {
    const person = await acme.hire()
    const png = await sharp(paper).png().toBuffer()
    const bomb = chunk('zTXt', bytes('Comment\0\0', deflateSync(Buffer.alloc(100 * 2 ** 20, 65))))
    const sent = await send(person, bytes(png.subarray(0, 33), bomb, png.subarray(33)), 'a.png')
    assert.ok(!(await fileOf(person, sent.id)).includes('zTXt'))
  })

  test('in a PDF: scripts, attached files, actions, forms', async () => {
    const person = await acme.hire()
    const pdf = await PDFDocument.load(await receiptPdf(pharmacy))
    pdf.addJavaScript('PAYLOAD', 'app.alert("PAYLOAD")')
    await pdf.attach(Buffer.from('PAYLOAD'), 'PAYLOAD.exe', {
      mimeType: 'application/x-msdownload',
    })
    const { context } = pdf
    const launch = context.obj({ Type: 'Action', S: 'Launch', F: PDFString.of('PAYLOAD.exe') })
    pdf.catalog.set(PDFName.of('OpenAction'), launch)
    pdf.getPage(0).node.set(PDFName.of('AA'), context.obj({ O: launch }))
    const note = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 300, 300], A: launch }
    pdf
      .getPage(0)
      .node.set(PDFName.of('Annots'), context.obj([context.register(context.obj(note))]))
    const field = pdf.getForm().createTextField('PAYLOAD')
    field.setText('PAYLOAD')
    field.addToPage(pdf.getPage(0), { x: 10, y: 10 })
    const sent = await send(person, await pdf.save({ useObjectStreams: true }), 'a.pdf')
    const kept = await PDFDocument.load(await fileOf(person, sent.id), { updateMetadata: false })
    for (const [, object] of kept.context.enumerateIndirectObjects()) {
      const text = object instanceof PDFDict ? object.toString() : ''
      assert.doesNotMatch(text, /JavaScript|Launch|EmbeddedFile|OpenAction|\/AA\b|AcroForm|PAYLOAD/)
    }
    assert.equal(kept.getPageCount(), 1)
  })

  test('a PDF that opens without a password but forbids changes is kept as pictures of its pages', async () => {
    const person = await acme.hire()
    const sent = await send(
      person,
      await receiptPdf(pharmacy, { owner: 'owner', pages: 2 }),
      'a.pdf',
    )
    assert.equal(sent.pages, 2)
    const kept = await PDFDocument.load(await fileOf(person, sent.id))
    assert.equal(kept.isEncrypted, false)
  })

  test('a photo in a PDF says nothing of where and by whom it was taken', async () => {
    const person = await acme.hire()
    const photo = await sharp(paper)
      .jpeg()
      .withExifMerge({ IFD0: { Artist: 'PAYLOAD' }, IFD3: { GPSLatitude: '48/1 12/1 30/1' } })
      .toBuffer()
    const pdf = await PDFDocument.create()
    const image = await pdf.embedJpg(bytes(photo, 'PAYLOAD'))
    const page = pdf.addPage([300, 480])
    page.drawImage(image, { width: 300, height: 480 })
    const about = { Type: 'Metadata', Subtype: 'XML' }
    const payload = pdf.context.register(pdf.context.stream('PAYLOAD', about))
    page.node.Resources()?.set(PDFName.of('Metadata'), payload)
    const sent = await send(person, await pdf.save(), 'a.pdf')
    const kept = await PDFDocument.load(await fileOf(person, sent.id), { updateMetadata: false })
    const photos = kept.context.enumerateIndirectObjects().flatMap(([, object]) => {
      const contents = object instanceof PDFRawStream ? object.getContents() : new Uint8Array()
      assert.doesNotMatch(Buffer.from(contents).toString('latin1'), /PAYLOAD|Exif/)
      return contents[0] === 0xff && contents[1] === 0xd8 ? [contents] : []
    })
    assert.equal(photos.length, 1)
    const pixels = (picture: Uint8Array) => sharp(picture).raw().toBuffer()
    assert.ok((await pixels(photos[0]!)).equals(await pixels(photo)), 'the picture is the same')
  })

  test('a damaged PDF that can still be read is fixed', async () => {
    const person = await acme.hire()
    const good = (await receiptPdf(pharmacy)).toString('latin1')
    const bad = Buffer.from(good.replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
    assert.equal((await send(person, bytes('junk of a mail program\n', bad), 'a.pdf')).pages, 1)
  })
})

test('whatever bytes come, they are taken or refused: never a fault, never a hang', async () => {
  const jpeg = await sharp(paper).jpeg().toBuffer()
  const png = await sharp(paper).png().toBuffer()
  const webp = await sharp(paper).webp().toBuffer()
  const pdf = await receiptPdf(pharmacy)
  const spoilt = fc
    .tuple(
      fc.constantFrom(jpeg, png, webp, pdf),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
      fc.option(fc.nat(), { nil: undefined }),
    )
    .map(([good, changes, cut]) => {
      const bad = Buffer.from(good)
      for (const [at, byte] of changes) bad[at % bad.length] = byte
      return cut === undefined ? bad : bad.subarray(0, cut % bad.length)
    })
  const random = fc.uint8Array({ maxLength: 4000 }).map((some) => Buffer.from(some))
  await fc.assert(
    fc.asyncProperty(fc.oneof(spoilt, spoilt, random), async (file) => {
      try {
        const { parts } = await scene.services.workers.run({ what: 'normalise' }, file)
        assert.ok(parts.length >= 3)
      } catch (error) {
        assert.ok(error instanceof Problem && error.code.startsWith('receipt_'), String(error))
      }
    }),
    { numRuns: 60 },
  )
})
