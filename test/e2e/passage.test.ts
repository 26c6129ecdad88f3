// One claim through a question, an appeal, two approvals and a payout: each of the people it passes through learns of it on
// an open screen and by the right mail, and nobody by a wrong one.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeLog } from '#lib/log.server.ts'
import { poster } from '#lib/mail.server.ts'
import { mailNotifications } from '#notifications/jobs.server.ts'
import { unsubscribeLinks } from '#notifications/unsubscribe.server.ts'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../world/company.ts'
import type { Person } from '../world/people.ts'
import { openedStage, picture, showsText } from './stage.ts'

const stage = openedStage({ worker: true })
let acme: FundedCompany
const people: Record<string, Person> = {}
const pages: Record<string, Page> = {}
before(async () => {
  acme = await fundedCompany(stage.scene)
  people['helena'] = acme.company.admin
  for (const name of ['mira', 'ida', 'otto']) people[name] = await acme.admin(name)
  people['ana'] = await acme.hire('Ana')
  const { ana, helena, otto, ida } = people
  for (const [who, iban] of [
    [ana, 'DE89370400440532013000'],
    [helena, 'DE02120300000000202051'],
  ] as const) {
    await stage.scene.confirm(who)
    const account = { holder: 'Acme', iban }
    if (who === ana) await who.api.payouts.set_my_account(account)
    else await who.api.payouts.set_company_account(account)
  }
  const days = { from_on: acme.today, to_on: daysAfter(acme.today, 9) }
  await otto!.api.absences.add({ ...days, deputy_id: ida!.id })
  await stage.scene.sql`select private.notify_of_absences()`
  for (const [name, person] of Object.entries(people))
    pages[name] = await stage.enter(person, '/dashboard/notifications')
  await mailed()
})

/** All that may be mailed by the next morning is; answers what is new, to whom. */
let count = 0
async function mailed(): Promise<string[]> {
  const { sql, services } = stage.scene
  await sql`update notifications set mail_at = now() where mailed_at is null`
  await sql`delete from mail_paces`
  const links = unsubscribeLinks(services.installation_key, stage.origin)
  const mail = mailNotifications({ site_url: stage.origin, post: poster(false), links })
  await mail({}, { sql, log: makeLog('silent') })
  const names = new Map(Object.entries(people).map(([name, { email }]) => [email, name]))
  const mails = (await stage.scene.mailbox()).toReversed()
  const fresh = mails.slice(count)
  count = mails.length
  return fresh.map(({ to, subject }) => `${names.get(to) ?? to}: ${subject}`).toSorted()
}

/** The text appears under the bell without a touch: a page that is not told stays as it is. */
const learns = (name: string, text: string) => showsText(pages[name]!, text)

const desk = (name: string, id: number) => stage.enter(people[name]!, `/dashboard/claims/${id}`)

test(
  'a claim passes through five people, and each hears what is theirs',
  { timeout: 300_000 },
  async () => {
    const { id } = await acme.claim(people['ana']!, { category: 'treatment', amount_cents: 50_000 })
    const hr = ['helena', 'ida', 'mira']
    await Promise.all(hr.map((name) => learns(name, 'New claims to review')))
    assert.deepEqual(
      await mailed(),
      hr.map((name) => `${name}: Claim #${id} to review`),
    )

    const helena = await desk('helena', id)
    await helena.getByRole('button', { name: 'Ask' }).click()
    await helena.getByLabel('Your question to Ana').fill('For whom was it?')
    await helena.getByRole('dialog').getByRole('button', { name: 'Ask' }).click()
    await learns('ana', `HR has a question about claim #${id}`)
    assert.deepEqual(await mailed(), [`ana: HR has a question about claim #${id}`])

    const ana = await stage.enter(people['ana']!, `/dashboard/my-claims/${id}`)
    await showsText(ana, /Stopped for an answer/)
    await ana.getByLabel('Your answer').fill('For me, after the fall')
    await ana.getByRole('button', { name: 'Send answer' }).click()
    await Promise.all(hr.map((name) => learns(name, `Claim #${id} was answered`)))
    assert.deepEqual(
      await mailed(),
      hr.map((name) => `${name}: Claim #${id} was answered`),
    )

    const mira = await desk('mira', id)
    await mira.getByRole('button', { name: 'Reject' }).click()
    await mira.getByLabel('Reason').selectOption({ label: 'Not covered' })
    await mira.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await learns('ana', `Claim #${id} was rejected`)
    assert.deepEqual(await mailed(), [`ana: Claim #${id} was rejected`])

    await ana.getByRole('button', { name: 'Appeal' }).click()
    await ana.getByLabel('Why should it be decided differently?').fill('It was prescribed')
    await ana.getByRole('button', { name: 'Send appeal' }).click()
    await Promise.all(
      ['helena', 'ida'].map((name) => learns(name, `An appeal to decide: claim #${id}`)),
    )
    assert.deepEqual(
      await mailed(),
      ['helena', 'ida'].map((name) => `${name}: An appeal to decide: claim #${id}`),
      'not who rejected it',
    )

    await helena.goto(`/dashboard/claims/${id}`)
    await helena.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await learns('ida', `Claim #${id} needs another approval`)
    assert.deepEqual(await mailed(), [`ida: Claim #${id} needs another approval`])

    const ida = await desk('ida', id)
    await ida.getByRole('button', { name: 'Approve', exact: false }).first().click()
    await learns('ana', `Claim #${id} was approved`)
    assert.deepEqual(await mailed(), [`ana: Claim #${id} was approved`])

    await mira.goto('/dashboard/claims/payouts')
    await mira.getByRole('button', { name: 'Make payout' }).click()
    await mira.getByLabel('Pay on').fill(daysAfter(acme.today, 2))
    await mira.getByRole('dialog').getByRole('button', { name: 'Make payout' }).click()
    await Promise.all(['helena', 'ida'].map((name) => learns(name, 'is waiting for release')))
    const releases = (await mailed()).map((line) => line.replace(/Payout \d+/, 'Payout'))
    assert.deepEqual(releases, ['helena: Payout to release', 'ida: Payout to release'])

    await ida.goto('/dashboard/claims/payouts')
    await ida
      .getByRole('button', { name: /^Payout \d/ })
      .first()
      .click()
    await ida.getByRole('button', { name: 'Release' }).click()
    await ida
      .getByRole('dialog', { name: /^Release payout/ })
      .getByRole('button', { name: 'Release' })
      .click()
    await learns('ana', 'A payout is on its way to you')
    await picture(pages['ana']!, 'passage-ana')
    await picture(pages['ida']!, 'passage-ida')
    assert.deepEqual(await mailed(), ['ana: A payout is on its way to you'])
    assert.equal(await pages['otto']!.getByText(`#${id}`).count(), 0, 'who is away hears nothing')
    assert.deepEqual(await acme.faults(), [])
  },
)
