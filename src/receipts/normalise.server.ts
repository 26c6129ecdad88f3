// Makes the kept file from the file that was sent: re-encoded, without metadata, and with its pictures. Anything hidden in the
// file besides its picture does not come through. Runs in the worker process alone.
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { Problem } from '#problems.ts'
import { kindOf, type ReceiptType } from './kinds.server.ts'
import { likenessOf } from './likeness.server.ts'
import { drawPage, rewritten, withPdf } from './pdf.server.ts'
import { receipt_limits } from './limits.contract.ts'

export type FilePart = { name: string; bytes: Uint8Array }
export type Normalised = {
  media_type: ReceiptType
  sha256: string
  likeness: string
  pages: number
  width: number
  height: number
}

const picture_limits = {
  /** A phone's largest ordinary photo has 50 million. */
  pixels: 52_000_000,
  short_side: 100,
  long_side: 2400,
  large: { width: 1400, height: 2800 },
  small: { width: 240, height: 320 },
} as const
const png_bytes_max = 4 * 1024 * 1024

export async function normalise(
  bytes: Uint8Array,
): Promise<{ normalised: Normalised; parts: FilePart[] }> {
  const file = kindOf(bytes)
  if ('refused' in file) throw new Problem(file.refused)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const made =
    file.kind === 'application/pdf'
      ? await normalisePdf(bytes)
      : await normaliseImage(bytes, file.kind)
  return { normalised: { ...made.normalised, sha256 }, parts: made.parts }
}

type NormalisedFile = { normalised: Omit<Normalised, 'sha256'>; parts: FilePart[] }

async function normaliseImage(bytes: Uint8Array, kind: ReceiptType): Promise<NormalisedFile> {
  const upright = await uprightImage(bytes)
  const { media_type, data } = await encode(upright, kind)
  const { width, height } = upright.info
  const likeness = String(await likenessOf(sharp(data)))
  const parts = [
    { name: 'small', bytes: await smallPicture(data) },
    { name: 'large-1', bytes: await largePicture(data) },
    { name: 'file', bytes: data },
  ]
  return { normalised: { media_type, likeness, pages: 1, width, height }, parts }
}

/** The picture upright, bounded and on white, as bare pixels: nothing else of the file is left. */
async function uprightImage(bytes: Uint8Array) {
  const options = { limitInputPixels: picture_limits.pixels, failOn: 'error' as const }
  try {
    const { width, height } = await sharp(bytes, { ...options, limitInputPixels: false }).metadata()
    if (width * height > picture_limits.pixels) throw new Problem('receipt_too_many_pixels')
    if (Math.min(width, height) < picture_limits.short_side) throw new Problem('receipt_too_small')
    const bound = picture_limits.long_side
    return await sharp(bytes, options)
      .autoOrient()
      .resize(bound, bound, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('receipt_broken')
  }
}

type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

export async function encode({ data, info }: Pixels, kind: ReceiptType) {
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const picture = () => sharp(data, { raw })
  if (kind === 'image/webp') {
    return { media_type: kind, data: await picture().webp({ quality: 85 }).toBuffer() }
  }
  if (kind === 'image/png') {
    const png = await picture().png().toBuffer()
    if (png.length <= png_bytes_max) return { media_type: kind, data: png }
  }
  const jpeg = await picture().jpeg({ quality: 84 }).toBuffer()
  return { media_type: 'image/jpeg' as const, data: jpeg }
}

async function normalisePdf(bytes: Uint8Array): Promise<NormalisedFile> {
  await withPdf(bytes, async (pdf) => {
    const pages = pdf.getPageCount()
    if (pages < 1) throw new Problem('receipt_broken')
    if (pages > receipt_limits.pages) throw new Problem('receipt_too_many_pages')
  })
  const file = await rewritten(bytes)
  return withPdf(file, async (pdf) => {
    const pages = pdf.getPageCount()
    const pictures: Uint8Array[] = []
    let first: Buffer | undefined
    for (let at = 0; at < pages; at += 1) {
      const { width, height } = picture_limits.large
      const drawn = await (
        await drawPage(pdf, at, width, height)
      )
        .png({ compressionLevel: 1 })
        .toBuffer()
      first ??= drawn
      pictures.push(await largePicture(drawn))
    }
    if (!first) throw new Problem('receipt_broken')
    const { width, height } = await sharp(first).metadata()
    const parts = [
      { name: 'small', bytes: await smallPicture(first) },
      ...pictures.map((picture, at) => ({ name: `large-${at + 1}`, bytes: picture })),
      { name: 'file', bytes: file },
    ]
    const likeness = String(await likenessOf(sharp(first)))
    return {
      normalised: { media_type: 'application/pdf' as const, likeness, pages, width, height },
      parts,
    }
  })
}

const scaled = (picture: Uint8Array, bound: { width: number; height: number }, quality: number) =>
  sharp(picture)
    .resize({ ...bound, fit: 'inside', withoutEnlargement: true })
    .webp({ quality, effort: 2 })
    .toBuffer()
export const smallPicture = (picture: Uint8Array) => scaled(picture, picture_limits.small, 70)
export const largePicture = (picture: Uint8Array) => scaled(picture, picture_limits.large, 78)
