// A payment that did not arrive: from which day on that can be, by bank and by payroll.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '#problems.ts'
import { payee, payingCompany, payments } from '../../test/world/payouts.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

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
