// The bills of the demo world are bills: read as any other, they say what their claims say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sameProvider } from '#claims/rules/provider.ts'
import { linesIn, withPdf } from '#receipts/pdf.server.ts'
import { readLines } from '#receipts/reading.ts'
import { claim_kinds } from '../demo/kinds.ts'
import { ibanFor } from '../demo/ibans.ts'
import { drawBill } from '../demo/papers.ts'
import { holdsAsIban } from '#payouts/iban.ts'

const hints = { currency: 'EUR', month_first: false, today: '2027-01-31' }
const bills = Object.values(claim_kinds)
  .flat()
  .flatMap(({ type, providers }) => providers.map((provider) => ({ type, provider })))

test('every place’s bill is read as the amount, the day and the provider of its claim', async () => {
  for (const [at, { type, provider }] of bills.entries()) {
    const [cents, on] = [1_999 + at * 1_735, `2027-01-${String(1 + (at % 28)).padStart(2, '0')}`]
    const bill = { type, provider, name: 'Jonas Keller', on, cents, currency: 'EUR' }
    const lines = await withPdf(await drawBill(bill), async (pdf) => linesIn(pdf, 3))
    const text = lines.map((line) => line.text).join('\n')
    const read = readLines(lines, hints)
    assert.equal(read.amount_cents, cents, `${provider}: ${text}`)
    assert.equal(read.on, on, `${provider}: ${text}`)
    assert.ok(sameProvider(read.provider ?? '', provider), `${provider}: ${read.provider}`)
  }
})

test('its account numbers hold', () => {
  assert.equal(ibanFor('DE', '370400440532013000'), 'DE89370400440532013000')
  assert.ok(holdsAsIban(ibanFor('GB', 'NWBK60161331926819')))
})
