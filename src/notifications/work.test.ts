// People with something to do are notified of it, once, and led to it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { in_mails } from '#lib/writing.ts'
import { isPage } from '#paths.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { payingCompany } from '../../test/world/payouts.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { unreadOf } from '../../test/world/notices.ts'
import { inWords } from './words.contract.ts'

const scene = openedScene()

async function rings(person: Person) {
  const unread = await unreadOf(person)
  for (const { path } of unread) assert.ok(isPage(path.split('?')[0]!), path)
  return unread.map((notice) => ({ ...inWords(notice, in_mails), path: notice.path }))
}
const titles = async (person: Person) => (await rings(person)).map(({ title }) => title)

describe('a company’s admins hear of', () => {
  let acme: FundedCompany
  let hr: Person
  let second: Person
  let ana: Person
  before(async () => {
    acme = await fundedCompany(scene)
    hr = acme.company.admin
    second = await acme.admin('Second')
    ana = await acme.hire('Ana')
    await rings(hr)
    await rings(second)
  })

  test('new claims, once until they have looked', async () => {
    await acme.claim(ana, { amount_cents: 4000 })
    await acme.claim(ana, { amount_cents: 5000 })
    assert.deepEqual(await rings(hr), [
      {
        title: 'New claims to review',
        sentence: 'At least one was submitted since you last looked.',
        path: '/dashboard/claims',
      },
    ])
    await acme.claim(ana, { amount_cents: 6000 })
    assert.deepEqual(await titles(hr), ['New claims to review'])
    assert.deepEqual(await titles(second), ['New claims to review'])
    assert.deepEqual(await titles(ana), [])
  })

  test('an answer and an appeal', async () => {
    const in_question = await acme.claim(ana, { amount_cents: 7000 })
    for (const one of [hr, second]) await rings(one)
    await hr.api.review.ask({
      id: in_question.id,
      version: in_question.version,
      text: 'For whom was it?',
    })
    await ana.api.claims.answer({ id: in_question.id, text: 'For me', receipt_ids: [] })
    const [answered] = await rings(hr)
    assert.equal(answered?.title, `Claim #${in_question.id} was answered`)
    assert.equal(answered.path, `/dashboard/claims/${in_question.id}`)
    await rings(second)
    const { version } = await hr.api.review.find({ id: in_question.id })
    await hr.api.review.reject({
      id: in_question.id,
      version,
      reason: 'not_covered',
      text: 'A sauna',
    })
    await ana.api.claims.appeal({ id: in_question.id, text: 'It was prescribed', receipt_ids: [] })
    assert.deepEqual(await titles(second), [`An appeal to decide: claim #${in_question.id}`])
    assert.deepEqual(await titles(hr), [], 'who rejected it can’t decide on it')
  })

  test('a second approval, but not whoever gave the first', async () => {
    const claim = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    await rings(hr)
    await rings(second)
    await hr.api.review.approve({ id: claim.id, version: claim.version })
    await scene.notifyDecisions()
    assert.deepEqual(await titles(hr), [])
    assert.deepEqual(await titles(second), [`Claim #${claim.id} needs another approval`])
  })

  test('a payout to release, but not whoever made it', async () => {
    const paying = await payingCompany(scene)
    const ben = await paying.acme.hire('Ben')
    await paying.acme.agreeing(ben, { amount_cents: 4000 })
    await rings(paying.second)
    const run = await paying.make()
    const [notice] = await rings(paying.second)
    assert.equal(notice?.title, `Payout ${run.id} is waiting for release`)
    assert.equal(notice.path, `/dashboard/claims/payouts?payout=${run.id}`)
    assert.ok(!(await titles(paying.hr)).includes(notice.title))
  })

  test('people who ask to join, by name on screen, and nobody’s name in the mail', async () => {
    const shut = await scene.company({ name: 'Shut' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    await shut.hire('Emre')
    await scene.signUp(`mallory@${shut.domain}`, 'company_admin', { full_name: 'Mallory' })
    assert.deepEqual(
      (await rings(shut.admin)).map(({ sentence }) => sentence),
      [
        'Mallory signed up as a Company Admin and is waiting for your approval.',
        'Emre signed up and is waiting for your approval.',
      ],
    )
    const kept = await scene.sql<{ sentence: string }[]>`
      select facts::text as sentence from notifications where person_id = ${shut.admin.id}`
    assert.ok(kept.every(({ sentence }) => !/Mallory|Emre/.test(sentence)))
  })
})

describe('the provider hears of', () => {
  test('a company that was founded, and whoever asks to be a super admin', async () => {
    const boss = await scene.superAdmin()
    await scene.signUp('founder@selfmade.test', 'company_admin', {
      full_name: 'Fay Founder',
      company_name: 'Self Made GmbH',
    })
    await scene.signUp('stranger@elsewhere.test', 'super_admin', { full_name: 'Sam Stranger' })
    assert.deepEqual(await rings(boss), [
      {
        title: 'A request to be a Super Admin',
        sentence: 'Sam Stranger signed up as a Super Admin and is waiting for your approval.',
        path: '/dashboard/users?status=pending',
      },
      {
        title: 'New company: Self Made GmbH',
        sentence: 'Fay Founder founded it. It can’t receive money until you activate it.',
        path: '/dashboard/companies?status=pending',
      },
    ])
  })
})

describe('who waited hears of', () => {
  test('the approval, with the page of their role', async () => {
    const boss = await scene.superAdmin()
    const sam = await scene.signUp('sam@approved.test', 'super_admin')
    await boss.api.users.approve({ id: sam.id })
    const [notice] = await rings(sam)
    assert.deepEqual(
      [notice?.title, notice?.path],
      ['Your account was approved', '/dashboard/super-admin'],
    )
  })

  test('the refusal', async () => {
    const shut = await scene.company({ name: 'Refuse' })
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const emre = await shut.hire('Emre')
    await shut.admin.api.employees.decline({ id: emre.id })
    const notices = await scene.sql`select code from notifications where person_id = ${emre.id}`
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['account_declined'],
    )
  })

  test('the activation of their company', async () => {
    const boss = await scene.superAdmin()
    const young = await scene.company({ name: 'Young', status: 'pending' })
    await boss.api.companies.activate({ id: young.id })
    assert.deepEqual(await titles(young.admin), ['Your company is active'])
  })
})
