// Receipts that a browser printed to PDF, on paper of any size: PDFium takes some of them for vertical writing.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../test/browser.ts'
import type { ReadingHints } from './reading-days.ts'
import { readReceipt } from './read.server.ts'

const hints: ReadingHints = { currency: 'EUR', month_first: false, today: '2026-11-25' }
const row = (what: string, sum: string) => `<tr><td>${what}</td><td align="right">${sum}</td></tr>`
const html = (provider: string) => `<body style="font:16px Arial;padding:40px;width:600px">
  <h2>${provider}</h2><p>Hauptstr. 5, 10115 Berlin</p><p>Invoice / Rechnung 2026-77</p>
  <p>Date: 21 November 2026</p><p>Patient: Jonas Keller</p>
  <table width="100%">${row('Fitness course', '€18.00')}${row('<b>Total</b>', '<b>€18.00</b>')}</table>
  <p>Paid by card. Thank you.</p></body>`

describe('a receipt that a browser printed', () => {
  let browser: Browser
  before(async () => (browser = await openBrowser()))
  after(() => browser.close())

  const papers = [{ format: 'A4' }, { format: 'A5' }, { format: 'A6', landscape: true }]
  for (const provider of ['Yoga Loft Berlin', 'Physio Nord', 'Pflegedienst Łódź & Söhne'])
    for (const paper of papers)
      test(`is read on ${paper.format}: ${provider}`, async () => {
        const page = await browser.newPage()
        await page.setContent(html(provider))
        const printed = await page.pdf(paper)
        await page.close()
        const read = await readReceipt(printed, 'application/pdf', hints)
        const { marks, ...found } = read!
        const expected = { amount_cents: 1800, currency: 'EUR', on: '2026-11-21', provider }
        assert.deepEqual(found, expected)
        assert.deepEqual(Object.keys(marks).sort(), ['amount', 'on', 'provider'])
      })
})
