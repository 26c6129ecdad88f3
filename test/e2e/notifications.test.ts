// The bell in the real browser: it counts, shows, leads there, and rings without a reload.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Company, Person } from '../world/people.ts'
import { openedStage, picture, untilSettled } from './stage.ts'

describe('the bell in the browser', () => {
  const stage = openedStage()
  let acme: Company
  let ana: Person
  before(async () => {
    acme = await stage.scene.company()
    ana = await acme.hire('Ana')
  })

  const notify = ({ id }: Person, code: string, facts: object) =>
    stage.scene.sql`select notify_person(${id}, ${code}, ${stage.scene.sql.json(facts)}, '1')`
  const approved = (person: Person, claim: number) =>
    notify(person, 'claim_approved', { claim, approved_cents: 5000, currency: 'EUR' })

  test('is silent with nothing, rings live, and what is followed is read', async () => {
    const page = await stage.open()
    await stage.signIn(page, ana.email)
    await page.getByRole('button', { name: 'Notifications', exact: true }).click()
    await page.getByText('Nothing yet').waitFor()
    await untilSettled(page)
    await picture(page, 'bell-empty')
    await page.keyboard.press('Escape')
    await notify(ana, 'paid_out', { claims: 1, cents: 5000, currency: 'EUR' })
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).waitFor()
    await notify(ana, 'fund_low', { category: 'treatment' })
    const bell = page.getByRole('button', { name: 'Notifications, 2 unread' })
    await bell.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /A payout is on its way to you\s+\(unread\)/ }).waitFor()
    await picture(page, 'bell-open')
    await page.getByRole('link', { name: /A payout is on its way/ }).click()
    await page.waitForURL('**/dashboard/my-claims')
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  })

  test('has a page of its own with all there ever was, and it says so where there is none', async () => {
    for (let at = 10; at < 35; at += 1) await approved(ana, at)
    for (const [name, context] of Object.entries({
      light: {},
      dark: { colorScheme: 'dark' as const },
      phone: { viewport: { width: 360, height: 800 } },
    })) {
      const page = await stage.open(context)
      await stage.signIn(page, ana.email)
      await page.getByRole('button', { name: /^Notifications, / }).click()
      if (name !== 'light') await picture(page, `bell-${name}`)
      await page.getByRole('link', { name: 'See all notifications' }).click()
      await page.waitForURL('**/dashboard/notifications')
      await page.getByText('Claim #34 was approved').waitFor()
      await untilSettled(page)
      await picture(page, `notifications-${name}`)
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText('Claim #10 was approved').waitFor()
      await page.context().close()
    }
    const page = await stage.open()
    await stage.signIn(page, acme.admin.email, '/dashboard/notifications')
    await page.getByText('Nothing yet').waitFor()
    await page.context().close()
  })

  test('a mail’s link out of it is a page with a button that works signed out', async () => {
    await stage.scene.sql`delete from notifications`
    await approved(ana, 99)
    const { mailNotifications } = await import('#notifications/jobs.server.ts')
    const { unsubscribeLinks } = await import('#notifications/unsubscribe.server.ts')
    const { poster } = await import('#lib/mail.server.ts')
    const { makeLog } = await import('#lib/log.server.ts')
    const links = unsubscribeLinks(stage.scene.services.installation_key, stage.origin)
    const job = mailNotifications({ site_url: stage.origin, post: poster(false), links })
    await job({}, { sql: stage.scene.sql, log: makeLog('silent') })
    const mail = (await stage.scene.mailbox()).find(({ to }) => to === ana.email)
    const page = await stage.open()
    await page.setContent(mail!.html)
    await picture(page, 'mail-one')
    const address = /http\S+\/mail\/unsubscribe\S+/.exec(mail!.text)?.[0]
    await page.goto(address!)
    await page.getByText('Claim status updates').waitFor()
    await picture(page, 'unsubscribe')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByRole('heading', { name: 'Done' }).waitFor()
    assert.equal((await ana.api.settings.switches({})).claim_updates, false)
    await page.getByRole('link', { name: 'Choose in Settings' }).click()
    await page.waitForURL('**/auth/login')
    await page.context().close()
  })
})
