// Receipts to try things with: a PDF with its text, and the photo that a phone makes of it on a table.
// The letters come from the PDF renderer's own fonts, so that they are the same on every machine.
import { PDFiumLibrary } from '@hyzyla/pdfium'
import Pdf from 'pdfkit'
import sharp from 'sharp'

export const pharmacy = [
  'City Pharmacy',
  '12 Harbour Street, Dublin 2',
  'VAT No IE6388047V',
  '',
  'Date: 14/03/2026   11:42',
  'Receipt 004511',
  '',
  'Ibuprofen 400 mg        8.90',
  'Vitamin D3             12.50',
  'Blood pressure check   25.00',
  '',
  'Subtotal               46.40',
  'VAT 23%                 8.68',
  'TOTAL            EUR   46.40',
  'Card ending 4412       46.40',
  '',
  'Thank you!',
]

type PdfOptions = {
  pages?: number
  password?: string
  owner?: string
  size?: [number, number]
  seed?: string
}

export async function receiptPdf(lines: string[], options: PdfOptions = {}): Promise<Buffer> {
  const { pages = 1, password, owner, size = [300, 480], seed } = options
  const secret = {
    ...(password ? { userPassword: password, ownerPassword: `${password}!` } : {}),
    ...(owner ? { ownerPassword: owner } : {}),
  }
  const pdf = new Pdf({ size, margin: 24, autoFirstPage: false, ...secret })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const done = new Promise((resolve) => pdf.on('end', resolve))
  for (let page = 0; page < pages; page += 1) {
    pdf.addPage()
    pdf
      .font('Courier-Bold')
      .fontSize(18)
      .text(lines[0] ?? '')
    pdf.font('Courier').fontSize(11).moveDown(0.5)
    for (const line of lines.slice(1)) pdf.text(line === '' ? ' ' : line)
    if (seed) pdf.fontSize(8).text(seed)
  }
  pdf.end()
  await done
  return Buffer.concat(parts)
}

/** White paper with the text on it, as the renderer draws it. */
export async function receiptPaper(lines: string[], scale = 5): Promise<Buffer> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(await receiptPdf(lines))
    const page = await document.getPage(0).render({ scale })
    const raw = { width: page.width, height: page.height, channels: 4 as const }
    // PDFium's pixels are blue, green, red.
    return await sharp(page.data, { raw }).removeAlpha().recomb(swapped).png().toBuffer()
  } finally {
    library.destroy()
  }
}

const swapped: [[number, number, number], [number, number, number], [number, number, number]] = [
  [0, 0, 1],
  [0, 1, 0],
  [1, 0, 0],
]

/** Plenty to be read, and made and looked at in a quarter of the time. */
export const three_megapixels = { width: 1512, height: 2016 }

type PhotoOptions = { width?: number; height?: number; angle?: number; orientation?: number }

/** The same noise each time (mean 128, deviation 30): what is read of a photo is no matter of luck. */
function grain(pixels: number): Buffer {
  let seed = 1
  const next = () => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 24
  const levels = Uint8Array.from({ length: 65_521 }, () =>
    Math.round((next() + next() + next() + next() + next() + next()) / 6),
  )
  return Buffer.from(Uint8Array.from({ length: pixels }, (_, at) => levels[(at * 31) % 65_521]!))
}

/** Twelve megapixels: the paper askew on a table, unevenly lit, noisy, and held sideways. */
export async function receiptPhoto(lines: string[], options: PhotoOptions = {}): Promise<Buffer> {
  const { width = 3024, height = 4032, angle = 3, orientation = 6 } = options
  const table = { r: 132, g: 104, b: 82, alpha: 1 }
  const paper = await sharp(await receiptPaper(lines))
    .resize({ width: Math.round(width * 0.66), height: Math.round(height * 0.8), fit: 'inside' })
    .rotate(angle, { background: table })
    .toBuffer()
  const light = Buffer.from(
    `<svg width="${width}" height="${height}"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#fff"/><stop offset="1" stop-color="#9a948c"/></linearGradient></defs>
      <rect width="100%" height="100%" fill="url(#g)"/></svg>`,
  )
  const noise = await sharp(grain(width * height), { raw: { width, height, channels: 1 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
  const upright = await sharp({ create: { width, height, channels: 3, background: table } })
    .composite([
      { input: paper, gravity: 'centre' },
      { input: light, blend: 'multiply' },
      { input: noise, blend: 'soft-light' },
    ])
    .png({ compressionLevel: 0 })
    .toBuffer()
  const held = { 1: 0, 3: 180, 6: 270, 8: 90 }[orientation] ?? 0
  return sharp(upright)
    .rotate(held)
    .blur(0.8)
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Make: 'Telephone Works', Artist: 'Ana Horvat' } })
    .jpeg({ quality: 86 })
    .toBuffer()
}
