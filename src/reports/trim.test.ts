// Rows that say nothing are left out; hidden ones among figures stay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suppressed, type Chart, type ReportSheet } from './document.ts'
import { changeText } from './show.ts'
import { say } from './sentences.ts'
import { speaks, trimmed } from './trim.ts'
import { periodBefore } from './kinds.ts'

const money = (cents: number) => ({ cents, currency: 'EUR' })

test('rows without a figure go, sums stay, and months of few people alone go', () => {
  const sheet: ReportSheet = {
    name: 'By month',
    columns: [
      { title: 'Month', kind: 'month' },
      { title: 'Employees', kind: 'count', backdrop: true },
      { title: 'Used', kind: 'money' },
    ],
    rows: [
      ['2026-01-01', 9, suppressed],
      ['2026-02-01', 9, money(0)],
      ['2026-03-01', 9, money(500)],
      ['All', 9, suppressed],
    ],
    sums: [3],
  }
  const { rows, sums } = trimmed(sheet)
  assert.deepEqual(
    rows.map(([month]) => month),
    ['2026-03-01', 'All'],
  )
  assert.deepEqual(sums, [1])
  const by_company = {
    ...sheet,
    columns: [{ title: 'Company', kind: 'text' as const }, ...sheet.columns.slice(1)],
  }
  by_company.rows = [['North', 0, money(0)], ...by_company.rows]
  assert.equal(trimmed(by_company).rows.length, 5, 'a company stays, hidden or without a figure')
})

test('a chart is drawn only of figures', () => {
  const chart = (values: (number | null)[]): Chart => ({
    title: 'Used',
    shape: 'bars',
    labels: values.map(String),
    series: [{ name: 'Used', tone: 'primary', values }],
    unit: 'count',
  })
  assert.ok(speaks(chart([1, null, 3])))
  assert.ok(!speaks(chart([])))
  assert.ok(!speaks(chart([4])), 'a single bar says less than its figure')
  assert.ok(!speaks(chart([0, 0])))
  assert.ok(!speaks(chart([5, null, null])), 'most of it is hidden')
})

test('a sentence is not said without its figures', () => {
  assert.deepEqual(say`${money(8_471_920)} is used.`, ['€84,719.20 is used.'])
  assert.deepEqual(say`${suppressed} is used by ${3}.`, [])
  assert.deepEqual(say`${null} is used.`, [])
})

test('a change never tells a figure that is hidden', () => {
  assert.equal(changeText(money(500), money(200), 'money'), '+€3.00')
  assert.equal(changeText(17.1, 19.2, 'percent'), '−2.1 points')
  assert.equal(changeText(4, 4, 'count'), 'no change')
  assert.equal(changeText(suppressed, 4, 'count'), undefined)
  assert.equal(changeText(money(5), suppressed, 'money'), undefined)
})

test('a period is compared with as many months right before it', () => {
  assert.deepEqual(periodBefore('2026-03-01', '2026-03-31'), {
    from_on: '2026-02-01',
    to_on: '2026-02-28',
  })
  assert.deepEqual(periodBefore('2026-01-01', '2026-12-31'), {
    from_on: '2025-01-01',
    to_on: '2025-12-31',
  })
})
