// One table says how many decimals a currency has: what people type, the server keeps, the database
// writes and reports print is one and the same sum, in each currency there is.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import readXlsxFile from 'read-excel-file/node'
import { CsvReader } from '#lib/csv.ts'
import { currencies, decimalsOf, formatOf, isCurrency } from '#lib/currencies.ts'
import { decimal, parseAmount } from '#lib/money.ts'
import { csvOf } from '#reports/csv.server.ts'
import type { ReportDocument } from '#reports/document.ts'
import { cellWords } from '#reports/show.ts'
import { xlsxOf } from '#reports/xlsx.server.ts'
import { money } from '#ui/figures.ts'
import { refuses } from './world/people.ts'
import { openedScene } from './world/scene.ts'

const cents = 1_234_567
/** Currencies as ISO 4217 has them, where engines or older lists differ. */
const by_the_standard = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2: 'AFN ALL COP EUR HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP USD YER',
  3: 'BHD IQD JOD KWD LYD OMR TND',
}
const expected = (currency: string) =>
  ({ 0: '1234567', 2: '12345.67', 3: '1234.567' })[decimalsOf(currency)]
/** The digits and the decimal point of a formatted sum, as English writes them. */
const bare = (text: string) => text.replace(/[^\d.]/g, '').replace(/^\./, '')

describe('every currency', () => {
  const scene = openedScene()

  test('has the decimals of the standard', () => {
    for (const [digits, codes] of Object.entries(by_the_standard))
      for (const code of codes.split(' ')) assert.equal(decimalsOf(code), Number(digits), code)
    assert.ok(currencies.length > 150)
    assert.ok(currencies.every((code) => /^[A-Z]{3}$/.test(code)))
  })

  test('is typed, kept, shown and written as the same sum', () => {
    for (const currency of currencies) {
      const text = expected(currency)
      assert.equal(decimal(cents, currency), text)
      assert.deepEqual(parseAmount(text!, currency), { cents }, currency)
      assert.equal(bare(money(cents, currency)), text, `${currency} on a screen`)
      assert.equal(bare(cellWords({ cents, currency }, 'money')), text, `${currency} in a PDF`)
      assert.equal(
        bare(formatOf('en', currency).format(Number(text))),
        text,
        `${currency} in a trace`,
      )
      assert.doesNotMatch(money(cents, currency, true), /\.\d+$/, `${currency} without cents`)
    }
  })

  test('is the same sum in a workbook and in a CSV', async () => {
    const rows = currencies.map((currency) => [currency, { cents, currency }])
    const columns = [
      { title: 'Currency', kind: 'text' as const },
      { title: 'Sum', kind: 'money' as const },
    ]
    const words = { title: '', type: '', description: '', scope: '', period: '', period_before: '' }
    const document: ReportDocument = {
      ...words,
      made_at: '2026-01-01T00:00:00Z',
      happened: [],
      views: [],
      decide: [],
      charts: [],
      notes: [],
      sheets: [{ name: 'Sums', columns, rows, sums: [] }],
    }
    const book = await readXlsxFile(await xlsxOf(document))
    const sums = book.find(({ sheet }) => sheet === 'Sums')!.data.slice(1)
    assert.deepEqual(
      sums,
      currencies.map((currency) => [currency, Number(expected(currency))]),
    )
    const reader = new CsvReader()
    const csv = [...reader.read([...csvOf(document)].join('')), ...reader.end()]
    for (const currency of currencies) {
      const line = csv.find(({ cells }) => cells.includes(currency))!
      assert.ok(line.cells.includes(expected(currency)!), `${currency}: ${line.cells.join(' ')}`)
    }
  })

  test('can be a company’s, and what is out of use or none can’t', async () => {
    const provider = await scene.superAdmin()
    const add = (currency: string) =>
      provider.api.companies.add({
        name: `In ${currency}`,
        currency,
        time_zone: 'UTC',
        admin_email: 'first@elsewhere.test',
      })
    for (const code of ['DEM', 'XAU', 'XXX', 'ABC']) {
      assert.equal(isCurrency(code), false)
      await refuses('invalid_input', add(code))
    }
    assert.ok((await add('HUF')).id)
  })
})

test('nothing else asks the engine how sums are written', () => {
  const root = new URL('../src', import.meta.url)
  const asking = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => /(?<!\.test)\.tsx?$/.test(name) && !/^lib\/(currencies|money)\.ts$/.test(name),
    )
    .filter((name) =>
      /style: 'currency'|supportedValuesOf\('currency'\)/.test(
        readFileSync(new URL(`src/${name}`, new URL('..', import.meta.url)), 'utf8'),
      ),
    )
  assert.deepEqual(asking, [])
})
