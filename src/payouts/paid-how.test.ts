// Each file of a released payout pays its people, which is said in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBankFile } from '../../test/bank-file.ts'
import { readCsv } from '../../test/book-files.ts'
import { another_iban, payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { paidHow, paidOnce } from './paid-how.ts'

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

test('without an account to pay from everybody is paid by payroll, and reads so', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme)
  await scene.sql`delete from company_accounts where company_id = ${acme.id}`
  await acme.agreeing(ana, { amount_cents: 4000 })
  const made = await make()
  const next = async () => (await ana.api.payouts.my_next({})).next
  assert.deepEqual([made.without_account, (await next())?.iban_end], [1, null])
  assert.match(paidOnce(made, false), /^No bank file can be made, .* Payroll pays everyone/)
  const run = await second.api.payouts.release(made)
  await hr.api.payouts.set_company_account({ holder: 'Acme d.o.o.', iban: another_iban })
  assert.deepEqual([run.without_account, (await next())?.iban_end], [1, null])
  assert.match(paidHow(run), /^Payroll pays everyone in this payout/)
  await refuses('nobody_has_an_account', hr.api.payouts.bank_file({ id: run.id }))
  const [row] = await readCsv(await hr.api.payouts.payroll_file({ id: run.id }))
  assert.equal(row!['Paid by'], 'payroll')
})

test('the bank file without a payment that came back is the same message, which no bank takes twice', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const [ana, ben] = [await payee(acme), await payee(acme)]
  for (const person of [ana, ben]) await acme.agreeing(person, { amount_cents: 4000 })
  const { id } = await second.api.payouts.release(await make())
  const file = async () => (await hr.api.payouts.bank_file({ id })).text()
  const sent = await file()
  assert.equal(await file(), sent)
  await hr.api.payouts.return_item({ id, person_id: ana.id, reason: 'Account closed' })
  const [first, again] = [readBankFile(sent), readBankFile(await file())]
  assert.equal(again.message, first.message)
  assert.deepEqual([first.payments.length, again.payments.length], [2, 1])
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
