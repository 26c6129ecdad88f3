// Settings in the real browser: the profile, the company, the switches, the password.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { keepHolidays } from '#companies/holidays.server.ts'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../world/company.ts'
import { password, type Company, type Person } from '../world/people.ts'
import { checkPage } from './axe.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'
import { until } from '../until.ts'

describe('settings in the browser', () => {
  const stage = openedStage()
  let acme: Company
  let ana: Person
  before(async () => {
    acme = await stage.scene.company()
    ana = await acme.hire('Ana')
  })

  async function settingsOf(person: Person, context = {}) {
    const page = await stage.open(context)
    await stage.signIn(page, person.email, '/dashboard/settings')
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor()
    await untilSettled(page)
    return page
  }

  test('an employee comes by the menu behind their initials and changes their profile', async () => {
    const page = await stage.open()
    await stage.signIn(page, ana.email)
    assert.equal(await page.getByRole('navigation').getByText('Settings').count(), 0)
    await page.getByRole('button', { name: 'your account' }).click()
    await page.getByRole('menuitem', { name: 'Settings' }).click()
    await page.waitForURL('**/dashboard/settings')
    assert.equal(await page.getByLabel('Email', { exact: true }).getAttribute('readonly'), '')
    assert.equal(await page.getByText('Company Information').count(), 0)
    await page.getByLabel('Full Name').fill('A')
    await page.getByLabel('Phone').fill('123')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Name must be at least 2 characters')
    await showsText(page, 'Phone must be at least 10 characters')
    await page.getByLabel('Full Name').fill('Ana Horvat')
    await page.getByLabel('Phone').fill('+385 91 234 567')
    await page.getByLabel('Department').fill('Research')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Profile saved')
    await showsText(page, 'Ana Horvat')
    await page.reload()
    await page.getByLabel('Phone').waitFor()
    assert.equal(await page.getByLabel('Phone').inputValue(), '+385 91 234 567')
    await untilSettled(page)
    await picture(page, 'settings-employee')
  })

  test('an address changes once its links in the old and the new mailbox were opened', async () => {
    const mia = await acme.hire('Mia')
    const page = await settingsOf(mia)
    const card = page.getByRole('region', { name: 'Email address' })
    const ask = async (email: string) => {
      await page.getByLabel('New address').fill(email)
      await page.getByRole('button', { name: 'Send links' }).click()
    }
    await card.getByRole('button', { name: 'Change' }).click()
    // Taken or not, it looks the same: its owner learns of it, not who asks.
    await ask(ana.email)
    await showsText(page, `${ana.email} is not confirmed yet`)
    const mail = (await stage.scene.mailbox()).find(({ to }) => to === ana.email)
    assert.equal(mail?.subject, 'Somebody tried to use your address')
    await card.getByRole('button', { name: 'Change' }).click()
    const email = `maria@${acme.domain}`
    await ask(email)
    await showsText(page, `${email} is not confirmed yet`)
    await picture(page, 'settings-address')
    for (const one of [mia.email, email]) {
      await page.goto(await stage.linkFor(one))
      await page.getByRole('button', { name: 'Confirm' }).click()
      await showsText(page, one === email ? 'New address confirmed' : 'Almost done')
    }
    await page.goto('/dashboard/settings')
    await page.getByLabel('Email', { exact: true }).waitFor()
    assert.equal(await page.getByLabel('Email', { exact: true }).inputValue(), email)
  })

  test('a switch acts at once and stays; the main one silences the others', async () => {
    const page = await settingsOf(ana)
    const named = (name: string) => page.getByRole('switch', { name })
    const states = async () =>
      Promise.all(
        (await page.getByRole('switch').all()).map((one) => one.getAttribute('aria-checked')),
      )
    assert.deepEqual(await states(), ['true', 'true', 'true', 'false'])
    await named('Health tips and reminders').focus()
    await page.keyboard.press('Space')
    await showsText(page, 'Health tips and reminders on')
    await named('Email notifications').click()
    await showsText(page, 'Email notifications off')
    await showsText(page, 'Off as long as email notifications are off.')
    assert.deepEqual(await states(), ['false', 'false', 'false', 'false'])
    const { claim_updates, health_tips } = await ana.api.settings.switches({})
    assert.deepEqual([claim_updates, health_tips], [true, true])
    await named('Email notifications').click()
    await showsText(page, 'Email notifications on')
    await page.reload()
    await named('Email notifications').waitFor()
    assert.deepEqual(await states(), ['true', 'true', 'true', 'true'])
  })

  test('a new password ends the sessions in other browsers, and each refusal has its sentence', async () => {
    const ben = await acme.hire('Ben')
    const elsewhere = await settingsOf(ben)
    const page = await settingsOf(ben)
    const change = async (current: string, next: string, again = next) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password').fill(next)
      await page.getByLabel('Confirm password').fill(again)
      await page.getByRole('button', { name: 'Update Password' }).click()
    }
    const fresh = 'an orchard in late october'
    await change('', '')
    await showsText(page, 'Your current password is required')
    await change(password, fresh, 'another')
    await showsText(page, 'The two passwords are not the same')
    await change('not this one', fresh)
    await showsText(page, 'This is not your current password')
    await change(password, 'password1')
    await showsText(page, /easy to guess/)
    await change(password, password)
    await showsText(page, 'This is the password you have already. Choose another one')
    await change(password, fresh)
    await showsText(page, 'Password updated. All other sessions have ended')
    assert.equal(await page.getByLabel('New password').inputValue(), '')
    await elsewhere.goto('/dashboard/my-claims')
    await elsewhere.waitForURL('**/auth/login')
    await page.reload()
    await page.getByRole('heading', { name: 'Profile Information' }).waitFor()
  })

  test('another browser is seen by its name and signed out with one press', async () => {
    const eva = await acme.hire('Eva')
    const elsewhere = await settingsOf(eva)
    const page = await settingsOf(eva)
    await showsText(page, 'This session')
    const ends = page.getByRole('button', { name: /^End the session of/ })
    await ends.first().waitFor()
    const before = await ends.count()
    await page.getByRole('button', { name: 'End the session of Chrome on Linux' }).first().click()
    await showsText(page, 'That session has ended')
    assert.ok(before > 0)
    await page.getByRole('button', { name: 'Sign out all others' }).click()
    await page.getByRole('button', { name: 'Sign out all others' }).click()
    await showsText(page, /other sessions? ha(s|ve) ended/)
    await elsewhere.waitForURL('**/auth/login')
  })

  test('an admin sees their company’s money and people, and demands two-step of its admins', async () => {
    const careful = await stage.scene.company({ name: 'Careful' })
    const page = await settingsOf(careful.admin)
    assert.equal(await page.getByLabel('Company Name').getAttribute('readonly'), '')
    await showsText(page, 'Total fund allocation')
    await showsText(page, 'Number of employees')
    await picture(page, 'settings-admin')
    await page.getByRole('switch', { name: 'Administrators need two-step' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Two-step verification' }).waitFor()
    await page.getByAltText('QR code for your authenticator app').waitFor()
  })

  test('an admin says where their company is, and sees its holidays', async () => {
    const placed = await stage.scene.company({ name: 'Placed' })
    const page = await settingsOf(placed.admin)
    await showsText(page, 'Without a country no public holiday is known.')
    await page.getByRole('button', { name: 'Save calendar' }).click()
    await showsText(page, 'Choose a country')
    await page.getByLabel('Country').selectOption({ label: 'Germany' })
    await page.getByLabel('Region').selectOption({ label: 'Bayern' })
    await page.getByRole('button', { name: 'Save calendar' }).click()
    await showsText(page, 'Calendar saved')
    await keepHolidays({ company_id: placed.id }, stage.scene.tools)
    await page.getByText('Public holidays of the next twelve months').click()
    await showsText(page, 'Epiphany') // what moves with Easter is not within each twelve months
    await picture(page, 'settings-calendar')
    // Neither country has Bavaria, and only one has regions.
    for (const country of ['Austria', 'Croatia']) {
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
      const places = page.waitForResponse((answer) => answer.url().includes('/settings/places'))
      await page.getByLabel('Country').selectOption({ label: country })
      await places
      await page.getByRole('button', { name: 'Save calendar' }).click()
      assert.equal((await saved).status(), 200, country)
    }
  })

  test('an admin who goes away names a deputy, and the queue says who has their work', async () => {
    const office = await stage.scene.company({ name: 'Office' })
    await office.appoint('Ida Meyer')
    const page = await settingsOf(office.admin)
    const today = await todayOf(stage.scene, office)
    await page.getByLabel('First day').fill(today)
    await page.getByLabel('Last day').fill(daysAfter(today, 9))
    await page.getByLabel('Deputy').selectOption({ label: 'Ida Meyer' })
    await page.getByRole('button', { name: 'Save absence' }).click()
    await showsText(page, 'Ida Meyer is standing in')
    await picture(page, 'settings-away')
    await page.goto(`${stage.origin}/dashboard/claims`)
    await showsText(page, /is away until .+ Ida Meyer is standing in\./)
    await picture(page, 'claims-away')
    await page.goto(`${stage.origin}/dashboard/settings`)
    await page.getByRole('button', { name: 'I’m back' }).click()
    await showsText(page, 'Welcome back')
  })

  test('an admin enters the absence of a colleague who fell ill, and invites another admin', async () => {
    const office = await stage.scene.company({ name: 'Ward' })
    await office.appoint('Ida Meyer')
    const page = await settingsOf(office.admin)
    const today = await todayOf(stage.scene, office)
    await page.getByLabel('Who is away').selectOption({ label: 'Ida Meyer' })
    await page.getByLabel('First day').fill(today)
    await page.getByLabel('Last day').fill(daysAfter(today, 9))
    await page.getByRole('button', { name: 'Save absence' }).click()
    await showsText(page, 'Nobody is standing in: the work waits')
    const who = page.getByLabel('Who is away')
    await until(async () => (await who.inputValue()) === '', 'whose absence is next is asked again')
    await page.getByRole('button', { name: 'Invite admin' }).click()
    await page.getByLabel('Full Name').last().fill('Cleo Second')
    await page.getByRole('dialog').getByLabel('Email').fill(`cleo@${office.domain}`)
    await page.getByLabel('Your password').fill(password)
    await picture(page, 'settings-invite-admin')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await showsText(page, `Invitation sent to cleo@${office.domain}`)
    await showsText(page, 'Cleo Second')
    await untilSettled(page)
    await picture(page, 'settings-admins')
  })

  test('the provider fixes the name and domain of the company they choose', async () => {
    const lead = await stage.scene.superAdmin()
    const page = await settingsOf(lead)
    await showsText(page, 'Choose a company to change its name or domain.')
    await picture(page, 'settings-provider')
    await page.goto(`/dashboard/settings?company=${acme.id}`)
    await page.getByLabel('Company Name').fill('Acme Works')
    await page.getByLabel('Domain').fill('gmail.com')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await showsText(page, 'Anybody can have an address at this domain')
    await page.getByLabel('Domain').fill(acme.domain)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await showsText(page, 'Company saved')
    assert.equal((await acme.admin.api.settings.company({})).name, 'Acme Works')
  })

  for (const [name, context] of Object.entries({
    dark: { colorScheme: 'dark' as const },
    phone: { viewport: { width: 360, height: 800 } },
  })) {
    test(`an owner’s settings fit the screen and hold to the standards: ${name}`, async () => {
      const page = await settingsOf(acme.admin, context)
      await checkPage(page, `settings-${name}`, 'Settings')
    })
  }
})
