// Each file of a released payout pays its people, which is said in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBankFile } from '../../test/bank-file.ts'
import { readCsv } from '../../test/book-files.ts'
import { reverse } from '../../test/world/claims.ts'
import { another_iban, iban, payee, payingCompany } from '../../test/world/payouts.ts'
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

test('a payment of which all is withheld is made by no file', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const [ana, ben] = [await payee(acme, 'Ana'), await acme.hire('Ben')]
  const forged = await acme.agreeing(ana, { amount_cents: 5000 })
  await second.api.payouts.release(await make())
  await reverse(hr, forged)
  await acme.agreeing(ana, { amount_cents: 2000 })
  const nothing = 'No money goes out: all of it is withheld.'
  const open = await make()
  assert.equal(paidOnce(open, true), nothing)
  assert.equal(paidHow(await second.api.payouts.release(open)), nothing)
  await acme.agreeing(ana, { amount_cents: 3000 })
  await acme.agreeing(ben, { amount_cents: 2500 })
  const run = await second.api.payouts.release(await make())
  assert.match(paidHow(run), /^Payroll pays everyone in this payout/)
  await refuses('nobody_has_an_account', hr.api.payouts.bank_file({ id: run.id }))
})

test('before its release a payout says which file pays as things are then', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const [ana, ben] = [await payee(acme), await acme.hire('Ben')]
  for (const person of [ana, ben]) await acme.agreeing(person, { amount_cents: 4000 })
  await scene.sql`delete from company_accounts where company_id = ${acme.id}`
  const made = await make()
  const textBefore = async (has_account: boolean) =>
    paidOnce(await hr.api.payouts.find({ id: made.id }), has_account)
  const shared = 'Payroll pays 1 person without a bank account, the bank file everyone else.'
  assert.equal(
    await textBefore(false),
    `${shared} It can’t be made before your company’s account is entered.`,
  )
  assert.equal(await textBefore(true), shared)
  await scene.confirm(ben)
  await ben.api.payouts.set_my_account({ holder: 'Ben Kos', iban: another_iban })
  assert.equal(await textBefore(true), 'The bank file pays everyone.')
  const { without_account, refusals } = await second.api.payouts.release(made)
  assert.equal(without_account, 0)
  assert.equal(refusals.bank_file, 'company_account_needed')
  await refuses('company_account_needed', hr.api.payouts.bank_file({ id: made.id }))
  const needsAccount = async () =>
    (await hr.api.needs.list({})).lines.some(({ kind }) => kind === 'company_account')
  assert.ok(await needsAccount(), 'two people wait for the file')
  await hr.api.payouts.set_company_account({ holder: 'Acme d.o.o.', iban: another_iban })
  const file = async () =>
    readBankFile(await (await hr.api.payouts.bank_file({ id: made.id })).text())
  assert.equal((await file()).payments.length, 2)
  assert.ok(!(await needsAccount()))
})

test('a payout pays from a corrected account until its pay day is over: another bank would take its message again', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme)
  await acme.agreeing(ana, { amount_cents: 4000 })
  const open = await make()
  assert.equal(open.paid_from_end, null)
  const first = await second.api.payouts.release(open)
  await scene.sql`update pay_runs set pay_on = pay_on - 1 where company_id = ${acme.id}`
  await acme.agreeing(ana, { amount_cents: 3000 })
  const next = await second.api.payouts.release(await make())
  assert.equal(next.paid_from_end, '0160')
  await hr.api.payouts.set_company_account({ holder: 'Acme Bank Two', iban })
  const debtorOf = async (id: number) =>
    readBankFile(await (await hr.api.payouts.bank_file({ id })).text()).debtor
  assert.deepEqual(await debtorOf(first.id), { holder: 'Acme d.o.o.', iban: another_iban })
  assert.deepEqual(await debtorOf(next.id), { holder: 'Acme Bank Two', iban })
  const endOf = async (id: number) => (await hr.api.payouts.find({ id })).paid_from_end
  assert.deepEqual([await endOf(first.id), await endOf(next.id)], ['0160', '3000'])
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
  assert.equal((await hr.api.payouts.find({ id })).refusals.bank_file, null)
})

test('a payment that came back is in neither file’s sum: the next payout has it', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const ana = await payee(acme)
  await acme.agreeing(ana)
  await scene.sql`delete from company_accounts where company_id = ${acme.id}`
  const { id } = await second.api.payouts.release(await make())
  await second.api.payouts.return_item({ id, person_id: ana.id, reason: 'Account closed' })
  const { refusals } = await hr.api.payouts.find({ id })
  assert.equal(refusals.bank_file, 'all_payments_returned')
  await refuses('all_payments_returned', hr.api.payouts.bank_file({ id }))
  const [row] = await readCsv(await hr.api.payouts.payroll_file({ id }))
  assert.deepEqual([row!['To pay'], row!['Note']], ['0.00', 'returned'])
})

test('the account to pay from is asked for while somebody is left to pay: not once all came back or were erased', async () => {
  const { acme, hr, second, make } = await payingCompany(scene)
  const [ana, ben] = [await payee(acme), await payee(acme)]
  for (const person of [ana, ben]) await acme.agreeing(person, { amount_cents: 4000 })
  await scene.sql`delete from company_accounts where company_id = ${acme.id}`
  const { id } = await second.api.payouts.release(await make())
  const asks = async () => ({
    refusal: (await hr.api.payouts.find({ id })).refusals.bank_file,
    needed: (await hr.api.needs.list({})).lines.some(({ kind }) => kind === 'company_account'),
  })
  await hr.api.payouts.return_item({ id, person_id: ana.id, reason: 'Account closed' })
  assert.deepEqual(await asks(), { refusal: 'company_account_needed', needed: true })
  await scene.sql`update pay_runs set pay_on = pay_on - 1 where id = ${id} and company_id = ${acme.id}`
  await scene.sql`select private.erase_person(${ben.id}, null)`
  assert.deepEqual(await asks(), { refusal: 'no_payment_left', needed: false })
  await refuses('no_payment_left', hr.api.payouts.bank_file({ id }))
})
