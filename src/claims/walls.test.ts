// Limits of straight SQL on claims, as the login of requests.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sealVerdicts, type SealVerdict } from './verdicts.server.ts'
import { PolicyTerms } from './policies/policies.contract.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { confirmRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

/** Submits a claim with fields and a decision that no form sends, as if the rules had said so. */
async function submit(
  stage: FundedCompany,
  person: Person,
  input: object,
  decided: object = {},
  seal: SealVerdict = scene.services.seal_verdict,
) {
  const { bill_cents = 7000, ...more } = input as { bill_cents?: number }
  const claim = {
    ...(await stage.draft({ bill_cents })),
    plan_year: stage.plan_year,
    policy_version: 1,
    type_name: 'Anything',
    due_at: '2099-01-01',
    ...more,
  }
  const receipt = await stage.receipt(person)
  const evaluated = { automatic: true, awaits_reading: false, receipt_agrees: true, suspicion: 0 }
  const decision = { ...evaluated, spot_check_draw: 99, ...decided }
  return scene.straight(person, async (tx) => {
    const [now] = await tx<[{ within: string }]>`
      select concat_ws(' ', pg_backend_pid(), extract(epoch from now())) as within`
    const row = { by: person.id, ...now, claim, receipts: `{${receipt}}`, decision }
    const { verdict, trace, seal: sealed } = seal(row, [])
    const [made] = await tx<Made[]>`select * from submit_claim(${verdict}, ${trace}, ${sealed})`
    return made!
  })
}

type Made = { id: number; status: string; type_name: string; due_at: string | null }

test('nobody but the server says what the rules make of a claim', async () => {
  const acme = await fundedCompany(scene)
  const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
  const own = scene.services.seal_verdict
  const nothing = { trace: null, seal: null } as unknown as { trace: string; seal: Buffer }
  const forged: [string, SealVerdict][] = [
    ['sealed by another key', sealVerdicts(randomBytes(32))],
    ['without a seal', (...parts) => ({ ...own(...parts), seal: Buffer.alloc(0) })],
    ['without a trace', (...parts) => ({ ...own(...parts), ...nothing })],
    ['changed', (...parts) => ({ ...own(...parts), trace: '[{}]' })],
    ['about somebody else', (row, trace) => own({ ...row, by: ben.id }, trace)],
    ['of another transaction', (row, trace) => own({ ...row, within: '1 1.000000' }, trace)],
  ]
  for (const [how, seal] of forged)
    await assert.rejects(submit(acme, ana, {}, {}, seal), { code: '42501' }, how)
  assert.equal((await submit(acme, ana, {})).status, 'approved')
})

test('a claim of whoever wrote the policy is for people', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire('Ana')
  assert.equal((await acme.agreeing(ana, { amount_cents: 1000 })).status, 'approved')
  await acme.provider.api.users.change_role({
    id: ana.id,
    role: 'company_admin',
    company_id: acme.id,
  })
  await confirmRights(scene, acme.company.admin, ana)
  const { version, ...found } = await ana.api.policies.current({})
  const terms = PolicyTerms.parse(found)
  const previewed = async (by: Person) => (await by.api.policies.preview(terms)).instead
  assert.deepEqual((await previewed(acme.company.admin)).automatic, 1)
  assert.deepEqual((await previewed(ana)).automatic, 0, 'she would have written it')
  await ana.api.policies.change({ ...terms, version })
  const { id, status } = await acme.agreeing(ana, { amount_cents: 2000 })
  assert.equal(status, 'pending')
  const { trace } = await ana.api.claims.find({ id })
  assert.deepEqual(
    trace.filter(({ outcome }) => outcome === 'human').map(({ rule }) => rule),
    ['own_policy', 'approvals_needed'],
  )
  const ben = await acme.hire('Ben')
  assert.equal((await acme.agreeing(ben, { amount_cents: 3000 })).status, 'approved')
})

test('whatever the rules say, the database approves no more than the policy and earlier rolls let', async () => {
  const drawing = await fundedCompany(scene, { spot_check: 50 })
  const person = await drawing.hire()
  const first = await drawing.agreeing(person, { bill_cents: 7000 })
  await scene.sql`update claims set spot_check_draw = 10
    where company_id = ${drawing.id} and id = ${first.id}`
  const submits = (bill_cents: number, spot_check_draw: number) =>
    submit(drawing, person, { bill_cents }, { spot_check_draw })
  await assert.rejects(submits(7000, 99), { message: 'needs_a_person' })
  await assert.rejects(submits(8000, 10), { message: 'needs_a_person' })
  assert.equal((await submits(8000, 99)).status, 'approved')
})

test('a claim is submitted by the terms in force, in the year of its bill and as what it is', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire()
  const { policies } = acme.company.admin.api
  const { version, ...found } = await policies.current({})
  const terms = { ...PolicyTerms.parse(found), auto_approve_cents: 1000, review_days: 5 }
  await policies.change({ ...terms, version })
  const last_year = scene.sql`(${acme.plan_year}::date - interval '1 year')::date`
  const [before] = await scene.sql<[{ plan_year: string }]>`
    insert into plan_years (company_id, starts_on) values (${acme.id}, ${last_year})
      returning starts_on as plan_year`
  await scene.sql`select transfer_all(${acme.id}, ${last_year}, 'granted', array[row(
    account(${acme.id}, ${last_year}, 'funding'),
    account(${acme.id}, ${last_year}, 'available', 'prevention', ${ana.id}), 9000,
    private.origin('of last year'),
    ${ana.id})::private.posting])`
  for (const context of [
    { policy_version: version },
    { policy_version: version + 2 },
    { ...before, policy_version: version + 1 },
    { category: 'treatment', policy_version: version + 1 },
  ])
    await assert.rejects(
      submit(acme, ana, context, { automatic: false }),
      { message: 'changed_meanwhile' },
      JSON.stringify(context),
    )
  const made = await submit(acme, ana, { policy_version: version + 1 }, { automatic: false })
  const in_question = await acme.claim(ana, { bill_cents: 9000 })
  const [usual] = await scene.sql<[{ type_name: string; late: number }]>`
    select type_name, extract(epoch from due_at - ${made.due_at})::float8 as late from claims
      where company_id = ${acme.id} and id = ${in_question.id}`
  assert.equal(made.type_name, usual.type_name)
  assert.ok(usual.late >= 0 && usual.late < 60)
})

test('a claim has each of its receipts once', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire()
  const receipt = await acme.receipt(ana)
  await refuses('invalid_input', acme.claim(ana, { receipt_ids: [receipt, receipt] }))
  const { id, version } = await acme.claim(ana)
  await acme.company.admin.api.review.ask({ id, version, text: 'The receipt, please' })
  await assert.rejects(
    scene.straight(
      ana,
      (tx) => tx`select answer_claim(${id}, 'Here', ${[receipt, receipt]}::uuid[])`,
    ),
    { message: 'receipt_used' },
  )
})

test('nobody decides without a word, by a reason that there is not, or for less than nothing', async () => {
  const acme = await fundedCompany(scene)
  const ana = await acme.hire()
  const { admin } = acme.company
  const { id, version } = await acme.claim(ana)
  const refused = (person: Person, act: string, by: object) =>
    assert.rejects(
      scene.straight(person, (tx) => tx.unsafe(`select ${act}`)),
      by,
      act,
    )
  const claim = `${id}, ${version}`
  await refused(admin, `approve_claim(${claim}, -5, 'Less', null)`, { message: 'approved_nothing' })
  await refused(admin, `reject_claim(${claim}, 'because', 'No')`, { code: '23514' })
  for (const act of [
    `reject_claim(${claim}, null, 'No')`,
    `reject_claim(${claim}, 'other', null)`,
    `ask_about_claim(${claim}, null)`,
  ])
    await refused(admin, act, { message: 'invalid_input' })
  await admin.api.review.ask({ id, version, text: 'Which doctor?' })
  await refused(ana, `answer_claim(${id}, null, '{}')`, { message: 'invalid_input' })
})
