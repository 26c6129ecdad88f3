// Sign-in by a company's identity provider in the real browser: HR connects it, people go there and come back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkProvider } from '#connections/sso/jobs.server.ts'
import { oidc_client } from '../oidc-provider.ts'
import { openSaml } from '../saml-provider.ts'
import { password } from '../world/people.ts'
import { withRights } from '../world/rights.ts'
import { contextOptions, dresses, checkPage } from './axe.ts'
import { openedByProvider, signInThere } from './by-provider.ts'
import { picture, showsText, untilSettled } from './stage.ts'

const where = '/dashboard/connections'

describe('sign-in by a company’s identity provider', () => {
  const { stage, acme, there, comes } = openedByProvider()

  test('HR connects it, tests it, switches it on and writes its rules', async () => {
    const alpha = await stage.scene.company({ name: 'Alpha' })
    const { id, admin } = alpha
    await withRights(stage.scene, alpha, 'auditor')
    const page = await stage.open()
    await stage.signIn(page, admin.email, where)
    await showsText(page, 'No identity provider yet')
    await page.getByRole('button', { name: 'Connect by OpenID Connect' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Issuer').fill('https://10.0.0.1/')
    await dialog.getByLabel('Client ID').fill(oidc_client.client_id)
    await dialog.getByLabel('Client secret').fill(oidc_client.client_secret)
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await showsText(page, 'This address is not on the public internet')
    await dialog.getByLabel('Issuer').fill(there.issuer)
    await picture(page, 'sso-connect')
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await showsText(page, 'Testing...')
    assert.equal(await page.getByText(oidc_client.client_secret).count(), 0)
    await checkProvider(['127.0.0.1'])({ company_id: id }, stage.scene.tools)
    await showsText(page, 'it answers as it should')
    await page.getByRole('button', { name: 'Switch on sign-in through the provider' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await showsText(page, 'Sign-in through your provider switched on')
    await page.getByRole('button', { name: 'Rules' }).click()
    const keeps = dialog.getByLabel('Whose password still works').getByRole('option')
    assert.deepEqual(await keeps.allInnerTexts(), ['Choose an owner', 'admin'])
    await dialog.getByLabel('Departments').fill('groups, g-sales')
    assert.equal(await dialog.getByLabel('Require it').isDisabled(), true)
    await dialog.getByText('Sign in through the provider yourself first').waitFor()
    await dialog.getByLabel('Your password').fill('not mine at all')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Line 1: write attribute, value, department')
    assert.equal(await page.getByText('This is not your password').count(), 0)
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByLabel('Departments').fill('groups, g-sales, Sales')
    await picture(page, 'sso-rules')
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Rules changed')
    await page.context().close()
  })

  test('somebody new begins with their address, goes there and is here', async () => {
    const page = await stage.open()
    const email = comes('ana')
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue with your company' }).waitFor()
    assert.equal(await page.getByLabel('Password').count(), 0)
    await untilSettled(page)
    await picture(page, 'sso-login')
    await signInThere(page, email)
    await page.waitForURL('**/dashboard/employee')
    await showsText(page, 'Signed in successfully!')
    await page.reload()
    await page.waitForURL('**/dashboard/employee')
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.waitForURL('**/auth/login')
    await page.context().close()
  })

  test('they come to the page that they had asked for; a password still does', async () => {
    const page = await stage.open()
    const email = comes('ana')
    await page.goto('/dashboard/my-claims')
    await page.waitForURL('**/auth/login')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Continue with your company' }).click()
    await page.getByRole('button', { name: 'Sign in there' }).click()
    await page.waitForURL('**/dashboard/my-claims')
    await page.context().close()
    const other = await stage.open()
    await other.goto('/auth/login')
    await other.getByLabel('Email').fill(acme.admin.email)
    await other.getByRole('button', { name: 'Use your password instead' }).click()
    await other.getByLabel('Password', { exact: true }).fill(password)
    await other.getByRole('button', { name: 'Sign In' }).click()
    await other.waitForURL('**/dashboard/company-admin')
    await other.context().close()
  })

  test('whoever is refused is told why; a code from another browser opens nothing', async () => {
    const page = await stage.open()
    comes('out')
    there.people.set('out', { email: 'out@elsewhere.test', email_verified: true })
    await signInThere(page, `out@${acme.domain}`)
    await showsText(page, 'You are not signed in')
    await showsText(page, 'not at a verified domain of your company')
    await picture(page, 'sso-refused')
    await page.goto('/auth/sso?code=from-a-link')
    await showsText(page, 'was started in another browser')
    await page.context().close()
  })

  test('by SAML, too: HR enters its metadata, and somebody comes', async () => {
    const beta = await stage.scene.company({ name: 'Beta' })
    const idp = await openSaml()
    const page = await stage.open()
    await stage.signIn(page, beta.admin.email, where)
    await page.getByRole('button', { name: 'Connect by SAML' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Metadata of your provider').fill('<nothing/>')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await showsText(page, 'This is not the metadata of an identity provider')
    await dialog.getByLabel('Metadata of your provider').fill(idp.metadata)
    const entity = await dialog.getByLabel('Entity ID and metadata').innerText()
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click()
    await showsText(page, 'Testing...')
    await checkProvider([])({ company_id: beta.id }, stage.scene.tools)
    await showsText(page, 'it answers as it should')
    await page.getByRole('button', { name: 'Switch on sign-in through the provider' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await showsText(page, 'Sign-in through your provider switched on')
    await page.context().close()
    idp.state.metadata = await (await fetch(entity)).text()
    const email = `bea@${beta.domain}`
    idp.state.answer = { name_id: 'sub-bea', attributes: { email, displayName: 'Bea' } }
    const visitor = await stage.open()
    await signInThere(visitor, email)
    await visitor.waitForURL('**/dashboard/employee')
    await visitor.context().close()
    idp.close()
  })

  test('its card, dialogs and pages fit every dress', async () => {
    for (const dress of dresses) {
      const name = `${dress.width}-${dress.colorScheme}`
      const page = await stage.open(contextOptions(dress))
      await stage.signIn(page, acme.admin.email, where)
      await showsText(page, 'it answers as it should')
      await checkPage(page, `sso-card-${name}`, where)
      await page.getByRole('button', { name: 'Rules' }).click()
      await showsText(page, 'Counts as a second step')
      await checkPage(page, `sso-rules-${name}`, where)
      await page.context().close()
      const visitor = await stage.open(contextOptions(dress))
      await visitor.goto('/auth/login')
      await visitor.getByLabel('Email').fill(comes('ana'))
      await visitor.getByRole('button', { name: 'Continue with your company' }).waitFor()
      await checkPage(visitor, `sso-login-${name}`, '/auth/login')
      await visitor.goto('/auth/sso?error_code=email_exists')
      await showsText(visitor, 'outside your company')
      await checkPage(visitor, `sso-refused-${name}`, '/auth/sso')
      await visitor.context().close()
    }
  })
})
