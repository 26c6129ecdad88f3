// What axe has to say of a page, by the standards we hold.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

type Axe = { run: (where: Document, how: object) => Promise<{ violations: Violation[] }> }
type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

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
