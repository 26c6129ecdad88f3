// Figures that the claims' screens compute themselves.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Receipt } from '#receipts/receipts.contract.ts'
import {
  claimFormOf,
  differingIn,
  draftOf,
  mayFill,
  foreignAmount,
  proposalsOf,
  idsIn,
} from '#claims/form/claim-form.ts'
import { agreementOf, type Agreement } from '#claims/review/differences.ts'
import { secondAbove } from '../../test/world/company.ts'
import { policyFormOf, termsOf, textsOf } from '#claims/policies/policy-form.ts'
import { policyChangesOf } from '#claims/policies/policy-words.contract.ts'
import { coveredOn, limitsSaidOf, yearOfDay } from '#claims/form/claim-options.ts'
import type { ClaimOptions } from './claims.contract.ts'
import { paidText, sentOrPaid, sentText } from './sent-words.contract.ts'

const id = '00000000-0000-4000-8000-000000000001'
const typed = {
  category: 'treatment',
  dependent_id: '',
  type_id: id,
  provider: 'Harbour Clinic',
  service_on: '2026-11-19',
  bill_cents: '62,50',
  amount_cents: '62.50',
  note: '',
  receipt_ids: `${id},${id.replace(/1$/, '2')}`,
  attempt: 'one',
}

const receipt = (read: Partial<Receipt>): Receipt => ({
  id,
  claim_id: null,
  file_name: 'receipt.pdf',
  media_type: 'application/pdf',
  size_bytes: 1,
  pages: 1,
  width: 1,
  height: 1,
  read_state: 'read',
  read_amount_cents: null,
  read_currency: null,
  read_on: null,
  read_provider: null,
  read_marks: {},
  restricted: false,
  blacked_times: 0,
  blacked_reads: [],
  refusals: { black_out: null },
  created_at: '2026-11-20T10:00:00Z',
  ...read,
})

describe('the form of a claim', () => {
  test('only what is complete is checked: a half-typed field is left out', () => {
    const draft = draftOf({ ...typed, provider: 'H', bill_cents: 'sixty', service_on: '' }, 'EUR')
    assert.deepEqual(Object.keys(draft).sort(), [
      'amount_cents',
      'category',
      'dependent_id',
      'receipt_ids',
      'type_id',
    ])
    assert.equal(draft.amount_cents, 6250)
    assert.equal(draft.receipt_ids?.length, 2)
  })

  test('what was for a dependent is for oneself once the category is another', () => {
    assert.equal(draftOf({ ...typed, dependent_id: id }, 'EUR').dependent_id, null)
    const solidarity = { ...typed, category: 'solidarity', dependent_id: id }
    assert.equal(draftOf(solidarity, 'EUR').dependent_id, id)
  })

  test('Solidarity asks for whom, each field in its own sentence', () => {
    const { error } = claimFormOf('EUR').safeParse({ ...typed, category: 'solidarity' })
    assert.match(JSON.stringify(error?.issues), /Choose who it is for/)
    const empty = claimFormOf('EUR').safeParse({ attempt: 'one', receipt_ids: '' })
    const issues = JSON.stringify(empty.error?.issues)
    for (const sentence of ['Choose a category', 'Enter an amount above zero']) {
      assert.ok(issues.includes(sentence), sentence)
    }
  })

  test('nobody is asked for whom where it is for oneself', () => {
    assert.ok(claimFormOf('EUR').safeParse(typed).success)
  })

  test('no receipts are no receipts', () => {
    assert.deepEqual(idsIn(''), [])
    assert.deepEqual(idsIn(undefined), [])
  })
})

describe('what a receipt proposes', () => {
  test('the first that says something has the word', () => {
    const read = [
      receipt({ read_state: 'unreadable', read_provider: 'noise' }),
      receipt({ read_on: '2026-11-19' }),
      receipt({ read_on: '2026-01-01', read_amount_cents: 6250, read_provider: 'Harbour Clinic' }),
    ]
    assert.deepEqual(proposalsOf(read, 'EUR'), {
      bill_cents: '62.50',
      service_on: '2026-11-19',
      provider: 'Harbour Clinic',
    })
  })

  test('of several receipts the bill is what they come to, where no two say the same', () => {
    const amounts = (...all: (number | null)[]) =>
      proposalsOf(
        all.map((cents) => receipt({ read_amount_cents: cents })),
        'EUR',
      ).bill_cents
    assert.equal(amounts(3120, 1280), '44.00')
    assert.equal(amounts(3120, 3120), '31.20', 'a bill, and the slip of the card')
    assert.equal(amounts(3120, null), '31.20', 'one says nothing')
  })

  test('an amount in another currency is not ours', () => {
    const dollars = receipt({ read_amount_cents: 6250, read_currency: 'USD' })
    assert.deepEqual(proposalsOf([dollars], 'EUR'), {})
    assert.match(foreignAmount([dollars], 'EUR') ?? '', /^The receipt says \$62\.50\. Enter what /)
    assert.equal(foreignAmount([dollars], 'USD'), undefined)
    assert.equal(foreignAmount([receipt({ read_amount_cents: 6250 })], 'EUR'), undefined)
  })

  test('fills only what nobody put a hand on', () => {
    assert.ok(mayFill('', undefined, false))
    assert.ok(mayFill('62.50', '62.50', false), 'a second reading may correct the first')
    assert.ok(!mayFill('60', undefined, false), 'typed before a reload')
    assert.ok(!mayFill('', undefined, true), 'emptied by hand')
  })
})

describe('claimed and read', () => {
  const claimed = {
    bill_cents: 8000,
    currency: 'EUR',
    service_on: '2026-11-19',
    provider: 'Dr. Müller, Zagreb',
  }
  test('differences are told, and what was not found is neither right nor wrong', () => {
    const read = {
      read_amount_cents: 6250,
      read_currency: null,
      read_on: null,
      read_provider: 'DR MULLER',
    }
    assert.deepEqual(agreementOf(claimed, read), {
      bill: 'differs',
      service_on: 'unread',
      provider: 'agrees',
    })
    assert.equal(agreementOf(claimed, undefined).bill, 'unread')
    const named = (read_provider: string) =>
      agreementOf(claimed, { ...read, read_provider }).provider
    assert.equal(named('Zagreb Ordinacija Dr MULLFR'), 'agrees', 'as the rules compare names')
    assert.equal(named('Dr. M'), 'differs')
    const printed = (read_currency: string | null) => ({
      ...read,
      read_amount_cents: claimed.bill_cents,
      read_currency,
    })
    assert.equal(agreementOf(claimed, printed('EUR')).bill, 'agrees')
    assert.equal(
      agreementOf(claimed, printed('USD')).bill,
      'differs',
      'the same digits, in dollars',
    )
  })

  test('a provider’s name agrees exactly where automatic approval says so', () => {
    const names: [printed: string, typed: string, Agreement][] = [
      ['Müller Zahnärzte GmbH', 'Zahnärzte Müller', 'agrees'],
      ['Apotheke Narkt', 'Apotheke Markt', 'agrees'],
      ['Praxis Große', 'Praxis Grosse', 'agrees'],
      ['Ost', 'Apotheke Ostheim', 'differs'],
    ]
    for (const [read_provider, provider, agreement] of names) {
      const read = { read_amount_cents: null, read_currency: null, read_on: null, read_provider }
      assert.equal(agreementOf({ ...claimed, provider }, read).provider, agreement, provider)
    }
  })
})

describe('years and family', () => {
  const year = (plan_year: string, ends_on: string) => ({
    plan_year,
    ends_on,
    filing_ends_on: ends_on,
    available: { prevention: 1, treatment: 2, solidarity: 3 },
  })
  const options: ClaimOptions = {
    currency: 'EUR',
    today: '2026-02-01',
    earliest: '2025-01-01',
    joined_on: '2026-01-01',
    limits: [],
    receipt_above_cents: 0,
    auto_approve_cents: 0,
    types: [],
    years: [year('2026-01-01', '2026-12-31'), year('2025-01-01', '2025-12-31')],
    dependents: [
      {
        id,
        full_name: 'Lea',
        relationship: 'child',
        covered_from: '2025-06-01',
        covered_to: '2025-12-31',
      },
    ],
  }
  test('a claim belongs to the year of its service', () => {
    assert.equal(yearOfDay(options, undefined)?.plan_year, '2026-01-01')
    assert.equal(yearOfDay(options, '2025-12-31')?.plan_year, '2025-01-01')
    assert.equal(yearOfDay(options, '2024-12-31'), undefined)
  })
  test('limits that depend on the day are said of the year that runs, and of no other', () => {
    const terms = { id, name: null, category: null, type_id: null, counted: [] }
    const limits: ClaimOptions['limits'] = [
      { ...terms, kind: 'per_year', cents: 20_000, claims: null, months: null },
      { ...terms, kind: 'waiting', cents: null, claims: null, months: 3 },
    ]
    const all = { ...options, limits }
    assert.deepEqual(limitsSaidOf(all, '2026-01-01'), limits)
    assert.deepEqual(limitsSaidOf(all, '2025-01-01'), limits.slice(0, 1))
  })
  test('only who was covered on the day is offered', () => {
    assert.equal(coveredOn(options, '2025-06-01').length, 1)
    assert.equal(coveredOn(options, '2025-05-31').length, 0)
    assert.equal(coveredOn(options, undefined).length, 0)
  })
})

describe('the policy’s form', () => {
  const terms = {
    auto_approve_cents: 5000,
    auto_approve_per_month: 4,
    spot_check_percent: 5,
    receipt_above_cents: 2500,
    steps: secondAbove(30_000),
    review_days: 3,
    account_wait_days: 0,
  }
  const read = (texts: ReturnType<typeof textsOf>) => termsOf(policyFormOf('EUR').parse(texts))

  test('says what it was given', () => {
    assert.deepEqual(read(textsOf(terms, 'EUR')), terms)
    const one = { ...terms, steps: [] }
    assert.deepEqual(read(textsOf(one, 'EUR')), one)
  })

  test('a version tells what it changed, and the first one all', () => {
    const next = { ...terms, steps: [] }
    assert.deepEqual(policyChangesOf(next, terms, 'EUR'), [
      {
        name: 'Approvals',
        before: '1. Any reviewer, every claim; 2. Any reviewer, above €300.00',
        after: 'One reviewer',
      },
    ])
    assert.equal(policyChangesOf(terms, undefined, 'EUR').length, 7)
  })
})

test('receipts that are added up and differ in day or provider are told of while one fills in', () => {
  const one = receipt({ read_amount_cents: 18_000, read_on: '2026-11-20', read_provider: 'Linden' })
  const textOfReceipt = (other: Partial<Receipt>) =>
    differingIn([one, receipt({ ...one, read_amount_cents: 12_000, ...other })], 'EUR')
  assert.equal(textOfReceipt({}), undefined)
  assert.equal(textOfReceipt({ read_provider: 'Linden GmbH', read_on: null }), undefined)
  assert.match(
    textOfReceipt({ read_on: '2026-11-24' })!,
    /^These receipts are of different days\. Submit/,
  )
  assert.match(textOfReceipt({ read_provider: 'Movement & Co' })!, /of different providers\. /)
  const both = { read_on: '2026-11-24', read_provider: 'Movement & Co' }
  assert.match(textOfReceipt(both)!, /of different days and providers\. /)
  assert.equal(
    textOfReceipt({ ...both, read_amount_cents: 18_000 }),
    undefined,
    'a bill and its slip',
  )
})

test('a payment is on its way until its pay day, and paid from then on, in every place', () => {
  const words = (today: string) =>
    [sentOrPaid, sentText, paidText].map((say) => say('2026-11-27', today))
  assert.deepEqual(words('2026-11-26'), [
    'Sent',
    'On its way, Nov 27, 2026',
    'On its way, to be paid on Nov 27, 2026',
  ])
  assert.deepEqual(words('2026-11-27'), ['Paid', 'Paid', 'Paid on Nov 27, 2026'])
})
