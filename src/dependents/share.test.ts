// The extra of a dependent in the year of joining, as its owner reads it and as it comes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../test/world/company.ts'
import { ownBalances } from '../../test/world/money.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

test('the extra for a dependent is a share in the year of joining, as its owner reads beforehand', async () => {
  const acme = await fundedCompany(scene, { began: 100 })
  await scene.sql`update plan_years set dependent_cents = 5000, proration = 'month'
    where company_id = ${acme.id}`
  const [early, late] = [await acme.hire(), await acme.company.hire()]
  const extraOf = async ({ api }: Person) => {
    const { dependent_cents, dependent_share_cents } = await api.dependents.mine({})
    assert.equal(dependent_cents, 5000)
    return dependent_share_cents
  }
  assert.equal(await extraOf(early), 5000)
  const share = await extraOf(late)
  assert.ok(share > 0 && share < 5000)
  const [, , before = 0] = await ownBalances(late)
  await late.api.dependents.add({ full_name: 'Mia', relationship: 'child', born_on: '2020-01-01' })
  const [, , after = 0] = await ownBalances(late)
  assert.equal(after - before, share)
})
