// The bill of a withdrawn claim can be claimed again only while its plan year takes claims of its person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { in_mails } from '#lib/writing.ts'
import { daysAfter } from '#lib/days.ts'
import { inWords } from '#notifications/words.contract.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { keepClaims } from './jobs.server.ts'

const scene = openedScene()

const again = async ({ api }: Person, id: number) => (await api.claims.find({ id })).refusals.again

async function withdrawn(company: FundedCompany, person: Person) {
  const { id } = await company.claim(person)
  await person.api.claims.withdraw({ id })
  assert.equal(await again(person, id), null)
  return id
}

test('a withdrawn claim says why it can’t be claimed again once its year is closed', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire('Ana')
  const id = await withdrawn(acme, ana)
  await scene.sql`update plan_years set closed_at = now() where company_id = ${acme.id}`
  assert.equal(await again(ana, id), 'plan_year_closed')
})

test('and after the days that somebody who leaves has for claims', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire('Ana')
  const id = await withdrawn(acme, ana)
  const { leaver_filing_days } = await acme.company.admin.api.funds.plan({})
  const last_day = async (days_ago: number) => {
    const left_on = daysAfter(acme.today, -days_ago)
    await scene.sql`update profiles set left_on = ${left_on} where id = ${ana.id}`
    return again(ana, id)
  }
  assert.equal(await last_day(leaver_filing_days), null)
  assert.equal(await last_day(leaver_filing_days + 1), 'filing_days_over')
})

test('the notice of an unanswered question says that one can claim again only where one can', async () => {
  const noticeIn = async (company: FundedCompany) => {
    const ana = await company.hire('Ana')
    const claim = await company.claim(ana)
    const { id, version } = claim
    await company.company.admin.api.review.ask({ id, version, text: 'Which tooth was it?' })
    await scene.sql`update claims set asked_at = now() - interval '46 days' where id = ${id}`
    await keepClaims({}, scene.tools)
    const { notifications } = await ana.api.notifications.list({})
    const notice = notifications.find(({ code }) => code === 'claim_expired')
    assert.ok(notice)
    return inWords(notice, in_mails).sentence
  }
  assert.match(await noticeIn(await fundedCompany(scene)), / You can claim again\.$/)
  const closed = await fundedCompany(scene)
  const ben = await closed.hire('Ben')
  const { id, version } = await closed.claim(ben)
  await closed.company.admin.api.review.ask({ id, version, text: 'Which tooth was it?' })
  await scene.sql`update plan_years set closed_at = now() where company_id = ${closed.id}`
  await scene.sql`update claims set asked_at = now() - interval '46 days' where id = ${id}`
  await keepClaims({}, scene.tools)
  const { notifications } = await ben.api.notifications.list({})
  const notice = notifications.find(({ code }) => code === 'claim_expired')
  assert.match(inWords(notice!, in_mails).sentence, / It is too late to claim it again\.$/)
})
