// Becoming somebody, in a real browser: sign up, confirm, sign in, be refused, forget, sign out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { password } from '../world/people.ts'
import { openedStage, showsText, untilSettled } from './stage.ts'

describe('in the browser', () => {
  const stage = openedStage()

  async function fillSignUp(page: Page, email: string, role: string) {
    await page.getByLabel('Company Name').fill('Bright Sea')
    await page.getByLabel('Full Name').fill('Mara Lindqvist')
    await page.getByLabel('Work Email').fill(email)
    await page.getByLabel('Your Role').selectOption({ label: role })
    await page.getByLabel('Password', { exact: true }).fill(password)
  }

  async function fillSignIn(page: Page, email: string) {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
  }

  test('a site without a named provider tells visitors whom to ask, and the provider how to name itself', async () => {
    const visitor = await stage.open()
    await visitor.goto('/terms')
    await showsText(visitor, 'Who runs this site is not named here yet')
    assert.equal(await visitor.getByText('OPERATOR_NAME').count(), 0)
    const provider = await stage.enter(await stage.scene.superAdmin(), '/privacy')
    await showsText(provider, /name yourself by the settings OPERATOR_NAME/)
  })

  test('a founder signs up, confirms by mail, and stands in their dashboard', async () => {
    const page = await stage.open()
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    await page.waitForURL('**/auth/signup')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await showsText(page, 'Please fill in all required fields')
    await page.getByLabel('Full Name').fill('\u200b\u200b')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await showsText(page, 'Full name is required')
    const email = 'mara@brightsea.test'
    await fillSignUp(page, email, 'Company Admin / HR')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await showsText(page, 'Account created successfully! You can now sign in.')
    assert.equal(await page.getByText('Please fill in all required fields').count(), 0)
    await page.waitForURL('**/auth/login')

    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await showsText(page, 'Invalid login credentials')
    await page.locator('form').getByText('Invalid login credentials').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await showsText(page, email) // the pending page says what is missing
    await untilSettled(page)
    assert.equal(await page.getByText('Signed in successfully!').count(), 0)

    await page.goto(await stage.linkFor(email))
    await page.getByLabel('Password', { exact: true }).fill(password)
    const again = page.getByLabel(/confirm|repeat|again/i)
    if (await again.count()) await again.first().fill(password)
    await page
      .getByRole('button')
      .filter({ hasText: /confirm|set|continue/i })
      .first()
      .click()
    await page.waitForURL('**/dashboard/company-admin')
    await showsText(page, 'Company Admin')

    await page.reload()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await page.goto('/dashboard/users')
    await page.waitForURL('**/dashboard/company-admin')
    await page.getByRole('button', { name: 'Logout' }).click()
    await showsText(page, 'Signed out successfully')
    await page.waitForURL('**/auth/login')
  })

  test('whoever asks for a page before signing in gets it afterwards', async () => {
    const acme = await stage.scene.company()
    const page = await stage.open()
    await page.goto('/dashboard/employees')
    await page.waitForURL('**/auth/login')
    await page.getByLabel('Email').fill(acme.admin.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.waitForURL('**/dashboard/employees')
    await showsText(page, 'Signed in successfully!')
    await page.goto('/auth/login')
    await page.waitForURL('**/dashboard/company-admin')
  })

  test('a forgotten password is set again by the mailed link, and the old one is gone', async () => {
    const acme = await stage.scene.company()
    const ana = await acme.hire('Ana')
    const page = await stage.open()
    await page.goto('/auth/login')
    await page.getByRole('link', { name: /forgot password/i }).click()
    await page.getByRole('heading', { name: 'Forgot password' }).waitFor()
    await page.getByLabel('Email').fill(ana.email)
    await page
      .getByRole('button')
      .filter({ hasText: /send|reset/i })
      .first()
      .click()
    await showsText(page, 'If an account exists for this address')
    await page.goto(await stage.linkFor(ana.email))
    await page.locator('input[type=password]').first().waitFor()
    const fresh = 'an orchard in late october'
    for (const field of await page.locator('input[type=password]').all()) await field.fill(fresh)
    await page
      .getByRole('button')
      .filter({ hasText: /set|save|update|continue|reset/i })
      .first()
      .click()
    await page.waitForURL('**/dashboard/employee')
    await assert.rejects(stage.scene.signIn(ana.email), /invalid_credentials/)
  })

  test('a suspended person is out at the next step', async () => {
    const acme = await stage.scene.company()
    const ben = await acme.hire('Ben')
    const page = await stage.open()
    await stage.signIn(page, ben.email)
    await stage.scene.sql`update profiles set status = 'suspended' where id = ${ben.id}`
    await page.goto('/dashboard/my-claims')
    await page.waitForURL('**/auth/login')

    const suspended =
      'This account or its whole company is suspended. Ask your HR team, or the provider if HR can’t sign in either.'
    await fillSignIn(page, ben.email)
    await page.locator('form').getByText(suspended).waitFor()
    assert.equal(await page.getByText('Your session has ended').count(), 0)
    await stage.scene.sql`update companies set status = 'suspended' where id = ${acme.id}`
    await fillSignIn(page, acme.admin.email)
    await page.locator('form').getByText(suspended).waitFor()
  })

  test('a link that brings somebody else’s session signs nobody in', async () => {
    const acme = await stage.scene.company()
    const mallory = await acme.hire('Mallory')
    const { token } = await stage.scene.signIn(mallory.email)
    const page = await stage.open()
    const brought = `access_token=${token}&refresh_token=x&expires_in=3600&token_type=bearer`
    for (const mark of ['#', '?']) {
      await page.goto(`/dashboard/my-claims${mark}${brought}&type=magiclink`)
      await page.waitForURL('**/auth/login')
      assert.equal(await page.evaluate(() => localStorage.getItem('sb-localhost-auth-token')), null)
    }
  })

  test('an unknown address is a page that says so, with a way home', async () => {
    const page = await stage.open()
    const answer = await page.goto('/no/such/page')
    assert.equal(answer?.status(), 404)
    await showsText(page, 'Oops! Page not found')
    await page.getByRole('link', { name: /home/i }).first().click()
    await page.waitForURL(`${stage.origin}/`)
    const ana = await (await stage.scene.company()).hire('Ana')
    await stage.signIn(page, ana.email)
    await page.goto('/dashboard/no-such-page')
    await page.getByRole('link', { name: /home/i }).first().click()
    await page.waitForURL('**/dashboard/employee')
    await page.goto('/contact')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL('**/dashboard/employee')
  })
})
