// The sentence beside a control: on hover, on focus, by touch, told to screen readers, and gone when it is not wanted.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { problems } from '#problems.ts'
import { openedParts } from './parts.ts'
import { wide } from './stage.ts'

const [, sentence] = problems.forbidden

describe('a sentence beside a control', () => {
  const parts = openedParts()

  const open = async () => {
    const page = await parts.open({ ...wide, reducedMotion: 'reduce' })
    await page.goto(parts.url)
    const control = page.getByRole('button', { name: 'Refused, and says why' })
    await control.scrollIntoViewIfNeeded()
    const bubble = page.locator('[data-radix-popper-content-wrapper]', { hasText: sentence })
    return { page, control, bubble }
  }

  test('is shown on hover, stays while it is looked at, and goes', async () => {
    const { page, control, bubble } = await open()
    await control.hover()
    await bubble.waitFor()
    const [above, at] = [await bubble.boundingBox(), await control.boundingBox()]
    assert.ok(above && at)
    assert.ok(above.y + above.height <= at.y || above.y >= at.y + at.height, 'it covers nothing')
    assert.ok(Math.abs(above.x + above.width / 2 - at.x - at.width / 2) < 2, 'it is centred')
    await bubble.hover()
    await bubble.waitFor()
    await page.mouse.move(0, 0)
    await bubble.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('is shown where the keyboard stands, and Escape takes it away', async () => {
    const { page, control, bubble } = await open()
    await page.keyboard.press('Tab')
    await control.focus()
    await bubble.waitFor()
    await page.keyboard.press('Escape')
    await bubble.waitFor({ state: 'detached' })
    assert.ok(await control.evaluate((element) => element === document.activeElement))
    await page.keyboard.press('Tab')
    assert.equal(await bubble.count(), 0)
    await page.context().close()
  })

  test('is shown by touch of what does nothing, and goes by the next touch', async () => {
    const page = await parts.open({ ...wide, hasTouch: true })
    await page.goto(parts.url)
    const control = page.getByRole('button', { name: 'Refused, and says why' })
    await control.tap({ force: true }) // of what does nothing
    const bubble = page.locator('[data-radix-popper-content-wrapper]', { hasText: sentence })
    await bubble.waitFor()
    await page.getByRole('heading', { level: 1 }).tap()
    await bubble.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('that cannot be fetched takes nothing away', async () => {
    const page = await parts.open(wide)
    const request = page.waitForRequest(/TooltipBubble/)
    await page.route(/TooltipBubble/, (route) => route.abort())
    await page.goto(parts.url)
    const control = page.getByRole('button', { name: 'Refused, and says why' })
    await control.hover()
    await request
    await page.getByRole('button', { name: 'Disabled', exact: true }).hover()
    assert.ok(await control.isVisible())
    assert.deepEqual(parts.faults.splice(0), ['Failed to load resource: net::ERR_FAILED'])
    await page.context().close()
  })

  test('is what a screen reader is told of the control, shown or not', async () => {
    const { page, control } = await open()
    const description = await control.evaluate((element) => {
      const id = element.getAttribute('aria-describedby')
      return id && document.getElementById(id)?.textContent
    })
    assert.equal(description, sentence)
    await page.context().close()
  })
})
