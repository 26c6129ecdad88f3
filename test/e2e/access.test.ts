// The tests of the accessibility statement: enlarged, in forced colours, without motion, read as a tree.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { enlarged_screen, ways, widths } from '#landing/accessibility.ts'
import { pages } from '#paths.ts'
import { every_width, fits } from './axe.ts'
import { openedStage, untilSettled } from './stage.ts'

test('the statement names the widths and the pages that the suite has', () => {
  assert.deepEqual(widths, every_width)
  const known = new Set(['/', ...Object.values(pages).map(({ path }) => path)])
  for (const path of Object.values(ways).flat()) assert.ok(known.has(path), path)
})

describe('the main ways', () => {
  const stage = openedStage()
  let emails: Record<string, string>
  before(async () => {
    const acme = await stage.scene.company()
    emails = {
      super_admin: (await stage.scene.superAdmin()).email,
      company_admin: acme.admin.email,
      employee: (await acme.hire('Ana')).email,
    }
  })

  for (const [who, paths] of Object.entries(ways)) {
    test(`of ${who}: enlarged, in forced colours, at rest, and read`, async () => {
      const page = await stage.open({
        viewport: { width: enlarged_screen.width, height: enlarged_screen.height },
        reducedMotion: 'reduce',
      })
      if (who !== 'visitor') await stage.signIn(page, emails[who]!)
      for (const path of paths) {
        await page.goto(path)
        await page.locator('h1').first().waitFor()
        await untilSettled(page)
        await fits(page, `${path}, enlarged to ${enlarged_screen.percent} %`)
        assert.deepEqual(await moving(page), [], `${path} moves`)
        await reads(page, path)
        await page.emulateMedia({ forcedColors: 'active' })
        assert.deepEqual(await unseen(page), [], `${path} in forced colours`)
        await page.emulateMedia({ forcedColors: 'none' })
      }
      await page.context().close()
    })
  }
})

/** The elements that go on moving though somebody asked for rest. */
const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => {
        const length = effect?.getComputedTiming().endTime
        return playState === 'running' && (length === Infinity || Number(length) > 100)
      })
      .map((animation) => (animation as CSSAnimation).animationName ?? 'a transition'),
  )

/** Buttons and fields that nothing but a background told from the page: forced colours take that away. */
const unseen = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main button, main input, main select, main textarea')]
      .filter((element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
      )
      .filter((element) => {
        const { borderTopWidth, outlineStyle } = getComputedStyle(element)
        const bare = borderTopWidth === '0px' && outlineStyle === 'none'
        const empty = !element.textContent?.trim() && !element.querySelector('svg')
        return bare && empty && element.matches('button')
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  )

/** The page as the browser gives it to a screen reader, from top to bottom. */
async function reads(page: Page, where: string) {
  const tree = await page.locator('body').ariaSnapshot()
  const lines = tree.split('\n').map((line) => line.trim())
  assert.equal(
    lines.filter((line) => line.startsWith('- main')).length,
    1,
    `${where}: one main part`,
  )
  const levels = lines.flatMap((line) => {
    const level = /^- heading .*\[level=(\d)\]/.exec(line)?.[1]
    return level ? [Number(level)] : []
  })
  assert.equal(
    levels.filter((level) => level === 1).length,
    1,
    `${where}: one first heading\n${tree}`,
  )
  for (const [at, level] of levels.entries()) {
    const before = levels[at - 1] ?? level
    assert.ok(level <= before + 1, `${where}: from level ${before} to ${level}\n${tree}`)
  }
  const nameless = lines.filter((line) =>
    /^- (button|link|textbox|combobox|checkbox|switch|radio|img)(:| \[|$)/.test(line),
  )
  assert.deepEqual(nameless, [], `${where}: without a name`)
}
