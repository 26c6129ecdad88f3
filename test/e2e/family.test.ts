// Family and prevention as people meet them: in a real browser, at its three widths.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../world/company.ts'
import type { Company, Person } from '../world/people.ts'
import { looksRight } from './axe.ts'
import { readCalendar, type CalendarEvent } from './calendar.ts'
import { openedStage, picture, untilSettled } from './stage.ts'

const stage = openedStage({ worker: true })
let company: Company
let provider: Person
before(async () => {
  company = await stage.scene.company({ name: 'Northwind Instruments' })
  provider = await stage.scene.superAdmin()
})

const pictures = (who: Person, path: string, name: string, first?: (page: Page) => Promise<void>) =>
  looksRight(stage, { who, path, name: `family-${name}`, ...(first ? { first } : {}) })

const dayIn = async (days: number) => daysAfter(await todayOf(stage.scene, company), days)

describe('dependents', () => {
  test('from nobody to a family of three; an end is taken back', async () => {
    const ana = await company.hire('Ana')
    await stage.scene.sql`update profiles set joined_on = '2020-01-01' where id = ${ana.id}`
    await pictures(ana, '/dashboard/dependents', 'dependents-none')
    const page = await stage.enter(ana, '/dashboard/dependents')
    await page.getByText('No dependents added yet').waitFor()

    await page.getByRole('button', { name: 'Add Your First Dependent' }).click()
    const dialog = page.getByRole('dialog')
    const fill = async (name: string, relationship: string, born: string) => {
      await dialog.getByLabel('Full name').fill(name)
      await dialog.getByLabel('Relationship').selectOption(relationship)
      await dialog.getByLabel('Date of birth').fill(born)
      await dialog.getByRole('button', { name: 'Add dependent' }).click()
    }
    await dialog.getByText('can be claimed. You joined on 1 Jan 2020.').waitFor()
    await fill('Sam Costa', 'Spouse', '2150-01-01')
    await dialog.getByText('The date of birth can’t be in the future').waitFor()
    await fill('Sam Costa', 'Spouse', '1988-05-04')
    await page.getByText('Sam Costa added').waitFor()
    for (const [name, relationship, born] of [
      ['Mia Costa', 'Child', '2019-04-12'],
      ['Rosa Costa', 'Parent', '1953-11-30'],
    ] as const) {
      await page.getByRole('button', { name: 'Add dependent' }).click()
      await fill(name, relationship, born)
      await page.getByText(`${name} added`).waitFor()
    }
    await page.getByRole('button', { name: 'Add dependent' }).click()
    await fill('Kim Lee', 'Spouse', '1990-01-01')
    await dialog.getByText('Only one spouse can be covered at a time').waitFor()
    await picture(page, 'family-dependents-refused-light')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Rosa Costa' }).click()
    await page.getByRole('dialog').getByText('Added, covered from').waitFor()
    await untilSettled(page)
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
    await pictures(ana, '/dashboard/dependents', 'dependents-some')
  })

  test('HR turns approval on, approves and declines', async () => {
    const page = await stage.enter(company.admin, '/dashboard/employees')
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
    await untilSettled(page)
    await picture(page, 'family-asking-light')
    await card.getByRole('button', { name: 'Approve' }).first().click()
    await page.getByText('Leo Okafor approved').waitFor()
    await card.getByText('Leo Okafor').waitFor({ state: 'detached' })
    await card.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByLabel('Reason').fill('Please send the birth certificate first.')
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await page.getByText('Request declined').waitFor()

    const ivo = await ben.api.dependents.add({ ...child, full_name: 'Ivo Okafor' })
    await card.getByText('Ivo Okafor').waitFor()
    await card.getByRole('button', { name: 'Decline' }).click()
    const dialog = page.getByRole('dialog', { name: 'Decline cover of Ivo Okafor?' })
    await dialog.getByLabel('Reason').fill('Please send')
    await company.admin.api.dependents.approve(ivo)
    await dialog.getByText('Another admin approved Ivo Okafor a moment ago.').waitFor()
    await picture(page, 'family-moot-light')
    await dialog.getByRole('button', { name: 'OK' }).click()
    await card.waitFor({ state: 'detached' })
    await page.goto('/dashboard/employees')
    await page.getByRole('button', { name: 'Ben' }).click()
    await page.getByRole('region', { name: 'Dependents' }).getByText('Leo Okafor').waitFor()
    await untilSettled(page)
    await picture(page, 'family-employee-sheet-light')
    await page.context().close()
    await company.admin.api.dependents.set_approval({ needed: false })
  })
})

describe('health checks', () => {
  test('a provider is added with its times, counted before they are made', async () => {
    await pictures(provider, '/dashboard/health-checks', 'setup-none')
    const page = await stage.enter(provider, '/dashboard/health-checks')
    await page.getByRole('button', { name: 'Add provider' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Clinic on the Park')
    await dialog.getByLabel('What is offered').fill('Annual health check')
    await dialog.getByLabel('Address').fill('12 Park Lane, London')
    await dialog.getByLabel('Time zone').selectOption('Europe/London')
    await dialog.getByLabel('Good to know').fill('Please come without breakfast.')
    await picture(page, 'family-setup-provider-light')
    await dialog.getByRole('button', { name: 'Add provider' }).click()
    await page.getByText('Clinic on the Park added').waitFor()
    await page.getByRole('button', { name: 'Add times' }).click()
    await dialog.getByLabel('First day').fill(await dayIn(3))
    await dialog.getByLabel('Last day').fill(await dayIn(30))
    await dialog.getByText(/9 times on|times on \d+ days/).waitFor()
    await picture(page, 'family-setup-times-light')
    await dialog.getByRole('button', { name: 'Add times' }).click()
    await page.getByText(/times added/).waitFor()
    await page.context().close()
    await pictures(provider, '/dashboard/health-checks', 'setup-some')
  })

  test('is booked, moved and cancelled, each time with a mail and a file for the calendar', async () => {
    const eli = await company.hire('Eli')
    const page = await stage.enter(eli, '/dashboard/health-checks')
    const entries: CalendarEvent[] = []
    const take = async (on: Page, button: string, file_name: string) => {
      const coming = on.waitForEvent('download')
      await on.getByRole('button', { name: button }).click()
      const download = await coming
      assert.equal(download.suggestedFilename(), file_name)
      entries.push(readCalendar(await readFile(await download.path(), 'utf8')))
    }
    const booked = async () => (await eli.api.health_checks.mine({}))[0]!
    const isMailed = async (subject: string, body_text: RegExp) => {
      const { text } = await stage.mailTo(eli, subject)
      assert.match(text, body_text)
      assert.match(text, new RegExp(`/dashboard/health-checks\\?booking=${(await booked()).id}`))
      assert.doesNotMatch(text, /Annual health check|Clinic on the Park/)
    }
    const time = page.getByRole('button', { name: /\d free$/ })
    await time.first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Who will know').waitFor()
    await dialog
      .getByText('Booking is free. If you get a bill for the check, you can claim it.')
      .waitFor()
    await picture(page, 'family-book-dialog-light')
    await dialog.getByRole('button', { name: 'Book', exact: true }).click()
    await page.getByText('Say this code at the desk').waitFor()
    const bookings = page.getByRole('region', { name: 'Your bookings' })
    await take(page, 'Calendar file', 'health-check.ics')
    const first = await booked()
    await isMailed('Your health check is booked', /You are expected on/)

    await bookings.getByRole('button', { name: 'Move' }).click()
    await page.getByText('Choose another time').waitFor()
    await untilSettled(page)
    await picture(page, 'family-book-moving-light')
    await page
      .getByRole('button', { name: /, \d+ places free$/ })
      .last()
      .click()
    await time.last().click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/^Moved to/).waitFor()
    await take(page, 'Calendar file', 'health-check.ics')
    await isMailed('Your health check was moved', /You are now expected on/)
    await page.context().close()
    await pictures(eli, '/dashboard/health-checks', 'book-some')
    assert.equal((await eli.api.health_checks.mine({})).length, 1)
    const moved = await booked()
    assert.notEqual(moved.starts_at, first.starts_at)

    const again = await stage.enter(eli, '/dashboard/health-checks')
    await again.getByRole('button', { name: 'Cancel', exact: true }).click()
    await again.getByRole('button', { name: 'Cancel health check' }).click()
    await again.getByText('Health check cancelled').waitFor()
    await again.getByRole('button', { name: 'Remove from calendar' }).waitFor()
    await untilSettled(again)
    await picture(again, 'family-book-cancelled-light')
    await take(again, 'Remove from calendar', 'health-check-cancelled.ics')
    await again.context().close()
    await isMailed('Your health check is cancelled', /is free for somebody else/)
    const uid = `${first.id}@healthfund`
    assert.deepEqual(
      entries.map(({ method, uid: id, status, start }) => [method, id, status, start]),
      [
        ['PUBLISH', uid, 'CONFIRMED', Date.parse(first.starts_at)],
        ['PUBLISH', uid, 'CONFIRMED', Date.parse(moved.starts_at)],
        ['CANCEL', uid, 'CANCELLED', Date.parse(moved.starts_at)],
      ],
    )
    const [one, two, three] = entries.map(({ sequence }) => sequence)
    assert.ok(one! < two! && two! < three!, 'each later than the one before')
  })

  test('HR runs the day of its own check, on screen and on paper', async () => {
    const made = await company.admin.api.health_checks.add_provider({
      name: 'Works doctor',
      offers: 'Flu vaccination',
      place: 'Canteen, 2nd floor',
      time_zone: 'Europe/London',
    })
    const day = await dayIn(9)
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
    await pictures(company.admin, '/dashboard/health-checks', 'hr-day')
    const page = await stage.enter(company.admin, '/dashboard/health-checks')
    await page.getByText('Finn, Gita').waitFor()
    await page.emulateMedia({ media: 'print' })
    await picture(page, 'family-hr-print')
    const body_text = await page.locator('body').innerText()
    assert.match(body_text, /Flu vaccination/)
    assert.match(body_text, /Hugo/)
    assert.ok(!body_text.includes('Add provider'))
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('button', { name: /^Close 0?9:00/ }).click()
    await page.getByText('2 people have booked').waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Close', exact: true })
      .first()
      .click()
    await page.getByText('Closed, 2 notified of the cancellation').waitFor()
    const open = page.getByRole('button', { name: 'Open', exact: true }).first()
    assert.equal(await open.getAttribute('aria-disabled'), null)
    await company.admin.api.health_checks.close_provider({ id: made.id, reason: 'Moved away' })
    await page
      .locator('button[aria-disabled]', { hasText: /^Open$/ })
      .first()
      .waitFor()
    await page.context().close()
  })
})
