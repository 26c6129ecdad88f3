// Two steps in the real browser: set up, demanded, survived without the phone.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { apiFor, password, refuses, type Company, type Person } from '../world/people.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

describe('two-step verification in the browser', () => {
  const stage = openedStage()
  let acme: Company
  before(async () => {
    acme = await stage.scene.company()
  })

  async function security(person: Person, context = {}) {
    const page = await stage.open(context)
    await stage.signIn(page, person.email, '/dashboard/settings#security')
    await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
    return page
  }
  /** Enters the password only; the test looks at what comes next. */
  async function enter(page: Page, email: string) {
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
  }
  const generator = (key: string) => new TOTP({ secret: Secret.fromBase32(key) })

  /** Sets up an app by the key below the picture, as somebody without a camera does. */
  async function setUpApp(page: Page) {
    const code = page.getByAltText('QR code for your authenticator app')
    await code.waitFor()
    const drawn = await code.evaluate((image: HTMLImageElement) => image.naturalWidth)
    assert.ok(drawn > 0, 'the QR code is not drawn')
    const key = await page.locator('code').innerText()
    await page.getByLabel('Code from your authenticator app').fill('12')
    await page.getByRole('button', { name: 'Continue' }).click()
    await showsText(page, 'Enter the six digits')
    await page.getByLabel('Code from your authenticator app').fill(generator(key).generate())
    await page.getByRole('button', { name: 'Continue' }).click()
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await codes.first().waitFor()
    return { key, codes: await codes.allInnerTexts() }
  }
  /** The step of a moment ago is used up: the next one is accepted already. */
  const nextCode = (key: string) => generator(key).generate({ timestamp: Date.now() + 30_000 })

  test('an app is set up by a real generator, asked for at the next sign-in, and its loss survived', async () => {
    const ana = await acme.hire('Ana')
    const page = await security(ana)
    await untilSettled(page)
    await picture(page, 'two-step-off')
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    await page.getByAltText('QR code for your authenticator app').waitFor()
    await picture(page, 'two-step-app')
    const { key, codes } = await setUpApp(page)
    assert.equal(codes.length, 10)
    await picture(page, 'two-step-codes')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'healthfund-codes.txt')
    await page.getByRole('button', { name: 'I’ve saved these codes' }).click()
    await showsText(page, '10 of 10 left')
    await untilSettled(page)
    await picture(page, 'two-step-on')

    const low = await stage.scene.signIn(ana.email)
    await refuses('two_step_needed', low.api.funds.mine({}))
    await refuses('two_step_needed', low.api.settings.sessions({}))

    const phone = await stage.open({ viewport: { width: 360, height: 800 } })
    await enter(phone, ana.email)
    await phone.goto('/dashboard/my-claims')
    await phone.getByRole('heading', { name: 'Two-step verification' }).waitFor()
    await phone.getByLabel('Code from your authenticator app').fill('000000')
    await phone.getByRole('button', { name: 'Continue' }).click()
    await showsText(phone, 'This code is wrong or has already been used')
    await picture(phone, 'two-step-asked-phone')
    await phone.getByLabel('Code from your authenticator app').fill(nextCode(key))
    await phone.getByRole('button', { name: 'Continue' }).click()
    await phone.getByRole('heading', { name: 'My Claims' }).waitFor()

    const lost = await stage.open()
    await enter(lost, ana.email)
    await lost.getByRole('button', { name: 'Lost your phone? Use a recovery code' }).click()
    await picture(lost, 'two-step-lost')
    await lost.getByLabel('Recovery code').fill('aaaa-bbbb-cccc-dddd')
    await lost.getByRole('button', { name: 'Continue' }).click()
    await showsText(lost, 'This is not one of your codes, or it has already been used')
    await lost.getByLabel('Recovery code').fill(codes[3]!.toUpperCase())
    await lost.getByRole('button', { name: 'Continue' }).click()
    await lost.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await lost.goto('/dashboard/settings#security')
    await showsText(lost, '9 of 10 left')
    const makeNew = () =>
      lost.getByRole('dialog').getByRole('button', { name: 'Make new codes' }).click()
    await lost.getByRole('button', { name: 'Make new codes' }).click()
    await lost.getByLabel('Your password').fill('not this one')
    await makeNew()
    await showsText(lost, 'This is not your password')
    await picture(lost, 'two-step-new-codes')
    await lost.getByLabel('Your password').fill(password)
    await makeNew()
    const made = lost.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await made.nth(9).waitFor()
    assert.ok(!codes.includes(await made.first().innerText()))
    await lost.getByRole('button', { name: 'I’ve saved these codes' }).click()
    await showsText(lost, '10 of 10 left')
    await lost.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await lost.getByRole('button', { name: 'Remove', exact: true }).click()
    await showsText(lost, 'Enter your password')
    await lost.getByLabel('Your password').fill('not this one')
    await lost.getByRole('button', { name: 'Remove', exact: true }).click()
    await showsText(lost, 'This is not your password')
    await picture(lost, 'two-step-remove')
    await lost.getByLabel('Your password').fill(password)
    await lost.getByRole('button', { name: 'Remove', exact: true }).click()
    await showsText(lost, 'Authenticator app removed')
    await lost.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
  })

  test('a forgotten password’s link asks for the second step as well', async () => {
    const eva = await acme.hire('Eva')
    const page = await security(eva)
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const { key } = await setUpApp(page)
    await page.context().close()
    const other = await stage.open()
    await other.goto('/auth/forgot-password')
    await other.getByLabel('Email').fill(eva.email)
    await other
      .getByRole('button')
      .filter({ hasText: /send|reset/i })
      .first()
      .click()
    await showsText(other, 'If an account exists for this address')
    await other.goto(await stage.linkFor(eva.email))
    const fresh = 'an orchard in late october'
    await other.locator('input[type=password]').first().waitFor()
    for (const field of await other.locator('input[type=password]').all()) await field.fill(fresh)
    await other
      .getByRole('button')
      .filter({ hasText: /set|save|reset/i })
      .first()
      .click()
    await other.getByLabel('Code from your authenticator app').fill(nextCode(key))
    await other.getByRole('button', { name: 'Continue' }).click()
    await other.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })

  test('a passkey is made, named, used at the next sign-in and removed', async () => {
    const ben = await acme.hire('Ben')
    const page = await security(ben)
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await showsText(page, 'Give it a name')
    await dialog.getByLabel('Name').fill('My laptop')
    await picture(page, 'two-step-passkey')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'I’ve saved these codes' }).click()
    await showsText(page, 'My laptop')
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/auth/login')
    await enter(page, ben.email)
    await page.getByRole('button', { name: 'Use your passkey' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.goto('/dashboard/settings#security')
    await page.getByRole('button', { name: 'Remove My laptop' }).click()
    await showsText(page, 'It is your last one')
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Set up authenticator app' }).waitFor()
    const mails = (await stage.scene.mailbox()).filter(({ to }) => to === ben.email)
    const subjects = mails.map(({ subject }) => subject)
    assert.deepEqual(subjects.slice(0, 2), [
      'Two-step verification is off',
      'Two-step verification is on',
    ])
  })

  test('on a screen that was left open setting it up asks for the password first', async () => {
    const dan = await acme.hire('Dan')
    const page = await security(dan)
    const { sql } = stage.scene
    const leave = () => sql`update auth.amr_claims set at = at - interval '1 hour'
      where session_id in (select id from auth.sessions where user_id = ${dan.id})`
    await leave()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByLabel('Name').fill('My laptop')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    await leave()
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    await dialog.getByLabel('Your password').fill('not this one')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await showsText(page, 'This is not your password')
    await picture(page, 'two-step-confirm')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await setUpApp(page)
  })

  test('a company’s rule leads its admin to set it up before anything else', async () => {
    const careful = await stage.scene.company({ name: 'Careful' })
    await careful.admin.api.settings.change_company({ admins_two_step: 'required' })
    const page = await stage.open()
    await enter(page, careful.admin.email)
    await showsText(page, 'Your company requires a second step from its administrators')
    await picture(page, 'two-step-demanded')
    await setUpApp(page)
    await page.getByRole('button', { name: 'I’ve saved these codes' }).click()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    // The session of before was only signed in by its password.
    await refuses('not_signed_in', apiFor(stage.scene.services, careful.admin.token).users.me({}))
  })
})
