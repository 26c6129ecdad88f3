// The reasons that forms and other systems read where a value does not fit its shape.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { ClaimId } from '#claims/claims.contract.ts'
import { NewCompany } from '#companies/companies.contract.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import { NewSlots } from '#health-checks/setting-up.contract.ts'
import { Day } from '#lib/days.ts'

const reasonsOf = (shape: z.ZodType, value: unknown) =>
  shape.safeParse(value).error?.issues.map(({ message }) => message) ?? []

test('an amount that is none, is in fractions, missing or too large', () => {
  for (const amount of [PositiveCents, NewCompany.shape.contribution_cents]) {
    for (const none of ['100', null, true, {}, NaN]) {
      assert.deepEqual(reasonsOf(amount, none), ['Enter an amount'])
    }
    assert.deepEqual(reasonsOf(amount, 12.5), ['Enter whole cents'])
    assert.deepEqual(reasonsOf(amount, 1e17), ['This amount is too large'])
    assert.deepEqual(reasonsOf(amount, 0), ['Enter an amount above zero'])
  }
  assert.deepEqual(reasonsOf(PositiveCents, undefined), ['Please fill in this field'])
})

test('a number below its bound, or at one that is not included', () => {
  assert.deepEqual(reasonsOf(ClaimId.shape.id, '-1'), ['More than 0'])
  assert.deepEqual(reasonsOf(z.number().lt(3), 3), ['Less than 3'])
  assert.deepEqual(reasonsOf(z.number().min(1).max(1), 2), ['At most 1'])
  assert.deepEqual(reasonsOf(z.string().min(1), ''), ['At least 1 character'])
  assert.deepEqual(reasonsOf(z.string().max(2), 'abc'), ['At most 2 characters'])
  const { weekdays } = NewSlots.shape
  for (const day of [0, 8]) {
    assert.deepEqual(reasonsOf(weekdays, [day]), ['Weekdays are from 1 (Monday) to 7 (Sunday)'])
  }
})

test('a day that is none has one reason', () => {
  assert.deepEqual(reasonsOf(Day(), '１９５０-01-01'), ['Choose a date'])
  assert.deepEqual(reasonsOf(Day(), '1850-01-01'), ['Choose a day between 1900 and 2200'])
})
