// The lists of claims as a phone shows them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { daysFrom, fundedCompany, type ClaimsStage } from '../claims-stage.ts'
import { openStage, picture, settled, wide, type E2e } from './stage.ts'

const phone = { ...wide, viewport: { width: 360, height: 780 } }

describe('on a phone', () => {
  let stage: E2e
  let company: ClaimsStage
  before(async () => {
    stage = await openStage()
    company = await fundedCompany(stage.scene)
  })
  after(async () => {
    await stage.close()
    assert.deepEqual(stage.faults, [])
  })

  test('a claim says its category, its provider and for whom, on a line of its own', async () => {
    const ana = await company.hire('Ana')
    const { id: dependent_id } = await ana.api.dependents.add({
      full_name: 'Mia Costa',
      relationship: 'child',
      born_on: daysFrom(company.today, -3000),
      covered_from: company.plan_year,
    })
    const { id } = await company.claim(ana, {
      category: 'solidarity',
      dependent_id,
      amount_cents: 2000,
      provider: 'Harbour Clinic',
    })
    const says = async (row: Locator, most_px: number) => {
      const line = row.filter({ hasText: `#${id}` })
      for (const words of ['Solidarity', 'Harbour Clinic · for Mia Costa', 'Pending', '€20.00']) {
        await line.getByText(words).filter({ visible: true }).first().waitFor()
      }
      const box = await line.boundingBox()
      assert.ok(box && box.height < most_px, `it is ${box?.height} pixels high`)
    }
    const mine = await stage.enter(ana, '/dashboard/my-claims', phone)
    await says(mine.getByRole('row'), 100)
    await settled(mine)
    await picture(mine, 'phone-my-claims')
    const hr = await stage.enter(company.company.admin, '/dashboard/claims', phone)
    await says(hr.getByRole('main').getByRole('listitem'), 175)
    await settled(hr)
    await picture(hr, 'phone-claims')
  })
})
