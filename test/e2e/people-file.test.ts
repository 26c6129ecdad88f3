// A list of employees as HR sends it, in a real browser: matched, compared, applied, undone.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import {
  addPeopleByFile,
  compare,
  asCsv,
  entryOf,
  workbookOf,
  type Entry,
} from '../world/people-files.ts'
import { until } from '../until.ts'
import { openedStage, picture, showsText } from './stage.ts'

const where = '/dashboard/employees/file'

describe('a list of employees', () => {
  const stage = openedStage({ worker: true })
  let acme: FundedCompany
  let people: Entry[]
  before(async () => {
    acme = await fundedCompany(stage.scene)
    people = await addPeopleByFile(acme, 30)
  })

  test('in Excel is compared before anything happens, applied and undone', async () => {
    const page = await stage.enter(acme.company.admin, where)
    const next = people
      .slice(1)
      .map((entry, at) => (at < 3 ? { ...entry, department: 'Research' } : entry))
    const file = await workbookOf([...next, entryOf(80, acme.company.domain, acme.plan_year)])
    await page.locator('input[type=file]').setInputFiles({
      name: 'employees.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      buffer: Buffer.from(await file.arrayBuffer()),
    })
    await page.getByLabel('Gehalt is').waitFor()
    assert.equal(await page.getByLabel('Pers.-Nr. is').inputValue(), 'personnel_number')
    assert.equal(await page.getByLabel('Gehalt is').inputValue(), 'none')
    assert.ok(await page.getByLabel('New people only').isChecked(), 'what changes nobody else')
    await page.getByLabel('The list of all employees').check()
    await picture(page, 'people-file-columns')
    await page.getByRole('button', { name: 'Compare' }).click()
    await showsText(page, 'Nothing has changed yet')
    await showsText(page, 'Research')
    await showsText(page, 'Stay as they are')
    await picture(page, 'people-file-compared')
    await page.getByLabel('Leave, with the last day below').check()
    await page.getByRole('button', { name: 'Apply to 5 people' }).click()
    const account_state = async () => {
      const [row] = await stage.scene.sql<[{ account_state: string }]>`
        select account_state from profiles where email = ${people[0]!.email}`
      return row.account_state
    }
    await until(async () => (await account_state()) === 'left', 'they have left')
    await showsText(page, '1 new person, 3 changes, 1 last day set.')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click()
    await until(async () => (await account_state()) === 'active', 'they are back')
    await page.getByRole('button', { name: 'Send another file' }).waitFor()
  })

  test('some picked in the list are compared and changed in the same way', async () => {
    const page = await stage.enter(acme.company.admin, '/dashboard/employees')
    const boxes = page.getByRole('checkbox', { name: /^Select / })
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByRole('button', { name: 'Change 2 selected' }).click()
    await picture(page, 'people-many-menu')
    await page.getByRole('menuitem', { name: 'Change department' }).click()
    await showsText(page, 'For 2 selected people')
    await page.getByLabel('Department', { exact: true }).fill('Care')
    await picture(page, 'people-many-department')
    await page.getByRole('button', { name: 'See what changes' }).click()
    await showsText(page, 'Nothing has changed yet')
    await picture(page, 'people-many-compared')
    await page.getByRole('button', { name: 'Apply to 2 people' }).click()
    await showsText(page, 'Applied')
    await page.getByRole('link', { name: 'Back to employees' }).click()
    await page.getByRole('button', { name: 'Change many' }).click()
    await page.getByRole('menuitem', { name: 'Resend invitations' }).click()
    await showsText(page, 'To all 30 people in this list')
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await showsText(page, /\d+ invitations sent/)
  })

  test('whose letters were guessed wrong is read again, and its columns stay matched', async () => {
    const page = await stage.enter(acme.company.admin, where)
    const choose = (text: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'ludzie.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(text, 'latin1'),
      })
    await choose('Osoba;Adres\n\xa3uk Nowak;luk@else.test\n')
    await showsText(page, '£uk Nowak')
    await showsText(page, 'the first line must name the columns name and email')
    await page.getByLabel('Encoding').selectOption('windows-1250')
    await showsText(page, 'Łuk Nowak')
    await page.getByLabel('Osoba is').selectOption('full_name')
    await page.getByLabel('Adres is').selectOption('email')
    await page.getByRole('button', { name: 'Compare' }).click()
    await showsText(page, 'Łuk Nowak')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
    await choose('Osoba;Adres\n\xa3uk Nowak;luk@else.test\n')
    await showsText(page, 'Łuk Nowak')
    assert.equal(await page.getByLabel('Osoba is').inputValue(), 'full_name')
  })

  test('that another admin was about to approve says when it is gone', async () => {
    const { admin, domain } = acme.company
    const other = await acme.admin('Other')
    await stage.scene.sql`update company_rights set given_at = now() - interval '2 days'
      where person_id = ${other.id}`
    const list = people.slice(5)
    const { id } = await compare(admin, asCsv([...list, entryOf(90, domain, acme.plan_year)]))
    await admin.api.imports.start({ id, leaves: true })
    const page = await stage.enter(other, where)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('dialog').waitFor()
    await admin.api.imports.discard({ id })
    await showsText(page, 'This file is no longer here')
    await picture(page, 'people-file-gone')
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    await page.locator('input[type=file]').waitFor({ state: 'attached' })
  })
})
