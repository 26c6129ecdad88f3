// One's own data as people meet it: exported, erased, decided on; in a real browser, at its three widths.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { unzipSync } from 'fflate'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { password, type Company, type Person } from '../scene.ts'
import { openStage, picture, settled, type E2e } from './stage.ts'

let stage: E2e
let company: Company
let provider: Person
before(async () => {
  stage = await openStage({ worker: true })
  company = await stage.scene.company({ name: 'Northwind Instruments' })
  provider = await stage.scene.superAdmin()
})
after(async () => {
  await stage.close()
  assert.deepEqual(stage.faults, [])
})

const dresses: [string, BrowserContextOptions][] = [
  ['light', { viewport: { width: 1440, height: 900 } }],
  ['dark', { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 360, height: 760 } }],
]
const desk: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
  acceptDownloads: true,
}
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
type Found = { id: string; nodes: { html: string }[] }
type Axe = { run: (where: Document, how: object) => Promise<{ violations: Found[] }> }
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async (tags) => {
    const { axe: checker } = window as unknown as { axe: Axe }
    const found = await checker.run(document, { runOnly: tags })
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  }, standards)
}

async function pictures(
  email: string,
  path: string,
  name: string,
  first?: (page: Page) => Promise<void>,
) {
  for (const [dress, context] of dresses) {
    const page = await stage.open({ ...context, reducedMotion: 'reduce' })
    await stage.signIn(page, email)
    await page.goto(path)
    await page.locator('h1').waitFor()
    await settled(page)
    await first?.(page)
    await settled(page)
    await picture(page, `privacy-${name}-${dress}`)
    assert.deepEqual(await violations(page), [], `${path}, ${dress}`)
    const too_wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(too_wide <= 0, `${path} is ${too_wide} pixels wider than the screen`)
    await page.context().close()
  }
}

async function openAs(person: Person, path: string): Promise<Page> {
  const page = await stage.open(desk)
  await stage.signIn(page, person.email)
  await page.goto(path)
  await page.locator('h1').waitFor()
  return page
}

describe('one’s own data', () => {
  test('is exported with one press, and the ZIP opens', async () => {
    const ana = await company.hire('Ana')
    const page = await openAs(ana, '/dashboard/settings#data')
    const card = page.getByRole('region', { name: 'Export of my data' })
    await card.getByText('Nothing exported yet').waitFor()
    await card.getByRole('button', { name: 'Export my data' }).click()
    await card.getByText('Ready').waitFor({ timeout: 60_000 })
    const coming = page.waitForEvent('download')
    await card.getByRole('button', { name: 'Download' }).click()
    const file = await (await coming).path()
    const opened = unzipSync(await readFile(file))
    const data = JSON.parse(new TextDecoder().decode(opened['data.json'])) as {
      profile: { email: string }
    }
    assert.equal(data.profile.email, ana.email)
    await card.getByText('downloaded').waitFor()
    await pictures(ana.email, '/dashboard/settings#data', 'settings')
  })

  test('is erased when both agree: asked with the password, granted by HR, then by the provider', async () => {
    const bea = await company.hire('Bea')
    const page = await openAs(bea, '/dashboard/settings#data')
    const card = page.getByRole('region', { name: 'Erasure' })
    const ask = async (given: string) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Your password', { exact: true }).fill(given)
      await dialog.getByRole('button', { name: 'Ask for erasure' }).click()
    }
    await card.getByRole('button', { name: 'Ask for erasure' }).click()
    await page.getByRole('dialog').getByLabel('Reason').fill('I have moved to another country')
    await ask('surely not this one')
    await page.getByText('This is not your password').waitFor()
    await ask(password)
    await card.getByText('Waits for HR').waitFor()

    await pictures(company.admin.email, '/dashboard/employees', 'notice')
    await pictures(company.admin.email, '/dashboard/erasures', 'queue')
    const hr = await openAs(company.admin, '/dashboard/employees')
    await hr.getByText('A request for erasure waits for your decision').waitFor()
    await hr.getByRole('link', { name: 'Decide' }).click()
    await hr.getByText('I have moved to another country').waitFor()
    await hr.getByRole('button', { name: 'Grant' }).click()
    await hr.getByRole('dialog').getByRole('button', { name: 'Grant' }).click()
    await hr.getByText('Waits for the provider').waitFor()
    await card.getByText('HR agreed; waits for the provider').waitFor()

    const desk_of_provider = await openAs(provider, '/dashboard/users')
    await desk_of_provider.getByRole('link', { name: 'Decide' }).click()
    await desk_of_provider.getByRole('button', { name: 'Grant' }).click()
    await desk_of_provider.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
    await desk_of_provider.getByText('Nobody waits for a decision').waitFor()
    await page.waitForURL('**/auth/login**', { timeout: 20_000 })

    await hr.getByRole('tab', { name: 'Ended' }).click()
    await hr.getByText('Former member').waitFor()
    await pictures(company.admin.email, '/dashboard/erasures?show=ended', 'ended')
    await pictures(provider.email, '/dashboard/erasures', 'none')
  })

  test('what asking means is said before; a refusal is read where it was asked', async () => {
    const cara = await company.hire('Cara')
    await pictures(cara.email, '/dashboard/settings#data', 'dialog', async (page) => {
      await page.getByRole('button', { name: 'Ask for erasure' }).click()
      await page.getByRole('dialog').getByText('What the law makes us keep').waitFor()
    })
    const { id } = await (await stage.scene.signIn(cara.email)).api.privacy.ask_for_erasure({})
    const hr = await openAs(company.admin, '/dashboard/erasures')
    await hr.getByRole('button', { name: 'Refuse' }).click()
    await hr.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
    await hr.getByText('Say why, in a sentence').waitFor()
    await hr.getByLabel('Why').fill('Your last claim is being disputed until May.')
    await hr.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click()
    await hr.getByText('Nobody waits for a decision').waitFor()
    assert.ok(id)
    await pictures(cara.email, '/dashboard/settings#data', 'refused', async (page) => {
      await page.getByText('HR refused your request').waitFor()
    })
  })
})
