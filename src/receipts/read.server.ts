// The text of a receipt: of a PDF its own, of a picture by OCR with the model that is shipped; then what it says.
// Runs in the worker process alone. The text itself is not kept.
import { createRequire } from 'node:module'
import path from 'node:path'
import sharp from 'sharp'
import { createWorker, OEM, type Worker } from 'tesseract.js'
import { drawPage, linesIn, withPdf } from './pdf.server.ts'
import { placeOnPaper } from './placing.ts'
import type { ReadingHints } from './reading-days.ts'
import { readLines, type ReadLine, type ReceiptReading } from './reading.ts'
import { skewOf } from './skew.server.ts'

const pages_max = 3
/** Widths at which letters of a receipt are read best: more costs time and finds more noise. */
const widths = [1400, 2000] as const

export async function readReceipt(
  bytes: Uint8Array,
  media_type: string,
  hints: ReadingHints,
): Promise<ReceiptReading | null> {
  if (media_type !== 'application/pdf') return readPicture(bytes, hints, 1)
  const { lines, pictures } = await withPdf(bytes, async (pdf) => {
    const lines = linesIn(pdf, pages_max)
    if (isText(lines)) return { lines, pictures: [] }
    const count = Math.min(pdf.getPageCount(), pages_max)
    const pictures: Buffer[] = []
    for (let at = 0; at < count; at += 1) {
      pictures.push(await (await drawPage(pdf, at, 1800, 3600)).png().toBuffer())
    }
    return { lines: undefined, pictures }
  })
  if (lines) return readLines(lines, hints)
  for (const [at, picture] of pictures.entries()) {
    const reading = await readPicture(picture, hints, at + 1)
    if (reading?.amount_cents) return reading
  }
  return null
}

const isText = (lines: ReadLine[]) =>
  lines.reduce((sum, { text }) => sum + (text.match(/[\p{L}\d]/gu)?.length ?? 0), 0) >= 20

/** Printed letters the right way up are recognised with more certainty than this, turned ones with less. */
const certain = 65

async function readPicture(
  bytes: Uint8Array,
  hints: ReadingHints,
  page: number,
): Promise<ReceiptReading | null> {
  if (await isBlank(bytes)) return null
  const [narrow, wide] = widths
  const first = await recognised(bytes, narrow, 0, page)
  const upright = isText(first.lines) && first.confidence >= certain
  if (!upright) {
    const turned = await readTurned(bytes, hints, page)
    if (turned) return turned
  }
  const reading = isText(first.lines) ? readLines(first.lines, hints) : null
  if (reading?.amount_cents && reading.on) return reading
  const second = await recognised(bytes, wide, 0, page)
  return isText(second.lines) ? merged(reading, readLines(second.lines, hints)) : reading
}

/** A picture of one colour would be looked at from four sides for letters that are not there. */
async function isBlank(bytes: Uint8Array) {
  const { channels } = await sharp(bytes).greyscale().stats()
  return channels.every(({ stdev }) => stdev < 0.5)
}

/** A picture whose camera did not know which way was up. */
async function readTurned(bytes: Uint8Array, hints: ReadingHints, page: number) {
  for (const angle of [90, 270, 180] as const) {
    const { lines, confidence } = await recognised(bytes, widths[0], angle, page)
    if (isText(lines) && confidence >= certain) return readLines(lines, hints)
  }
  return undefined
}

const merged = (one: ReceiptReading | null, other: ReceiptReading): ReceiptReading => ({
  amount_cents: one?.amount_cents ?? other.amount_cents,
  currency: one?.currency ?? other.currency,
  on: one?.on ?? other.on,
  provider: one?.provider ?? other.provider,
  marks: { ...other.marks, ...one?.marks },
})

let reader: Promise<Worker> | undefined

async function recognised(
  bytes: Uint8Array,
  width: number,
  angle: 0 | 90 | 180 | 270,
  page: number,
) {
  const { data: grey, info } = await sharp(bytes)
    .greyscale()
    .rotate(angle)
    .resize({ width, height: width * 3, fit: 'inside' })
    .normalise()
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true })
  const found = await skewOf(grey)
  const skew = Math.abs(found) < 0.5 ? 0 : found
  const picture = skew ? await sharp(grey).rotate(-skew, { background: '#888' }).toBuffer() : grey
  reader ??= openReader()
  const { data } = await (await reader).recognize(picture, {}, { blocks: true, text: false })
  const lines = (data.blocks ?? [])
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap((paragraph) => paragraph.lines)
    .map(({ text, bbox }) => ({ text, spot: placeOnPaper(bbox, info, { skew, angle, page }) }))
  return { lines, confidence: data.confidence }
}

/** The language model lies in node_modules: nothing is fetched from anywhere. */
function openReader(): Promise<Worker> {
  const model = createRequire(import.meta.url).resolve('@tesseract.js-data/eng/package.json')
  const langPath = path.join(path.dirname(model), '4.0.0_best_int')
  return createWorker('eng', OEM.LSTM_ONLY, { langPath, cacheMethod: 'none', gzip: true })
}
