// Webhooks in the real browser: made, tested, changed, renewed, paused and removed; what was sent is looked at and sent again.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isSignedBy, openReceiver } from '../webhook-receiver.ts'
import { opened } from '../world/opened.ts'
import { password } from '../world/people.ts'
import { webhookSenderOf } from '../world/webhooks.ts'
import { contextOptions, dresses, checkPage } from './axe.ts'
import { openedStage, picture, showsText, untilSettled } from './stage.ts'

const where = '/dashboard/connections'

describe('webhooks in the browser', () => {
  const stage = openedStage()
  const receiver = opened(openReceiver)
  const acme = opened(() => stage.scene.company())
  const dialogOf = (page: Page) => page.getByRole('dialog')
  const choose = async (page: Page, what: string) => {
    await page.getByRole('button', { name: /^More about hooks/ }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }

  test('an admin makes one, sees its secret once, and sends a test event that arrives', async () => {
    const page = await stage.open()
    await stage.signIn(page, acme.admin.email, where)
    await showsText(page, 'No webhooks yet')
    await untilSettled(page)
    await picture(page, 'webhooks-none')
    await page.getByRole('button', { name: 'Make a webhook' }).click()
    const dialog = dialogOf(page)
    const make = () => dialog.getByRole('button', { name: 'Make webhook' }).click()
    await dialog.getByLabel('Address').fill('https://10.1.2.3/fund')
    await make()
    await showsText(page, 'Choose at least one event')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByLabel('Paid', { exact: true }).click()
    await make()
    await showsText(page, 'This address is not on the public internet')
    await dialog.getByLabel('Address').fill('https://hooks.example.com/fund')
    await picture(page, 'webhooks-make')
    await make()
    await showsText(page, 'Copy it now')
    const secret = await dialog.locator('output').innerText()
    await dialog.getByRole('button', { name: 'Done' }).click()
    assert.equal(await page.getByText(secret).count(), 0)
    await showsText(page, 'Claims: 1 event')
    await showsText(page, 'Nothing delivered yet')

    await choose(page, 'Send a test event')
    await showsText(page, 'A test event is on its way')
    await page.getByRole('button', { name: 'Deliveries to hooks.example.com' }).click()
    await showsText(page, 'Waiting')
    await stage.scene.sql`update webhooks set url = ${receiver.url} where company_id = ${acme.id}`
    const sender = webhookSenderOf(stage.scene, { allow: ['127.0.0.1'] })
    await sender.drain()
    await page.reload()
    await stage.scene.sql`update webhooks set url = 'https://hooks.example.com/fund'
      where company_id = ${acme.id}`
    await page.getByRole('button', { name: /^Deliveries to/ }).click()
    await showsText(page, 'Test event')
    await showsText(page, 'Answer 200')
    assert.ok(isSignedBy(secret, receiver.received[0]!))
    await dialog.getByRole('button', { name: 'Send again: Test event' }).click()
    await showsText(page, 'On its way again')
    await showsText(page, 'Waiting')
    await sender.close()
    await page.context().close()
  })

  test('it is changed, renewed, paused, activated and removed', async () => {
    const { admin } = await stage.scene.company()
    await stage.scene.confirm(admin)
    await admin.api.webhooks.make({
      url: 'https://hooks.example.com/fund',
      events: ['claim.paid'],
      in_order: true,
    })
    const page = await stage.open()
    await stage.signIn(page, admin.email, where)
    const dialog = dialogOf(page)
    await choose(page, 'Change')
    await dialog.getByLabel('Approved', { exact: true }).first().click()
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await showsText(page, 'Webhook changed')
    await showsText(page, 'Claims: 2 events')
    await choose(page, 'Renew secret')
    await dialog.getByLabel('Your password').fill(password)
    await dialog.getByRole('button', { name: 'Renew', exact: true }).click()
    await showsText(page, 'hooks.example.com has a new secret')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await showsText(page, 'until')
    await choose(page, 'Pause')
    await showsText(page, 'Webhook paused')
    await page.getByRole('button', { name: 'Activate hooks.example.com' }).click()
    await showsText(page, 'Webhook activated')
    await choose(page, 'Remove')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await showsText(page, 'No webhooks yet')
    await page.context().close()
  })

  test('many, failing, stopped, with long addresses and many deliveries, fit every dress', async () => {
    const { scene } = stage
    const many = await scene.company()
    await scene.confirm(many.admin)
    const addresses = [
      'https://hooks.example.com/fund',
      `https://hooks.example.org/${'averylongpathofasystem/'.repeat(20)}?key=${'k'.repeat(300)}`,
      `https://${'averylongnameofahost.'.repeat(5)}example.net/`,
    ]
    for (const url of addresses)
      await many.admin.api.webhooks.make({
        url,
        events: ['claim.paid', 'claim.approved', 'payout.made', 'audit.entry'],
        in_order: true,
      })
    await scene.sql`update webhooks set status = 'stopped', stopped_for = 'failing'
      where company_id = ${many.id} and url like '%example.org%'`
    await scene.sql`update webhooks set failing_since = now() - interval '2 hours', failures = 4
      where company_id = ${many.id} and url like '%example.net%'`
    await scene.sql`
      insert into webhook_deliveries (company_id, webhook_id, event, body, status, tries, tried_at,
        took_ms, code, fault, answer)
      select w.company_id, w.id, case n % 3 when 0 then 'claim.approved' when 1 then 'audit.entry'
          else 'payout.made' end, '{}', case n % 3 when 0 then 'failed' when 1 then 'waiting'
          else 'delivered' end, n % 3 + 1, now(), n * 100, case n % 3 when 0 then 500
          when 2 then 200 end, case n % 3 when 0 then 'answer' when 1 then 'time' end,
        case n % 3 when 0 then ${'Error'.repeat(50)} end
      from webhooks w, generate_series(1, 40) n
      where w.company_id = ${many.id} and w.url = ${addresses[0]!}`
    for (const dress of dresses) {
      const page = await stage.open(contextOptions(dress))
      await stage.signIn(page, many.admin.email, where)
      await showsText(page, 'Failing since')
      await showsText(page, 'accepted nothing for three days')
      await checkPage(page, `webhooks-many-${dress.width}-${dress.colorScheme}`, where)
      await page.getByRole('button', { name: 'Deliveries to hooks.example.com' }).click()
      await showsText(page, 'No answer in time')
      await checkPage(page, `webhooks-deliveries-${dress.width}-${dress.colorScheme}`, where)
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('button', { name: 'Previous' }).click()
      await page.context().close()
    }
  })
})
