// A proof by a company's identity provider in the real browser: who is asked for which, and that nothing typed is lost.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { password } from '../world/people.ts'
import { openedByProvider, signInThere } from './by-provider.ts'
import { picture, showsText } from './stage.ts'

describe('a proof by a company’s identity provider', () => {
  const { stage, acme, there, comes } = openedByProvider()
  const goes = async (page: Page, email: string) => {
    await signInThere(page, email)
    await page.waitForURL('**/dashboard/employee')
  }
  const confirmsThere = async (page: Page) => {
    const opens = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Confirm with your provider' }).click()
    const tab = await opens
    const closes = tab.waitForEvent('close')
    await tab.getByRole('button', { name: 'Sign in there' }).click()
    await closes
  }
  const addsAccount = async (page: Page) => {
    await page.goto('/dashboard/my-claims')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    return dialog
  }

  test('whoever has a password and comes by the provider is asked for neither twice', async () => {
    const { email } = await acme.hire('olga')
    comes(email.split('@')[0]!)
    const page = await stage.open()
    await goes(page, email)
    const dialog = await addsAccount(page)
    await dialog.getByRole('button', { name: 'Confirm with your provider' }).waitFor()
    await dialog.getByLabel('Your password').waitFor()
    await picture(page, 'sso-confirm-either')
    await dialog.getByRole('button', { name: 'Save account' }).click()
    await showsText(page, 'Bank account saved')
    await page.context().close()
  })

  test('by either way, where the sign-in there was this morning', async () => {
    const { email } = await acme.hire('boris')
    comes(email.split('@')[0]!)
    there.state.since_seconds = 3600
    const page = await stage.open()
    await goes(page, email)
    const dialog = await addsAccount(page)
    await dialog.getByRole('button', { name: 'Save account' }).click()
    await dialog.getByText('Enter your password, or confirm with your provider').waitFor()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Save account' }).click()
    await showsText(page, 'Bank account saved')
    there.state.since_seconds = 0
    await page.context().close()
  })

  test('whoever has no password adds the account they are paid to, and asks for erasure', async () => {
    const page = await stage.open()
    await goes(page, comes('ana'))
    await page.waitForURL('**/dashboard/employee')
    await page.goto('/dashboard/my-claims#account')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Your company’s provider signs you in').waitFor()
    assert.equal(await dialog.getByLabel('Your password').count(), 0)
    await dialog.getByLabel('IBAN').fill('DE89 3704 0044 0532 0130 00')
    await dialog.getByRole('button', { name: 'Save account' }).click()
    await showsText(page, 'Bank account saved')
    await showsText(page, 'account ending in')
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Request erasure' }).click()
    await dialog.getByRole('button', { name: 'Request erasure' }).click()
    await showsText(page, 'Erasure requested')
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await showsText(page, 'Request withdrawn')
    await page.context().close()
  })

  test('whoever signed in there this morning is asked again there, and goes on with what they typed', async () => {
    const page = await stage.open()
    there.state.since_seconds = 3600
    await goes(page, comes('ina'))
    const dialog = await addsAccount(page)
    await dialog.getByRole('button', { name: 'Save account' }).click()
    await dialog.getByText('Please confirm first that it is you').waitFor()
    await picture(page, 'sso-confirm')
    await confirmsThere(page)
    await showsText(page, 'Confirmed. This works for 5 minutes')
    assert.equal(await dialog.getByText('Please confirm first that it is you').count(), 0)
    await dialog.getByRole('button', { name: 'Save account' }).click()
    await showsText(page, 'Bank account saved')
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Export my data' }).click()
    await dialog.getByText('so confirm that it is you').waitFor()
    there.state.since_seconds = 0
    await page.context().close()
  })

  test('a second step is set up once they are confirmed', async () => {
    const page = await stage.open()
    there.state.since_seconds = 3600
    await goes(page, comes('kim'))
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    const dialog = page.getByRole('dialog', { name: 'Authenticator app' })
    await dialog.getByRole('button', { name: 'Confirm with your provider' }).waitFor()
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Please confirm first that it is you').waitFor()
    await confirmsThere(page)
    await showsText(page, 'Confirmed. This works for 5 minutes')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    there.state.since_seconds = 0
    await page.context().close()
  })

  test('whoever has a password and a provider is told to use one before a second step', async () => {
    const { email } = await acme.hire('boris.two')
    comes(email.split('@')[0]!)
    there.state.since_seconds = 3600
    const page = await stage.open()
    await goes(page, email)
    await page.goto('/dashboard/settings')
    const dialog = page.getByRole('dialog')
    const goesOn = () => dialog.getByRole('button', { name: 'Continue' }).click()
    const isTold = () =>
      dialog.getByText('Enter your password, or confirm with your provider').waitFor()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByLabel('Name').fill('My laptop')
    await goesOn()
    await dialog.getByLabel('Your password').waitFor()
    await goesOn()
    await isTold()
    assert.equal(await dialog.getByLabel('Name').inputValue(), 'My laptop')
    await picture(page, 'sso-confirm-passkey')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Set up authenticator app' }).click()
    await dialog.getByLabel('Your password').waitFor()
    await goesOn()
    await isTold()
    await dialog.getByLabel('Your password').fill(password)
    await goesOn()
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    await stage.scene.sql`update auth.amr_claims set at = at - interval '1 hour'
      where session_id in (select s.id from auth.sessions s join auth.users u on u.id = s.user_id
        where u.email = ${email})`
    const key = await dialog.locator('code').innerText()
    const code = new TOTP({ secret: Secret.fromBase32(key) }).generate()
    await dialog.getByLabel('Code from your authenticator app').fill(code)
    await goesOn()
    await dialog.getByLabel('Your password').waitFor()
    await goesOn()
    await isTold()
    await dialog.getByLabel('Your password').fill(password)
    await goesOn()
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor()
    there.state.since_seconds = 0
    await page.context().close()
  })

  test('where a new tab can’t be opened, the way there and back is this page’s own', async () => {
    const page = await stage.open()
    await page.addInitScript(() => {
      window.open = () => null
    })
    await goes(page, comes('lea'))
    await page.goto('/dashboard/my-claims?show=all')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Confirm with your provider' }).click()
    await page.getByRole('button', { name: 'Sign in there' }).click()
    await page.waitForURL('**/dashboard/my-claims?show=all')
    await showsText(page, 'Confirmed. This works for 5 minutes')
    await page.context().close()
  })

  test('where the provider does not tell when they signed in, they are told what else there is', async () => {
    const page = await stage.open()
    there.keepSilent(true)
    await goes(page, comes('jo'))
    await page.waitForURL('**/dashboard/employee')
    await page.goto('/dashboard/settings')
    await page.getByRole('button', { name: 'Request erasure' }).click()
    const back = page.context().waitForEvent('page')
    await page.getByRole('button', { name: 'Confirm with your provider' }).click()
    await (await back).waitForEvent('close')
    await showsText(page, 'does not say that you signed in just now')
    there.keepSilent(false)
    await page.context().close()
  })
})
