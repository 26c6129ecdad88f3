// A payment that did not arrive: the first day on which it can be marked, by bank and by payroll.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepYearsOf } from '#funds/jobs.server.ts'
import { daysAfter } from '#lib/days.ts'
import { problems } from '#problems.ts'
import { readCsv } from '../../test/book-files.ts'
import { reverse } from '../../test/world/claims.ts'
import { payee, payingCompany, payments } from '../../test/world/payouts.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { erasedText } from './paid-how.ts'

const scene = openedScene()

test('what a bank returns or rejects is marked from the pay day on, while payroll says earlier whom it cannot pay', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const [ana, ben] = [await payee(acme, 'Ana'), await acme.hire('Ben')]
  for (const person of [ana, ben]) await acme.agreeing(person, { amount_cents: 4000 })
  const { id } = await second.api.payouts.release(await make(1))
  const returns = (person: Person) =>
    hr.api.payouts.return_item({ id, person_id: person.id, reason: 'Account closed' })
  const { items } = await hr.api.payouts.items({ id })
  assert.deepEqual(
    items.map(({ person_name, refusals }) => [person_name, refusals.return_item]),
    [
      ['Ana', 'before_pay_day'],
      ['Ben', null],
    ],
  )
  await refuses('before_pay_day', returns(ana))
  await assert.rejects(hr.api.payouts.return_item({ id, person_id: ben.id, reason: '' }), {
    fields: { reason: ['Say in a few words why'] },
  })
  assert.match(
    problems.before_pay_day[1],
    /from the pay day on, also if the bank has already reject/,
  )
  await returns(ben)
  await scene.sql`update pay_runs set pay_on = company_today(company_id) where id = ${id}
    and company_id = ${acme.id}`
  await returns(ana)
  assert.deepEqual([await payments(ana), await payments(ben)], [['returned'], ['returned']])
})

test('of somebody erased it is due as a Former member’s: payroll pays it, or its approval is reversed', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ben = await acme.hire('Ben')
  const claims = [
    await acme.agreeing(ben, { amount_cents: 4000 }),
    await acme.agreeing(ben, { amount_cents: 1000 }),
  ]
  const { id } = await second.api.payouts.release(await make())
  await scene.confirm(ben)
  const erasure = await ben.api.privacy.request_erasure({})
  await hr.api.privacy.approve_erasure(erasure)
  await acme.provider.api.privacy.approve_erasure(erasure)
  await hr.api.payouts.return_item({ id, person_id: ben.id, reason: 'Left before the pay day' })
  const { people } = await hr.api.payment_blocks.due({})
  assert.partialDeepStrictEqual(people, [
    {
      person_name: 'Former member',
      cents: 5000,
      without_account: true,
      returned: { because: null },
    },
  ])
  await reverse(hr, claims[1]!, 'Nobody knows where to pay it')
  const paid = await second.api.payouts.release(await make())
  assert.deepEqual([paid.claims, paid.paid_cents, paid.without_account], [1, 4000, 1])
  const [row] = await readCsv(await hr.api.payouts.payroll_file({ id: paid.id }))
  const { Name, Email, Claims } = row!
  assert.deepEqual([Name, Email, Claims], ['Former member', '', `#${claims[0]!.id}`])
  const codes = await scene.sql`select code from notifications where person_id = ${ben.id}`
  assert.deepEqual([...codes], [])
  assert.deepEqual(await acme.faults(), [])
})

test('of somebody who was suspended when they were erased, the reversed approval goes back to the company', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ben = await acme.hire('Ben')
  const claim = await acme.agreeing(ben, { amount_cents: 4000 })
  const { id } = await second.api.payouts.release(await make())
  await scene.confirm(ben)
  const erasure = await ben.api.privacy.request_erasure({})
  await hr.api.employees.suspend({ id: ben.id })
  await hr.api.privacy.approve_erasure(erasure)
  await acme.provider.api.privacy.approve_erasure(erasure)
  await hr.api.payouts.return_item({ id, person_id: ben.id, reason: 'Account closed' })
  await reverse(hr, claim, 'Nobody knows where to pay it')
  assert.equal((await acme.balances(ben))['available'], 4000)
  const { leaver_filing_days } = await hr.api.funds.plan({})
  await keepYearsOf(scene.sql, acme.id, daysAfter(acme.today, leaver_filing_days + 1))
  assert.equal((await acme.balances(ben))['available'], 0)
  assert.deepEqual(await acme.faults(), [])
})

test('a payment of somebody erased since is missing in the bank file, and the payout and its files say so', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const [ana, ben] = [await payee(acme, 'Ana'), await payee(acme, 'Ben')]
  await acme.agreeing(ana, { amount_cents: 4000 })
  await acme.agreeing(ben, { amount_cents: 3000 })
  const { id } = await second.api.payouts.release(await make())
  assert.deepEqual((await hr.api.payouts.find({ id })).erased, { payments: 0, cents: 0 })
  await scene.sql`update pay_runs set pay_on = pay_on - 1 where id = ${id} and company_id = ${acme.id}`
  await scene.sql`select private.erase_person(${ana.id}, null)`
  const file = await (await hr.api.payouts.bank_file({ id })).text()
  assert.match(file, /<NbOfTxs>1<\/NbOfTxs>/)
  const one = await hr.api.payouts.find({ id })
  assert.deepEqual(one.erased, { payments: 1, cents: 4000 })
  assert.match(erasedText(one), /^1 payment of €40\.00 is no longer in the bank file: /)
  const listed = await readCsv(await hr.api.payouts.payroll_file({ id }))
  assert.deepEqual(
    listed.map((row) => [row['Name'], row['To pay'], row['Note']]),
    [
      ['Ben', '30.00', ''],
      ['Former member', '40.00', 'erased: no longer in the bank file'],
    ],
  )
  await scene.sql`select private.erase_person(${ben.id}, null)`
  const both = await hr.api.payouts.find({ id })
  assert.match(erasedText(both), /^2 payments of €70\.00 in all are no longer in the bank file: /)
  await refuses('all_payees_erased', hr.api.payouts.bank_file({ id }))
})
