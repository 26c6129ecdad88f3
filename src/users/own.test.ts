// A new admin keeps their own money, claims and family in reach, and nobody else's as an employee.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { keyOf } from '../../test/world/keys.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { confirmRights, withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let acme: FundedCompany
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  ana = await acme.hire('Ana')
})

const promote = async (person: Person) => {
  await acme.provider.api.users.change_role({
    id: person.id,
    role: 'company_admin',
    company_id: acme.id,
  })
  await confirmRights(scene, acme.company.admin, person)
}

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

  test('joined when they did: added as an employee again they lose no day and no money', async () => {
    const yan = await acme.hire('Yan')
    await promote(yan)
    const before_it = await yan.api.funds.mine({})
    const { email } = yan
    const again = { full_name: 'Yan', email, department: 'Office' }
    const { employee } = await acme.company.admin.api.employees.add(again)
    assert.equal(employee.joined_on, acme.plan_year)
    assert.deepEqual((await yan.api.funds.mine({})).balances, before_it.balances)
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

test('an admin who never was an employee becomes one beside their rights, where HR adds them', async () => {
  const { admin } = acme.company
  const mona = await acme.admin('Mona')
  const { rights } = await mona.api.users.me({})
  const profile = { full_name: 'Somebody Else', email: mona.email, department: 'Office' }
  const key = await keyOf(scene, admin, ['people:write'])
  await refuses('already_here', key.api.employees.add(profile))
  const finance = await withRights(scene, acme.company, 'finance')
  await refuses('forbidden', finance.api.employees.add(profile))
  const before_it = await admin.api.employees.summary({})
  const { employee, initial_password } = await admin.api.employees.add(profile)
  assert.deepEqual([employee.full_name, employee.department], ['Mona', 'Office'])
  assert.deepEqual([employee.joined_on, initial_password], [acme.today, null])
  assert.equal((await admin.api.employees.summary({})).total, before_it.total + 1)
  const me = await mona.api.users.me({})
  assert.deepEqual([me.role, me.has_own, me.rights], ['company_admin', true, rights])
  const { balances } = await mona.api.funds.mine({})
  assert.ok(balances.every(({ balance_cents }) => balance_cents > 0))
  const claim = await acme.claim(mona, { amount_cents: 3000 })
  await refuses('own_claim', mona.api.review.approve({ id: claim.id, version: claim.version }))
  await mona.api.dependents.add({
    full_name: 'Mia',
    relationship: 'child',
    born_on: '2020-05-01',
    covered_from: acme.today,
  })
  await refuses('already_here', admin.api.employees.add(profile))
  assert.deepEqual(await acme.faults(), [])
})

test('an admin who never was an employee joins on the day they become one, however they do', async () => {
  const { company, provider, today, plan_year } = acme
  const by = company.admin
  await scene.confirm(by)
  const ways = {
    remove: (id: string) => by.api.companies.remove_admin({ id, knowingly: true }),
    change: (id: string) =>
      provider.api.users.change_role({ id, role: 'employee', company_id: acme.id }),
    add: (_: string, email: string) =>
      by.api.employees.add({ full_name: 'Mona', email, department: 'Office' }),
  }
  for (const [name, become] of Object.entries(ways)) {
    const email = `${name}@${company.domain}`
    const mona = await scene.signUp(email, 'company_admin')
    await provider.api.users.approve({ id: mona.id })
    await scene.sql`update profiles set joined_on = ${plan_year} where id = ${mona.id}`
    await become(mona.id, email)
    const { joined_on } = await by.api.employees.find({ id: mona.id })
    assert.equal(joined_on, today, name)
    await refuses(
      'service_not_covered',
      acme.claim(mona, { amount_cents: 3000, service_on: daysAfter(today, -1) }),
    )
  }
})
