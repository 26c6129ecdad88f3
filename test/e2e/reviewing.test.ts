// Claims as HR decides them, in a real browser: one by one, many at once, and by a policy.
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fundedCompany } from '../world/company.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

const busy = (page: Page) => page.locator('[aria-busy=true]')

describe('review, in the browser', () => {
  const stage = openedStage({ worker: true })
  afterEach(() => stage.leave())

  test('a queue is decided by keyboard alone', async () => {
    const company = await fundedCompany(stage.scene)
    const ids: number[] = []
    for (const name of ['Ana', 'Ben', 'Cem', 'Dora', 'Eli']) {
      const claim = await company.claim(await company.hire(name), { amount_cents: 8000 })
      ids.push(claim.id)
    }
    const [one, two, three] = ids
    const page = await stage.enter(company.company.admin, '/dashboard/claims')
    await page.getByRole('link', { name: `claim #${ids.at(-1)}` }).waitFor()
    const focusedId = () => page.evaluate(() => document.activeElement?.id)
    const stands = (id: string) =>
      page.waitForFunction((at) => document.activeElement?.id === at, id)
    await page.keyboard.press('j')
    await stands(`claim-${one}`)
    await page.keyboard.press('j')
    await stands(`claim-${two}`)
    await page.keyboard.press('k')
    await stands(`claim-${one}`)
    await page.keyboard.press('a')
    await showsText(page, `Claim #${one} approved`)
    await stands(`claim-${two}`)
    await page.keyboard.press('o')
    await page.waitForURL(`**/dashboard/claims/${two}`)
    await showsText(page, 'Claim vs. receipt')
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: `Reject claim #${two}` }).waitFor()
    await page.keyboard.press('n') // the first reason that begins so
    await page.keyboard.press('Tab')
    await page.keyboard.type(' Not this one, a and j are only letters here.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await showsText(page, `Claim #${two} rejected`)
    await page.waitForURL(`**/dashboard/claims/${three}`, { waitUntil: 'commit' })
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('u')
    await page.waitForURL(/claims$/)
    await page.locator(`#claim-${three}`).waitFor()
    await page.locator('body:not([data-scroll-locked])').waitFor()
    const edge = async () => {
      await untilSettled(page)
      return page.evaluate(() => document.querySelector('main')?.getBoundingClientRect().right)
    }
    const before_dialog = await edge()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Review by keyboard' }).waitFor()
    assert.equal(await edge(), before_dialog, 'the page stays where it is')
    await page.keyboard.press('j')
    await page.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const before = await focusedId()
    await page.keyboard.press('j')
    assert.equal(await focusedId(), before)
    assert.deepEqual(await company.faults(), [])
  })

  test('many are approved at once, and those that need more say so', async () => {
    const company = await fundedCompany(stage.scene)
    await company.admin('Mira')
    const ids: number[] = []
    for (const [name, cents] of [
      ['Ana', 8000],
      ['Ben', 9000],
      ['Cem', 90_000],
    ] as const) {
      const claim_input = { category: 'treatment', amount_cents: cents } as const
      ids.push((await company.claim(await company.hire(name), claim_input)).id)
    }
    const [, second, large] = ids
    const page = await stage.enter(company.company.admin, '/dashboard/claims')
    const box = (id?: number) => page.getByLabel(`Select claim #${id}`, { exact: true })
    await box(large).waitFor()
    for (const id of ids) await box(id).check()
    await page.getByRole('button', { name: 'Approve 2' }).waitFor()
    await box(large).uncheck()
    await picture(page, 'claims-queue-1440')
    await page.getByRole('button', { name: 'Approve 2' }).click()
    await showsText(page, '2 claims approved')
    await page.getByRole('button', { name: 'Approved' }).click()
    await page.getByRole('link', { name: `claim #${second}` }).waitFor()
    await page.getByRole('link', { name: 'View Details' }).first().click()
    await page.getByRole('button', { name: 'Reverse approval' }).click()
    await page.getByLabel('Reason').fill('It was paid by the insurance')
    await page.getByRole('button', { name: 'Reverse approval' }).click()
    await showsText(page, /Approval of claim #\d+ reversed/)
    assert.deepEqual(await company.faults(), [])
  })

  test('filters are kept under a name, opened with one press, changed, shared and removed', async () => {
    const company = await fundedCompany(stage.scene)
    const group = await company.company.admin.api.groups.add({ name: 'Crew', departments: null })
    const page = await stage.enter(
      company.company.admin,
      '/dashboard/claims?status=all&sort=-amount',
    )
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Largest first')
    await page.keyboard.press('Enter')
    const chip = page.getByRole('button', { name: /^Largest first/ })
    await chip.and(page.locator('[aria-pressed=true]')).waitFor()
    await page.getByRole('button', { name: /^Approved/ }).click()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'View saved')
    await page.getByRole('button', { name: 'Save Changes' }).waitFor({ state: 'detached' })
    const more = page.getByRole('button', { name: 'More for view Largest first' })
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Share with colleagues' }).press('Enter')
    await showsText(page, 'View shared with everybody who may open this page')
    const mira = await stage.enter(await company.admin('Mira'), '/dashboard/claims')
    await mira.getByRole('button', { name: /^Largest first\s+shared by/ }).click()
    await mira.waitForURL(/status=approved/)
    await picture(mira, 'claims-views-1440')
    const { api } = company.company.admin
    const filters = { group: group.id, sort: '-joined' }
    await api.views.save({ page: 'employees', name: 'The crew', filters })
    await api.groups.remove({ id: group.id })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('crew')
    await page.getByRole('option', { name: /The crew/ }).click()
    await showsText(page, 'Left out, because it is no longer there: the group')
    await picture(page, 'employees-views-1440')
    await page.getByRole('button', { name: 'More for view The crew' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove view' }).click()
    await page.getByRole('button', { name: /^The crew/ }).waitFor({ state: 'detached' })
  })

  test('a claim of a suspended person says so, and so does the question they can’t answer', async () => {
    const acme = await fundedCompany(stage.scene)
    const { admin } = acme.company
    const ana = await acme.hire('Ana')
    const { id } = await acme.claim(ana, { amount_cents: 8000 })
    const page = await stage.enter(admin, `/dashboard/claims/${id}`)
    await showsText(page, `Claim #${id}`)
    await admin.api.employees.suspend({ id: ana.id })
    await showsText(page, `Claim #${id} · suspended`)
    await page.getByRole('button', { name: 'Ask', exact: false }).first().click()
    await showsText(page, 'Ana is suspended and can’t answer until re-activated')
    await picture(page, 'claims-ask-suspended')
    assert.equal(await page.getByText('days without an answer').count(), 0)
  })

  test('whoever decides second is told who was first', async () => {
    const company = await fundedCompany(stage.scene)
    const mira = await company.admin('Mira Sol')
    const ana = await company.hire('Ana')
    const { id, version } = await company.claim(ana, { amount_cents: 8000 })
    const slow = await company.claim(ana, { amount_cents: 9100 })
    const page = await stage.enter(company.company.admin, `/dashboard/claims/${id}`)
    await showsText(page, 'Claim vs. receipt')
    await page.getByRole('button', { name: 'Approve part' }).click()
    await page.getByLabel('Approve', { exact: true }).fill('10')
    await page.getByLabel('Reason').fill('x'.repeat(1005))
    await showsText(page, '1,005 of 1,000 characters: 5 too many')
    await page.getByRole('button', { name: 'Approve part', exact: true }).last().click()
    await showsText(page, 'Write at most 1,000 characters')
    assert.equal(await page.getByText('5 too many').count(), 0, 'one message, not two')
    await page.getByLabel('Reason').fill('Only the first visit')
    await mira.api.review.approve({ id, version })
    await page.getByRole('button', { name: 'Approve part', exact: true }).click()
    const sentence = `Claim #${id}: approved by Mira Sol a moment ago`
    await page.getByRole('dialog').getByText(sentence).waitFor()
    await page.getByText('Approved by Mira Sol just now').waitFor()
    await picture(page, 'claims-decided-meanwhile')
    await page.keyboard.press('Escape')
    await untilSettled(page)
    // While an answer is on its way its button is busy, and pressed again it sends nothing.
    let sent = 0
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    await page.route(`**/claims/${slow.id}/approval`, async (route) => {
      sent += 1
      await held
      await route.fallback()
    })
    await page.getByRole('link', { name: 'Claims', exact: false }).first().click()
    const approve = page.getByRole('button', { name: `Approve claim #${slow.id}` })
    await approve.click()
    await approve.and(page.locator('[aria-busy=true]')).waitFor()
    await approve.press('Enter')
    await page.keyboard.press('a')
    letGo()
    await showsText(page, `Claim #${slow.id} approved`)
    assert.equal(sent, 1)
    assert.deepEqual(await company.faults(), [])
  })

  test('one press decides on one claim, and nobody is carried off from where they went', async () => {
    const company = await fundedCompany(stage.scene)
    const ids: number[] = []
    for (const name of ['Ana', 'Ben', 'Cem'])
      ids.push((await company.claim(await company.hire(name), { amount_cents: 8000 })).id)
    const [one, two, three] = ids
    const page = await stage.enter(company.company.admin, `/dashboard/claims/${one}`)
    const opened = (id?: number) => page.getByRole('article', { name: `Claim #${id}` }).waitFor()
    let sent = 0
    let letGo: (() => void) | undefined
    await page.route('**/claims/*/approval', async (route) => {
      sent += 1
      if (sent === 2) await new Promise<void>((resolve) => (letGo = resolve))
      await route.fallback()
    })
    await opened(one)
    // The moment after a claim came is as long as the test wants it.
    const now = Date.now()
    await page.clock.setFixedTime(now)
    await page.keyboard.down('a')
    await showsText(page, `Claim #${one} approved`)
    await opened(two)
    await page.keyboard.down('a')
    await page.keyboard.up('a')
    await page.keyboard.press('a')
    await untilSettled(page)
    assert.equal(sent, 1)
    await page.clock.setFixedTime(now + 700)
    await page.keyboard.press('a')
    await page.getByRole('button', { name: 'Approve', exact: false }).and(busy(page)).waitFor()
    await page.getByRole('link', { name: 'Employees' }).click()
    await page.getByRole('heading', { name: 'Employees', level: 1 }).waitFor()
    letGo?.()
    await showsText(page, `Claim #${two} approved`)
    await untilSettled(page)
    assert.equal(new URL(page.url()).pathname, '/dashboard/employees')
    assert.equal((await company.company.admin.api.review.find({ id: three! })).status, 'pending')
    assert.deepEqual(await company.faults(), [])
  })

  test('a policy is tried on the last months, saved with its reason, and refused where nobody could follow it', async () => {
    const company = await fundedCompany(stage.scene)
    const ana = await company.hire('Ana')
    await company.claim(ana, { amount_cents: 8000 })
    const page = await stage.enter(company.company.admin, '/dashboard/claims/policy')
    await page.getByRole('button', { name: 'Change step 2' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Claims above').fill('200')
    await dialog.getByRole('button', { name: 'Change step' }).click()
    await showsText(page, 'Above €200.00')
    await showsText(page, 'Too few reviewers')
    await company.admin('Mira Sol')
    await stage.scene.sql`select private.publish_now(${`admins:${company.id}`})`
    await page.getByRole('button', { name: 'Add step' }).click()
    await dialog.getByLabel('Who approves').selectOption('people')
    await dialog.getByRole('button', { name: 'Add step' }).click()
    await showsText(page, 'Choose at least one person')
    await dialog.getByLabel('Mira Sol').check()
    await dialog.getByLabel('Treatment', { exact: true }).check()
    await dialog.getByLabel('Working days for this step').fill('2')
    await picture(page, 'claims-policy-step-1440')
    await dialog.getByRole('button', { name: 'Add step' }).click()
    await showsText(page, 'Treatment')
    await page.getByRole('button', { name: 'Move step 3 up' }).click()
    await page.getByRole('button', { name: 'Remove step 3' }).click()
    await page.getByLabel('Up to', { exact: true }).fill('60')
    await page.getByLabel('Reason for the change').fill('Small ones need no eyes')
    await page.getByRole('button', { name: 'Save policy' }).click()
    await showsText(page, 'Policy version 2 is in force')
    await showsText(page, '“Small ones need no eyes”')
    await showsText(page, /2\. Mira Sol, Treatment, within 2 working days/)
    await page.getByLabel('Up to', { exact: true }).fill('70')
    const { policies } = company.company.admin.api
    const { note: _, ...terms } = await policies.current({})
    await policies.change({ ...terms, review_days: 9 })
    await showsText(page, 'Version 3 was saved while you were editing')
    await showsText(page, 'Decided within: 9 working days, was 3 working days')
    assert.equal(await page.getByLabel('Up to', { exact: true }).inputValue(), '70')
    await picture(page, 'claims-policy-meanwhile')
    await page.getByRole('button', { name: 'Discard' }).click()
    assert.equal(await page.getByLabel('Up to', { exact: true }).inputValue(), '60.00')
    assert.equal(await page.getByText('was saved while you were editing').count(), 0)
    await page.getByRole('button', { name: 'Add a type to Prevention' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Sleep check')
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await showsText(page, 'Sleep check added')
    await page.getByRole('button', { name: 'Hide Sleep check' }).click()
    await showsText(page, 'Sleep check is hidden')
    await page.getByRole('button', { name: 'Add limit' }).click()
    await page.getByLabel('At most', { exact: true }).fill('100')
    await page.getByRole('dialog').getByRole('button', { name: 'Add limit' }).click()
    await showsText(page, 'at most €100.00 in a plan year')
    await picture(page, 'claims-policy-1440')
    const theirs = await stage.enter(ana, '/dashboard/my-claims')
    await theirs.getByRole('link', { name: 'Submit New Claim' }).click()
    await theirs.getByRole('dialog').getByText('Treatment', { exact: true }).click()
    await showsText(theirs, 'All claims: at most €100.00 in a plan year, €20.00 left')
  })
})
