// Each file of a released payout pays its people, which is said in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCsv } from '../../test/book-files.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { paidHow } from './paid-how.ts'

const scene = openedScene()

test('nobody is paid by two files: which one pays how many is said, as the payroll file has it', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme)
  const ben = await acme.hire()
  await acme.agreeing(ana, { amount_cents: 4000 })
  const first = await second.api.payouts.release(await make())
  assert.match(paidHow(first), /^The bank file pays everyone in this payout\. The payroll files/)
  await acme.agreeing(ben, { amount_cents: 4000 })
  const next = await second.api.payouts.release(await make())
  assert.match(paidHow(next), /^Payroll pays everyone in this payout/)
  await acme.agreeing(ana, { amount_cents: 3000 })
  await acme.agreeing(ben, { amount_cents: 2000 })
  const run = await second.api.payouts.release(await make())
  const csv = await (await hr.api.payouts.payroll_file({ id: run.id })).text()
  assert.equal(csv.split(',payroll,').length - 1, run.without_account)
  assert.match(paidHow(run), /^Payroll pays 1 person without a bank account, the bank file every/)
})

test('a payment that came back is in neither file’s sum: the next payout has it', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme)
  await acme.agreeing(ana)
  const { id } = await second.api.payouts.release(await make())
  await second.api.payouts.return_item({ id, person_id: ana.id, reason: 'Account closed' })
  await refuses('all_payments_returned', hr.api.payouts.bank_file({ id }))
  const [row] = await readCsv(await hr.api.payouts.payroll_file({ id }))
  assert.deepEqual([row!['To pay'], row!['Note']], ['0.00', 'returned'])
})
