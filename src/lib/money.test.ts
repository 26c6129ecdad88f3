import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimal, parseAmount } from './money.ts'

const reads = (text: string, cents: number, currency = 'EUR') =>
  assert.deepEqual(parseAmount(text, currency), { cents }, text)
const refuses = (text: string, fault: RegExp, currency = 'EUR') =>
  assert.match((parseAmount(text, currency) as { fault: string }).fault ?? '', fault, text)

test('amounts are read as people write them', () => {
  reads('12', 1200)
  reads(' 12.5 ', 1250)
  reads('12,50', 1250)
  reads('0.01', 1)
  reads('300,000.00', 30_000_000)
  reads('300.000,00', 30_000_000)
  reads('1.234.567', 123_456_700)
  reads('1 234 567,89', 123_456_789)
  reads("1'234.50", 123_450, 'CHF')
  reads('€ 12', 1200)
  reads('12 EUR', 1200)
  reads('1200', 1200, 'JPY')
  reads('1.234', 1234, 'KWD')
})

test('and refused where they are none, or could be two', () => {
  refuses('', /Enter an amount/)
  refuses('twelve', /Enter an amount/)
  refuses('$12', /Enter an amount/)
  refuses('12 USD', /Enter an amount/)
  refuses('1e3', /Enter an amount/)
  refuses('1,2,3', /Enter an amount/)
  refuses('12.345', /Write 12345 if that is meant, or at most 2 decimals/)
  refuses('0.001', /^Use at most 2 decimals/)
  refuses('12.3456', /at most 2 decimals/)
  refuses('1,234', /Write 1234 if that is meant/)
  refuses('12.5', /no decimals/, 'JPY')
  refuses('90071992547409.92', /too large/)
  reads('90071992547409.91', Number.MAX_SAFE_INTEGER)
})

test('and written back exactly', () => {
  assert.equal(decimal(123_456_789, 'EUR'), '1234567.89')
  assert.equal(decimal(-5, 'EUR'), '-0.05')
  assert.equal(decimal(0, 'EUR'), '0.00')
  assert.equal(decimal(1200, 'JPY'), '1200')
  assert.equal(decimal(Number.MAX_SAFE_INTEGER, 'EUR'), '90071992547409.91')
})
