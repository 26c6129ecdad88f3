// The browser of the tests draws pages on a machine where nothing was installed for it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser } from './browser.ts'

let browser: Browser
before(async () => (browser = await openBrowser()))
after(() => browser.close())

test('it draws a page and its letters', async () => {
  const page = await browser.newPage({ viewport: { width: 200, height: 100 } })
  await page.setContent('<p style="font: 40px sans-serif">Äå</p><button>Press</button>')
  assert.equal(await page.getByRole('button', { name: 'Press' }).count(), 1)
  const letters = await page.getByText('Äå').boundingBox()
  assert.ok(letters && letters.height > 30)
  const picture = await page.screenshot()
  await page.setContent('')
  assert.notDeepEqual(picture, await page.screenshot())
})
