// PDFs: rewritten so that nothing but their pages' drawing is left, drawn as pictures, read as text.
// Runs in the worker process alone.
import { PDFiumLibrary, type PDFiumDocument } from '@hyzyla/pdfium'
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFStream,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib'
import sharp from 'sharp'
import { Problem } from '#problems.ts'
import { bareJpeg } from './jpeg.server.ts'
import { linesOfPage } from './pdf-lines.server.ts'
import type { ReadLine } from './reading.ts'
import { receipt_limits } from './limits.contract.ts'

let library: Promise<PDFiumLibrary> | undefined

/** Opens it for as long as the work takes. */
export async function withPdf<T>(bytes: Uint8Array, work: (pdf: PDFiumDocument) => Promise<T>) {
  library ??= PDFiumLibrary.init()
  let pdf: PDFiumDocument
  try {
    pdf = await (await library).loadDocument(bytes)
  } catch (error) {
    const locked = /password|security/i.test(String(error))
    throw new Problem(locked ? 'receipt_locked' : 'receipt_broken')
  }
  try {
    return await work(pdf)
  } finally {
    pdf.destroy()
  }
}

/** A page as a picture, no larger than asked for whatever size the page claims to have. */
export async function drawPage(pdf: PDFiumDocument, page: number, width: number, height: number) {
  const sheet = pdf.getPage(page)
  const { originalWidth, originalHeight } = sheet.getOriginalSize()
  if (!(originalWidth >= 20 && originalHeight >= 20)) throw new Problem('receipt_too_small')
  const scale = Math.min(width / originalWidth, height / originalHeight)
  const drawn = await sheet.render({ scale, renderFormFields: true })
  const raw = { width: drawn.width, height: drawn.height, channels: 4 as const }
  return sharp(drawn.data, { raw }).removeAlpha()
}

export function linesIn(pdf: PDFiumDocument, pages: number): ReadLine[] {
  const count = Math.min(pdf.getPageCount(), pages)
  return Array.from({ length: count }, (_, page) => linesOfPage(pdf.getPage(page))).flat()
}

/**
 * The same pages in a new file, without scripts, attached files, actions, forms and metadata. If that can't be done (encryption
 * without a password, an odd file), the new file has pictures of the pages.
 */
export async function rewritten(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const fresh = await copyPdf(bytes)
    const same = await withPdf(fresh, async (pdf) => pdf.getPageCount() > 0)
    if (same && isQuiet(await PDFDocument.load(fresh, { updateMetadata: false }))) return fresh
  } catch {
    // pictures it is
  }
  return withPdf(bytes, pdfOfPictures)
}

async function copyPdf(bytes: Uint8Array): Promise<Uint8Array> {
  const old = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true })
  const pages = old.getPages()
  pages.forEach(quieten)
  forgetOrigins(old)
  const fresh = await PDFDocument.create({ updateMetadata: false })
  const indices = pages.map((_, index) => index)
  for (const page of await fresh.copyPages(old, indices)) fresh.addPage(page)
  return fresh.save({ updateFieldAppearances: false })
}

const names = (...words: string[]) => words.map((word) => PDFName.of(word))
/** The entries of a page that do or carry something rather than being drawn. */
const of_page = names('AA', 'AF', 'Metadata', 'PieceInfo', 'B', 'Tabs', 'StructParents', 'Thumb')
const drawn_only = names('Type', 'Subtype', 'Rect', 'AP', 'AS', 'F', 'BS', 'Border', 'C', 'MK')

function quieten(page: PDFPage) {
  for (const name of of_page) page.node.delete(name)
  const notes = page.node.Annots()
  if (!notes) return
  for (let at = notes.size() - 1; at >= 0; at -= 1) {
    const note = notes.lookup(at)
    if (!(note instanceof PDFDict) || !note.has(PDFName.of('AP'))) notes.remove(at)
    else for (const key of note.keys()) if (!drawn_only.includes(key)) note.delete(key)
  }
}

const about_a_file = names('Metadata', 'PieceInfo')

/** Every object loses what tells of its making; photos lose where and with what they were taken. */
function forgetOrigins({ context }: PDFDocument) {
  for (const [place, object] of context.enumerateIndirectObjects()) {
    forgetMaking(object)
    if (object instanceof PDFRawStream && photoIn(object.dict)) {
      context.assign(place, PDFRawStream.of(object.dict, bareJpeg(object.getContents())))
    }
  }
}

function forgetMaking(object: PDFObject) {
  const about = object instanceof PDFStream ? object.dict : object
  if (about instanceof PDFArray) about.asArray().forEach(forgetMaking)
  if (!(about instanceof PDFDict)) return
  for (const name of about_a_file) about.delete(name)
  about.values().forEach(forgetMaking)
}

function photoIn(about: PDFDict): boolean {
  const named = about.lookup(PDFName.of('Filter'))
  const filters = (named instanceof PDFArray ? named.asArray() : [named]).map(String)
  const packed = filters.includes('/DCTDecode') && filters.length > 1
  if (packed || filters.includes('/JPXDecode')) throw new Error('What it carries is unknown')
  return filters.includes('/DCTDecode')
}

const acting = new Set(
  [
    'JavaScript',
    'Launch',
    'SubmitForm',
    'ImportData',
    'GoToR',
    'GoToE',
    'URI',
    'Rendition',
    'Movie',
  ]
    .concat(['EmbeddedFile', 'Filespec', 'RichMedia', 'Sound', 'FileAttachment', '3D'])
    .map((word) => `/${word}`),
)

/** Every object of the new file is looked at: no action and no other file is among them. */
function isQuiet(pdf: PDFDocument): boolean {
  return pdf.context.enumerateIndirectObjects().every(([, object]) => quiet(object, 0))
}

function quiet(object: PDFObject, depth: number): boolean {
  if (depth > 40) return false
  if (object instanceof PDFStream) return quiet(object.dict, depth)
  if (object instanceof PDFArray) return object.asArray().every((item) => quiet(item, depth + 1))
  if (!(object instanceof PDFDict)) return true
  return object.entries().every(([key, value]) => {
    const name = key.asString()
    if (name === '/JS' || name === '/EF' || name === '/AA' || name === '/OpenAction') return false
    const names_an_action = name === '/S' || name === '/Type' || name === '/Subtype'
    return !(names_an_action && acting.has(value.toString())) && quiet(value, depth + 1)
  })
}

async function pdfOfPictures(pdf: PDFiumDocument): Promise<Uint8Array> {
  const fresh = await PDFDocument.create({ updateMetadata: false })
  const count = Math.min(pdf.getPageCount(), receipt_limits.pages)
  for (let at = 0; at < count; at += 1) {
    const { originalWidth, originalHeight } = pdf.getPage(at).getOriginalSize()
    const picture = await (await drawPage(pdf, at, 1654, 2339)).jpeg({ quality: 85 }).toBuffer()
    const page = fresh.addPage([originalWidth, originalHeight])
    const image = await fresh.embedJpg(picture)
    page.drawImage(image, { width: originalWidth, height: originalHeight })
  }
  return fresh.save()
}
