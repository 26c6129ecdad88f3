// A person's own money: the same as on the dashboard, to the cent, and nobody else's.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { payee, payingCompany } from '../../../test/world/payouts.ts'
import { refuses } from '../../../test/world/people.ts'
import { confirmRights } from '../../../test/world/rights.ts'
import { openedScene } from '../../../test/world/scene.ts'
import { readPdf } from '../../../test/report-files.ts'
import { reverse } from '../../../test/world/claims.ts'
import { sealAll } from '#funds/jobs.server.ts'
import { dateText } from '#ui/date-words.ts'
import { paidLine, payoutLines } from './payout-lines.ts'

const scene = openedScene()

/** Ana was paid 50.00, 30.00 of her child's is approved, 20.00 more waits. */
async function aYear() {
  const stage = await payingCompany(scene)
  const { acme, hr, second, make } = stage
  const ana = await payee(acme, 'Ana')
  const mia = await ana.api.dependents.add({
    full_name: 'Mia',
    relationship: 'child',
    born_on: daysAfter(acme.today, -2000),
    covered_from: daysAfter(acme.today, -30),
  })
  const paid = await acme.agreeing(ana, { amount_cents: 5000 })
  const run = await make(3)
  const claim_input = { category: 'solidarity', dependent_id: mia.id } as const
  const theirs = await acme.claim(ana, { ...claim_input, amount_cents: 6000 })
  await hr.api.review.approve({
    id: theirs.id,
    version: theirs.version,
    amount_cents: 3000,
    text: 'Half of it',
  })
  await acme.claim(ana, { amount_cents: 2000 })
  const payDayCame = () => scene.sql`update claims set paid_on = company_today(company_id)
    where company_id = ${acme.id} and paid_on is not null`
  const release = () => second.api.payouts.release(run)
  return { ...stage, ana, mia, paid, run, release, payDayCame }
}

const sum = (all: { cents: number }[]) => all.reduce((total, { cents }) => total + cents, 0)

describe('a year of one’s own', () => {
  test('says of each category what the dashboard says, to the cent, and so do the accounts and the entries', async () => {
    const { acme, ana, release } = await aYear()
    await release()
    const { balances } = await ana.api.funds.mine({})
    const year = await ana.api.funds.my_year({})
    assert.deepEqual(year.balances, balances)
    const now = await ana.api.funds.my_accounts({})
    assert.deepEqual(await ana.api.funds.my_accounts({ as_of: acme.today }), now)
    const { entries } = await ana.api.funds.my_statement({ limit: 200 })
    for (const { category, balance_cents, used_cents, held_cents } of balances) {
      const inAll = (...kinds: string[]) =>
        now
          .filter((one) => one.category === category && kinds.includes(one.kind))
          .reduce((total, one) => total + one.balance_cents, 0)
      assert.equal(inAll('available'), balance_cents)
      assert.equal(inAll('held'), held_cents)
      assert.equal(inAll('payable', 'paid'), used_cents)
      assert.equal(sum(year.used.filter((one) => one.category === category)), used_cents)
      const latest = entries
        .flatMap(({ from, to }) => [to, from])
        .find((side) => side.category === category && side.kind === 'available')
      assert.equal(latest?.balance_cents, balance_cents)
    }
  })

  test('says for whom it was used, and what was paid in which calendar year', async () => {
    const { acme, ana, mia, release, payDayCame } = await aYear()
    await release()
    const sent = await ana.api.funds.my_year({})
    assert.deepEqual(sent.paid, [], 'paid before its day')
    await payDayCame()
    const { used, paid } = await ana.api.funds.my_year({})
    assert.deepEqual(
      used.map(({ name, category, cents }) => [name, category, cents]),
      [
        [null, 'prevention', 5000],
        ['Mia', 'solidarity', 3000],
      ],
    )
    assert.equal(used[1]!.dependent_id, mia.id)
    const year = Number(acme.today.slice(0, 4))
    assert.deepEqual(paid, [{ year, cents: 5000 }])
  })

  test('says what was overpaid, so that each category adds up to its allowance', async () => {
    const { ana, hr, paid, release } = await aYear()
    await release()
    const onPaper = async () => {
      const file = await ana.api.funds.print_my_statement({})
      const { text: pdf_text } = await readPdf(new Uint8Array(await file.arrayBuffer()))
      return /By category.*?Total/.exec(pdf_text)![0]
    }
    assert.doesNotMatch(await onPaper(), /Overpaid/)
    await reverse(hr, paid)
    const { balances } = await ana.api.funds.my_year({})
    for (const one of balances) {
      const parts = one.used_cents + one.held_cents + one.overpaid_cents + one.balance_cents
      assert.equal(parts, one.total_cents, one.category)
    }
    assert.equal(balances[0]!.overpaid_cents, 5000)
    const paid_year = { paid: [{ year: 2026, cents: 3000 }], balances, currency: 'EUR' }
    assert.equal(
      paidLine(paid_year),
      '€30.00 paid to you in 2026 · Claims that were reversed since are not counted',
    )
    assert.match(await onPaper(), /On hold Overpaid Available Prevention .* €50\.00 /)
  })

  test('is on paper with every payment and every entry', async () => {
    const { ana, paid, release, payDayCame } = await aYear()
    await release()
    await payDayCame()
    const file = await ana.api.funds.print_my_statement({})
    const { text: pdf_text } = await readPdf(new Uint8Array(await file.arrayBuffer()))
    for (const words of ['Ana', 'Mia', 'Paid to you', `#${paid.id}`, '€50.00', 'Payment sent']) {
      assert.ok(pdf_text.includes(words), `${words} in ${pdf_text.slice(0, 2000)}`)
    }
  })
})

describe('the entries of one’s own', () => {
  test('name both ends, and what is in a company’s pool to nobody', async () => {
    const { ana, hr, acme, paid, release } = await aYear()
    await release()
    await sealAll(scene.sql)
    const { entries } = await ana.api.funds.my_statement({ limit: 200 })
    assert.ok(entries.every(({ number }) => number !== null))
    const grant = entries.find(({ event }) => event === 'grant')!
    assert.deepEqual([grant.from.kind, grant.from.balance_cents], ['pool', null])
    assert.equal(typeof grant.to.balance_cents, 'number')
    const payment = entries.find(({ event }) => event === 'claim_paid')!
    assert.deepEqual([payment.claim_id, payment.claim_opens], [paid.id, true])
    const csv = await (await ana.api.funds.export_my_statement({})).text()
    assert.equal(csv.trim().split('\r\n').length, entries.length + 1)
    await refuses('not_found', ana.api.funds.my_statement({ account_id: grant.from.id }))
    await refuses('not_found', ana.api.funds.export_my_statement({ account_id: grant.from.id }))
    const hers = await hr.api.funds.statement({ person_id: ana.id, limit: 200 })
    assert.deepEqual(
      hers.entries.map(({ id, amount_cents }) => [id, amount_cents]),
      entries.map(({ id, amount_cents }) => [id, amount_cents]),
    )
    assert.ok(hers.entries.every(({ from }) => from.balance_cents !== null))
    const ben = await acme.hire('Ben')
    const bens = await ben.api.funds.my_statement({ limit: 200 })
    assert.ok(bens.entries.every(({ id }) => entries.every((entry) => entry.id !== id)))
    await refuses('not_found', ben.api.funds.my_statement({ account_id: payment.to.id }))
  })

  test('are an admin’s own, too, where they were an employee', async () => {
    const { ana, acme } = await aYear()
    await acme.hire('Ben')
    const before_it = await ana.api.funds.my_statement({ limit: 200 })
    const change = { id: ana.id, role: 'company_admin', company_id: acme.id } as const
    await acme.provider.api.users.change_role(change)
    await confirmRights(scene, acme.company.admin, ana)
    const admin = await scene.signIn(ana.email)
    assert.deepEqual(await admin.api.funds.my_statement({ limit: 200 }), before_it)
    assert.equal((await admin.api.funds.verify_mine({})).transfers, before_it.entries.length)
  })

  test('are proven against their seals; what is wrong with others’ is not said of them', async () => {
    const { ana, acme } = await aYear()
    const ben = await acme.hire('Ben')
    await sealAll(scene.sql)
    const good = await ana.api.funds.verify_mine({})
    const { entries } = await ana.api.funds.my_statement({ limit: 200 })
    assert.equal(good.transfers, entries.length)
    assert.equal(
      good.sentence,
      `No seal of your ${entries.length} entries is broken, and they add up to ` +
        `the balances of your ${good.accounts} accounts`,
    )
    const edit = (person_id: string) => scene.sql`
      update transfers set note = 'edited' where id = (select max(id) from transfers
        where person_id = ${person_id}) and company_id = ${acme.id}`
    await edit(ben.id)
    assert.equal((await ana.api.funds.verify_mine({})).good, true)
    assert.equal((await ben.api.funds.verify_mine({})).good, false)
    await edit(ana.id)
    const bad = await ana.api.funds.verify_mine({})
    assert.deepEqual([bad.good, bad.transfer_id], [false, entries[0]!.id])
    assert.match(bad.sentence, /was changed after it was sealed$/)
  })

  test('a balance that was edited, or an entry that is gone, does not add up', async () => {
    const { ana, acme } = await aYear()
    await scene.sql`update accounts set balance_cents = balance_cents + 1
      where company_id = ${acme.id} and person_id = ${ana.id} and kind = 'available'
        and category = 'treatment'`
    assert.match((await ana.api.funds.verify_mine({})).sentence, /does not hold what its entries/)
  })
})

describe('the next payout', () => {
  test('has its day once a run has one, and the end of the account', async () => {
    const { ana, run, release, acme } = await aYear()
    const made = await ana.api.payouts.my_next({})
    const payment = { pay_on: run.pay_on, cents: 5000, iban_end: '3000' }
    const next = { ...payment, overpaid_cents: 0 }
    assert.deepEqual(made.next, { ...next, released: false })
    assert.equal(made.waiting_cents, 3000)
    await release()
    assert.deepEqual((await ana.api.payouts.my_next({})).next, { ...next, released: true })
    await scene.sql`update pay_runs set pay_on = company_today(company_id) - 1
      where company_id = ${acme.id}`
    const past = await ana.api.payouts.my_next({})
    assert.equal(past.next, null)
    assert.deepEqual(past.last, { ...payment, pay_on: daysAfter(acme.today, -1) })
    const ben = await acme.hire('Ben')
    const none = await ben.api.payouts.my_next({})
    assert.deepEqual([none.next, none.last, none.waiting_cents], [null, null, 0])
  })

  test('is on no day that went by without its release: it is paid when it is released', async () => {
    const { ana, acme } = await aYear()
    await scene.sql`update pay_runs set pay_on = company_today(company_id) - 5
      where company_id = ${acme.id}`
    const { next } = await ana.api.payouts.my_next({})
    assert.deepEqual([next?.pay_on, next?.released], [acme.today, false])
  })

  test('is the first of several, and the others are told of as later ones', async () => {
    const { ana, make } = await aYear()
    const { pay_on } = await make(3)
    const payouts = await ana.api.payouts.my_next({})
    assert.deepEqual([payouts.next?.cents, payouts.waiting_cents], [5000, 0])
    const later = { pay_on, cents: 3000, iban_end: '3000', released: false, overpaid_cents: 0 }
    assert.deepEqual(payouts.later, [later])
    const lines = payoutLines(payouts, undefined).join('\n')
    assert.ok(lines.includes(`€30.00 more comes on ${dateText(pay_on)}: your company`), lines)
    assert.ok(!lines.includes('later payout'), lines)
  })

  test('comes in full when one of its claims was reversed since, and says what of it is overpaid', async () => {
    const { ana, hr, acme, second, make, run, paid, release } = await aYear()
    await release()
    await acme.agreeing(ana, { amount_cents: 1500 })
    await second.api.payouts.release(await make(3))
    await reverse(hr, paid)
    const payouts = await ana.api.payouts.my_next({})
    const { next, later } = payouts
    assert.deepEqual([next?.cents, next?.pay_on, next?.overpaid_cents], [5000, run.pay_on, 5000])
    assert.deepEqual([later[0]!.cents, later[0]!.overpaid_cents], [4500, 0])
    const lines = payoutLines(payouts, undefined)
    assert.equal(
      lines[1],
      '€50.00 of it is overpaid, as a claim was reversed since, and is withheld from your next payouts.',
    )
    assert.equal(lines.filter((line) => line.includes('overpaid')).length, 1)
    const settled = { how: 'written_off', reason: 'Our mistake' } as const
    await hr.api.payouts.settle_overpayment({ person_id: ana.id, cents: 5000, ...settled })
    assert.equal((await ana.api.payouts.my_next({})).next?.overpaid_cents, 0)
  })

  test('comes by payroll to somebody without a bank account, also after the last salary', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ben = await acme.hire('Ben')
    await acme.agreeing(ben, { amount_cents: 4000 })
    const lines = async () => payoutLines(await ben.api.payouts.my_next({}), null)
    const day = 'Your company has not set the day yet.'
    await scene.sql`update profiles set left_on = ${acme.today}::date - 1 where id = ${ben.id}`
    const waits = 'It is paid by your company’s payroll unless you add a bank account.'
    assert.deepEqual(await lines(), [`${day} ${waits}`])
    await second.api.payouts.release(await make(3))
    assert.deepEqual(await lines(), ['It’ll be paid by your company’s payroll.'])
    const [run] = (await hr.api.payouts.runs({})).runs
    assert.deepEqual([run?.without_account, run?.paid_cents], [1, 4000])
  })

  test('is less what was overpaid, and never below nothing', async () => {
    const { ana, hr, paid, release } = await aYear()
    await release()
    await reverse(hr, paid)
    const { waiting_cents, withheld_cents } = await ana.api.payouts.my_next({})
    assert.deepEqual([waiting_cents, withheld_cents], [0, 3000])
  })

  test('says of what is withheld again that the payment it was withheld from came back', async () => {
    const { ana, hr, second, acme, paid, release, make } = await aYear()
    await release()
    await reverse(hr, paid)
    await acme.agreeing(ana, { amount_cents: 4500 })
    const { id } = await second.api.payouts.release(await make())
    await hr.api.payouts.return_item({ id, person_id: ana.id, reason: 'Account closed' })
    const payouts = await ana.api.payouts.my_next({})
    assert.deepEqual([payouts.withheld_cents, payouts.withheld_again_cents], [0, 5000])
    assert.equal(payouts.waiting_cents, 2500)
    const lines = payoutLines(payouts, undefined).join('\n')
    assert.match(lines, /€50\.00 is withheld again: the payment it was withheld from came back\./)
    assert.ok(!lines.includes('overpa'), lines)
  })
})
