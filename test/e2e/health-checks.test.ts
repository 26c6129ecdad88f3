// A health check is booked in the browser.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Person } from '../world/people.ts'
import { open } from '../world/health-checks.ts'
import { until } from '../until.ts'
import { openedStage, phone, wide } from './stage.ts'

describe('a health check', () => {
  const stage = openedStage()
  let ana: Person
  before(async () => {
    ana = await (await stage.scene.company()).hire('Ana')
    await open(await stage.scene.superAdmin())
  })

  test('begins its weeks as the reader does, as other calendars', async () => {
    for (const [locale, first] of [
      ['en-US', 'Sun'],
      ['en-GB', 'Mon'],
    ] as const) {
      const page = await stage.enter(ana, '/dashboard/health-checks', { ...wide, locale })
      const month = page.locator('section[aria-busy]')
      await month.locator('button[aria-pressed]').first().waitFor()
      const cells = month.locator('.grid > *')
      assert.equal(await cells.first().innerText(), first)
      const lefts = await cells.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().x),
      )
      const text = await month.locator('h3').innerText()
      const day = new Date(`1 ${text} UTC`).getUTCDay()
      assert.equal(lefts[7], lefts[first === 'Sun' ? day : (day + 6) % 7], 'the first of the month')
      await page.context().close()
    }
  })

  test('that was booked on a phone is in view', async () => {
    const page = await stage.enter(ana, '/dashboard/health-checks', phone)
    await page.getByRole('button', { name: /^09:40/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const code = page.getByText('Say this code at the desk')
    await until(async () => {
      const box = await code.boundingBox()
      return box !== null && box.y > 0 && box.y + box.height < phone.viewport.height
    }, 'its code is in view')
    await page.context().close()
  })
})
