// SCIM in the real browser: switched on, used by an identity provider, its groups mapped, its calls looked at, tried dry.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { password, type Company } from '../world/people.ts'
import { newUser, patch_schema, providerOf, scimClient } from '../world/scim.ts'
import { contextOptions, dresses, checkPage } from './axe.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

const where = '/dashboard/connections'

describe('SCIM in the browser', () => {
  const stage = openedStage()
  let acme: Company
  before(async () => {
    acme = await stage.scene.company()
  })

  test('an admin switches it on, and an employee is provisioned and removed by it', async () => {
    const page = await stage.open()
    await stage.signIn(page, acme.admin.email, where)
    await showsText(page, 'SCIM is off')
    await untilSettled(page)
    await page.getByRole('button', { name: 'Switch on SCIM' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Entra')
    await dialog.getByRole('button', { name: 'Calendar' }).click()
    const days = page.getByRole('dialog', { name: 'Calendar' })
    await days.getByRole('button', { name: 'Next month' }).click()
    const offered = days.getByRole('gridcell', { name: /\d{4}/, disabled: false })
    assert.equal(await offered.count(), 0, 'no key lasts more than the year that is proposed')
    await page.keyboard.press('Escape')
    await dialog.getByLabel('Your password').fill(password)
    await picture(page, 'scim-switch-on')
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await showsText(page, 'SCIM is switched on')
    assert.ok(await dialog.getByText(`${stage.origin}/scim/v2`).isVisible())
    const secret = await dialog.locator('output').innerText()
    await picture(page, 'scim-secret')
    await dialog.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByText(secret).count(), 0)
    await showsText(page, `Only addresses at ${acme.domain}`)
    await showsText(page, 'No API keys yet')

    const ask = scimClient(stage.scene, secret)
    const made = await ask('POST', '/Users', newUser(acme, 'Ana Horvat'))
    assert.equal(made.status, 201)
    const { id } = made.body
    const group = await ask('POST', '/Groups', { displayName: 'g-sales', members: [{ value: id }] })
    assert.equal(group.status, 201)
    await page.getByRole('button', { name: 'Groups and departments' }).click()
    await page.getByRole('button', { name: 'Department of g-sales' }).click()
    const mapping = page.getByRole('dialog').last()
    await mapping.getByLabel('Department').fill('Sales')
    await picture(page, 'scim-map')
    await mapping.getByRole('button', { name: 'Save' }).click()
    await showsText(page, '1 member · department Sales')
    await page.getByRole('dialog', { name: 'Department of g-sales' }).waitFor({ state: 'detached' })
    await picture(page, 'scim-groups')
    await page.getByRole('button', { name: 'Close' }).click()
    assert.equal((await acme.admin.api.employees.find({ id })).department, 'Sales')

    const off = {
      schemas: [patch_schema],
      Operations: [{ op: 'replace', value: { active: false } }],
    }
    assert.equal((await ask('PATCH', `/Users/${id}`, off)).status, 200)
    await page.getByRole('button', { name: 'Last calls' }).click()
    await showsText(page, 'Ana Horvat: leaves today')
    await showsText(page, /Active: no, was yes/)
    await showsText(page, 'Ana Horvat: added')
    await picture(page, 'scim-calls')
    await page.getByRole('link', { name: 'Ana Horvat' }).first().click()
    await page.waitForURL(`**/dashboard/employees/${id}`)
    await page.context().close()
  })

  test('a dry run changes nothing and says what it would have changed', async () => {
    const page = await stage.open()
    const dry = await stage.scene.company({ name: 'Dry' })
    const { ask } = await providerOf(stage.scene, dry)
    await stage.signIn(page, dry.admin.email, where)
    await page.getByRole('switch', { name: 'Dry run' }).click()
    await showsText(page, 'Saved')
    assert.equal((await ask('POST', '/Users', newUser(dry, 'Never Made'))).status, 201)
    assert.equal((await dry.admin.api.employees.list({})).employees.length, 0)
    await page.getByRole('button', { name: 'Last calls' }).click()
    await showsText(page, 'Never Made: added')
    assert.equal(await page.getByRole('link', { name: 'Never Made' }).count(), 0)
    await showsText(page, 'Dry run')
    await page.context().close()
  })

  test('long names, many groups, refusals and no domain fit every dress', async () => {
    const { scene } = stage
    const many = await scene.company({ name: 'Many' })
    const { ask, add, key } = await providerOf(scene, many)
    const { id } = await add(`Maximiliane ${'Anneliese '.repeat(7)}von Hohenberg`)
    for (let at = 0; at < 30; at += 1) {
      const displayName = `${'averylongnameofagroup'.repeat((at % 4) + 1)}-${at}`
      await ask('POST', '/Groups', { displayName, members: [{ value: id }] })
    }
    await ask('POST', '/Users', {
      ...newUser(many, 'Out Side'),
      emails: [{ value: 'x@gmail.com' }],
    })
    await scene.sql`insert into scim_calls (company_id, key_id, method, path, dry_run, status)
      select ${many.id}, ${key.id}, 'PATCH', '/Users/' || ${id}::text, n % 2 = 0, 200
        from generate_series(1, 30) n`
    for (const dress of dresses) {
      const page = await stage.open(contextOptions(dress))
      const variant = `${dress.width}-${dress.colorScheme}`
      await stage.signIn(page, many.admin.email, where)
      await showsText(page, 'Base address')
      await checkPage(page, `scim-${variant}`, where)
      await page.getByRole('button', { name: 'Groups and departments' }).click()
      await showsText(page, 'no department')
      await checkPage(page, `scim-groups-${variant}`, where)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Last calls' }).click()
      await showsText(page, 'Nothing to change')
      await showsText(page, 'SCIM takes only addresses')
      await checkPage(page, `scim-calls-${variant}`, where)
      await page.getByRole('button', { name: 'Next' }).click()
      await showsText(page, 'group added')
      await page.context().close()
    }
  })
})
