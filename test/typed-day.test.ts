import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText } from '#ui/date-words.ts'
import { dayFrom, isNoDay } from '#ui/typed-day.ts'

const today = '2026-02-10'
const read = (text: string, locale = 'en-GB', max?: string) => dayFrom(text, { today, locale, max })

test('a day is understood as the page writes it, and in every common way to type it', () => {
  const ways = [
    '5 Nov 2026',
    '05/11/2026',
    '5.11.2026',
    '5-11-26',
    '5 11 2026',
    '2026-11-05',
    '2026/11/5',
    '05112026',
    '5 november 2026',
    'Nov 5, 2026',
    '5th of November 2026',
    ' 5 nov 26 ',
    '2026 Nov 5',
  ]
  for (const text of ways) assert.equal(read(text), '2026-11-05', text)
})

test('day and month stand as the page has them, unless only one way makes sense', () => {
  assert.equal(read('4/5/2026', 'en-GB'), '2026-05-04')
  assert.equal(read('4/5/2026', 'en-US'), '2026-04-05')
  assert.equal(read('22/11/2026', 'en-US'), '2026-11-22')
  assert.equal(read('5.4.2026', 'en-US'), '2026-04-05')
  assert.equal(read('05.11.26', 'en-US'), '2026-11-05')
  assert.equal(read('11/22/2026', 'en-GB'), '2026-11-22')
  assert.equal(read('22112026', 'de'), '2026-11-22')
  assert.equal(read('20261122', 'ja'), '2026-11-22')
})

test('months are understood in the language of the page and in English', () => {
  assert.equal(read('5. März 2026', 'de'), '2026-03-05')
  assert.equal(read('5 maerz 2026', 'de'), undefined)
  assert.equal(read('5 marz 2026', 'de'), '2026-03-05')
  assert.equal(read('5 March 2026', 'de'), '2026-03-05')
  assert.equal(read('5 août 2026', 'fr'), '2026-08-05')
  assert.equal(read('5. studenoga 2026.', 'hr'), '2026-11-05')
})

test('what a page writes is what it reads', () => {
  for (const locale of ['en-GB', 'en-US', 'de', 'fr', 'hr', 'es', 'pl', 'sv', 'ja']) {
    const medium = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    for (let month = 1; month <= 12; month += 1) {
      const day = `2026-${String(month).padStart(2, '0')}-17`
      assert.equal(read(medium.format(new Date(day)), locale), day, `${locale} ${day}`)
    }
  }
})

test('two digits of a year are near, or of the last century', () => {
  assert.equal(read('1/2/46'), '2046-02-01')
  assert.equal(read('1/2/47'), '1947-02-01')
})

test('without a year it is this one, or the last one before the latest day', () => {
  assert.equal(read('20 Dec'), '2026-12-20')
  assert.equal(read('20 Dec', 'en-GB', today), '2025-12-20')
  assert.equal(read('9.2.', 'de', today), '2026-02-09')
})

test('what is no day is none', () => {
  const none = [
    '',
    '22',
    'no',
    '22 No',
    '31/2/2026',
    '29 Feb 2026',
    '32 Jan 2026',
    '5 Nov 202',
    '5 Nov 20266',
    '1 2 3 4',
    'Nov 2026 5 5',
    '5 foo 2026',
    '5 Nov May 2026',
  ]
  for (const text of none) assert.equal(read(text), undefined, text)
  assert.equal(read('29 Feb 2028'), '2028-02-29')
})

test('a day that no calendar has is told from what is no day at all', () => {
  const known = { today, locale: 'en-GB' }
  for (const text of ['31 Feb 2026', '31.02.2026', '29 Feb 2026', '31 April', '2026-11-31'])
    assert.equal(isNoDay(text, known), true, text)
  for (const text of ['28 Feb 2026', '29 Feb 2028', 'soon', '', '31', '31 Feb 20266', '40 May'])
    assert.equal(isNoDay(text, known), false, text)
})

test('a deadline at midnight is the day that ends there', () => {
  for (const days of [1, 9]) {
    const midnight = new Date()
    midnight.setHours(24 * days, 0, 0, 0)
    const day_before = new Date(midnight.getTime() - 60_000).toISOString()
    assert.equal(dateText(midnight.toISOString(), 'deadline'), dateText(day_before, 'day'))
  }
})
