// Dialogs: one closes when the act is done, and never before.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import {
  cutOnce,
  openStage,
  openedStage,
  picture,
  showsText,
  untilSettled,
  type E2e,
} from './stage.ts'

describe('a dialog', () => {
  let stage: E2e
  let company: FundedCompany
  before(async () => {
    stage = await openStage()
    company = await fundedCompany(stage.scene)
  })
  after(async () => {
    stage.faults.length = 0 // answers were refused, and lines cut
    await stage.close()
  })

  const cut = 'The service is not available right now'
  const words = 'Words that took five minutes to find'

  /** Presses, loses the line, finds every word still there, and presses again. */
  async function survives(page: Page, dialog: Locator, does: string, field: string) {
    await dialog.getByLabel(field).fill(words)
    await cutOnce(page)
    await dialog.getByRole('button', { name: does, exact: true }).click()
    await showsText(page, cut)
    // Screen readers hear it although a dialog hides all else, and it can be dismissed with the dialog open.
    const alert = page.getByRole('alert').filter({ hasText: cut, has: page.getByRole('button') })
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    assert.equal(await dialog.getByLabel(field).inputValue(), words)
    const kept = await page.evaluate(() => JSON.stringify(Object.values(sessionStorage)))
    assert.match(kept, new RegExp(words), 'a reload would lose it')
    await dialog.getByRole('button', { name: does, exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  test('keeps what HR typed about a claim when the line is cut', async () => {
    const ana = await company.hire('Ana')
    const admin = company.company.admin
    const open = async (id: number, press: string) => {
      await page.goto(`/dashboard/claims/${id}`)
      await page.getByRole('button', { name: press }).first().click()
      return page.getByRole('dialog')
    }
    const claim = () => company.claim(ana, { category: 'treatment', amount_cents: 5000 })
    const page = await stage.enter(admin, '/dashboard/claims')
    const { id } = await claim()

    const asking = await open(id, 'Ask')
    await survives(page, asking, 'Ask', 'Your question')
    await showsText(page, `Ana was asked about claim #${id}`)

    const rejected = await claim()
    const rejecting = await open(rejected.id, 'Reject')
    await rejecting.getByLabel('Reason').selectOption({ label: 'Another reason' })
    await survives(page, rejecting, 'Reject', 'Message to Ana')
    await showsText(page, `Claim #${rejected.id} rejected`)

    const part = await claim()
    const parting = await open(part.id, 'Approve part')
    await parting.getByLabel('Approve', { exact: true }).fill('20')
    await survives(page, parting, 'Approve part', 'Reason')
    await showsText(page, `Claim #${part.id} approved`)

    const reversing = await open(part.id, 'Reverse approval')
    await survives(page, reversing, 'Reverse approval', 'Reason')
    await showsText(page, `Approval of claim #${part.id} reversed`)
  })

  test('keeps what an employee typed when the line is cut', async () => {
    const ben = await company.hire('Ben')
    const { id, version } = await company.claim(ben, { category: 'treatment' })
    const { review } = company.company.admin.api
    await review.reject({ id, version, reason: 'other', text: 'This is not covered.' })
    const page = await stage.enter(ben, `/dashboard/my-claims/${id}`)
    await page.getByRole('button', { name: 'Appeal' }).click()
    await survives(page, page.getByRole('dialog'), 'Send appeal', 'Why should')
    await showsText(page, `Your appeal for claim #${id} is with HR`)
  })

  test('that only confirms stays open until it is done', async () => {
    const cem = await company.hire('Cem')
    const { id } = await company.claim(cem, {})
    const page = await stage.enter(cem, `/dashboard/my-claims/${id}`)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    const dialog = page.getByRole('dialog')
    await cutOnce(page)
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await showsText(page, cut)
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await dialog.waitFor({ state: 'detached' })
    await showsText(page, `Claim #${id} withdrawn`)
  })

  test('lies over the sheet it was opened from', async () => {
    const dora = await company.hire('Dora')
    const page = await stage.enter(
      company.company.admin,
      `/dashboard/employees?employee=${dora.id}`,
    )
    const sheet = page.getByRole('dialog', { name: 'Dora' })
    await sheet.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('dialog', { name: 'Suspend Dora?' }).waitFor()
    await untilSettled(page)
    await picture(page, 'dialog-over-sheet-1440')
    const top = await page.evaluate(() => {
      const [under] = document.querySelectorAll<HTMLElement>('[role=dialog]')
      // Only the topmost dialog takes the pointer; the test asks what is visible.
      under?.style.setProperty('pointer-events', 'auto', 'important')
      return !under?.contains(document.elementFromPoint(innerWidth - 60, innerHeight - 40))
    })
    assert.ok(top, 'the veil does not cover the sheet')
    const free = await page.evaluate(
      () => innerWidth - document.querySelector('[role=dialog]')!.getBoundingClientRect().right,
    )
    assert.equal(free, 0, 'a strip at the right edge is not covered')
  })
})

describe('a record that two people change at once', () => {
  const stage = openedStage()
  let company: FundedCompany
  before(async () => {
    company = await fundedCompany(stage.scene)
    await company.admin('Mira')
  })

  /** HR has the form open, with another department typed into it. */
  async function opened(name: string) {
    const { id } = await company.hire(name)
    const { employees } = company.company.admin.api
    const edit = async (change: { full_name?: string; department: string }) => {
      const { version, full_name, joined_on } = await employees.find({ id })
      await employees.edit({ id, version, full_name, joined_on, ...change })
    }
    await edit({ department: 'Operations' })
    const page = await stage.enter(company.company.admin, `/dashboard/employees?employee=${id}`)
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Department').fill('Sales')
    return { page, sheet, edit, saved: () => employees.find({ id }) }
  }

  test('shows what both changed, and takes over the rest', async () => {
    const { page, sheet, edit, saved } = await opened('Nora')
    await edit({ full_name: 'Nora Vogel', department: 'Office' })
    await sheet.getByLabel('Phone').fill('+49 30 1234567')
    await sheet.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Somebody else changed this while you were editing')
    // The name was changed by one of them alone, so there is nothing to choose.
    assert.equal(await sheet.getByLabel('Full Name').inputValue(), 'Nora Vogel')
    await showsText(page, /Department: theirs .?Office.?, yours .?Sales.?, before .?Operations/)
    await untilSettled(page)
    await picture(page, 'conflict-three-ways-1440')
    await sheet.getByRole('button', { name: 'Keep theirs' }).click()
    await sheet.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Employee saved')
    const { full_name, department, phone } = await saved()
    assert.deepEqual([full_name, department, phone], ['Nora Vogel', 'Office', '+49 30 1234567'])
  })

  test('asks nothing when they changed different fields', async () => {
    const { page, sheet, edit, saved } = await opened('Omar')
    await edit({ full_name: 'Omar Haddad', department: 'Operations' })
    await sheet.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Employee saved')
    const { full_name, department } = await saved()
    assert.deepEqual([full_name, department], ['Omar Haddad', 'Sales'])
  })
})
