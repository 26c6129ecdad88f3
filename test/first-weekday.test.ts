// Which day a calendar's weeks begin with: the reader's region decides.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOfWeek } from '#ui/calendar-days.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const regions = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((region) => names.of(region) && region !== 'ZZ')

test('weeks begin alike in browsers that tell their first day and in those that do not', (t) => {
  const wednesday = '2026-01-07'
  const begins = () =>
    Object.fromEntries(
      ['en', ...regions.map((region) => `en-${region}`)].map((locale) => {
        const options = { locale } as Intl.ResolvedDateTimeFormatOptions
        t.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', () => options)
        return [locale, startOfWeek(wednesday)]
      }),
    )
  const known = begins()
  assert.deepEqual(
    ['en-DE', 'en-US', 'en-EG', 'en-MV'].map((locale) => known[locale]),
    ['2026-01-05', '2026-01-04', '2026-01-03', '2026-01-02'],
  )
  const tells = Object.getOwnPropertyDescriptor(Intl.Locale.prototype, 'getWeekInfo')!
  t.after(() => Object.defineProperty(Intl.Locale.prototype, 'getWeekInfo', tells))
  Object.defineProperty(Intl.Locale.prototype, 'getWeekInfo', { ...tells, value: undefined })
  assert.deepEqual(begins(), known)
})
