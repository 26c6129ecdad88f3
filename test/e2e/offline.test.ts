// A lost connection: screens say so, nothing is sent later unnoticed, and all goes on when the connection is back.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import { openStage, picture, showsText, untilSettled, wide, type E2e } from './stage.ts'

const banner = 'You’re offline. Nothing can be sent'

describe('offline', () => {
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

  test('an approval is refused at once and not carried out later', async () => {
    const ana = await company.hire('Ana')
    const { id, version } = await company.claim(ana, { category: 'treatment' })
    const { admin } = company.company
    const page = await stage.enter(admin, `/dashboard/claims/${id}`)
    await page.getByRole('button', { name: 'Approve', exact: false }).first().waitFor()
    await untilSettled(page)
    await page.context().setOffline(true)
    await showsText(page, banner)
    await page.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await showsText(page, 'Nothing was sent')
    const toast = (await page.getByText('Nothing was sent').boundingBox())!
    const buttons = await page.getByRole('main').getByRole('button').all()
    const boxes = await Promise.all(buttons.map((button) => button.boundingBox()))
    const covered = boxes.filter(
      (box) =>
        box &&
        box.x < toast.x + toast.width &&
        toast.x < box.x + box.width &&
        box.y < toast.y + toast.height &&
        toast.y < box.y + box.height,
    )
    assert.ok(boxes.length > 0)
    assert.deepEqual(covered, [], 'it lies over no button of the page')
    await picture(page, 'offline-1440')
    await page.context().setOffline(false)
    await page.getByText('Nothing was sent').waitFor({ state: 'detached', timeout: 3000 })
    await page.getByText(banner).waitFor({ state: 'detached' })
    // The page is live again: whatever it had kept to send would have been sent before this.
    await admin.api.review.reject({ id, version, reason: 'other', text: 'HR’s last word.' })
    await showsText(page, 'HR’s last word.')
    const [claim] = (await ana.api.claims.mine({})).claims
    assert.equal(claim?.status, 'rejected')
  })

  test('a claim that could not be sent is not said to have been submitted', async () => {
    const eva = await company.hire('Eva')
    const page = await stage.enter(eva, '/dashboard/my-claims?new')
    const form = page.getByRole('dialog')
    await form.getByLabel('Amount claimed').waitFor()
    await form.getByText('Prevention', { exact: true }).click()
    await form.getByLabel('Type').selectOption({ label: 'Fitness' })
    await form.getByLabel('Provider').fill('Dr. Weiss')
    await form.getByLabel('Service date').fill(company.today)
    await form.getByLabel('Bill total').fill('12')
    await form.getByLabel('Amount claimed').fill('12')
    await untilSettled(page)
    await page.context().setOffline(true)
    await showsText(page, banner)
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, 'Nothing was sent')
    assert.equal(await page.getByText('Nothing was sent').count(), 1)
    const fault = (await form.getByRole('alert').boundingBox())!
    const heading = (await form.getByText('Receipts', { exact: true }).first().boundingBox())!
    assert.ok(heading.y - fault.y - fault.height >= 12, 'what it stands above does not touch it')
    await page.context().setOffline(false)
    await page.getByText(banner).waitFor({ state: 'detached' })
    await page.reload()
    await showsText(page, 'Draft restored. Nothing has been submitted yet.')
  })

  test('a page that was never loaded opens when the line is back', async () => {
    const ben = await company.hire('Ben')
    const page = await stage.enter(ben, '/dashboard/my-claims', wide)
    await untilSettled(page)
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Dependents' }).click()
    await showsText(page, 'This page opens as soon as you’re back online.')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    await picture(page, 'offline-page-1440')
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Dependents', level: 1 }).waitFor()
  })

  test('who somebody is gets asked again where the server has no time at first', async () => {
    const dan = await company.hire('Dan')
    const page = await stage.open(wide)
    let requests = 0
    await page.route('**/api/me', (route) => {
      requests += 1
      return requests > 1
        ? route.fallback()
        : route.fulfill({ status: 503, json: { code: 'busy', title: 'Busy', status: 503 } })
    })
    await stage.signIn(page, dan.email, '/dashboard/my-claims')
    await page.getByRole('heading', { name: 'My Claims', level: 1 }).waitFor()
    assert.ok(requests > 1)
  })

  test('what could not be asked again keeps being asked, so that nothing of before stays', async () => {
    const eve = await company.hire('Eve')
    const page = await stage.enter(eve, '/dashboard/my-claims', wide)
    await untilSettled(page)
    // Each thrice in vain, which is as often as a question is asked by itself.
    const requests_by_path = new Map<string, number>()
    await page.route(/api\/(claims\/mine|together)/, (route) => {
      const question = route.request().url()
      const times = (requests_by_path.get(question) ?? 0) + 1
      requests_by_path.set(question, times)
      return times > 3
        ? route.fallback()
        : route.fulfill({ status: 503, json: { code: 'busy', title: 'Busy', status: 503 } })
    })
    const { id } = await company.claim(eve, { category: 'treatment' })
    await showsText(page, `#${id}`)
    assert.ok([...requests_by_path.values()].some((times) => times > 3))
  })

  test('a page whose files are gone, as after an upgrade, is loaded once more, and no more', async () => {
    const cleo = await company.hire('Cleo')
    const page = await stage.enter(cleo, '/dashboard/my-claims', wide)
    await untilSettled(page)
    let requests = 0
    let helps = true
    await page.route('**/assets/DependentsPage*', (route) => {
      requests += 1
      return requests > 1 && helps ? route.fallback() : route.fulfill({ status: 404 })
    })
    await page.getByRole('link', { name: 'Dependents' }).click()
    await page.getByRole('heading', { name: 'Dependents', level: 1 }).waitFor()
    assert.equal(requests, 2)
    helps = false
    await page.goto('/dashboard/dependents')
    await showsText(page, 'Something went wrong')
    assert.equal(requests, 4)
  })
})
