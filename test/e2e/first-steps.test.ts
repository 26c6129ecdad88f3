// First steps in the real browser: the installation's first super admin, and whoever gets a password from HR.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openedStage, picture, showsText, untilSettled, wide } from './stage.ts'
import { password } from '../world/people.ts'
import { until } from '../until.ts'

describe('first steps in the browser', () => {
  const stage = openedStage()

  test('the setup link makes the first super admin, once', async () => {
    const link = await stage.scene.services.setupLink()
    const page = await stage.open()
    await page.goto(link!)
    await page.getByLabel('Full Name').fill('Lea Provider')
    await page.getByLabel('Email').fill('lea@healthfund.test')
    const secret = 'three boats under one bridge'
    await page.locator('input[type=password]').first().fill('short')
    await page.locator('form button[type=submit]').click()
    await showsText(page, 'Password must be at least 8 characters')
    for (const field of await page.locator('input[type=password]').all()) await field.fill(secret)
    await picture(page, 'setup')
    await page.locator('form button[type=submit]').click()
    await page.waitForURL('**/dashboard/super-admin')
    assert.equal(await stage.scene.services.setupLink(), undefined)

    const late = await stage.open()
    await late.goto(link!)
    await late.getByRole('heading', { name: 'This link no longer works' }).waitFor()
    assert.equal(
      await late.getByLabel('Full Name').count(),
      0,
      'it says so before anything is typed',
    )
    await picture(late, 'setup-used')
  })

  test('a dead invitation says so before a password is typed, and how long invitations work', async () => {
    for (const [query, text] of [
      ['type=invite', /Links work once, for 7 days\. You can get a new one/],
      ['type=recovery&first=1', /Links work once, for 7 days\. You can get a new one/],
      ['type=recovery', /Links work once, for one hour\./],
    ] as const) {
      const page = await stage.open(wide)
      await page.goto(`/auth/verify?token=${'0'.repeat(56)}&${query}`)
      await showsText(page, text)
      assert.equal(await page.locator('input[type=password]').count(), 0)
      await page.context().close()
    }
  })

  test('a new company sees what is missing until people can claim, and what each step costs', async () => {
    const young = await stage.scene.company({ name: 'Young', status: 'pending' })
    const page = await stage.open()
    await stage.signIn(page, young.admin.email)
    await showsText(page, 'Until your people can claim, 3 steps are left')
    await showsText(page, '2 more are recommended before you pay out')
    await showsText(page, /Not active yet: the provider checks each new company/)
    await showsText(
      page,
      /Each new person needs €1,000\.00; your pools have €0\.00, not enough for one\./,
    )
    await picture(page, 'first-day')
    await page.getByRole('link', { name: /^Money in your pools/ }).click()
    await page.waitForURL('**/contact')
    assert.equal(await page.getByRole('textbox', { name: 'Company' }).inputValue(), 'Young')
    assert.equal(
      await page.getByRole('textbox', { name: 'How many people' }).inputValue(),
      '',
      'it has none yet',
    )
    await page.getByRole('button', { name: 'Send message' }).click()
    await showsText(page, 'Enter at least 1')
    await page.goto('/dashboard/company-admin')
    await page.getByRole('link', { name: /^The account to pay from/ }).click()
    await page.waitForURL('**/dashboard/claims/payouts')
    await page.goto('/dashboard/company-admin')
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await page.getByText('Until your people can claim').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    assert.equal(await page.getByText('Until your people can claim').count(), 0)
  })

  test('whoever asked for the wrong role or company changes their request', async () => {
    const acme = await stage.scene.company({ name: 'Brightwater Logistics' })
    await stage.scene.sql`update companies set domain_auto_register = false where id = ${acme.id}`
    const email = `baker@${acme.domain}`
    const names = { company_name: 'Brightwater Bakeries' }
    await stage.scene.signUp(email, 'company_admin', names)
    const page = await stage.open()
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await showsText(page, /You named your company “Brightwater Bakeries”; addresses at/)
    await page.getByRole('button', { name: 'Change my request' }).click()
    assert.equal(await page.getByLabel('Company Name').inputValue(), 'Brightwater Bakeries')
    await untilSettled(page)
    await picture(page, 'change-request')
    await page.getByLabel('Your Role').selectOption('super_admin')
    await page.getByRole('button', { name: 'Send request' }).click()
    await showsText(page, /You asked to be a Super Admin/)
    await page.getByRole('button', { name: 'Change my request' }).click()
    await page.getByLabel('Your Role').selectOption('company_admin')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('button', { name: 'Change my request' }).click()
    const elsewhere = page.getByRole('checkbox', {
      name: 'I don’t belong to Brightwater Logistics',
    })
    await page.getByLabel('Your Role').selectOption('employee')
    await elsewhere.check()
    await page.getByRole('button', { name: 'Send request' }).click()
    await showsText(page, /You said that you don’t belong to Brightwater Logistics, which has/)
    assert.equal(await page.getByText('No company has registered').count(), 0)
    await untilSettled(page)
    await picture(page, 'elsewhere')
    await page.getByRole('button', { name: 'I do belong to Brightwater Logistics' }).click()
    await showsText(page, 'You asked to join Brightwater Logistics as an employee.')
    await page.getByRole('button', { name: 'Change my request' }).click()
    await page.getByLabel('Your Role').selectOption('company_admin')
    await elsewhere.check()
    await showsText(page, /This registers Brightwater Bakeries as a company, with you as its first/)
    await untilSettled(page)
    await picture(page, 'registers')
    await page.getByLabel('Company Name').fill('')
    await page.getByRole('button', { name: 'Register company' }).click()
    await showsText(page, 'Company name is required')
    await page.getByLabel('Company Name').fill('Brightwater Bakeries')
    await page.getByRole('button', { name: 'Register company' }).click()
    await showsText(page, 'Brightwater Bakeries is registered')
    await page.waitForURL('**/dashboard/company-admin')
    await showsText(page, 'Brightwater Bakeries')
  })

  test('whoever was given a password by HR chooses their own before anything else', async () => {
    const acme = await stage.scene.company()
    const email = `nia@${acme.domain}`
    const { initial_password } = await acme.admin.api.employees.add({
      full_name: 'Nia Okafor',
      email,
      department: 'Sales',
    })
    const page = await stage.open()
    await page.goto('/auth/login')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(initial_password!)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await page.goto('/dashboard/settings')
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await picture(page, 'first-password')
    const fresh = 'an orchard in late october'
    await page.getByLabel('Current password').fill('not this one')
    await page.getByLabel('New password').fill(fresh)
    await page.getByLabel('Confirm password').fill(fresh)
    await page.getByRole('button', { name: 'Set new password' }).click()
    await showsText(page, 'This is not your current password')
    await page.getByLabel('Current password').fill(initial_password!)
    await page.getByRole('button', { name: 'Set new password' }).click()
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor()
    const mail = (await stage.scene.mailbox()).filter(({ to }) => to === email)
    assert.ok(mail.every(({ subject }) => subject !== 'Your password was changed'))
  })

  test('whoever came by a mailed link instead is not asked for a password that nobody has any more', async () => {
    const acme = await stage.scene.company()
    const email = `lea@${acme.domain}`
    await acme.admin.api.employees.add({ full_name: 'Lea Falk', email, department: 'Sales' })
    const page = await stage.open({ viewport: { width: 360, height: 740 } })
    await page.goto('/auth/forgot-password')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await showsText(page, /If an account exists for this address/)
    const mail = (await stage.scene.mailbox()).find(({ to }) => to === email)
    await page.goto(/http\S+token=\S+/.exec(mail!.text)![0])
    const fresh = 'an orchard in late october'
    const type = async () => {
      await page.getByLabel('New password').fill(fresh)
      await page.getByLabel('Confirm password').fill(fresh)
      await page.getByRole('button', { name: 'Set new password' }).click()
    }
    // The link is followed, and the password not set.
    const refused = { status: 400, json: { code: 400, error_code: 'unknown', msg: 'Not now' } }
    await page.route('**/auth/v1/user', (route) => route.fulfill(refused))
    await type()
    await showsText(page, /could not be set|Not now/)
    await page.unroute('**/auth/v1/user')
    await page.goto('/dashboard/employee')
    await page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
    await untilSettled(page)
    await picture(page, 'first-password-by-link')
    assert.equal(await page.getByLabel('Current password').count(), 0)
    await type()
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
  })
})

describe('an employee’s first day', () => {
  const stage = openedStage({ worker: true })

  test('an employee’s mail names the company and what they have; its code opens the account', async () => {
    const acme = await stage.scene.company()
    const email = `ida@${acme.domain}`
    await acme.admin.api.employees.add({ full_name: 'Ida Lang', email, department: 'Sales' })
    const mail = await until(
      async () => (await stage.scene.mailbox()).find(({ to }) => to === email),
      `a mail to ${email}`,
    )
    const { name } = (await acme.admin.api.users.me({})).company!
    const gives = `${name} gives you €200.00 for Prevention, €700.00 for Treatment, and €100.00`
    assert.ok(mail.text.includes(gives), mail.text)
    const code = /Your code: (\d{6})/.exec(mail.text)![1]!
    const [, address] = /type the code at (\S+)$/m.exec(mail.text)!
    const page = await stage.open(wide)
    await page.goto(address!)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Six-digit code').fill(code === '111111' ? '222222' : '111111')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Welcome to Healthfund' }).waitFor()
    const fresh = 'an orchard in late october'
    await page.getByLabel('Password', { exact: true }).fill(fresh)
    await page.getByLabel('Confirm password').fill(fresh)
    await page.locator('form button[type=submit]').click()
    await showsText(page, 'This code is wrong or has expired. Check the newest email.')
    await showsText(page, 'Get a new code')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Six-digit code').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    // Typed before the code was found to be wrong: the password is still there.
    assert.equal(await page.getByLabel('Confirm password').inputValue(), fresh)
    await page.locator('form button[type=submit]').click()
    await page.waitForURL('**/dashboard/employee')
    // No new password is asked for: the one that HR was shown is gone.
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await showsText(page, name)
    await picture(page, 'first-day')
  })

  test('the link of the mail to somebody added by hand welcomes them, and resets nothing', async () => {
    const acme = await stage.scene.company()
    const email = `kim@${acme.domain}`
    await acme.admin.api.employees.add({ full_name: 'Kim Lang', email, department: 'Sales' })
    await until(
      async () => (await stage.scene.mailbox()).find(({ to }) => to === email),
      `a mail to ${email}`,
    )
    const page = await stage.open()
    await page.goto(await stage.linkFor(email))
    await page.getByRole('heading', { name: 'Welcome to Healthfund' }).waitFor()
    await untilSettled(page)
    await picture(page, 'first-welcome')
    await page.getByLabel('Password', { exact: true }).fill('an orchard in late october')
    await page.getByLabel('Confirm password').fill('an orchard in late october')
    await page.getByRole('button', { name: 'Set password and continue' }).click()
    await page.waitForURL('**/dashboard/employee')
    await showsText(page, 'Your account is ready')
    await page.goto(await stage.linkFor(email))
    await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  })
})
