import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { makeLog } from '#lib/log.server.ts'
import { poster } from '#lib/mail.server.ts'
import { in_mails, writingOf } from '#lib/writing.ts'
import { refuses, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { mailNotifications } from './jobs.server.ts'
import type { Notification } from './notifications.contract.ts'
import { unsubscribeLinks } from './unsubscribe.server.ts'
import { inWords } from './words.contract.ts'

const site_url = 'http://127.0.0.1'
const titleOf = (notification: Notification) => inWords(notification, in_mails).title

describe('notifications', () => {
  const scene = openedScene()
  let acme: Company
  let ana: Person
  let links: ReturnType<typeof unsubscribeLinks>
  before(async () => {
    acme = await scene.company()
    links = unsubscribeLinks(scene.services.installation_key, site_url)
  })
  beforeEach(async () => {
    ana = await acme.hire()
    await scene.sql`delete from mails`
    await scene.sql`delete from notifications where mailed_at is null`
  })

  const notify = ({ id }: Person, code: string, facts: Notification['facts'] = {}, subject = '1') =>
    scene.sql`select notify_person(${id}, ${code}, ${scene.sql.json(facts)}, ${subject})`
  const approved = (person: Person, claim: number) =>
    notify(
      person,
      'claim_approved',
      { claim, approved_cents: 5000, currency: 'EUR' },
      String(claim),
    )
  const runsLow = (person: Person) => notify(person, 'fund_low', { category: 'treatment' })
  const mail = () =>
    mailNotifications({ site_url, post: poster(false), links })(
      {},
      { sql: scene.sql, log: makeLog('silent') },
    )
  const laterBy = (minutes: number) =>
    scene.sql`update mail_paces set last_at = last_at - make_interval(mins => ${minutes})`
  const mailsTo = async ({ email }: Person) =>
    (await scene.mailbox()).filter(({ to }) => to === email)

  describe('under the bell', () => {
    test('are listed newest first, counted, and read one by one or all together', async () => {
      for (let at = 1; at <= 25; at += 1) await approved(ana, at)
      const { api } = ana
      assert.deepEqual(await api.notifications.unread({}), { unread: 25 })
      const first = await api.notifications.list({})
      assert.equal(first.notifications.length, 20)
      assert.equal(titleOf(first.notifications[0]!), 'Claim #25 was approved')
      const second = await api.notifications.list({ after: first.next! })
      assert.equal(titleOf(second.notifications.at(-1)!), 'Claim #1 was approved')
      assert.equal(second.next, null)
      const { id } = first.notifications[0]!
      assert.deepEqual(await api.notifications.read({ id }), { unread: 24 })
      assert.deepEqual(await api.notifications.read({ id }), { unread: 24 })
      assert.deepEqual(await api.notifications.read_all({}), { unread: 0 })
      const again = await api.notifications.list({})
      assert.ok(again.notifications.every(({ read_at }) => read_at))
    })

    test('are each person’s own', async () => {
      await approved(ana, 1)
      const [mine] = (await ana.api.notifications.list({})).notifications
      const other = await acme.hire()
      assert.deepEqual((await other.api.notifications.list({})).notifications, [])
      await refuses('not_found', other.api.notifications.read({ id: mine!.id }))
      await refuses('not_found', acme.admin.api.notifications.read({ id: mine!.id }))
      await other.api.notifications.read_all({})
      assert.deepEqual(await ana.api.notifications.unread({}), { unread: 1 })
    })

    test('beyond a hundred nobody counts', async () => {
      await scene.sql`
        insert into notifications (person_id, kind, code, path)
        select ${ana.id}, 'claims', 'claim_approved', '/' from generate_series(1, 250)`
      assert.deepEqual(await ana.api.notifications.unread({}), { unread: 100 })
    })
  })

  describe('in words', () => {
    const wordsOf = (code: string, facts: Notification['facts'], about_name?: string) =>
      Object.values(inWords({ code, facts, about_name: about_name ?? null }, in_mails)).join(': ')

    test('a decision says how much of how much, one way of writing money for each reader', () => {
      const facts = { claim: 7, approved_cents: 6250, claimed_cents: 8000, currency: 'EUR' }
      assert.equal(
        wordsOf('claim_approved_in_part', facts),
        'Claim #7 was approved in part: €62.50 of €80.00 was approved. Open it to read why.',
      )
      const in_german = inWords({ code: 'claim_approved', facts }, writingOf('de-DE'))
      assert.match(in_german.sentence, /^62,50\s€ was approved/)
    })

    test('a payout says what was withheld, or given back', () => {
      const facts = { cents: 1000, currency: 'EUR', claims: 1 }
      assert.match(wordsOf('paid_out', { ...facts, withheld_cents: 0 }), /: €10\.00 for 1 claim\.$/)
      assert.match(wordsOf('settled', { ...facts, withheld_cents: 300 }), /€3\.00 was withheld/)
      assert.match(wordsOf('paid_out', { ...facts, withheld_cents: -300 }), /never reached you/)
    })

    test('whom it is about is named where they may be seen, and is somebody in a mail', () => {
      assert.match(wordsOf('dependent_waits', {}, 'Ana'), /: Ana asks for cover/)
      assert.match(wordsOf('dependent_waits', {}), /: Somebody asks for cover/)
    })

    test('a code of a later version has a line', () => {
      assert.equal(
        wordsOf('from_tomorrow', {}),
        'Something happened in Healthfund: Open it to see what.',
      )
    })
  })

  describe('as mails', () => {
    test('one is mailed as itself, in text and HTML, with its reason and its way out', async () => {
      await approved(ana, 17)
      await mail()
      const [sent, ...more] = await mailsTo(ana)
      assert.deepEqual(more, [])
      assert.equal(sent?.subject, 'Claim #17 was approved')
      assert.match(
        sent.text,
        /€50\.00 was approved\.[^]*http:\/\/127\.0\.0\.1\/dashboard\/my-claims\/17/,
      )
      assert.match(sent.text, /because you have a Healthfund account at Acme and “Claim status/)
      assert.match(sent.text, /dashboard\/settings#notifications/)
      assert.match(sent.html, /Claim #17 was approved/)
      assert.match(sent.html, /prefers-color-scheme:dark/)
      const [kept] = await scene.sql<[{ headers: Record<string, string> }]>`
        select headers from mails where recipient = ${ana.email}`
      assert.equal(kept.headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
      assert.match(kept.headers['List-Unsubscribe'] ?? '', /^<http:\/\/127\.0\.0\.1\/mail\/unsub/)
    })

    test('what somebody typed is no HTML', async () => {
      await notify(ana, 'api_key_made', { name: '<Payroll>' })
      await mail()
      const [sent] = await mailsTo(ana)
      assert.equal(sent?.subject, 'API key <Payroll> was made')
      assert.match(sent.html, /API key &lt;Payroll&gt; was made/)
      assert.ok(!sent.html.includes('<Payroll>'))
    })

    test('the first comes soon, further ones of half an hour come gathered in one', async () => {
      await approved(ana, 1)
      await mail()
      assert.equal((await mailsTo(ana)).length, 1)
      await approved(ana, 2)
      await runsLow(ana)
      await mail()
      await laterBy(29)
      await mail()
      assert.equal((await mailsTo(ana)).length, 1)
      await laterBy(1)
      await mail()
      const [gathered, first, ...more] = await mailsTo(ana)
      assert.deepEqual([first?.subject, more], ['Claim #1 was approved', []])
      assert.equal(gathered?.subject, '2 updates: Claim #2 was approved, …')
      assert.match(gathered.text, /Claim #2 was approved[^]*Your Treatment fund is running low/)
      assert.match(gathered.text, /“Email notifications” is on/)
      await laterBy(60)
      await mail()
      assert.equal((await mailsTo(ana)).length, 2)
    })

    test('many jobs at the same moment mail a thing once', async () => {
      await approved(ana, 1)
      await Promise.all([mail(), mail(), mail(), mail()])
      assert.equal((await mailsTo(ana)).length, 1)
    })

    test('what was read meanwhile is not mailed', async () => {
      await approved(ana, 1)
      await ana.api.notifications.read_all({})
      await mail()
      assert.deepEqual(await mailsTo(ana), [])
    })

    const cases: [kind: string, notifyOf: typeof runsLow, on: object, off: object][] = [
      ['claims', (person) => approved(person, 1), {}, { claim_updates: false }],
      ['funds', runsLow, {}, { fund_alerts: false }],
      ['health', (person) => notify(person, 'check_due'), { health_tips: true }, {}],
      ['account', (person) => notify(person, 'company_active'), {}, { email_notifications: false }],
    ]
    for (const [kind, notifyOne, on, off] of cases) {
      test(`the switch of ${kind} silences them, and they do not come later`, async () => {
        const { api } = ana
        await api.settings.change_switches(off)
        await notifyOne(ana)
        await mail()
        assert.deepEqual(await mailsTo(ana), [])
        assert.deepEqual(await api.notifications.unread({}), { unread: 1 })
        const all = { email_notifications: true, claim_updates: true, fund_alerts: true }
        await api.settings.change_switches({ ...all, ...on })
        await mail()
        assert.deepEqual(await mailsTo(ana), [])
        await notifyOne(ana)
        await mail()
        assert.equal((await mailsTo(ana)).length, 1)
      })
    }

    test('without email notifications none comes, whatever the other switches say', async () => {
      const switches_on = { claim_updates: true, fund_alerts: true, health_tips: true }
      await ana.api.settings.change_switches({ ...switches_on, email_notifications: false })
      for (const [, notifyOne] of cases) await notifyOne(ana)
      await mail()
      assert.deepEqual(await mailsTo(ana), [])
    })

    test('an appointment that was booked is recalled without health tips', async () => {
      const at = { starts_at: '2026-05-04T07:00:00Z', time_zone: 'Europe/Berlin' }
      await notify(ana, 'check_tomorrow', at)
      await mail()
      assert.equal((await mailsTo(ana)).length, 1)
    })

    test('nobody suspended or unconfirmed is mailed', async () => {
      await approved(ana, 1)
      await scene.sql`update profiles set status = 'suspended' where id = ${ana.id}`
      const eva = await acme.hire()
      await approved(eva, 2)
      await scene.sql`update profiles set confirmed_at = null where id = ${eva.id}`
      await mail()
      assert.deepEqual([await mailsTo(ana), await mailsTo(eva)], [[], []])
    })

    test('nobody of a suspended company is mailed what they can’t open', async () => {
      const shut = await scene.company({ name: 'Shut' })
      await notify(shut.admin, 'company_active')
      await scene.sql`update companies set status = 'suspended' where id = ${shut.id}`
      await mail()
      assert.deepEqual(await mailsTo(shut.admin), [])
      await scene.sql`update companies set status = 'active' where id = ${shut.id}`
      await mail()
      assert.deepEqual(await mailsTo(shut.admin), [], 'it is under the bell')
      const again = await scene.signIn(shut.admin.email)
      assert.equal((await again.api.notifications.list({})).notifications.length, 1)
    })
  })

  describe('out of them with one press', () => {
    const ask = (link: string, method = 'GET') =>
      scene.services.app.request(link, {
        method,
        ...(method === 'POST'
          ? {
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body: 'List-Unsubscribe=One-Click',
            }
          : {}),
      })

    test('opening the link changes nothing, posting to it switches off, signed out', async () => {
      const link = links.linkFor(ana.id, 'claim_updates')
      const page = await ask(link)
      assert.equal(page.status, 200)
      assert.match(await page.text(), /<button type="submit">\s*Unsubscribe/)
      assert.match(page.headers.get('content-security-policy') ?? '', /form-action 'self'/)
      assert.equal((await ana.api.settings.switches({})).claim_updates, true)
      assert.equal((await ask(link, 'POST')).status, 200)
      assert.equal((await ask(link, 'POST')).status, 200)
      assert.deepEqual(await ana.api.settings.switches({}), {
        email_notifications: true,
        claim_updates: false,
        fund_alerts: true,
        health_tips: false,
      })
    })

    test('a link that was changed works for nobody', async () => {
      const link = links.linkFor(ana.id, 'claim_updates')
      const other = await acme.hire()
      const forged = [
        link.slice(0, -2),
        link.replace('claim_updates', 'email_notifications'),
        link.replace(ana.id, other.id),
        `${site_url}/mail/unsubscribe`,
        `${site_url}/mail/unsubscribe?token=..`,
        unsubscribeLinks(Buffer.alloc(32), site_url).linkFor(ana.id, 'claim_updates'),
      ]
      for (const address of forged) {
        assert.equal((await ask(address)).status, 400)
        assert.equal((await ask(address, 'POST')).status, 400)
      }
      assert.equal((await ana.api.settings.switches({})).claim_updates, true)
    })
  })
})
