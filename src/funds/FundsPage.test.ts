// Funds as a company's admin meets it, in a real browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openedStage, picture, untilSettled, type E2e } from '../../test/e2e/stage.ts'
import { approveFunds, fund, moveFunds, payFunds, spread } from '../../test/world/money.ts'
import type { Company, Person } from '../../test/world/people.ts'
import { sealAll } from './jobs.server.ts'

const stage = openedStage()
let company: Company
before(async () => {
  company = await worldOf(stage)
})

/** A company with money, people, claims in every state, one who waits, and a rebalance. */
async function worldOf({ scene }: E2e) {
  const provider = await scene.superAdmin()
  const made = await scene.company({ name: 'Northwind Instruments' })
  const invoice = { amount_cents: 30_000_000, reference: 'INV-2026-0117' }
  const plan_year = await fund(provider, made, spread(200_000, 560_000, 80_000), invoice)
  const people = [
    'Ana Costa',
    'Ben Okafor',
    'Cem Demir',
    'Dora Nagy',
    'Eli Stern',
    'Finn Berg',
    'Gita Rao',
    'Hugo Lind',
    'Ines Pavel',
  ]
  const hired: Person[] = []
  for (const name of people) hired.push(await made.hire(name))
  const spend = async (at: number, category: string, cents: number, paid: boolean) => {
    const of = { company: made.id, year: plan_year, person: hired[at]!.id, category }
    const claim = `claim ${at} ${category}`
    await moveFunds(scene.sql, 'hold', of, cents, claim)
    if (!paid) return
    await approveFunds(scene.sql, of, [cents], claim)
    await payFunds(scene.sql, of, cents, claim)
  }
  for (let at = 0; at < 8; at += 1) await spend(at, 'prevention', 17_350 + at * 310, at < 7)
  for (let at = 0; at < 7; at += 1) await spend(at, 'treatment', 32_000 + at * 4_120, at < 6)
  for (let at = 0; at < 3; at += 1) await spend(at, 'solidarity', 8_200, at < 2)
  await sealAll(scene.sql)
  return made
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    type Violation = { id: string; nodes: { html: string }[] }
    const { axe } = window as unknown as {
      axe: { run: () => Promise<{ violations: Violation[] }> }
    }
    const found = await axe.run()
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

async function enter(page: Page) {
  await stage.signIn(page, company.admin.email)
  await page.goto('/dashboard/funds')
  await page.getByRole('heading', { name: 'Funds' }).waitFor()
  await page.getByText('Contributed').waitFor()
}

test('money is allocated, rebalanced, undone, looked up and proven', async () => {
  const page = await stage.open({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  await enter(page)
  await page.getByText('1 person waits for funds').waitFor()
  await picture(page, 'funds-1440')

  await page.getByRole('button', { name: 'Allocate' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Prevention').fill('12,345')
  await dialog.getByRole('button', { name: 'Allocate' }).last().click()
  await dialog.getByText('Write 12345 if that is meant, or at most 2 decimals').waitFor()
  await dialog.getByLabel('Prevention').fill('900.00')
  await dialog.getByLabel('Treatment').fill('1500')
  await dialog.getByLabel('Solidarity').fill('600,00')
  await dialog.getByLabel('Note').fill('Dopuna za siječanj – “Łódź”')
  await picture(page, 'funds-allocate')
  await dialog.getByRole('button', { name: 'Allocate' }).last().click()
  await page.getByText('Funds allocated').waitFor()
  await page.getByText('1 person waits for funds').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Rebalance' }).first().click()
  await dialog.getByLabel('Prevention pool, amount').fill('1000')
  await dialog.getByText('Treatment', { exact: true }).last().waitFor()
  await picture(page, 'funds-rebalance')
  await dialog.getByRole('button', { name: 'Rebalance' }).click()
  await dialog.getByText('Say in a few words why').waitFor()
  await dialog.getByLabel('Reason').fill('More check-ups this autumn')
  await dialog.getByRole('button', { name: 'Rebalance' }).click()
  await page.getByText('Fund rebalancing initiated').waitFor()
  // The list keeps its Undo; the notice offers it for ten seconds only.
  const done = page.getByRole('table', { name: 'Rebalances' })
  await done.getByRole('button', { name: 'Undo' }).click()
  await dialog.getByRole('button', { name: 'Undo rebalance' }).click()
  await page.getByText('Rebalance undone').first().waitFor()

  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText(/transfers, .* accounts, all good/).waitFor()

  await page.getByRole('tab', { name: 'Plan' }).click()
  await page.getByRole('textbox', { name: 'Prevention' }).fill('250')
  await page.getByText('Grants change for 9 of 9 people.').waitFor()
  await picture(page, 'funds-plan')
  await page.getByRole('textbox', { name: 'Prevention' }).fill('100')
  await page
    .getByText(/have used or have on hold more than this would give them: .+ and .+\. It can’t/)
    .waitFor()

  await page.getByRole('tab', { name: 'Statement' }).click()
  await page.getByText('Rebalance undone').last().waitFor()
  const sums = page.getByRole('region', { name: 'Used and paid' })
  await sums.getByText('Used and paid, whole plan year').waitFor()
  await sums
    .getByRole('row', { name: /^Treatment/ })
    .getByText('€2,538.00')
    .first()
    .waitFor()
  await picture(page, 'funds-statement')
  await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Treatment · pool' })
  await page.getByRole('columnheader', { name: 'Balance' }).first().waitFor()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ])
  assert.match(file.suggestedFilename(), /^statement-\d{4}-01-01\.csv$/)
  await page.getByRole('combobox', { name: 'Account' }).selectOption('paid treatment')
  await page.getByText('Payment sent').first().waitFor()
})

test('carry-over up to a limit that is missing is said at its field, and not that nothing was changed', async () => {
  const page = await stage.enter(company.admin, '/dashboard/funds?tab=Plan')
  await page.getByLabel('Unspent money at year end').selectOption('up_to')
  await page.getByText('Complete the plan to see what it does.').waitFor()
  await page.getByRole('button', { name: 'Save plan' }).click()
  const field = page.getByLabel('Up to, per category')
  await page.getByText('Enter the most that carries over').first().waitFor()
  assert.equal(await field.getAttribute('aria-invalid'), 'true')
  await page.context().close()
})

test('it is all there on a phone, on a tablet and in the dark', async () => {
  for (const width of [360, 768, 1440]) {
    const page = await stage.open({
      viewport: { width, height: 900 },
      colorScheme: 'dark',
      locale: 'en-GB',
      reducedMotion: 'reduce',
    })
    await enter(page)
    await picture(page, `funds-dark-${width}`)
    assert.deepEqual(await violations(page), [])
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(wider <= 0, `${width}: ${wider} px too wide`)
    await page.getByRole('button', { name: 'Rebalance' }).first().click()
    await page.getByRole('dialog').waitFor()
    await untilSettled(page)
    await picture(page, `funds-dark-rebalance-${width}`)
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('Escape')
    for (const tab of ['Plan', 'Statement']) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).waitFor()
      await untilSettled(page)
      await picture(page, `funds-dark-${tab.toLowerCase()}-${width}`)
      assert.deepEqual(await violations(page), [])
    }
    await page.context().close()
  }
})
