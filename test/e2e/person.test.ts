// A person's page for HR: everything about one employee, notes of one's own, and how it came to be.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter, dayText } from '#lib/days.ts'
import { fundedCompany } from '../world/company.ts'
import { giveRights } from '../world/rights.ts'
import { contextOptions, dresses, fits, violations } from './axe.ts'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'
import { until } from '../until.ts'

describe('a person’s page', () => {
  const stage = openedStage()

  test('Back from their sheet keeps the search, whose field stays where it is as one types', async () => {
    const acme = await fundedCompany(stage.scene)
    for (const name of ['Ivan', 'Zoe']) await acme.hire(name)
    const page = await stage.enter(acme.company.admin, '/dashboard/employees')
    const rows = (name: string) => page.getByRole('row', { name: new RegExp(name) })
    await rows('Zoe').waitFor()
    const field = page.getByLabel('Search employees')
    await untilSettled(page)
    const before = await field.boundingBox()
    await field.fill('ivan')
    await page.getByRole('button', { name: 'Save view' }).waitFor()
    assert.deepEqual(await field.boundingBox(), before)
    await rows('Zoe').waitFor({ state: 'detached' })
    await rows('Ivan').click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('link', { name: 'Notes, history and everything else' }).waitFor()
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    assert.equal(await field.inputValue(), 'ivan')
    assert.equal(new URL(page.url()).search, '?search=ivan')
    await page.goBack()
    await rows('Zoe').waitFor()
    assert.equal(await field.inputValue(), '')
  })

  test('of whoever opens it has all but the notes, and their own grant is for others to change', async () => {
    const company = await stage.scene.company()
    const hanna = await company.hire('Hanna')
    await giveRights(stage.scene, company, hanna, 'people')
    await company.admin.api.groups.add({ name: 'Field work', departments: ['Sales'] })
    const page = await stage.enter(hanna, `/dashboard/employees/${hanna.id}`)
    await page.getByRole('heading', { name: 'Hanna' }).waitFor()
    await page.getByRole('region', { name: 'Details and employment' }).waitFor()
    await untilSettled(page)
    assert.equal(await page.getByRole('region', { name: 'Notes' }).count(), 0)
    const fixed = page.getByText('You can’t do this for yourself')
    for (const [label, by_others] of [
      ['Full Name', false],
      ['Department', true],
      ['Joined', true],
    ] as const) {
      const read_only = await page.getByLabel(label, { exact: true }).getAttribute('readonly')
      assert.equal(read_only !== null, by_others, label)
    }
    assert.equal(await fixed.count(), 2)
    await picture(page, 'person-oneself')
  })

  test('is reached from the list, takes a note and shows claims, family and history', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    await acme.claim(ana, { amount_cents: 4000 })
    const page = await stage.enter(acme.company.admin, '/dashboard/employees')
    await page.getByRole('row', { name: /Ana/ }).click()
    await page.getByRole('link', { name: 'Notes, history and everything else' }).click()
    await page.waitForURL(`**/dashboard/employees/${ana.id}`)
    await showsText(page, 'last sign-in')
    await showsText(page, 'no bank account yet')
    await page.getByLabel('New note').fill('Back from leave in May')
    await page.getByRole('button', { name: 'Add note' }).click()
    await showsText(page, 'Note added')
    const notes = page.getByRole('list', { name: 'Notes' })
    await notes.getByText('Back from leave in May').waitFor()
    const field = page.getByLabel('New note')
    await until(async () => (await field.inputValue()) === '', 'an empty field for the next note')
    await page.getByRole('table', { name: 'History' }).getByText('Ana').first().waitFor()
    await untilSettled(page)
    await picture(page, 'person')
    await notes.getByRole('button', { name: 'Remove note' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove note' }).click()
    await notes.getByText('Back from leave in May').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Adjust', exact: true }).click()
    const adjusting = page.getByRole('dialog', { name: 'Adjust the balance of Ana' })
    await adjusting.getByLabel('Category').selectOption('prevention')
    await adjusting.getByLabel('Change', { exact: true }).selectOption('less')
    await adjusting.getByText('€1,960.00 available now').waitFor()
    await adjusting.getByLabel('Amount').fill('1960.01')
    await adjusting.getByLabel('Reason').fill('Two grants overlapped')
    await adjusting.getByRole('button', { name: 'Propose' }).click()
    await adjusting.getByText('This person has less available than that').waitFor()
    await adjusting.getByLabel('Amount').fill('12.50')
    await picture(page, 'person-adjust')
    await adjusting.getByRole('button', { name: 'Propose' }).click()
    await showsText(page, 'Adjustment for Ana is waiting to be confirmed')
    await page.getByRole('button', { name: 'Decide: Ana' }).click()
    await showsText(page, 'Two grants overlapped')
    await page.getByRole('dialog').getByText('€1,947.50').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await showsText(page, 'Balance of Ana adjusted')
    await page.getByRole('region', { name: 'Fund' }).getByText('€1,947.50').waitFor()
    await page.getByRole('button', { name: 'Block payment: Ana' }).click()
    const blocking = page.getByRole('dialog', { name: 'Block payment to Ana' })
    await blocking.getByLabel('What is blocked').selectOption('everything')
    await blocking.getByLabel('Reason').fill('An account to be checked')
    await blocking.getByRole('button', { name: 'Block' }).click()
    await page.getByRole('button', { name: /^Remove block: Ana/ }).waitFor()
    await untilSettled(page)
    await picture(page, 'person-adjusted')

    await page.getByRole('link', { name: 'Employees' }).last().click()
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('button', { name: 'Add group' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('First aid')
    await dialog.getByLabel('Who is in it').selectOption('picked')
    await dialog.getByRole('button', { name: 'Add group' }).click()
    await dialog.getByLabel('Employee').fill('Ana')
    await page.getByRole('option', { name: /Ana/ }).click()
    await dialog.getByRole('button', { name: 'Add to group' }).click()
    await page.getByRole('button', { name: 'Take Ana out of First aid' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: '1 person' }).click()
    await page.getByRole('row', { name: /Ana/ }).waitFor()
  })

  test('of nobody says so and leads to the list', async () => {
    const { company } = await fundedCompany(stage.scene)
    for (const id of ['nobody', '00000000-0000-4000-8000-000000000000']) {
      const page = await stage.enter(company.admin, `/dashboard/employees/${id}`)
      await showsText(page, 'Your company has no such employee')
      await page.getByRole('link', { name: 'See all employees' }).click()
      await page.waitForURL('**/dashboard/employees')
      await page.context().close()
    }
  })

  test('takes a last day back with the Undo beside its sentence', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    const page = await stage.enter(acme.company.admin, `/dashboard/employees/${ana.id}`)
    await page.getByRole('button', { name: 'End employment' }).click()
    await page.getByLabel('Last day').fill(daysAfter(acme.today, 9))
    await page.getByRole('button', { name: 'Set last day' }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await showsText(page, 'Ana stays')
    await page.getByRole('button', { name: 'End employment' }).waitFor()
    const { left_on } = await acme.company.admin.api.employees.find({ id: ana.id })
    assert.equal(left_on, null)
  })

  test('says of the chosen last day until when money can be claimed, and how soon they hear of it', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    await stage.scene
      .sql`update plan_years set leaver_filing_days = 30 where company_id = ${acme.id}`
    const { ends_on } = await acme.company.admin.api.funds.plan({})
    const page = await stage.enter(acme.company.admin, `/dashboard/employees/${ana.id}`)
    await page.getByRole('button', { name: 'End employment' }).click()
    const dialog = page.getByRole('dialog', { name: 'End employment of Ana' })
    await dialog.getByText('a minute later, by email within half an hour').waitFor()
    const goesBack = (days: number) => `goes back to the company on ${on(days)}`
    const on = (days: number) => dayText(daysAfter(acme.today, days))
    for (const [left_on, text] of [
      [
        daysAfter(acme.today, -10),
        `to claim until ${on(20)}; what is not claimed by then ${goesBack(21)}`,
      ],
      [
        daysAfter(acme.today, -90),
        `The time to claim it was over on ${on(-60)}; it ${goesBack(2)}`,
      ],
      [daysAfter(ends_on, 1), `to claim until ${dayText(daysAfter(ends_on, 31))}`],
    ] as const) {
      await dialog.getByLabel('Last day').fill(left_on)
      await dialog.getByText(text).waitFor()
    }
    assert.equal(await dialog.getByText('goes back').count(), 0, 'the year’s own end decides')
  })

  test('fits every width, in light and dark, with a long name', async () => {
    const acme = await fundedCompany(stage.scene)
    const name = 'Maximiliane-Theodora von und zu Hohenlohe-Waldenburg-Schillingsfürst'
    const ana = await acme.hire('Ana')
    await stage.scene.sql`update profiles set full_name = ${name} where id = ${ana.id}`
    for (const dress of dresses) {
      const page = await stage.open({ ...wide, ...contextOptions(dress) })
      await stage.signIn(page, acme.company.admin.email, `/dashboard/employees/${ana.id}`)
      await showsText(page, name)
      await untilSettled(page)
      assert.deepEqual(await violations(page), [])
      await fits(page, '/dashboard/employees/:id')
      await page.context().close()
    }
  })
})
