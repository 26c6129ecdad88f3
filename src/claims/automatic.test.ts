// Automatic approval: the rules, and the database where it writes, say the same.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { openScene, type Person, type Scene } from '../../test/scene.ts'

let scene: Scene
before(async () => {
  scene = await openScene()
})
after(() => scene.close())

const terms = {
  auto_approve_cents: 5000,
  auto_approve_per_month: 4,
  spot_check_percent: 0,
  receipt_above_cents: 2500,
  steps: [],
  review_days: 3,
  account_wait_days: 0,
}
type Terms = Omit<typeof terms, 'steps'>

async function companyUnder(changed: Partial<Terms>) {
  const acme = await fundedCompany(scene)
  await acme.company.admin.api.policies.change({ ...terms, ...changed, version: 1 })
  return acme
}

/** One whose receipt is still being read. */
async function waiting(acme: ClaimsStage, person: Person, amount_cents: number) {
  const receipt = await acme.receipt(person, { state: 'reading' })
  const { id } = await acme.claim(person, { amount_cents, receipt_ids: [receipt] })
  const read = async () => {
    await scene.sql`update receipts set read_state = 'read', read_amount_cents = ${amount_cents},
      read_on = ${acme.today} where id = ${receipt}`
    await acme.evaluateAgain()
    const { status, automatic } = await person.api.claims.find({ id })
    return automatic ? 'automatic' : status
  }
  return { id, read }
}

test('claims of one month whose receipts are read in the next are still that month’s', async () => {
  const acme = await companyUnder({ auto_approve_per_month: 1 })
  const ana = await acme.hire()
  const [one, other] = [await waiting(acme, ana, 1000), await waiting(acme, ana, 2000)]
  await scene.sql`update claims c set submitted_at
    = date_trunc('month', now() at time zone o.time_zone) at time zone o.time_zone - interval '1 hour'
    from companies o where c.company_id = ${acme.id} and o.id = c.company_id`
  assert.equal(await one.read(), 'automatic')
  assert.equal(await other.read(), 'pending')
  assert.equal((await acme.agreeing(ana, { amount_cents: 3000 })).status, 'approved')
})

test('the lot of a later claim about the same is none of the one before it', async () => {
  const acme = await companyUnder({ spot_check_percent: 50 })
  const ana = await acme.hire()
  const { id, read } = await waiting(acme, ana, 1000)
  const later = await acme.claim(ana, { amount_cents: 1000 })
  await ana.api.claims.withdraw({ id: later.id })
  await scene.sql`update claims set spot_check_roll = case id when ${id} then 99 else 0 end
    where company_id = ${acme.id}`
  assert.equal(await read(), 'automatic')
})

test('the lot of an earlier claim counts as well where only the reading shows that they are alike', async () => {
  const acme = await companyUnder({ spot_check_percent: 50 })
  const ana = await acme.hire()
  const first = await acme.claim(ana, { amount_cents: 9000 })
  await ana.api.claims.withdraw({ id: first.id })
  const { id, read } = await waiting(acme, ana, 1000)
  await scene.sql`update claims set spot_check_roll = case id when ${id} then 99 else 0 end,
    bill_cents = case id when ${id} then bill_cents else 1000 end, amount_cents = 1000
    where company_id = ${acme.id}`
  assert.equal(await read(), 'pending')
  const { trace } = await ana.api.claims.find({ id })
  assert.equal(trace.find(({ rule }) => rule === 'spot_check')?.facts['spot_check_roll'], 0)
})
