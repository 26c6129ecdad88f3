// A share says of what it is one: screens have one of what was paid in, reports one of what is allocated.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companyDecisions, companyHappenings } from './company-sentences.ts'
import type { ReportSheet } from './document.ts'
import { fundDecisions } from './fund-sentences.ts'
import { trendDecisions, trendHappenings } from './trend-sentences.ts'

const money = (cents: number) => ({ cents, currency: 'EUR' })
const sheet = (rows: ReportSheet['rows']): ReportSheet => ({
  name: '',
  columns: [],
  rows,
  sums: [],
})

test('what is used is a share of what is allocated, and is called so', () => {
  const figures = [19, 20.2, 50, 90].map((value) => ({
    label: '',
    kind: 'percent' as const,
    value,
    before: null,
  }))
  const views = [{ currency: 'EUR', companies: 2, figures }]
  const company = { status: 'active', employees: 3 } as Parameters<typeof companyHappenings>[0][0]
  const companies = sheet([['EUR', 'Acme', 'Active', 3, money(100), money(24), 24.3]])
  const sentences = companyHappenings([company, company], views, companies)
  assert.ok(sentences.includes('Of what is allocated in EUR, 20.2% is used.'), sentences.join(' '))
  assert.ok(
    sentences.includes('Acme uses most of what is allocated to it: 24.3%.'),
    sentences.join(' '),
  )
  const month = ['EUR', '2026-10-01', 9, 4, 44.4, money(100), money(20), 20, money(5)]
  assert.equal(
    trendHappenings(views, sheet([month]))[0],
    '€0.20 of the €1.00 allocated was used at the end of Oct 2026: 20.0%.',
  )
  const category = (share: number) =>
    trendDecisions(sheet([['EUR', '2026-10-01', 'Treatment', money(1), money(1), share]]))
  assert.deepEqual(category(90), [
    '90.0% of what is allocated to Treatment (EUR) is used: allocate more, or let it run out?',
  ])
  assert.match(category(2)[0]!, /^Only 2\.0% of what is allocated to Treatment \(EUR\) is used: /)
  const row = ['EUR', 'Acme', null, 'Treatment', ...Array.from({ length: 6 }, () => null), 90]
  assert.deepEqual(
    fundDecisions([], sheet([row]), () => 0),
    ['Acme has used 90.0% of its allocation to Treatment: allocate more, or let it run out?'],
  )
})

test('one of something is not called several', () => {
  const [active, waits] = ['active', 'pending'].map((status) => ({
    status,
    employees: 1,
  })) as Parameters<typeof companyHappenings>[0]
  const views = [{ currency: 'EUR', companies: 2, figures: [] }]
  assert.deepEqual(companyHappenings([active!, waits!], views, sheet([])).slice(0, 2), [
    '2 companies with 2 employees.',
    '1 of them is active.',
  ])
  const row = ['EUR', 'Acme', 'Pending', 1, null, null, null]
  assert.deepEqual(companyDecisions(sheet([row]), sheet([])), [
    'To be activated or declined: Acme (1 person).',
  ])
})
