// Rights in the browser: given, confirmed and ended; and each shows what it opens, and asks for nothing else.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isOpenTo } from '#permissions/callers.ts'
import { pages } from '#paths.ts'
import { problems } from '#problems.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { fundedCompany } from '../world/company.ts'
import { belongingsOf, type Belongings } from '../world/one-of-each.ts'
import { password, type Person } from '../world/people.ts'
import { giveRights, withRights } from '../world/rights.ts'
import { turn } from '../rotation.ts'
import { contextOptions, fits, violations } from './axe.ts'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'

/** The right whose pages are checked by the standards: another in each run, all by `npm run looks`. */
const looked_at =
  process.env.LOOKS === 'all'
    ? CompanyRight.options
    : [CompanyRight.options[turn() % CompanyRight.options.length]]
const phone = { viewport: { width: 360, height: 800 } }

/** Goes to another page like a link, without loading everything again. */
const within = (page: Page, path: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)

describe('rights for a company', () => {
  const stage = openedStage()

  const answer = async (page: Page, button: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: button, exact: true }).click()
  }

  test('whom HR added and gave a password to, an owner knows to get another one with a right', async () => {
    const pier = await stage.scene.company({ name: 'Pier' })
    const [full_name, email] = ['Nora Newly', `nora@${pier.domain}`]
    await pier.admin.api.employees.add({ full_name, email, department: 'Sales' })
    for (const [name, dress, warned] of [
      [full_name, phone, true],
      ['Otto', wide, false],
    ] as const) {
      if (!warned) await pier.hire(name)
      const page = await stage.enter(pier.admin, '/dashboard/settings#rights', dress)
      await page.getByRole('button', { name: 'Give a right' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Who').fill(name)
      await page.getByRole('option', { name }).click()
      await dialog.getByLabel('Right', { exact: true }).selectOption('auditor')
      await dialog.getByText('It takes effect at once').waitFor()
      const warning = dialog.getByText('Their initial password stops working')
      assert.equal(await warning.count(), warned ? 1 : 0)
      await untilSettled(page)
      await picture(page, `rights-ends-password-${warned}`)
      await answer(page, 'Give right')
      await showsText(page, 'Right given')
      const toast = page.locator('[data-toast]').getByText('The initial password no longer works')
      assert.equal(await toast.count(), warned ? 1 : 0)
    }
  })

  test('who may not bring themselves into a group is told so before saving it', async () => {
    const pier = await stage.scene.company({ name: 'Quay' })
    const hr = await pier.hire('Hanna')
    await giveRights(stage.scene, pier, hr, 'people')
    await stage.scene.sql`update profiles set department = 'Sales' where id = ${hr.id}`
    await pier.admin.api.groups.add({ name: 'Leadership', departments: ['Board'] })
    for (const [name, person, dress, text] of [
      ['phone', hr, phone, true],
      ['wide', hr, wide, true],
      ['other', pier.admin, wide, false],
    ] as const) {
      const page = await stage.enter(person, '/dashboard/employees/groups', dress)
      await page.getByRole('button', { name: 'Edit Leadership' }).click()
      const dialog = page.getByRole('dialog')
      const save = dialog.getByRole('button', { name: 'Save group' })
      const why = dialog.getByText('This puts you into the group')
      await dialog.getByLabel('Sales').check()
      if (text) await why.waitFor()
      await untilSettled(page)
      assert.equal(await save.getAttribute('aria-disabled'), text ? 'true' : null)
      await picture(page, `group-of-ones-own-${name}`)
      if (text) await dialog.getByLabel('Sales').uncheck()
      await why.waitFor({ state: 'detached' })
      await save.click()
      await showsText(page, 'Leadership saved')
    }
  })

  test('one is given by an owner, confirmed by another, opens its page at once, and ends', async () => {
    const yard = await stage.scene.company({ name: 'Yard' })
    const second = await withRights(stage.scene, yard, 'owner')
    const ida = await yard.hire('Ida')
    const theirs = await stage.enter(ida, '/dashboard/employee')
    const page = await stage.enter(yard.admin, '/dashboard/settings#rights', phone)
    await page.getByRole('button', { name: 'Give a right' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Who').fill('Nobody called so')
    await page.getByText('No match').waitFor()
    await picture(page, 'rights-no-match-360')
    await dialog.getByLabel('Who').fill('Ida')
    await page.getByRole('option', { name: /Ida/ }).click()
    await dialog.getByLabel('Right', { exact: true }).selectOption('finance')
    await untilSettled(page)
    await picture(page, 'rights-give-360')
    await answer(page, 'Give right')
    await page.getByText('Waits for a second owner').waitFor()
    await picture(page, 'rights-waits-360')
    await fits(page, 'settings')

    const other = await stage.enter(second, '/dashboard/settings#rights')
    await other.getByRole('button', { name: 'Confirm Finance of Ida' }).click()
    await untilSettled(other)
    await picture(other, 'rights-confirm')
    await answer(other, 'Confirm')
    await showsText(other, 'Right confirmed')
    await theirs.getByText('Finance', { exact: true }).first().waitFor()
    await picture(theirs, 'rights-badge')
    await theirs.getByRole('link', { name: 'Payouts' }).first().click()
    await theirs.getByRole('heading', { name: 'Payouts', level: 1 }).waitFor()
    await theirs.getByText('Yours', { exact: true }).first().waitFor()

    await page.getByRole('button', { name: 'End Finance of Ida' }).click()
    await answer(page, 'End')
    await showsText(page, 'Right ended')
    await theirs.waitForURL('**/dashboard/employee')
    assert.equal(await theirs.getByRole('link', { name: 'Payouts' }).count(), 0)
  })

  test('the last owner’s right says on its button why it can’t be ended', async () => {
    const { admin, hire } = await stage.scene.company({ name: 'Dock' })
    const una = await hire('Una')
    await stage.scene.confirm(admin)
    await admin.api.rights.give({ person_id: una.id, kind: 'owner', until_on: '2199-12-31' })
    const page = await stage.enter(una, '/dashboard/settings#rights')
    const description = problems.last_owner[1]
    const grey = page.getByRole('button', { name: /^End Owner of /, description })
    assert.equal(await grey.getAttribute('aria-disabled'), 'true')
  })

  test('a right to come is told by the company’s day, wherever its holder is', async () => {
    const isle = await stage.scene.company({ name: 'Isle' })
    const { sql } = stage.scene
    await sql`update companies set time_zone = 'Pacific/Kiritimati' where id = ${isle.id}`
    const ivo = await isle.hire('Ivo')
    await stage.scene.confirm(isle.admin)
    await isle.admin.api.rights.give({ person_id: ivo.id, kind: 'viewer', from_on: '2099-01-10' })
    const page = await stage.enter(ivo, '/dashboard/employee')
    await showsText(page, 'It takes effect on 10 Jan 2099.')
  })

  test('an admin whom the provider made is told what waits, and is confirmed in one act', async () => {
    const yard = await stage.scene.company({ name: 'Yard' })
    const provider = await stage.scene.superAdmin()
    const ida = await yard.hire('Ida')
    const { sql } = stage.scene
    const change = { id: ida.id, role: 'company_admin', company_id: yard.id } as const
    await provider.api.users.change_role(change)
    // Added by the provider rather than employed before: without any fund of their own.
    await sql`update profiles set has_own = false where id = ${ida.id}`
    const theirs = await stage.enter(ida, '/dashboard/employee', phone)
    await theirs.getByText('Your rights wait for an owner').waitFor()
    await theirs.getByText(/They take effect once admin confirms them/).waitFor()
    await untilSettled(theirs)
    await fits(theirs, 'a new admin’s dashboard')
    assert.equal(await theirs.getByText('Prevention').count(), 0, 'no fund that is not there')
    await picture(theirs, 'rights-waiting-360')
    const page = await stage.enter(yard.admin, '/dashboard/needs-you')
    const sent: string[] = []
    page.on('request', (one) => void (/\/confirmations?$/.test(one.url()) && sent.push(one.url())))
    const list = Promise.withResolvers<void>()
    await page.route('**/api/company/rights', async (route) => {
      await list.promise
      await route.continue()
    })
    await page.getByText('Rights to confirm: Owner, People, Reviewer, Finance').waitFor()
    await page.getByRole('button', { name: /^Confirm, Rights to confirm/ }).click()
    const typed = page.getByRole('dialog').getByLabel('Your password')
    await typed.fill(password)
    await typed.press('Enter')
    list.resolve()
    await page.getByRole('button', { name: 'Confirm 4 rights' }).waitFor()
    assert.deepEqual(sent, [], 'nothing was sent')
    await untilSettled(page)
    await picture(page, 'rights-confirm-all')
    assert.deepEqual(await violations(page), [])
    await answer(page, 'Confirm 4 rights')
    await showsText(page, 'Rights confirmed')
    await showsText(theirs, 'You have new rights. You are on your dashboard')
    await theirs.waitForURL('**/dashboard/company-admin')
    assert.equal(await theirs.getByText('Your rights wait for an owner').count(), 0)
    await page.goto('/dashboard/settings#rights')
    assert.equal(await page.getByRole('button', { name: /^Confirm/ }).count(), 0)
  })

  test('who works in HR claims, cannot decide it, and is paid by those who read no claim', async () => {
    const own = await fundedCompany(stage.scene)
    const { company, today } = own
    const [pia, rolf] = [await own.hire('Pia'), await withRights(stage.scene, company, 'reviewer')]
    await giveRights(stage.scene, company, pia, 'people', 'reviewer')
    const [fin, fay] = [
      await withRights(stage.scene, company, 'finance'),
      await withRights(stage.scene, company, 'finance'),
    ]
    const claim = await own.claim(pia, { amount_cents: 8000, provider: 'Zyxwort Oncology' })
    const theirs = await stage.enter(pia, `/dashboard/claims/${claim.id}`)
    const approve = (page: Page) => page.getByRole('button', { name: /^Approve/ })
    await showsText(theirs, 'Nobody can decide on their own claim')
    assert.equal(await approve(theirs).count(), 0)
    await picture(theirs, 'rights-own-claim')
    const other = await stage.enter(rolf, `/dashboard/claims/${claim.id}`)
    await approve(other).first().click()
    await showsText(other, `Claim #${claim.id} approved`)

    const read: Promise<string>[] = []
    const listening = async (person: Person) => {
      const page = await stage.enter(person, '/dashboard/claims/payouts')
      page.on('response', (response) => {
        const stream = response.headers()['content-type']?.startsWith('text/event-stream')
        if (response.url().includes('/api/') && !stream) read.push(response.text().catch(() => ''))
      })
      await page.reload()
      return page
    }
    const page = await listening(fin)
    await page.getByRole('button', { name: 'Make payout' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make payout' }).click()
    await showsText(page, /is ready for release/)
    const second = await listening(fay)
    await second
      .getByRole('button', { name: /^Payout \d/ })
      .first()
      .click()
    await second.getByRole('button', { name: 'Release' }).click()
    await second
      .getByRole('dialog', { name: /^Release payout/ })
      .getByRole('button', { name: 'Release' })
      .click()
    await showsText(second, /Payout \d+ released/)
    const words = (await Promise.all(read)).join(' ')
    assert.match(words, new RegExp(today))
    assert.doesNotMatch(words, /Zyxwort/)
    await within(theirs, `/dashboard/my-claims/${claim.id}`)
    await theirs.getByText('Payment sent', { exact: true }).first().waitFor()
    await picture(theirs, 'rights-own-paid')
  })

  describe('each right', () => {
    let own: Belongings
    let people: Record<CompanyRight, Person>
    before(async () => {
      const { scene } = stage
      own = await belongingsOf(scene, 'Ana')
      people = {} as typeof people
      for (const right of CompanyRight.options)
        people[right] = await withRights(scene, own.stage.company, right)
      const member = await own.stage.hire('Max')
      await scene.sql`update profiles set full_name = 'Maximiliane von und zu Hohenstein-Wittelsbach'
        where id = ${member.id}`
      await giveRights(scene, own.stage.company, member, 'auditor', 'finance', 'people')
    })

    for (const right of CompanyRight.options) {
      const who = { role: 'company_admin', rights: [right], has_own: false } as const
      const theirs = Object.values(pages).filter(
        ({ path, open_to }) =>
          typeof open_to !== 'string' && isOpenTo(open_to, who) && !/:/.test(path),
      )
      test(`${right} alone opens ${theirs.length} pages, and none asks for what it may not`, async () => {
        const dark = right === 'finance' || right === 'viewer'
        const dress = dark
          ? { ...wide, ...contextOptions({ width: 360, colorScheme: 'dark' }) }
          : wide
        const page = await stage.enter(people[right], '/dashboard/company-admin', dress)
        const refused: string[] = []
        page.on('response', (response) => {
          if (response.status() === 403) refused.push(new URL(response.url()).pathname)
        })
        for (const { path, title } of theirs) {
          await within(page, path)
          await page.waitForFunction((its) => document.title.startsWith(`${its} `), title)
          await untilSettled(page)
          assert.equal(new URL(page.url()).pathname, path)
          await picture(page, `rights-${right}-${path.slice(1).replaceAll('/', '-')}`)
          if (looked_at.includes(right)) assert.deepEqual(await violations(page), [], path)
          await fits(page, path)
        }
        assert.deepEqual(refused, [])
        await page.context().close()
      })
    }
  })
})
