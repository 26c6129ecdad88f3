// My Claims in a real browser.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fundedCompany } from '../../test/world/company.ts'
import { openedStage, picture, wide } from '../../test/e2e/stage.ts'

const stage = openedStage()

test('the day on which a claim was submitted is read whole on a desk', async () => {
  const acme = await fundedCompany(stage.scene)
  const ana = await acme.hire('Ana')
  const { id } = await acme.claim(ana)
  await stage.scene.sql`update claims set submitted_at = '2026-09-28T09:00Z' where id = ${id}`
  const page = await stage.enter(ana, '/dashboard/my-claims', wide)
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const day = page.getByRole('cell').getByText(/^(28 Sept? 2026|Sep 28, 2026)$/)
    await day.waitFor()
    await picture(page, `my-claims-${width}`)
    const cut = await day.evaluate((text) => {
      const { right } = text.getBoundingClientRect()
      for (let box = text.parentElement; box && box.tagName !== 'TR'; box = box.parentElement)
        if (right > box.getBoundingClientRect().right + 1) return `${box.tagName} ${box.className}`
      return ''
    })
    assert.equal(cut, '', `${width} wide`)
  }
})
