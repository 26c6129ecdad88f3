// The table of events: each is told as its line says, by its switch, when it says, and only while it is true.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { makeLog } from '#lib/log.server.ts'
import { poster } from '#lib/mail.server.ts'
import { in_mails } from '#lib/writing.ts'
import { isPage } from '#paths.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { mailNotifications } from './jobs.server.ts'
import { needWords } from './needs.contract.ts'
import { unsubscribeLinks } from './unsubscribe.server.ts'
import { inWords, words } from './words.contract.ts'

type Event = {
  code: string
  whose: string
  switch: string
  pace: string
  is_work: boolean
  path: string
}

const facts = {
  plan_year: '2026-01-01',
  currency: 'EUR',
  starts_at: '2026-05-04T07:00:00Z',
  time_zone: 'UTC',
  from: '2026-05-01',
  until: '2026-05-31',
  left_on: '2026-05-31',
  use_by: '2026-12-31',
  filing_ends_on: '2027-03-31',
  title: 'Something',
  right: 'finance',
}
const site_url = 'http://127.0.0.1'
const scene = openedScene()
let acme: FundedCompany
let table: Event[]
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
  table = await scene.sql<Event[]>`select * from private.events()`
  await scene.sql`update notifications set mailed_at = now() where mailed_at is null`
})

const mail = () =>
  mailNotifications({
    site_url,
    post: poster(false),
    links: unsubscribeLinks(scene.services.installation_key, site_url),
  })({}, { sql: scene.sql, log: makeLog('silent') })
const mailsTo = async ({ email }: Person) =>
  (await scene.mailbox()).filter(({ to, subject }) => to === email && !/Confirm/.test(subject))
/** The next morning comes, for what waits to be mailed. */
const morning = async () => {
  await scene.sql`update notifications set mail_at = now() where mailed_at is null`
  await scene.sql`delete from mail_paces`
  await mail()
}
const parts: Record<string, string> = {
  '/dashboard/%': 'employee',
  '/dashboard/claims%': '/7',
}
/** Mailed only while a claim waits that long. */
const while_true = new Set(['claims_twice_overdue'])
const thingOf = ({ path }: Event) => parts[path] ?? '7'
const example = (event: Event) => event.path.replace('%', thingOf(event))
const say = (event: Event, about: object = facts) =>
  scene.sql`select notify_person(${ana.id}, ${event.code}, ${scene.sql.json(about)}, ${thingOf(event)})`

test('the table and the words have the same events, and each of them a page of the product', () => {
  assert.deepEqual(table.map(({ code }) => code).toSorted(), Object.keys(words).toSorted())
  for (const event of table) assert.ok(isPage(example(event).split(/[?#]/)[0]!), event.code)
})

const root = new URL('..', import.meta.url)
const sql = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.sql') && !name.includes('notifications/'))
  .map((name) => readFileSync(new URL(name, root), 'utf8'))
  .join('\n')

test('no act puts anybody’s name into what it tells, which is mailed', () => {
  const named = sql.match(/\bnotify_?\w*\((?:(?!;|\$\$|\bselect\b)[^])*?\bfull_name\b/g)
  assert.deepEqual(named, null)
})

test('what the acts tell of is in the table', () => {
  const known = new Set(table.map(({ code }) => code))
  const cases = [
    ...sql.matchAll(/(?:notify_person|notify_right_holders)\([^,;]+,\s*'(\w+)'/g),
    ...sql.matchAll(/notify_supers\(\s*'(\w+)'/g),
    ...sql.matchAll(/notify_about\([^,;]+, [^,;]+,\s*'(\w+)'/g),
    ...sql.matchAll(/notify_of_work\(\s*'(\w+)'/g),
    ...sql.matchAll(/notify_of_right\(r, '(\w+)'/g),
    ...sql.matchAll(/notify_claimant\(\w+,\s*'(\w+)'/g),
  ].map(([, code]) => code!)
  assert.ok(cases.length > 20, String(cases.length))
  for (const code of cases) assert.ok(known.has(code), code)
})

test('what is not in the table, or lacks the thing that it leads to, is not told at all', async () => {
  const nowhere = { code: '23502', column: 'path' }
  for (const code of ['never_heard_of', 'claim_approved'])
    await assert.rejects(scene.sql`select notify_person(${ana.id}, ${code})`, nowhere)
})

describe('each line', () => {
  const own = { claim_updates: true, fund_alerts: true, health_tips: true }
  let all: Event[] = []
  before(() => (all = table))

  test('is mailed at once or in the morning of its person’s zone, once', async () => {
    await scene.sql`update companies set time_zone = 'Pacific/Auckland' where id = ${acme.id}`
    for (const event of all) {
      if (event.switch === 'security') continue
      await say(event, {})
      const [row] = await scene.sql<[{ soon: boolean; at: string }]>`
        select mail_at = at as soon, to_char(mail_at at time zone 'Pacific/Auckland', 'HH24:MI') as at
        from notifications where person_id = ${ana.id} order by id desc limit 1`
      assert.equal(row.soon, event.pace === 'at_once', event.code)
      if (event.pace === 'morning') assert.equal(row.at, '07:00', event.code)
    }
    await scene.sql`delete from notifications where person_id = ${ana.id}`
  })

  test('says what happened first, names the company, and leads to the thing itself', async () => {
    for (const event of all.filter(({ pace, is_work }) => pace === 'at_once' && !is_work)) {
      if (event.switch === 'security') continue
      await scene.sql`delete from mails`
      await ana.api.settings.change_switches({ ...own, email_notifications: true })
      await say(event)
      await morning()
      const [sent, ...more] = await mailsTo(ana)
      assert.deepEqual(more, [], event.code)
      assert.ok(sent, event.code)
      assert.ok(!sent.text.startsWith('Hello'), sent.text)
      assert.match(sent.text, /Healthfund for Acme/, event.code)
      assert.ok(sent.text.includes(site_url + example(event)), event.code)
    }
  })

  test('is silenced by its switch and by no other', async () => {
    for (const event of all.filter(({ is_work, code }) => !is_work && !while_true.has(code))) {
      if (event.switch === 'security') continue
      const off = event.switch === 'always' ? 'email_notifications' : event.switch
      for (const [silent, name] of [
        [true, off],
        [false, off],
      ] as const) {
        await scene.sql`delete from mails`
        const others = { claim_updates: silent, fund_alerts: silent, health_tips: silent }
        await ana.api.settings.change_switches({
          ...others,
          email_notifications: true,
          [name]: !silent,
        })
        await say(event)
        await morning()
        assert.equal((await mailsTo(ana)).length, silent ? 0 : 1, `${event.code} ${name}`)
      }
    }
  })

  test('of work has words for its line, and is not mailed where nothing waits', async () => {
    await ana.api.settings.change_switches({ ...own, email_notifications: true })
    for (const event of all.filter(({ is_work }) => is_work)) {
      if (!event.code.startsWith('claims_')) assert.ok(event.code in needWords, event.code)
      await scene.sql`delete from mails`
      await say(event, { number: 7, claim: 7 })
      await morning()
      assert.deepEqual(await mailsTo(ana), [], event.code)
    }
  })

  test('of security is mailed by the auth service at once, never by a switch', () => {
    const security = all.filter((event) => event.switch === 'security')
    assert.equal(security.length, 12)
    for (const { code, pace, whose } of security) {
      assert.deepEqual([pace, whose], ['at_once', 'person'], code)
    }
    const notices = readFileSync(new URL('../gotrue/notices.server.ts', import.meta.url), 'utf8')
    for (const { code } of security) assert.ok(notices.includes(`'${code}'`), code)
  })
})

describe('the morning’s mail', () => {
  let hr: Person
  before(async () => {
    hr = acme.company.admin
    await scene.sql`update companies set time_zone = 'UTC' where id = ${acme.id}`
    await scene.sql`update notifications set mailed_at = now() where mailed_at is null`
    await scene.sql`delete from mails`
    await ana.api.settings.change_switches({ email_notifications: true, claim_updates: true })
  })

  test('does not come before the morning, then says all that waits, the oldest first', async () => {
    const claims = [
      await acme.claim(ana, { amount_cents: 6000 }),
      await acme.claim(ana, { amount_cents: 6500 }),
    ]
    await mail()
    assert.deepEqual(await mailsTo(hr), [])
    await morning()
    const [sent, ...more] = await mailsTo(hr)
    assert.deepEqual(more, [])
    assert.equal(sent?.subject, '2 things need you at Acme')
    const [first, second] = claims.map(({ id }) => `Claim #${id} to review`)
    assert.ok(sent.text.startsWith(`${first}, and 1 more.`), sent.text)
    assert.ok(sent.text.indexOf(first!) < sent.text.indexOf(second!))
    for (const { id } of claims) assert.ok(sent.text.includes(`${site_url}/dashboard/claims/${id}`))
    assert.match(sent.text, /dashboard\/needs-you/)
    assert.doesNotMatch(sent.text, /\bAna\b|Clinic|\bGP\b/, 'nobody’s name, and nothing of health')
    await morning()
    assert.equal((await mailsTo(hr)).length, 1, 'once')
  })

  test('does not come where it was done meanwhile, and says nothing that a switch is off for', async () => {
    const { claims } = await hr.api.review.queue({ status: 'pending' })
    for (const { id, version } of claims) await hr.api.review.approve({ id, version })
    await scene.sql`delete from mails`
    const { id, version } = await acme.claim(ana, { amount_cents: 7000 })
    await hr.api.review.approve({ id, version })
    await morning()
    assert.deepEqual(await mailsTo(hr), [])
    await acme.claim(ana, { amount_cents: 7100 })
    await hr.api.settings.change_switches({ email_notifications: true, claim_updates: false })
    await morning()
    assert.deepEqual(await mailsTo(hr), [])
  })

  test('comes for what was read and not done', async () => {
    await hr.api.settings.change_switches({ email_notifications: true, claim_updates: true })
    await hr.api.notifications.read_all({})
    const { id } = await acme.claim(ana, { amount_cents: 7200 })
    await hr.api.notifications.read_all({})
    await morning()
    const [sent] = await mailsTo(hr)
    assert.ok(sent?.text.includes(`/dashboard/claims/${id}`))
  })
})

test('a question answered before its mail is sent is not mailed', async () => {
  await scene.sql`delete from mails`
  const { id, version } = await acme.claim(ana, { amount_cents: 8000 })
  await acme.company.admin.api.review.ask({ id, version, text: 'For whom was it?' })
  await ana.api.claims.answer({ id, text: 'For me', receipt_ids: [] })
  await morning()
  const title = inWords({ code: 'question_asked', facts: { claim: id } }, in_mails).title
  assert.ok(!(await mailsTo(ana)).some(({ subject }) => subject === title))
})
