// The month of a company of three hundred, in the browser: each with their own rights, the clock of server, database and
// browser going from day to day. Whatever reaches who pays and who looks is searched for what a claim is for.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { chromium, type Browser, type Page } from 'playwright-core'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { launchOptions } from '../browser.ts'
import {
  acmeAddress,
  claimPlainly,
  foundAcme,
  provider_name,
  setUp,
  type PersonName,
} from '../month.ts'
import { root } from '../server-process.ts'
import { openWorld, recordsAreWhole, type World } from '../world/by-clock.ts'
import { opener, picture, showsText, untilSettled, signInOn, wide } from './stage.ts'

describe('a month, in the browser', () => {
  const faults: string[] = []
  let world: World
  let acme: Awaited<ReturnType<typeof foundAcme>>
  let browser: Browser
  before(async () => {
    await buildIfStale(root)
    // A database is slow while each statement is new to it; what a busy one does is tested elsewhere.
    world = await openWorld('2027-03-01', { BUSY_AFTER_MS: '10000' })
    acme = await foundAcme(world)
    await setUp(world, acme)
    const { env, ...launch } = await launchOptions()
    browser = await chromium.launch({
      ...launch,
      env: { ...process.env, ...env, ...world.clock.env },
    })
  })
  after(async () => {
    await browser.close()
    await recordsAreWhole(world, acme)
    await world.close()
    assert.deepEqual(faults, [])
  })

  /** Nobody is at work while the clock jumps: what a request may take would be over. */
  async function on(day: string) {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await world.on(day)
  }
  async function enter(name: PersonName | 'helena', where: string): Promise<Page> {
    const page = await opener(browser, world.server.origin, faults)(wide)
    await signInOn(page, acmeAddress(name), where)
    await page.locator('h1').first().waitFor()
    return page
  }
  const idOf = async (name: PersonName, amount_cents: number) => {
    const { claims: theirs } = await (await world.as(acmeAddress(name))).claims.mine({})
    return theirs.find((claim) => claim.amount_cents === amount_cents)!.id
  }
  async function approves(name: PersonName | 'helena', id: number, text: string | RegExp) {
    const page = await enter(name, `/dashboard/claims/${id}`)
    await page.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await showsText(page, text)
    return page
  }

  /** Everything that a page asked for and got, as text. */
  function nextPublish(page: Page) {
    const answers: Promise<string>[] = []
    page.on('response', (response) => {
      // what is streamed never ends
      if (response.headers()['content-type']?.startsWith('application/json'))
        answers.push(response.text().catch(() => '')) // of a page that was left before
    })
    return async () => (await Promise.all(answers)).join('\n')
  }

  async function claimsInTheForm(name: PersonName, amount: string) {
    const page = await enter(name, '/dashboard/my-claims?new')
    const form = page.getByRole('dialog', { name: 'Submit a claim' })
    await form.getByText('Treatment', { exact: true }).click()
    await form.getByLabel('Type').selectOption({ label: 'Physiotherapy' })
    await form.getByLabel('Provider').fill(provider_name)
    await form.getByLabel('Service date').fill('2 March 2027')
    await form.getByLabel('Bill total').fill(amount)
    await form.getByLabel('Amount claimed').fill(amount)
    await untilSettled(page)
    await picture(page, `month-claim-${name}-1440`)
    await form.getByRole('button', { name: 'Submit claim' }).click()
    await showsText(page, /Claim #\d+ submitted/)
  }

  /** Employees claim, one of them from HR, whose own claim she may not decide. */
  async function theyClaim() {
    await on('2027-03-03')
    await claimsInTheForm('ana', '40.00')
    await claimsInTheForm('pia', '60.00')
    await claimPlainly(await world.as(acmeAddress('ben')), 50_000)
    await claimPlainly(await world.as(acmeAddress('ana')), 150_000)
    const own = await idOf('pia', 6000)
    const page = await enter('pia', `/dashboard/claims/${own}`)
    await showsText(page, 'Nobody can decide on their own claim')
    assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0)
    await picture(page, 'month-own-claim-1440')
  }

  /** Three steps decide, the first of them without the receipts. */
  async function theyDecide() {
    const [small, own] = [await idOf('ana', 4000), await idOf('pia', 6000)]
    const [middle, large] = [await idOf('ben', 50_000), await idOf('ana', 150_000)]
    for (const id of [small, own])
      await picture(await approves('rolf', id, `Claim #${id} approved`), `month-rolf-${id}-1440`)
    for (const id of [middle, large]) await approves('rolf', id, /rita decides next/)
    await on('2027-03-04')
    await approves('rita', middle, `Claim #${middle} approved`)
    await approves('rita', large, /Helena decides next/)
    await on('2027-03-05')
    await approves('helena', large, `Claim #${large} approved`)
    await on('2027-03-06')
    const page = await enter('ana', `/dashboard/my-claims/${large}`)
    await showsText(page, '€1,500.00 of €1,500.00 approved')
    await picture(page, 'month-approved-1440')
  }

  /** Two of finance pay it all and read of no diagnosis. */
  async function theyPay() {
    await on('2027-03-30')
    const fin = await enter('fin', '/dashboard')
    const notified = nextPublish(fin)
    await fin.goto('/dashboard/claims/payouts')
    await fin.getByRole('button', { name: 'Make payout' }).click()
    await fin.getByRole('dialog').getByRole('button', { name: 'Make payout' }).click()
    await showsText(fin, /is ready for release/)
    const fay = await enter('fay', '/dashboard')
    const told_too = nextPublish(fay)
    await fay.goto('/dashboard/claims/payouts')
    await fay
      .getByRole('button', { name: /^Payout \d/ })
      .first()
      .click()
    await showsText(fay, 'Waiting for you')
    await showsText(fay, '€2,100.00')
    await picture(fay, 'month-release-1440')
    await fay.getByRole('button', { name: 'Release' }).click()
    await fay.getByRole('dialog').last().getByRole('button', { name: 'Release' }).click()
    await showsText(fay, /Payout \d+ released/)
    for (const where of ['/dashboard/funds', '/dashboard/notifications']) {
      await untilSettled(fay)
      await fay.goto(where)
    }
    await untilSettled(fay)
    for (const words of [await notified(), await told_too()]) {
      assert.match(words, /210000|50000/, 'the money is there')
      assert.doesNotMatch(words, new RegExp(provider_name))
      assert.doesNotMatch(words, /Physiotherapy/)
    }
    const pia = await enter('pia', `/dashboard/my-claims/${await idOf('pia', 6000)}`)
    await showsText(pia, /^(Paid|On its way, to be paid) on/)
    await picture(pia, 'month-paid-1440')
  }

  /** Auditor and viewer find the month there, and nobody’s illness. */
  async function theyLook() {
    for (const [name, where] of [
      ['aud', '/dashboard/audit'],
      ['vic', '/dashboard/company-admin'],
    ] as const) {
      const page = await enter(name, '/dashboard')
      const notified = nextPublish(page)
      await page.goto(where)
      await untilSettled(page)
      await picture(page, `month-${name}-1440`)
      assert.doesNotMatch(await notified(), new RegExp(`${provider_name}|Physiotherapy`))
    }
  }

  test('is claimed, decided in three steps, paid by two and audited, and nobody reads of an illness', async () => {
    await theyClaim()
    await theyDecide()
    await theyPay()
    await theyLook()
  })
})
