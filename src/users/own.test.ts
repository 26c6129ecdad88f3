// Who is made an admin keeps their own money, claims and family in reach, and nobody else's as an employee.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { openScene, refuses, type Person, type Scene } from '../../test/scene.ts'

let scene: Scene
let acme: ClaimsStage
let ana: Person
before(async () => {
  scene = await openScene()
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})
after(() => scene.close())

const promote = (person: Person) =>
  acme.provider.api.users.change_role({
    id: person.id,
    role: 'company_admin',
    company_id: acme.id,
  })

describe('an admin who was an employee', () => {
  test('still has the fund, the claims, the receipts and the family', async () => {
    const before_it = await ana.api.funds.mine({})
    const waiting = await acme.claim(ana, { amount_cents: 6000 })
    await promote(ana)
    const me = await ana.api.users.me({})
    assert.deepEqual([me.role, me.has_own], ['company_admin', true])
    const { balances } = await ana.api.funds.mine({})
    assert.equal(balances.length, before_it.balances.length)
    const whole = await ana.api.claims.find({ id: waiting.id })
    assert.equal(whole.refusals.withdraw, null)
    const another = await acme.claim(ana, { amount_cents: 3000 })
    assert.equal((await ana.api.claims.mine({})).claims.length, 2)
    await ana.api.dependents.add({
      full_name: 'Mia',
      relationship: 'child',
      born_on: '2020-05-01',
      covered_from: acme.today,
    })
    assert.equal((await ana.api.dependents.mine({})).dependents.length, 1)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban: 'DE89370400440532013000' })
    await ana.api.claims.withdraw({ id: another.id })
    const log = await scene.sql<{ actor_role: string }[]>`
      select actor_role from audit_log where table_name = 'claims' and row_id = ${another.id}`
    assert.ok(log.every(({ actor_role }) => actor_role === 'employee'))
  })

  test('administers the company, and decides no claim of their own', async () => {
    const own = await acme.claim(ana, { amount_cents: 2000 })
    assert.ok((await ana.api.employees.list({})).employees)
    await refuses('own_claim', ana.api.review.approve({ id: own.id, version: own.version }))
  })

  test('reads no claim of somebody else as their own', async () => {
    const ben = await acme.hire('Ben')
    const theirs = await acme.claim(ben, { amount_cents: 2000 })
    await refuses('not_found', ana.api.claims.find({ id: theirs.id }))
    assert.ok((await ana.api.review.find({ id: theirs.id })).id)
  })

  test('and is an employee like before when that is taken back', async () => {
    const zoe = await acme.hire('Zoe')
    await promote(zoe)
    const change = { id: zoe.id, role: 'employee', company_id: acme.id } as const
    await acme.provider.api.users.change_role(change)
    const me = await zoe.api.users.me({})
    assert.deepEqual([me.role, me.has_own], ['employee', false])
    assert.ok(await zoe.api.funds.mine({}))
    await refuses('forbidden', zoe.api.employees.list({}))
  })
})

test('an admin who never was an employee has nothing of the kind', async () => {
  const { api } = acme.company.admin
  assert.equal((await api.users.me({})).has_own, false)
  await refuses('forbidden', api.funds.mine({}))
  await refuses('forbidden', api.claims.mine({}))
})
