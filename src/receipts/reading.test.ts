// Promises of reading: receipts as they are written in many places, and what is proposed of each.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import type { ReadingHints } from './reading-days.ts'
import { readLines } from './reading.ts'

const hints: ReadingHints = { currency: 'EUR', month_first: false, today: '2026-11-21' }
const read = (text: string, more: Partial<ReadingHints> = {}) =>
  readLines(
    text.split(/[\r\n\f]+/).map((line) => ({ text: line })),
    { ...hints, ...more },
  )
const cents = (text: string, currency = 'EUR') => read(text, { currency }).amount_cents
const on = (text: string, more: Partial<ReadingHints> = {}) => read(text, more).on
const provider = (text: string) => read(text).provider

describe('the amount', () => {
  const written: [string, number, string?][] = [
    ['TOTAL 1.234,56 €', 123456],
    ['TOTAL € 1,234.56', 123456],
    ['Amount due $45.00', 4500, 'USD'],
    ['Amount Due: USD 1,045.5', 104550, 'USD'],
    ['Total CHF 1’234.50', 123450, 'CHF'],
    ["Total CHF 1'234.50", 123450, 'CHF'],
    ['Zu zahlen: 45,- EUR', 4500],
    ['Gesamtbetrag inkl. MwSt. 89,90 EUR', 8990],
    ['UKUPNO: 125,00 EUR', 12500],
    ['Za platiti 1.250,00', 125000],
    ['Net à payer 58,20 €', 5820],
    ['Total TTC : 1 204,50 €', 120450],
    ['Totale complessivo 12,00', 1200],
    ['Te betalen € 33,10', 3310],
    ['Total a pagar 99,95€', 9995],
    ['DO ZAPŁATY 210,00 PLN', 21000, 'PLN'],
    ['Celkem k úhradě 1 250,00 Kč', 125000, 'CZK'],
    ['Att betala 450,00 kr', 45000, 'SEK'],
    ['合計 TOTAL ¥3200', 3200, 'JPY'],
    ['Grand Total 46. 40', 4640],
    ['Grand Total 46 .40', 4640],
    ['TOTAL EUR46.40', 4640],
    ['TOTAL **46.40', 4640],
    ['Total: 50', 5000],
    ['Total\n46.40', 4640],
    ['Total\n€ 46.40\nVAT 8.00', 4640],
    ['Total due\nEUR 1.046,40', 104640],
  ]
  for (const [text, expected, currency] of written) {
    test(JSON.stringify(text), () => assert.equal(cents(text, currency), expected))
  }

  test('is the sum to be paid, not one before tax, of tax, given or saved', () => {
    const slip = (...lines: string[]) => cents(['Shop', ...lines].join('\n'))
    assert.equal(
      slip('Subtotal 40.00', 'VAT 20% 8.00', 'Total 48.00', 'Cash 50.00', 'Change 2.00'),
      4800,
    )
    assert.equal(
      slip('Zwischensumme 40,00', 'MwSt 19% 7,60', 'Summe 47,60', 'Gegeben 50,00', 'Rückgeld 2,40'),
      4760,
    )
    assert.equal(slip('Total net 40.00', 'Total VAT 8.00', 'Total incl. VAT 48.00'), 4800)
    assert.equal(slip('You saved 12.00', 'TOTAL 30.00', 'Points 300'), 3000)
    assert.equal(slip('Total items 3', 'Total 12.50'), 1250)
    assert.equal(slip('Total 60.00', 'Insurance paid 20.00', 'Balance due 40.00'), 4000)
    assert.equal(slip('Total 45.00', 'Amount paid 45.00', 'Balance due 0.00'), 4500)
    assert.equal(slip('Visit 80.00', 'Visa **** 4412 80.00'), 8000)
    assert.equal(slip('Total HT 100,00', 'TVA 20,00', 'Total TTC 120,00'), 12000)
    assert.equal(slip('Sous-total 100,00', 'Total à payer 120,00'), 12000)
  })

  test('is the largest sum of money where no line names it', () => {
    assert.equal(cents('Dr. Novak\nConsultation 60.00\nBlood test 35.50'), 6000)
    assert.equal(cents('Consultation €60\nRoom 4'), 6000)
  })

  test('is nothing where nothing is written as money', () => {
    assert.equal(cents('Thank you for visiting us in room 12'), null)
    assert.equal(cents('Phone 01 234 5678\nDate 14.03.2026\n11:42'), null)
    assert.equal(cents('20 % off\nItem 4711'), null)
    assert.equal(cents('Refund -20.00'), null)
    assert.equal(cents(''), null)
    assert.equal(cents('Total 0.00'), null)
  })

  test('no date, time, tax number or telephone is taken for it', () => {
    assert.equal(cents('Total on 14.03.2026 at 11:42 is 12.00'), 1200)
    assert.equal(cents('VAT No IE6388047V\nIBAN IE29 AIBK 9311 5212 3456 78\nTotal 8.90'), 890)
  })
})

describe('the currency', () => {
  test('is the one the sums are written in, else not known', () => {
    assert.equal(read('Total 12,00 €').currency, 'EUR')
    assert.equal(read('Total £12.00').currency, 'GBP')
    assert.equal(read('TOTAL 12.00').currency, null)
    assert.equal(read('Fr. 12.50').currency, 'CHF')
    assert.equal(read('Rate EUR/USD\nTotal $4.00\nPaid $4.00').currency, 'USD')
  })
  test('a sign that several countries share is the company’s, where it is one of them', () => {
    assert.equal(read('Total $12.00').currency, 'USD')
    assert.equal(read('Total $12.00', { currency: 'CAD' }).currency, 'CAD')
    assert.equal(read('Total 120 kr', { currency: 'NOK' }).currency, 'NOK')
  })
})

describe('the day', () => {
  const written: [string, string][] = [
    ['Date: 2026-03-14', '2026-03-14'],
    ['2026/03/14 11:42', '2026-03-14'],
    ['Datum: 14.3.2026', '2026-03-14'],
    ['14.03.26', '2026-03-14'],
    ['14. 3. 2026.', '2026-03-14'],
    ['14/03/2026', '2026-03-14'],
    ['14-03-2026', '2026-03-14'],
    ['03/14/2026', '2026-03-14'],
    ['14 March 2026', '2026-03-14'],
    ['14th of March 2026', '2026-03-14'],
    ['March 14, 2026', '2026-03-14'],
    ['Mar 14 2026', '2026-03-14'],
    ['14-Mar-26', '2026-03-14'],
    ['14. März 2026', '2026-03-14'],
    ['14. ožujka 2026.', '2026-03-14'],
    ['14 mars 2026', '2026-03-14'],
    ['14 de marzo de 2026', '2026-03-14'],
    ['14 października 2025', '2025-10-14'],
  ]
  for (const [text, expected] of written) {
    test(JSON.stringify(text), () => assert.equal(on(text), expected))
  }

  test('that could be two is judged by another one, by the currency, then by where the company is', () => {
    assert.equal(on('03/04/2026'), '2026-04-03')
    assert.equal(on('03/04/2026', { month_first: true }), '2026-03-04')
    assert.equal(on('Date 03/04/2026\nPrinted 03/25/2026'), '2026-03-04')
    assert.equal(on('Date 03/04/2026\nPrinted 25/04/2026', { month_first: true }), '2026-04-03')
    assert.equal(on('Total $12.00\n03/04/2026'), '2026-03-04')
    assert.equal(
      on('Total €12.00\n03/04/2026', { currency: 'USD', month_first: true }),
      '2026-04-03',
    )
  })

  test('is not in the future: then the other way of reading it, or none', () => {
    assert.equal(on('12/10/2026', { month_first: true }), '2026-10-12')
    assert.equal(on('Date: 2026-11-22'), null)
    assert.equal(on('Date: 2026-11-21'), '2026-11-21')
  })

  test('is of the service before that of the invoice, and never of birth, payment or expiry', () => {
    assert.equal(on('Invoice date 20.03.2026\nDate of service 14.03.2026'), '2026-03-14')
    assert.equal(on('Rechnungsdatum 20.03.2026\nLeistungsdatum: 14.03.2026'), '2026-03-14')
    assert.equal(on('Date of birth 02.02.1980'), null)
    assert.equal(on('DOB 02.02.2019\nVisit 14.03.2026'), '2026-03-14')
    assert.equal(on('Due date 02.02.2026\n14.03.2026'), '2026-03-14')
    assert.equal(on('geb. 02.02.2020\nDatum 14.03.2026'), '2026-03-14')
  })

  test('is one that exists', () => {
    assert.equal(on('31.02.2026'), null)
    assert.equal(on('2026-13-01'), null)
    assert.equal(on('Version 1.2.3 and 192.168.1.20'), null)
  })
})

describe('the provider', () => {
  test('is the first prominent line, rather one that names a practice or a company', () => {
    assert.equal(provider('City Pharmacy\n12 Harbour Street\nTotal 4.00'), 'City Pharmacy')
    assert.equal(
      provider('INVOICE\nHarbour Dental Clinic Ltd\nTotal 4.00'),
      'Harbour Dental Clinic Ltd',
    )
    assert.equal(
      provider('RAČUN br. 12\nPoliklinika Sunce d.o.o.\nIlica 1'),
      'Poliklinika Sunce d.o.o.',
    )
    assert.equal(provider('Rechnung\nMarien-Apotheke\nHauptstraße 5'), 'Marien-Apotheke')
    assert.equal(
      provider('Dr. med. Eva Huber\nFachärztin für Allgemeinmedizin'),
      'Dr. med. Eva Huber',
    )
    assert.equal(provider('Receipt 0042\nDate: 14.03.2026\nBlue Door\nTotal 4.00'), 'Blue Door')
    assert.equal(provider('Welcome\nAcme Sports GmbH\nTotal'), 'Acme Sports GmbH')
  })
  test('without the scratches that OCR makes of edges', () => {
    assert.equal(provider('| ~ City Pharmacy |\nTotal 4.00'), 'City Pharmacy')
    assert.equal(provider('«  City Pharmacy _— \nTotal 4.00'), 'City Pharmacy')
  })
  test('is nobody where no line is a name', () => {
    assert.equal(provider('Total 4.00\n14.03.2026\n+353 1 234 5678'), null)
    assert.equal(provider('12345\n****\nwww.example.com\nhello@example.com'), null)
    assert.equal(provider(''), null)
  })
})

describe('whatever a file says', () => {
  test('it is read quickly and to proper values', () => {
    const odd = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.constantFrom(
          'Total',
          '1.',
          ',',
          '€',
          '\n',
          ' ',
          '99',
          '-',
          '/',
          '2026',
          "'",
          '0',
          '%',
          'Mar',
        ),
      ),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(odd, (parts) => {
        const { amount_cents, on: day, provider: name } = read(parts.join(''))
        assert.ok(amount_cents === null || (Number.isSafeInteger(amount_cents) && amount_cents > 0))
        assert.ok(day === null || /^\d{4}-\d\d-\d\d$/.test(day))
        assert.ok(name === null || (name.length > 0 && name.length <= 100))
      }),
      { numRuns: 500 },
    )
  })

  test('a megabyte of one character takes no longer than a receipt', () => {
    for (const one of ['1', ' ', '.', 'a', '1 ', '1,', '€1', '-', 'Total ', '1/1/', '\n1']) {
      const began = process.cpuUsage()
      read(one.repeat(1_000_000 / one.length))
      const { user } = process.cpuUsage(began)
      assert.ok(user < 2_000_000, `${JSON.stringify(one)}: ${user} µs`)
    }
  })
})
