// Sentences about a claim, as its employee and HR read them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProblemCode } from '#problems.ts'
import { againText, restText, waitsForText } from './labels.ts'

test('a claim says whom it waits for, to its employee and to HR', () => {
  assert.equal(waitsForText({ who: 'hr', nth: 2, of: 3 }, true), 'HR, approval 2 of 3')
  assert.equal(waitsForText({ who: 'hr', nth: 1, of: 1 }, false), 'HR')
  const answer = { who: 'employee', nth: 1, of: 1 } as const
  assert.equal(waitsForText(answer, true), 'your answer to HR’s question')
  assert.equal(waitsForText(answer, false), 'the employee’s answer')
})

test('the rest of an approval in part is in the fund only while it can still be claimed', () => {
  const restOf = (appeal: ProblemCode | null) =>
    restText({
      amount_cents: 5000,
      approved_cents: 3000,
      currency: 'EUR',
      refusals: { appeal, withdraw: null, answer: null, again: null },
    })
  assert.equal(restOf(null), 'The other €20.00 is back in your fund.')
  assert.equal(restOf('plan_year_closed'), 'The other €20.00 was not approved.')
  assert.equal(restOf('appeal_too_late'), 'The other €20.00 was not approved.')
  assert.equal(restOf('already_appealed'), 'The other €20.00 was not approved.')
})

test('a claim that was withdrawn says whether its bill can be claimed again, and why not', () => {
  const textOf = (again: ProblemCode | null) =>
    againText({ appeal: null, withdraw: null, answer: null, again }, 'You can claim it again.')
  assert.equal(textOf(null), 'You can claim it again.')
  const closed = 'This plan year is closed, so you can’t claim it again.'
  assert.equal(textOf('plan_year_closed'), closed)
})
