// How a page has to be: nothing to complain of by the standards we hold, and nothing out of reach, in every dress.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { standards } from '#landing/accessibility.ts'
import { turn } from '../rotation.ts'
import { picture, untilSettled, type E2e } from './stage.ts'

type Axe = { run: (where: Document, how: object) => Promise<{ violations: Violation[] }> }
type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate<Violation[], string[]>(async (tags) => {
    const { axe: checker } = window as never as { axe: Axe }
    return (await checker.run(document, { runOnly: tags })).violations
  }, standards)
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  )
}

/** Nothing is wider than the screen, so that nothing has to be looked for beside it. */
export async function fits(page: Page, where: string) {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert.ok(over <= 0, `${where} is ${over} pixels wider than the screen`)
}

/** Checks the page as it is now, and keeps its picture. */
export async function checkPage(page: Page, name: string, where: string) {
  await untilSettled(page)
  await picture(page, name)
  const { width = 0, height = 0 } = page.viewportSize() ?? {}
  // Tall enough that nothing is just half under a bar that stays at the bottom of a phone.
  if (width < 600) {
    await page.setViewportSize({ width, height: 2400 })
    await untilSettled(page)
  }
  assert.deepEqual(await violations(page), [], where)
  await page.setViewportSize({ width, height })
  await untilSettled(page)
  await fits(page, where)
}

export type Dress = { width: number; colorScheme: 'light' | 'dark' }

const all_dresses: readonly Dress[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
]
/** The variants in which each page is checked: one in each run, in turn; all by `npm run looks`, before a release. */
export const dresses =
  process.env.LOOKS === 'all' ? all_dresses : [all_dresses[turn() % all_dresses.length]!]
export const every_width = [...new Set(all_dresses.map(({ width }) => width))].toSorted(
  (a, b) => a - b,
)

export const contextOptions = ({ width, colorScheme }: Dress) => ({
  viewport: { width, height: width < 600 ? 780 : 900 },
  colorScheme,
})

type Look = {
  who: { email: string }
  path: string
  name: string
  /** An act on the page before it is checked. */
  first?: (page: Page) => Promise<void>
}

/** One page as somebody sees it. */
export async function looksRight(stage: E2e, { who, path, name, first }: Look) {
  for (const dress of dresses) {
    const page = await stage.enter(who, path, contextOptions(dress))
    await untilSettled(page)
    await first?.(page)
    await checkPage(page, `${name}-${dress.width}-${dress.colorScheme}`, path)
    await page.context().close()
  }
}
