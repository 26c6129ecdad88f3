// Needs you: what a person is to do, from the facts; what is done is gone, whoever did it.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isPage } from '#paths.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { payee, paidBefore, payingCompany } from '../../test/world/payouts.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { needText } from './needs.contract.ts'

const scene = openedScene()

async function linesOf({ api }: Person) {
  const { lines, things } = await api.needs.list({})
  assert.equal(
    things,
    lines.reduce((sum, { items }) => sum + items, 0),
  )
  for (const line of lines)
    assert.ok(isPage(needText(line).to.split(/[?#]/)[0]!), needText(line).to)
  return lines
}
const titles = async (person: Person) => (await linesOf(person)).map((line) => needText(line).title)

describe('of a company’s admins', () => {
  let acme: FundedCompany
  let hr: Person
  let second: Person
  let ana: Person
  before(async () => {
    acme = await fundedCompany(scene)
    await paidBefore(acme)
    hr = acme.company.admin
    second = await acme.admin('Second')
    ana = await payee(acme, 'Ana')
  })

  test('nothing, where nothing waits', async () => {
    assert.deepEqual(await linesOf(hr), [])
    assert.deepEqual(await linesOf(ana), [])
  })

  test('a claim: who waits, since when, until when; decided, it is gone for all of them', async () => {
    const claim = await acme.claim(ana, { amount_cents: 6000 })
    const [line, ...others] = await linesOf(hr)
    assert.deepEqual(others, [])
    assert.equal(line?.who, 'Ana')
    assert.equal(line.cents, 6000)
    assert.ok(line.since && line.due_at && line.due_at > line.since)
    assert.equal(line.path, `/dashboard/claims/${claim.id}`)
    assert.deepEqual(await titles(second), [`Claim #${claim.id} to review`])
    await second.api.review.reject({
      id: claim.id,
      version: claim.version,
      reason: 'not_covered',
      text: 'A sauna',
    })
    assert.deepEqual(await titles(hr), [])
    await ana.api.claims.appeal({ id: claim.id, text: 'It was prescribed', receipt_ids: [] })
    assert.deepEqual(await titles(hr), [`An appeal to decide: claim #${claim.id}`])
    assert.deepEqual(await titles(second), [], 'who rejected it is not asked again')
    const { version } = await hr.api.review.find({ id: claim.id })
    await hr.api.review.approve({ id: claim.id, version })
    assert.deepEqual(await titles(hr), [])
  })

  test('a question waits for the employee, its answer for the admins', async () => {
    const { id, version } = await acme.claim(ana, { amount_cents: 7000 })
    await hr.api.review.ask({ id, version, text: 'For whom was it?' })
    assert.deepEqual(await titles(hr), [])
    const [question] = await linesOf(ana)
    assert.equal(needText(question!).title, `HR has a question about claim #${id}`)
    assert.equal(question!.path, `/dashboard/my-claims/${id}`)
    const days = (Date.parse(question!.due_at!) - Date.parse(question!.since!)) / 86_400_000
    assert.ok(Math.abs(days - 45) < 0.1)
    await ana.api.claims.answer({ id, text: 'For me', receipt_ids: [] })
    assert.deepEqual(await titles(ana), [])
    assert.deepEqual(await titles(hr), [`Claim #${id} was answered`])
    const now = await hr.api.review.find({ id })
    await hr.api.review.approve({ id, version: now.version })
  })

  test('a second approval is for whoever did not give the first', async () => {
    const { id, version } = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
    await hr.api.review.approve({ id, version, amount_cents: 45_050, text: 'Without the fee' })
    assert.deepEqual(await titles(hr), [])
    assert.deepEqual(await titles(second), [`Claim #${id} needs another approval`])
    assert.equal((await linesOf(second))[0]!.cents, 45_050, 'what the first one left of it')
    const now = await second.api.review.find({ id })
    await second.api.review.approve({ id, version: now.version })
    assert.deepEqual(await titles(second), [])
  })

  test('what waits for one of them by name is found behind however much waits for others', async () => {
    const own = await fundedCompany(scene)
    const [ben, cleo] = [await own.admin('Ben'), await own.admin('Cleo')]
    const mia = await own.hire('Mia')
    const asks = (who: Person) => scene.sql`
      update claim_policies set steps = array[row(null, '{}', '{}', '{}', '{}', false, 'people',
          array[${who.id}]::uuid[], false, null, null, null)::approval_step]
        where company_id = ${own.id}`
    await asks(ben)
    for (let n = 0; n < 101; n += 1) await own.claim(mia, { amount_cents: 100 + n })
    await asks(cleo)
    await scene.sql`insert into absences (company_id, person_id, from_on, to_on)
      values (${own.id}, ${cleo.id}, company_today(${own.id}), company_today(${own.id}))`
    const { id } = await own.claim(mia, { amount_cents: 9000 })
    assert.ok((await titles(cleo)).some((title) => title.includes(`#${id}`)))
    const notices = await scene.sql`
      select from notifications where person_id = ${cleo.id} and code = 'claim_submitted'`
    assert.equal(notices.length, 1, 'she is away, and nobody stands in')
  })

  test('a claim that nobody else can approve says so to who approved it first', async () => {
    const alone = await fundedCompany(scene)
    const { admin } = alone.company
    const mia = await alone.hire('Mia')
    const { id, version } = await alone.claim(mia, { amount_cents: 60_000, category: 'treatment' })
    await admin.api.review.approve({ id, version })
    assert.deepEqual(await titles(admin), [
      `Claim #${id} needs a second reviewer: invite one in Settings`,
    ])
  })

  test('many are one line with the oldest, and what one approves in place says its version', async () => {
    const busy = await fundedCompany(scene)
    const { admin } = busy.company
    const mia = await busy.hire('Mia')
    const made = []
    for (let at = 1; at <= 3; at += 1) made.push(await busy.claim(mia, { amount_cents: 6000 + at }))
    assert.deepEqual(
      await titles(admin),
      made.map(({ id }) => `Claim #${id} to review`),
    )
    const agreeing = await busy.receipt(mia, {
      amount_cents: 6004,
      on: busy.today,
      provider: 'City Clinic',
    })
    await busy.claim(mia, { amount_cents: 6004, receipt_ids: [agreeing] })
    const [line, ...others] = await linesOf(admin)
    assert.deepEqual(others, [])
    assert.deepEqual([line!.items, line!.path, line!.who], [4, null, null])
    assert.deepEqual(needText(line!), {
      title: '4 claims to review',
      does: 'Review',
      to: '/dashboard/claims',
    })
  })

  test('a payout to release, not for who made it; an account to add for who is to be paid', async () => {
    const { acme: paying, hr: maker, second: other, make } = await payingCompany(scene)
    const ben = await paying.hire('Ben')
    const eva = await payee(paying)
    await paying.agreeing(ben, { amount_cents: 4000 })
    await paying.agreeing(eva, { amount_cents: 4000 })
    assert.deepEqual(await titles(ben), [
      'An approved claim is paid by your company’s payroll unless you add a bank account',
    ])
    assert.deepEqual(await titles(eva), [])
    const toPay = '2 approved claims to pay out'
    assert.ok((await titles(maker)).includes(toPay), 'the first payout of all, at once')
    await paidBefore(paying)
    assert.ok(!(await titles(maker)).includes(toPay))
    await scene.sql`update claims set reviewed_at = now() - interval '8 days'
      where company_id = ${paying.id} and person_id = ${eva.id}`
    assert.ok((await titles(maker)).includes(toPay), 'one waits long: all that the payout holds')
    assert.equal((await maker.api.payouts.preview({})).claims, 2)
    await scene.sql`update claim_policies set account_wait_days = 3 where company_id = ${paying.id}`
    assert.equal((await maker.api.payouts.preview({})).claims, 1)
    assert.ok(!(await titles(maker)).some((title) => title.includes('to pay out')), 'Eva’s waits')
    await scene.sql`update claim_policies set account_wait_days = 0 where company_id = ${paying.id}`
    const run = await make()
    const toRelease = `Payout ${run.id} to release`
    assert.ok(!(await titles(maker)).includes(toRelease))
    assert.ok((await titles(other)).includes(toRelease))
    await other.api.payouts.release({ id: run.id, version: run.version })
    assert.ok(!(await titles(other)).includes(toRelease))
  })

  test('the first money waits to be put into a category, the first payout for an account', async () => {
    const young = await scene.company({ name: 'Young' })
    const boss = await scene.superAdmin()
    const { funds } = young.admin.api
    const { plan_year } = await funds.overview({})
    const came = 'Money has come in that is not in a category yet: allocate it'
    assert.ok(!(await titles(young.admin)).includes(came))
    await boss.api.funds.contribute({
      company_id: young.id,
      amount_cents: 500_000,
      confirmed: true,
      occurred_on: plan_year,
      reference: 'INV-1',
    })
    const line = (await linesOf(young.admin)).find(({ kind }) => kind === 'money_to_allocate')
    assert.deepEqual([needText(line!).title, line!.cents], [came, 500_000])
    const part = { prevention_cents: 100_000, treatment_cents: 0, solidarity_cents: 0 }
    await funds.allocate({ plan_year, ...part })
    assert.ok(!(await titles(young.admin)).includes(came))
    const first = await fundedCompany(scene)
    const missing = 'The account your payouts are paid from is missing'
    assert.ok(!(await titles(first.company.admin)).includes(missing))
    await first.agreeing(await first.hire('Fay'), { amount_cents: 4000 })
    assert.ok((await titles(first.company.admin)).includes(missing))
  })

  test('people who ask, and a company that is not active or has nobody yet', async () => {
    const shut = await scene.company({ name: 'Shut', status: 'pending' })
    assert.deepEqual(await titles(shut.admin), [
      'The provider has not activated your company yet: it can’t receive money',
      'Your company has no employees yet',
    ])
    await scene.sql`update companies set status = 'active' where id = ${shut.id}`
    await shut.admin.api.companies.set_auto_registration({ enabled: false })
    const emre = await shut.hire('Emre')
    await scene.signUp(`mallory@${shut.domain}`, 'company_admin', { full_name: 'Mallory' })
    const asking = (await linesOf(shut.admin)).filter(({ who }) => who)
    assert.deepEqual(
      asking.map(({ kind, who, subject_id, version }) => [kind, who, subject_id !== null, version]),
      [
        ['join_requested', 'Emre', true, null],
        ['admin_requested', 'Mallory', true, null],
      ],
      'nobody is let in by one press',
    )
    await shut.admin.api.employees.approve({ id: emre.id })
    assert.ok(!(await linesOf(shut.admin)).some(({ kind }) => kind === 'join_requested'))
  })
})

describe('of the provider', () => {
  test('companies to activate, requests and inquiries, by name on screen', async () => {
    const boss = await scene.superAdmin()
    const pending = await scene.company({ name: 'Waiting Works', status: 'pending' })
    await scene.sql`update companies set created_at = '2026-01-05T08:00:00Z' where id = ${pending.id}`
    await scene.signUp('stranger@healthfund.test', 'super_admin', { full_name: 'Sam Stranger' })
    await scene.sql`insert into inquiries (full_name, email, company, people, message)
      values ('Ida', 'ida@north.test', 'North', 40, 'Please call us about a fund')`
    const lines = await linesOf(boss)
    const [first] = lines
    assert.deepEqual(
      [first?.kind, first?.who, first?.since, first?.path],
      [
        'company_founded',
        'Waiting Works',
        '2026-01-05T08:00:00.000Z',
        `/dashboard/companies/${pending.id}`,
      ],
    )
    assert.ok(
      lines.some(
        ({ kind, who }) =>
          kind === 'super_requested' && who === 'Sam Stranger, stranger@healthfund.test',
      ),
    )
    assert.ok(lines.some(({ kind, who }) => kind === 'inquiry' && who === 'North'))
    await boss.api.companies.activate({ id: pending.id })
    assert.ok(!(await linesOf(boss)).some(({ who }) => who === 'Waiting Works'))
  })
})

test('a person who waits for approval themselves needs nothing, and signed out nobody asks', async () => {
  const shut = await scene.company({ name: 'Outside' })
  await shut.admin.api.companies.set_auto_registration({ enabled: false })
  await refuses('account_pending', (await shut.hire('Emre')).api.needs.list({}))
  await refuses('not_signed_in', scene.visitor.needs.list({}))
})

describe('the bell agrees', () => {
  test('what another admin did, or somebody took back, is unread no more', async () => {
    const acme = await fundedCompany(scene)
    const hr = acme.company.admin
    const second = await acme.admin('Second')
    const ana = await acme.hire('Ana')
    await hr.api.notifications.read_all({})
    const one = await acme.claim(ana, { amount_cents: 6000 })
    assert.deepEqual(await hr.api.notifications.unread({}), { unread: 1 })
    await second.api.review.approve({ id: one.id, version: one.version })
    assert.deepEqual(await hr.api.notifications.unread({}), { unread: 0 })
    const [notice] = (await hr.api.notifications.list({})).notifications
    assert.deepEqual([notice?.code, notice?.done, notice?.read_at], ['claim_submitted', true, null])
    const two = await acme.claim(ana, { amount_cents: 6500 })
    assert.deepEqual(await hr.api.notifications.unread({}), { unread: 1 })
    await ana.api.claims.withdraw({ id: two.id })
    assert.deepEqual(await hr.api.notifications.unread({}), { unread: 0 })
  })

  test('that a claim has waited twice its time is unread no more once it is decided', async () => {
    const acme = await fundedCompany(scene)
    const { api } = acme.company.admin
    const { id, version } = await acme.claim(await acme.hire(), { amount_cents: 6000 })
    await api.notifications.read_all({})
    await scene.sql`update claims set overdue = true, due_at = now() - interval '60 days'
      where company_id = ${acme.id} and id = ${id}`
    await scene.sql`select private.notify_twice_overdue(100)`
    assert.deepEqual(await api.notifications.unread({}), { unread: 1 })
    await api.review.approve({ id, version })
    assert.deepEqual(await api.notifications.unread({}), { unread: 0 })
  })
})
