// Family and prevention as people meet them: in a real browser, at its three widths.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Company, Person } from '../scene.ts'
import { openStage, picture, settled, type E2e } from './stage.ts'

let stage: E2e
let company: Company
let provider: Person
before(async () => {
  stage = await openStage()
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
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    type Found = { id: string; nodes: { html: string }[] }
    const { axe } = window as unknown as { axe: { run: () => Promise<{ violations: Found[] }> } }
    const found = await axe.run()
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
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
    await picture(page, `family-${name}-${dress}`)
    assert.deepEqual(await violations(page), [], `${path}, ${dress}`)
    const too_wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    assert.ok(too_wide <= 0, `${path} is ${too_wide} pixels wider than the screen`)
    await page.context().close()
  }
}
const desk: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: 'reduce',
}
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

describe('dependents', () => {
  test('from nobody to a family of three; an end is taken back', async () => {
    const ana = await company.hire('Ana')
    await stage.scene.sql`update profiles set joined_on = '2020-01-01' where id = ${ana.id}`
    await pictures(ana.email, '/dashboard/dependents', 'dependents-none')
    const page = await stage.open(desk)
    await stage.signIn(page, ana.email)
    await page.goto('/dashboard/dependents')
    await page.getByText('No dependents added yet').waitFor()

    await page.getByRole('button', { name: 'Add Your First Dependent' }).click()
    const dialog = page.getByRole('dialog')
    const fill = async (name: string, relationship: string, born: string) => {
      await dialog.getByLabel('Full name').fill(name)
      await dialog.getByLabel('Relationship').selectOption(relationship)
      await dialog.getByLabel('Date of birth').fill(born)
      await dialog.getByRole('button', { name: 'Add Dependent' }).click()
    }
    await fill('Sam Costa', 'Spouse', '2999-01-01')
    await dialog.getByText('The date of birth can’t be in the future').waitFor()
    await fill('Sam Costa', 'Spouse', '1988-05-04')
    await page.getByText('Sam Costa is added').waitFor()
    for (const [name, relationship, born] of [
      ['Mia Costa', 'Child', '2019-04-12'],
      ['Rosa Costa', 'Parent', '1953-11-30'],
    ] as const) {
      await page.getByRole('button', { name: 'Add Dependent' }).click()
      await fill(name, relationship, born)
      await page.getByText(`${name} is added`).waitFor()
    }
    await page.getByRole('button', { name: 'Add Dependent' }).click()
    await fill('Kim Lee', 'Spouse', '1990-01-01')
    await dialog.getByText('Only one spouse can be covered at a time').waitFor()
    await picture(page, 'family-dependents-refused-light')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Rosa Costa' }).click()
    await page.getByRole('dialog').getByText('Added, covered from').waitFor()
    await settled(page)
    await picture(page, 'family-dependents-sheet-light')
    await page.getByRole('button', { name: 'End cover' }).click()
    await page.getByRole('dialog', { name: 'End cover of Rosa Costa?' }).waitFor()
    await picture(page, 'family-dependents-end-light')
    await page
      .getByRole('dialog', { name: 'End cover of Rosa Costa?' })
      .getByRole('button', { name: 'End cover' })
      .click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Rosa Costa stays covered').waitFor()
    const family = await ana.api.dependents.mine({})
    assert.deepEqual([family.total, family.active], [3, 3])

    const mia = family.dependents.find(({ full_name }) => full_name === 'Mia Costa')!
    await ana.api.dependents.end({ id: mia.id, covered_to: mia.covered_from })
    await stage.scene
      .sql`update dependents set covered_from = covered_from - 400, covered_to = covered_to - 300
      where id = ${mia.id}`
    await page.context().close()
    await pictures(ana.email, '/dashboard/dependents', 'dependents-some')
  })

  test('HR turns approval on, approves and declines', async () => {
    const page = await stage.open(desk)
    await stage.signIn(page, company.admin.email)
    await page.goto('/dashboard/employees')
    await page.getByRole('button', { name: 'Family cover' }).click()
    await page.getByRole('switch', { name: 'HR approves dependents' }).click()
    await page.getByText('You approve new dependents').waitFor()
    await picture(page, 'family-rules-light')
    await page.keyboard.press('Escape')
    const ben = await company.hire('Ben')
    const child = { relationship: 'child', born_on: '2020-01-01' } as const
    await ben.api.dependents.add({ ...child, full_name: 'Leo Okafor' })
    await ben.api.dependents.add({ ...child, full_name: 'Ada Okafor' })
    const card = page.getByRole('region', { name: 'Dependents waiting for your approval' })
    await card.getByText('Leo Okafor').waitFor()
    await settled(page)
    await picture(page, 'family-asking-light')
    await card.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('Leo Okafor is approved').waitFor()
    await card.getByText('Leo Okafor').waitFor({ state: 'detached' })
    await card.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByLabel('Reason').fill('Please send the birth certificate first.')
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await page.getByText('The request is declined').waitFor()
    await page.goto('/dashboard/employees')
    await page.getByRole('button', { name: 'Ben' }).click()
    await page.getByRole('region', { name: 'Dependents' }).getByText('Leo Okafor').waitFor()
    await settled(page)
    await picture(page, 'family-employee-sheet-light')
    await page.context().close()
    await company.admin.api.dependents.set_approval({ needed: false })
  })
})

describe('health checks', () => {
  test('a provider is added with its times, counted before they are made', async () => {
    await pictures(provider.email, '/dashboard/health-checks', 'setup-none')
    const page = await stage.open(desk)
    await stage.signIn(page, provider.email)
    await page.goto('/dashboard/health-checks')
    await page.getByRole('button', { name: 'Add Provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Clinic on the Park')
    await dialog.getByLabel('What is offered').fill('Annual health check')
    await dialog.getByLabel('Address').fill('12 Park Lane, London')
    await dialog.getByLabel('Time zone').selectOption('Europe/London')
    await dialog.getByLabel('Good to know').fill('Please come without breakfast.')
    await picture(page, 'family-setup-provider-light')
    await dialog.getByRole('button', { name: 'Add Provider' }).click()
    await page.getByText('Clinic on the Park is added').waitFor()
    await page.getByRole('button', { name: 'Add Times' }).click()
    await dialog.getByLabel('First day').fill(dayIn(3))
    await dialog.getByLabel('Last day').fill(dayIn(30))
    await dialog.getByText(/9 times on|times on \d+ days/).waitFor()
    await picture(page, 'family-setup-times-light')
    await dialog.getByRole('button', { name: 'Add Times' }).click()
    await page.getByText(/times added/).waitFor()
    await page.context().close()
    await pictures(provider.email, '/dashboard/health-checks', 'setup-some')
  })

  test('is booked, moved and cancelled, with its calendar file', async () => {
    const eli = await company.hire('Eli')
    const page = await stage.open(desk)
    await stage.signIn(page, eli.email)
    await page.goto('/dashboard/health-checks')
    const time = page.getByRole('button', { name: /\d free$/ })
    await time.first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Who will know').waitFor()
    await picture(page, 'family-book-dialog-light')
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText('Say this code at the desk').waitFor()
    const bookings = page.getByRole('region', { name: 'Your bookings' })
    const download = page.waitForEvent('download')
    await bookings.getByRole('button', { name: 'Calendar file' }).click()
    assert.equal((await download).suggestedFilename(), 'health-check.ics')

    await bookings.getByRole('button', { name: 'Move' }).click()
    await page.getByText('Choose another time').waitFor()
    await settled(page)
    await picture(page, 'family-book-moving-light')
    await page
      .getByRole('button', { name: /, \d+ places free$/ })
      .last()
      .click()
    await time.last().click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/^Moved to/).waitFor()
    await page.context().close()
    await pictures(eli.email, '/dashboard/health-checks', 'book-some')
    assert.equal((await eli.api.health_checks.mine({})).length, 1)

    const again = await stage.open(desk)
    await stage.signIn(again, eli.email)
    await again.goto('/dashboard/health-checks')
    await again.getByRole('button', { name: 'Cancel', exact: true }).click()
    await again.getByRole('button', { name: 'Cancel health check' }).click()
    await again.getByText('Your health check is cancelled').waitFor()
    await again.getByRole('button', { name: 'Remove from calendar' }).waitFor()
    await settled(again)
    await picture(again, 'family-book-cancelled-light')
    await again.context().close()
    const titles = await stage.scene.sql<{ title: string }[]>`
      select title from notifications where person_id = ${eli.id} order by id`
    assert.deepEqual(
      titles.map(({ title }) => title),
      [
        'Your health check is booked',
        'Your health check is moved',
        'Your health check is cancelled',
      ],
    )
  })

  test('HR runs the day of its own check, on screen and on paper', async () => {
    const made = await company.admin.api.health_checks.add_provider({
      name: 'Works doctor',
      offers: 'Flu vaccination',
      place: 'Canteen, 2nd floor',
      time_zone: 'Europe/London',
    })
    const day = dayIn(9)
    await company.admin.api.health_checks.add_slots({
      provider_id: made.id,
      from_on: day,
      to_on: day,
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      from_time: '09:00',
      to_time: '11:00',
      minutes: 15,
      capacity: 2,
    })
    const slots = await company.admin.api.health_checks.slots({
      provider_id: made.id,
      from_on: day,
      to_on: day,
    })
    for (const [name, at] of [
      ['Finn', 0],
      ['Gita', 0],
      ['Hugo', 2],
    ] as const) {
      const person = await company.hire(name)
      await person.api.health_checks.book({ slot_id: slots[at]!.id })
    }
    await company.admin.api.health_checks.close_slot({ id: slots[3]!.id, reason: 'Lunch' })
    await pictures(company.admin.email, '/dashboard/health-checks', 'hr-day')
    const page = await stage.open(desk)
    await stage.signIn(page, company.admin.email)
    await page.goto('/dashboard/health-checks')
    await page.getByText('Finn, Gita').waitFor()
    await page.emulateMedia({ media: 'print' })
    await picture(page, 'family-hr-print')
    const seen = await page.locator('body').innerText()
    assert.match(seen, /Flu vaccination/)
    assert.match(seen, /Hugo/)
    assert.ok(!seen.includes('Add Provider'))
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('button', { name: /^Close 0?9:00/ }).click()
    await page.getByText('2 people have booked').waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Close', exact: true })
      .first()
      .click()
    await page.getByText('Closed, 2 told that it is cancelled').waitFor()
    await page.context().close()
  })
})
