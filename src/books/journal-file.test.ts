// A journal as DATEV and any other books read it, whatever stands in it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { cents, readCsv, readExtf, sum } from '../../test/book-files.ts'
import { windows1252 } from '#lib/windows-1252.ts'
import { journalAsCsv, journalAsExtf, type Batch, type Posting } from './journal-file.ts'

const posting: Posting = {
  posted_on: '2026-12-31',
  value_on: '2027-01-02',
  document: 'C17',
  text: 'Contribution "Größe; 5 €"',
  debit: '4130',
  credit: '1740',
  cents: 123_456,
}
const batch: Batch = {
  postings: [posting],
  currency: 'EUR',
  title: 'Healthfund 2026-12',
  from: '2026-12-01',
  to: '2026-12-31',
  consultant: '1001',
  client: '42',
  digits: '4',
  year_month: 1,
  made_at: '2027-01-03T10:11:12.345Z',
}
const read = (of: Batch) => readExtf(new Blob([journalAsExtf(of)]))

describe('a Buchungsstapel', () => {
  test('has DATEV’s head, all its columns, and the posting in Windows-1252', async () => {
    const { head, names, postings } = await read(batch)
    assert.equal(head[5], '20270103101112345')
    assert.deepEqual(head.slice(10, 22), [
      '1001',
      '42',
      '20260101',
      '4',
      '20261201',
      '20261231',
      '"Healthfund 2026-12"',
      '""',
      '1',
      '0',
      '0',
      '"EUR"',
    ])
    assert.deepEqual(
      [0, 6, 7, 9, 10, 13, 36, 47, 86, 87, 113, 124].map((at) => names[at]),
      [
        'Umsatz (ohne Soll/Haben-Kz)',
        'Konto',
        'Gegenkonto (ohne BU-Schlüssel)',
        'Belegdatum',
        'Belegfeld 1',
        'Buchungstext',
        'KOST1 - Kostenstelle',
        'Zusatzinformation - Art 1',
        'Zusatzinformation- Inhalt 20',
        'Stück',
        'Festschreibung',
        'Abw. Skontokonto',
      ],
    )
    assert.deepEqual(postings, [
      {
        cents: 123_456,
        debit: '4130',
        credit: '1740',
        on: '3112',
        document: 'C17',
        text: 'Contribution "Größe; 5 €"',
      },
    ])
  })

  test('is of the financial year that the company says, also around New Year', async () => {
    const beginning = async (from: string, to: string, year_month: number) =>
      (await read({ ...batch, postings: [], from, to, year_month })).head[12]
    assert.equal(await beginning('2026-12-01', '2026-12-31', 1), '20260101')
    assert.equal(await beginning('2027-01-01', '2027-01-31', 1), '20270101')
    assert.equal(await beginning('2027-01-01', '2027-01-31', 7), '20260701')
    assert.equal(await beginning('2026-07-01', '2026-07-31', 7), '20260701')
    assert.equal(await beginning('2028-02-01', '2028-02-29', 10), '20271001')
  })

  test('can be read whatever is said in it, in any currency with two decimals or none', async () => {
    const labels = fc.record({
      text: fc.string({ unit: 'binary', maxLength: 200 }),
      title: fc.string({ unit: 'binary', maxLength: 60 }),
      cents: fc.integer({ min: 1, max: 99_999_999_999 }),
      currency: fc.constantFrom('EUR', 'CHF', 'HUF'),
    })
    const readable = fc.asyncProperty(labels, async ({ text, title, cents: amount, currency }) => {
      const postings = [{ ...posting, text, cents: amount }]
      const { postings: found, head } = await read({ ...batch, title, currency, postings })
      assert.equal(found[0]!.cents, amount)
      assert.ok(head[16]!.slice(1, -1).replaceAll('""', '"').length <= 30)
    })
    await fc.assert(readable)
    const yen = await read({ ...batch, currency: 'JPY', postings: [{ ...posting, cents: 500 }] })
    assert.equal(yen.postings[0]!.cents, 50_000)
  })

  test('keeps every letter of Windows-1252, and writes others as their nearest', () => {
    const all = Array.from({ length: 256 }, (_, byte) => byte).filter(
      (byte) => byte < 0x80 || byte >= 0xa0 || ![0x81, 0x8d, 0x8f, 0x90, 0x9d].includes(byte),
    )
    const text = new TextDecoder('windows-1252').decode(Uint8Array.from(all))
    assert.deepEqual([...windows1252(text)], all)
    const written = (character: string) =>
      new TextDecoder('windows-1252').decode(windows1252(character))
    assert.equal(written('Đurđa Čačić u\u0308 李 ﬁ'), '?ur?a Cacic ü ? fi')
  })
})

describe('a journal as CSV', () => {
  test('ends with what each account has of both sides, and with equal totals', async () => {
    const postings = [
      posting,
      { ...posting, text: '=1+1', debit: '1740', credit: '1200', cents: 44 },
      { ...posting, text: 'a, "b"\r\nc', cents: 1 },
    ]
    const rows = await readCsv(new Blob([journalAsCsv(postings, 'EUR')]))
    const of = (record: string) => rows.filter((row) => row['Record'] === record)
    assert.deepEqual(
      of('posting').map((row) => row['Text']),
      [posting.text, "'=1+1", 'a, "b"\r\nc'],
    )
    assert.deepEqual(
      of('account').map((row) => [
        row['Account'],
        row['Debit/credit'],
        row['Amount'],
        row['Postings'],
      ]),
      [
        ['1200', 'debit', '0.00', '0'],
        ['1200', 'credit', '0.44', '1'],
        ['1740', 'debit', '0.44', '1'],
        ['1740', 'credit', '1234.57', '2'],
        ['4130', 'debit', '1234.57', '2'],
        ['4130', 'credit', '0.00', '0'],
      ],
    )
    const totals = of('total').map((row) => cents(row['Amount']!))
    assert.deepEqual(totals, [123_501, 123_501])
    assert.equal(sum(of('posting').map((row) => cents(row['Amount']!))), 123_501)
  })
})
