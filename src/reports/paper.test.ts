// The pages as a reader sees them: compared as pixels, for text that is right can still be drawn wrongly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import sharp from 'sharp'
import { drawPage, withPdf } from '#receipts/pdf.server.ts'
import { readPdf } from '../../test/report-files.ts'
import type { ReportDocument } from './document.ts'
import { Paper } from './paper.server.ts'
import { pdfOf } from './pdf.server.ts'
import { xlsxOf } from './xlsx.server.ts'

async function bytesOf(paper: Paper): Promise<Uint8Array> {
  const parts: Buffer[] = []
  paper.on('data', (part: Buffer) => parts.push(part))
  const written = new Promise((resolve) => paper.on('end', resolve))
  paper.end()
  await written
  return new Uint8Array(Buffer.concat(parts))
}

/** How many pieces a line of text falls into, with white from top to bottom between them. */
async function piecesOf(text: string, weight: 'regular' | 'semibold'): Promise<number> {
  const paper = new Paper({ Title: text, Subject: text })
  paper.style(weight, 40, '#000000').line(text, 40, 40)
  return withPdf(await bytesOf(paper), async (pdf) => {
    const picture = (await drawPage(pdf, 0, 1200, 1700)).greyscale()
    const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
    const dark = (x: number) => {
      for (let y = 0; y < 300; y += 1) {
        if ((data[(y * info.width + x) * info.channels] ?? 255) < 128) return true
      }
      return false
    }
    let pieces = 0
    for (let x = 1; x < info.width; x += 1) if (dark(x) && !dark(x - 1)) pieces += 1
    return pieces
  })
}

for (const text of ['17.1%', '7.7%', '€77,800.17', '£37,600', '47.74']) {
  test(`${text} is drawn with its point and comma where they belong`, async () => {
    for (const weight of ['regular', 'semibold'] as const) {
      // The two rings of % and its line may stand apart; nothing else may touch.
      assert.ok((await piecesOf(text, weight)) >= text.length, `${text} in ${weight}`)
    }
  })
}

test('colours are what they were drawn as', async () => {
  const paper = new Paper({ Title: 'Red', Subject: 'Red' })
  paper.rect(0, 0, 595, 842).fill('#E01020')
  await withPdf(await bytesOf(paper), async (pdf) => {
    const { dominant } = await (
      await drawPage(pdf, 0, 200, 300)
    )
      .png()
      .toBuffer()
      .then((b) => sharp(b).stats())
    assert.ok(dominant.r > 200 && dominant.b < 60, JSON.stringify(dominant))
  })
})

const money = (cents: number, currency = 'EUR') => ({ cents, currency })
const document = (more: Partial<ReportDocument>): ReportDocument => ({
  title: 'Fund allocation summary · January 2026',
  type: 'Financial',
  description: 'What was allocated.',
  scope: 'All companies (0)',
  period: 'January 2026',
  period_before: 'December 2025',
  made_at: '2026-02-01T00:00:00.000Z',
  happened: ['There was no company yet.'],
  views: [],
  decide: [],
  charts: [],
  sheets: [],
  notes: [],
  ...more,
})

test('without companies the report is one page that says so', async () => {
  const { text, pages } = await readPdf(await pdfOf(document({})))
  assert.equal(pages, 1)
  assert.match(text, /There was no company yet/)
  assert.ok(!text.includes('What to decide'))
})

test('twenty currencies and long names leave two pages to the board, and no figure is cut', async () => {
  const currencies = Intl.supportedValuesOf('currency').slice(0, 20)
  const name =
    'Vereinigte Gesundheits- und Versorgungswerke der Rheinischen Verkehrsbetriebe 🚀 AöR'
  const figure = (label: string, currency: string) => ({
    label,
    kind: 'money' as const,
    value: money(98_765_432_100, currency),
    before: money(98_765_432_000, currency),
  })
  const pdf = await pdfOf(
    document({
      happened: Array.from({ length: 5 }, () => `${name} has used most of it.`),
      decide: Array.from({ length: 7 }, () => `${name} has €16,000.00 in no category: ask its HR?`),
      views: currencies.map((currency) => ({
        currency,
        companies: 3,
        figures: ['Funds managed', 'Allocated', 'Used', 'Granted'].map((l) => figure(l, currency)),
      })),
      charts: [
        {
          title: 'Used, EUR',
          shape: 'bars',
          labels: ['Prevention', 'Treatment'],
          series: [{ name: 'Used', tone: 'primary', values: [5, 7] }],
          unit: { currency: 'EUR' },
        },
      ],
      sheets: [
        {
          name: 'By company',
          columns: [
            { title: 'Company', kind: 'text' },
            ...Array.from({ length: 7 }, () => ({ title: 'Allocated', kind: 'money' as const })),
          ],
          rows: Array.from({ length: 90 }, () => [
            name,
            ...Array.from({ length: 7 }, () => money(98_765_432_100)),
          ]),
          sums: [],
        },
      ],
    }),
  )
  await withPdf(new Uint8Array(pdf), async (opened) => {
    const texts = Array.from({ length: opened.getPageCount() }, (_, at) =>
      opened.getPage(at).getText(),
    )
    assert.equal(
      texts.findIndex((text) => text.includes('By company')),
      2,
      'the tables begin on the third page',
    )
    assert.match(texts[1]!, /What to decide/)
    assert.match(texts[1]!, /9 more in the tables/)
    for (const page of texts.slice(2)) {
      assert.match(page, /Allocated/, 'each page repeats the head')
      assert.match(page, /€987,654,321\.00/)
    }
    assert.ok(!texts.join('').includes('🚀'))
  })
})

test('a table leaves no row alone on its last page', async () => {
  const rows = Array.from({ length: 90 }, (_, at) => [`Company ${at + 1}`, at])
  const columns = [
    { title: 'Company', kind: 'text' as const },
    { title: 'Claims', kind: 'count' as const },
  ]
  for (let length = 30; length <= rows.length; length += 1) {
    const sheets = [{ name: 'By company', columns, rows: rows.slice(0, length), sums: [] }]
    await withPdf(new Uint8Array(await pdfOf(document({ sheets }))), async (opened) => {
      const last = opened.getPage(opened.getPageCount() - 1).getText()
      assert.ok((last.match(/Company \d+/g) ?? []).length >= 2, `${length} rows: ${last}`)
    })
  }
})

test('a workbook names the font of all its cells, lies on its side, and has room for long names', async () => {
  const name = 'Vereinigte Gesundheitswerke der Rheinischen Verkehrsbetriebe'
  const columns = [{ title: 'Company', kind: 'text' as const }]
  const sheets = [{ name: 'By company', columns, rows: [[name]], sums: [] }]
  const book = unzipSync(new Uint8Array(await xlsxOf(document({ sheets }))))
  const part = (path: string) => strFromU8(book[path]!)
  const fonts = part('xl/styles.xml').match(/<font>.*?<\/font>/gs)!
  assert.deepEqual(
    fonts.filter((font) => !font.includes('<name val="Calibri"/>')),
    [],
  )
  assert.match(part('xl/styles.xml'), /formatCode="yyyy-mm-dd hh:mm:ss &quot;UTC&quot;"/)
  const sheet = part('xl/worksheets/sheet2.xml')
  assert.match(sheet, /orientation="landscape"/)
  assert.ok(Number(/<col [^>]*width="([\d.]+)"/.exec(sheet)![1]) >= name.length)
})
