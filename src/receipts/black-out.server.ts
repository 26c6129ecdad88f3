// Blacks out parts of a receipt: pixels are removed before anything is encoded, and pages of a PDF become pictures in a PDF that
// is written again. Runs in the worker process alone.
import { PDFDict, PDFDocument, PDFName, PDFRef, PDFStream, PDFArray } from '@cantoo/pdf-lib'
import type { PDFObject, PDFPage } from '@cantoo/pdf-lib'
import type { PDFiumDocument } from '@hyzyla/pdfium'
import sharp from 'sharp'
import type { PagePart } from './black-parts.ts'
import type { ReceiptType } from './kinds.server.ts'
import { drawPage, withPdf } from './pdf.server.ts'
import { encode, largePicture, smallPicture, type FilePart } from './normalise.server.ts'

type Blacked = { media_type: ReceiptType; parts: FilePart[] }
type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

/** The file without these parts, and the pictures of the pages on which they are. */
export const blackOut = (
  bytes: Uint8Array,
  kind: ReceiptType,
  parts: PagePart[],
): Promise<Blacked> =>
  kind === 'application/pdf' ? blackPdf(bytes, parts) : blackImage(bytes, kind, parts)

async function blackImage(
  bytes: Uint8Array,
  kind: ReceiptType,
  parts: PagePart[],
): Promise<Blacked> {
  const pixels = burn(
    await sharp(bytes)
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
    parts,
  )
  const { media_type, data } = await encode(pixels, kind)
  return {
    media_type,
    parts: [
      { name: 'small', bytes: await smallPicture(data) },
      { name: 'large-1', bytes: await largePicture(data) },
      { name: 'file', bytes: data },
    ],
  }
}

/** Black, each side rounded outwards to whole pixels. */
function burn({ data, info }: Pixels, parts: readonly PagePart[]): Pixels {
  const { width, height, channels } = info
  for (const part of parts) {
    const from = Math.max(0, Math.floor(part.left * width)) * channels
    const to = Math.min(width, Math.ceil((part.left + part.width) * width)) * channels
    const bottom = Math.min(height, Math.ceil((part.top + part.height) * height))
    for (let y = Math.max(0, Math.floor(part.top * height)); y < bottom; y += 1) {
      data.fill(0, y * width * channels + from, y * width * channels + to)
    }
  }
  return { data, info }
}

const page_pixels = { width: 1654, height: 2339 } // A4 at 200 dots to the inch

/**
 * A page with a blacked out part becomes a picture in the new file, and so does each page that shares an object with one: the
 * object may hold what is blacked out. Other pages are copied with the objects that they name.
 */
function blackPdf(bytes: Uint8Array, parts: PagePart[]): Promise<Blacked> {
  return withPdf(bytes, async (pdf) => {
    const concerned = new Set(parts.map(({ page }) => page))
    const count = pdf.getPageCount()
    const old = await PDFDocument.load(bytes, { updateMetadata: false })
    const kept = pagesApart(old, concerned)
    const fresh = await PDFDocument.create({ updateMetadata: false })
    const copies = await fresh.copyPages(
      old,
      [...kept].map((page) => page - 1),
    )
    const made: FilePart[] = []
    for (let page = 1; page <= count; page += 1) {
      const copy = kept.has(page) ? copies.shift() : undefined
      if (copy) {
        fresh.addPage(copy)
        continue
      }
      const picture = await addPicture(fresh, pdf, page, parts)
      if (!concerned.has(page)) continue
      if (page === 1) made.push({ name: 'small', bytes: await smallPicture(picture) })
      made.push({ name: `large-${page}`, bytes: await largePicture(picture) })
    }
    made.push({ name: 'file', bytes: await fresh.save({ updateFieldAppearances: false }) })
    return { media_type: 'application/pdf', parts: made }
  })
}

async function addPicture(
  fresh: PDFDocument,
  pdf: PDFiumDocument,
  number: number,
  parts: readonly PagePart[],
): Promise<Buffer> {
  const drawn = await drawPage(pdf, number - 1, page_pixels.width, page_pixels.height)
  const pixels = burn(
    await drawn.raw().toBuffer({ resolveWithObject: true }),
    parts.filter(({ page }) => page === number),
  )
  const picture = await sharp(pixels.data, { raw: pixels.info }).jpeg({ quality: 85 }).toBuffer()
  const { originalWidth: width, originalHeight: height } = pdf.getPage(number - 1).getOriginalSize()
  const page = fresh.addPage([width, height])
  page.drawImage(await fresh.embedJpg(picture), { width, height })
  return picture
}

/** Pages that share no object with a page that is blacked out. */
function pagesApart(pdf: PDFDocument, concerned: ReadonlySet<number>): Set<number> {
  const named = pdf.getPages().map((page) => namedBy(pdf, page))
  const theirs = new Set(named.flatMap((names, at) => (concerned.has(at + 1) ? [...names] : [])))
  const apart = named.flatMap((names, at) =>
    concerned.has(at + 1) || [...names].some((name) => theirs.has(name)) ? [] : [at + 1],
  )
  return new Set(apart)
}

/** All objects that a page names, directly or by another. */
function namedBy(pdf: PDFDocument, page: PDFPage): Set<string> {
  const objects = new Set<string>()
  const of_page = page.node.entries().filter(([key]) => key !== PDFName.of('Parent'))
  const resources = page.node.Resources() // which may be handed down
  const waiting: PDFObject[] = of_page.map(([, value]) => value)
  if (resources) waiting.push(resources)
  for (let object = waiting.pop(); object; object = waiting.pop()) {
    if (object instanceof PDFRef) {
      const target = pdf.context.lookup(object)
      if (!target || objects.has(object.tag) || isPlainFont(target)) continue
      objects.add(object.tag)
      waiting.push(target)
    } else if (object instanceof PDFStream) waiting.push(object.dict)
    else if (object instanceof PDFArray) waiting.push(...object.asArray())
    else if (object instanceof PDFDict) waiting.push(...object.values())
  }
  return objects
}

/** A font that every PDF reader has: it tells nothing about which letters the document needs. */
function isPlainFont(object: PDFObject): boolean {
  if (!(object instanceof PDFDict)) return false
  const named = (key: string) => object.get(PDFName.of(key))
  const type = named('Subtype')
  return (
    named('Type') === PDFName.of('Font') &&
    (type === PDFName.of('Type1') || type === PDFName.of('TrueType')) &&
    !named('FontDescriptor') &&
    !named('ToUnicode') &&
    (named('Encoding') === undefined || named('Encoding') instanceof PDFName)
  )
}
