// Limits of straight SQL on claims, as the login of requests.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { PolicyTerms } from './policies/policies.contract.ts'
import { fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { openScene, type Person, type Scene } from '../../test/scene.ts'

let scene: Scene
before(async () => {
  scene = await openScene()
})
after(() => scene.close())

/** Submits a claim with fields and a decision that no form sends. */
async function submit(stage: ClaimsStage, person: Person, wish: object, decided: object = {}) {
  const { bill_cents = 7000, ...more } = wish as { bill_cents?: number }
  const claim = {
    ...(await stage.draft({ bill_cents })),
    plan_year: stage.plan_year,
    policy_version: 1,
    type_name: 'Anything',
    due_at: '2099-01-01',
    ...more,
  }
  const receipt = await stage.receipt(person)
  const said = { automatic: true, awaits_reading: false, receipt_agrees: true, suspicion: 0 }
  const decision = { ...said, spot_check_draw: 99, ...decided }
  const [made] = await scene.straight(
    person,
    (tx) => tx<{ id: number; status: string; type_name: string; due_at: string | null }[]>`
      select * from submit_claim(${tx.json(claim)}, ${[receipt]}::uuid[],
        ${tx.json(decision)}, '[]')`,
  )
  return made!
}

test('whatever the database is told, it approves no more than the policy and earlier rolls let', async () => {
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
  for (const told of [
    { policy_version: version },
    { policy_version: version + 2 },
    { ...before, policy_version: version + 1 },
    { category: 'treatment', policy_version: version + 1 },
  ])
    await assert.rejects(
      submit(acme, ana, told, { automatic: false }),
      { message: 'changed_meanwhile' },
      JSON.stringify(told),
    )
  const made = await submit(acme, ana, { policy_version: version + 1 }, { automatic: false })
  const asked = await acme.claim(ana, { bill_cents: 9000 })
  const [usual] = await scene.sql<[{ type_name: string; late: number }]>`
    select type_name, extract(epoch from due_at - ${made.due_at})::float8 as late from claims
      where company_id = ${acme.id} and id = ${asked.id}`
  assert.equal(made.type_name, usual.type_name)
  assert.ok(usual.late >= 0 && usual.late < 60)
})
