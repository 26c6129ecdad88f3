// Connections in the real browser: a key is made, used, renewed and revoked.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { todayOf } from '../world/company.ts'
import { clientOf } from '../world/keys.ts'
import { password, refuses, type Company } from '../world/people.ts'
import { contextOptions, dresses, fits, violations } from './axe.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

describe('connections in the browser', () => {
  const stage = openedStage()
  let acme: Company
  before(async () => {
    acme = await stage.scene.company()
  })

  test('an admin comes from Settings, makes a key, sees its secret once, renews and revokes it', async () => {
    const page = await stage.open()
    await stage.signIn(page, acme.admin.email, '/dashboard/settings')
    await page.getByRole('link', { name: 'Open Connections' }).click()
    await showsText(page, 'No API keys yet')
    await untilSettled(page)
    await picture(page, 'connections-none')

    await page.getByRole('button', { name: 'Make a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Payroll')
    await dialog.getByRole('button', { name: 'Make key' }).click()
    await showsText(page, 'Choose at least one right')
    await showsText(page, 'Enter your password')
    await picture(page, 'connections-make')
    await dialog.getByLabel('Change employees').click()
    await dialog.getByLabel('Your password').fill('not mine at all')
    await dialog.getByRole('button', { name: 'Make key' }).click()
    await showsText(page, 'This is not your password')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Make key' }).click()
    await showsText(page, 'Copy it now')
    const secret = await dialog.locator('output').innerText()
    await picture(page, 'connections-secret')
    await dialog.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByText(secret).count(), 0)

    const first = clientOf(stage.scene, secret)
    await first.employees.add({
      full_name: 'Nora',
      email: `nora@${acme.domain}`,
      department: 'Sales',
    })
    await page.reload()
    await showsText(page, 'Last used')
    await page.getByRole('button', { name: 'Renew Payroll' }).click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Renew', exact: true }).click()
    await showsText(page, 'Payroll has a new secret')
    const second = clientOf(stage.scene, await dialog.locator('output').innerText())
    await dialog.getByRole('button', { name: 'Done' }).click()
    await showsText(page, 'until')
    await second.employees.list({})
    await first.employees.list({})

    await page.goto('/dashboard/audit')
    await showsText(page, 'API key')
    await showsText(page, 'Payroll')
    await page.goto('/dashboard/connections')
    await page.getByRole('button', { name: 'Revoke Payroll' }).click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await showsText(page, 'Payroll revoked')
    await refuses('not_signed_in', second.employees.list({}))
    await page.context().close()
  })

  test('very many keys with long names fit every dress', async () => {
    const { scene } = stage
    const many = await scene.company()
    await scene.confirm(many.admin)
    const ends_on = daysAfter(await todayOf(scene, many), 30)
    for (let at = 1; at <= 12; at += 1) {
      await many.admin.api.connections.make_key({
        name: `${'Verylongnameofasystem'.repeat(2)} ${at}`,
        rights: ['people:write', 'funds:read', 'claims:read'],
        ends_on,
      })
    }
    await scene.sql`update api_keys set ends_on = made_at - interval '2 days'
      where company_id = ${many.id} and name like '% 3'`
    for (const dress of dresses) {
      const page = await stage.open(contextOptions(dress))
      await stage.signIn(page, many.admin.email, '/dashboard/connections')
      await showsText(page, 'Verylongname')
      const of_the_ended = page.getByRole('button', { name: /^Renew .* 3$/ })
      assert.equal(await of_the_ended.getAttribute('aria-disabled'), 'true')
      await untilSettled(page)
      await picture(page, `connections-many-${dress.width}-${dress.colorScheme}`)
      assert.deepEqual(await violations(page), [])
      await fits(page, '/dashboard/connections')
      await page.context().close()
    }
  })
})
