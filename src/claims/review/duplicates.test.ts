// A claim that looks like another one: what is the same in both, and which one it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dateText } from '#ui/date-words.ts'
import { fundedCompany } from '../../../test/world/company.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { alikeText, otherClaimText } from './duplicates.ts'

const scene = openedScene()

test('what is the same is the bill, not the amount claimed of it, and the other claim is named', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire('Ana')
  const bill = { bill_cents: 10_550, service_on: acme.today, provider: 'Dr. Kovač' }
  const first = await acme.claim(ana, { ...bill, amount_cents: 1483 })
  const second = await acme.claim(ana, { ...bill, amount_cents: 10_550 })
  const claim = await acme.company.admin.api.review.find({ id: second.id })
  assert.deepEqual(
    claim.duplicates.map((one) => [alikeText(one, claim), otherClaimText(one, claim.currency)]),
    [
      [
        'The same bill amount (€105.50), day and provider',
        `claim #${first.id}, €14.83 for ${dateText(acme.today)}`,
      ],
    ],
  )
})

test('another person’s claim is not named', () => {
  const one = { kind: 'same_file', score: 100, claim_id: null, other: null } as const
  const claim = { bill_cents: 100, currency: 'EUR' }
  const texts = [alikeText(one, claim), otherClaimText(one, claim.currency)]
  assert.deepEqual(texts, ['The very same file', 'another person’s claim'])
})
