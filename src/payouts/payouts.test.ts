// Approved claims become money: once, by two people, with nothing kept back in silence.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { daysFrom, fundedCompany, type ClaimsStage } from '../../test/claims-stage.ts'
import { openScene, refuses, type Person, type Scene } from '../../test/scene.ts'
import { sepaText } from './bank-file.ts'
import { holdsAsIban } from './iban.ts'

let scene: Scene
before(
  async () =>
    (scene = await openScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })),
)
after(() => scene.close())

const iban = 'DE89370400440532013000'
const another_iban = 'HR1210010051863000160'

/** A company with two admins and, unless told otherwise, accounts at a bank. */
async function paying({ lone = false } = {}) {
  const acme = await fundedCompany(scene)
  const hr = acme.company.admin
  const second = lone ? hr : await acme.admin('Second')
  await hr.api.payouts.set_company_account({ holder: 'Acme d.o.o.', iban: another_iban })
  const make = () =>
    hr.api.payouts.make({ cut_off_on: acme.today, pay_on: daysFrom(acme.today, 3) })
  return { acme, hr, second, make }
}

async function banked(acme: ClaimsStage, name?: string): Promise<Person> {
  const person = await acme.hire(name)
  await person.api.payouts.set_my_account({
    holder: 'Ana Özil-Đurić',
    iban: 'DE89 3704 0044 0532 0130 00',
  })
  return person
}

const payments = async (acme: ClaimsStage, person: Person) =>
  (await person.api.claims.mine({})).claims.map(({ payment }) => payment)

describe('a pay run', () => {
  test('takes what is approved and unpaid, pays it once released by another, and says when', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme, 'Ana')
    const ben = await acme.hire('Ben')
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ana, { amount_cents: 3000 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const waiting = await acme.claim(ben, { amount_cents: 9000 })
    const preview = await hr.api.payouts.preview({})
    assert.deepEqual(
      [
        preview.claims,
        preview.people,
        preview.paid_cents,
        preview.without_account,
        preview.four_eyes,
      ],
      [3, 2, 9000, 1, true],
    )
    const run = await make()
    assert.deepEqual(
      [run.status, run.claims, run.people, run.claims_cents, run.offset_cents, run.paid_cents],
      ['made', 3, 2, 9000, 0, 9000],
    )
    assert.deepEqual([run.mine_to_release, run.refusal], [false, 'release_needs_another'])
    assert.deepEqual(await payments(acme, ana), ['in_run', 'in_run'])
    await refuses('release_needs_another', hr.api.payouts.release(run))
    const done = await second.api.payouts.release(run)
    assert.deepEqual([done.status, done.released_by], ['released', 'Second'])
    const { claims } = await ana.api.claims.mine({})
    assert.deepEqual(
      claims.map(({ payment, paid_on }) => [payment, paid_on]),
      claims.map(() => ['paid', daysFrom(acme.today, 3)]),
    )
    assert.deepEqual(await acme.balances(ana), {
      available: 193_000,
      held: 0,
      payable: 0,
      paid: 7000,
    })
    assert.equal((await ben.api.claims.find({ id: waiting.id })).payment, null)
    const { items } = await hr.api.payouts.items({ id: run.id })
    const of_ana = items.find(({ person_id }) => person_id === ana.id)
    assert.deepEqual(
      [of_ana?.iban_end, of_ana?.claim_ids.length, of_ana?.paid_cents],
      ['3000', 2, 7000],
    )
    const story = await ana.api.claims.find({ id: claims[0]!.id })
    assert.deepEqual(
      story.events.slice(-2).map(({ event }) => event),
      ['put_in_run', 'paid'],
    )
    assert.deepEqual(await acme.faults(), [])
  })

  test('a claim is paid once, however many make and release at the same moment', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    for (const cents of [1000, 2000, 3000]) await acme.agreeing(ana, { amount_cents: cents })
    const made = await Promise.allSettled([make(), make(), make()])
    const runs = made.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    assert.equal(runs.length, 1)
    const released = await Promise.allSettled(
      [second, second, second, second].map((who) => who.api.payouts.release(runs[0]!)),
    )
    assert.equal(released.filter(({ status }) => status === 'fulfilled').length, 1)
    await refuses('nothing_to_pay', make())
    await refuses('run_released', hr.api.payouts.cancel(runs[0]!))
    assert.deepEqual(await acme.balances(ana), {
      available: 194_000,
      held: 0,
      payable: 0,
      paid: 6000,
    })
    const paid = await scene.sql`
      select cause from transfers where company_id = ${acme.id} and event = 'claim_paid'`
    assert.equal(paid.length, 3)
  })

  test('release and cancel at the same moment: one of them happens, to all of it', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    for (let round = 0; round < 4; round += 1) {
      await scene.sql`update claims set submitted_at = submitted_at - interval '40 days'
        where company_id = ${acme.id}` // for the month's limit
      await acme.agreeing(ana, { amount_cents: 1000 + round })
      const run = await make()
      const both = await Promise.allSettled([
        second.api.payouts.release(run),
        hr.api.payouts.cancel(run),
      ])
      assert.equal(both.filter(({ status }) => status === 'fulfilled').length, 1)
      assert.deepEqual(await acme.faults(), [])
    }
  })

  test('cancelled, its claims wait for the next one; what is in a run is not reversed', async () => {
    const { acme, hr, make } = await paying()
    const ana = await banked(acme)
    const claim = await acme.agreeing(ana)
    const run = await make()
    const { version } = await hr.api.review.find({ id: claim.id })
    const reversal = { id: claim.id, version, text: 'It was forged' }
    await refuses('claim_in_run', hr.api.review.reverse(reversal))
    assert.equal((await hr.api.payouts.cancel(run)).status, 'cancelled')
    assert.deepEqual(await payments(acme, ana), ['unpaid'])
    await refuses('run_cancelled', hr.api.payouts.release(run))
    assert.equal((await make()).claims, 1)
  })

  test('takes what was decided up to its cut-off, by the company’s own days', async () => {
    const { acme, hr } = await paying()
    const ana = await banked(acme)
    await acme.agreeing(ana)
    const yesterday = daysFrom(acme.today, -1)
    const pay_on = acme.today
    await refuses('nothing_to_pay', hr.api.payouts.make({ cut_off_on: yesterday, pay_on }))
    await refuses('pay_day_past', hr.api.payouts.make({ cut_off_on: yesterday, pay_on: yesterday }))
    const tomorrow = daysFrom(acme.today, 1)
    await refuses('cut_off_to_come', hr.api.payouts.make({ cut_off_on: tomorrow, pay_on }))
    await scene.sql`update claims set reviewed_at = reviewed_at - interval '1 day'
      where company_id = ${acme.id}`
    assert.equal((await hr.api.payouts.make({ cut_off_on: yesterday, pay_on })).claims, 1)
  })

  test('the only admin releases what they made: there is no other pair of eyes', async () => {
    const { acme, hr, make } = await paying({ lone: true })
    await acme.agreeing(await banked(acme))
    const run = await make()
    assert.equal(run.mine_to_release, true)
    assert.equal((await hr.api.payouts.release(run)).status, 'released')
  })

  test('a transaction that dies in the middle pays nobody', async () => {
    const { acme, second, make } = await paying()
    const ana = await banked(acme)
    const claim = await acme.agreeing(ana)
    const run = await make()
    await scene.sql`update claims set approved_cents = approved_cents - 1 where id = ${claim.id}`
    await scene.sql`update accounts set balance_cents = 0
      where company_id = ${acme.id} and person_id = ${ana.id} and kind = 'payable'`
    await refuses('amount_not_there', second.api.payouts.release(run))
    assert.deepEqual(await payments(acme, ana), ['in_run'])
    assert.equal((await second.api.payouts.find({ id: run.id })).status, 'made')
  })

  test('belongs to its company and its admins', async () => {
    const { acme, hr, make } = await paying()
    const ana = await banked(acme)
    await acme.agreeing(ana)
    const run = await make()
    const other = (await scene.company({ name: 'Other' })).admin.api.payouts
    await refuses('not_found', other.find({ id: run.id }))
    await refuses('not_found', other.items({ id: run.id }))
    await refuses('not_found', other.release(run))
    await refuses('not_found', other.cancel(run))
    await refuses('not_found', other.payroll_file({ id: run.id }))
    await refuses('not_found', other.bank_file({ id: run.id }))
    const item = { id: run.id, person_id: ana.id, reason: 'Account closed' }
    await refuses('not_found', other.return_item(item))
    await refuses('forbidden', ana.api.payouts.find({ id: run.id }))
    await refuses('run_not_released', hr.api.payouts.return_item(item))
    await refuses('run_not_released', hr.api.payouts.bank_file({ id: run.id }))
    await refuses('run_not_released', hr.api.payouts.payroll_file({ id: run.id }))
    assert.deepEqual((await other.runs({})).runs, [])
    assert.equal((await hr.api.payouts.runs({})).runs[0]!.id, run.id)
  })
})

describe('reversed after payment', () => {
  test('what was overpaid is kept back from the next runs, across categories, and told', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme, 'Ana')
    const forged = await acme.agreeing(ana, { amount_cents: 5000 })
    await second.api.payouts.release(await make())
    const { version } = await hr.api.review.find({ id: forged.id })
    await hr.api.review.reverse({ id: forged.id, version, text: 'The receipt was forged' })
    assert.equal((await acme.balances(ana))['overpaid'], 5000)
    await acme.agreeing(ana, { amount_cents: 3000, category: 'treatment' })
    const run = await make()
    assert.deepEqual([run.claims_cents, run.offset_cents, run.paid_cents], [3000, 3000, 0])
    const preview = await hr.api.payouts.preview({})
    assert.equal(preview.claims, 0)
    await second.api.payouts.release(run)
    assert.deepEqual(await acme.balances(ana), {
      available: 198_000,
      held: 0,
      payable: 0,
      paid: 0,
      overpaid: 2000,
    })
    const told = await scene.sql`
      select sentence from notifications where person_id = ${ana.id} and title like 'Your claims were%'`
    assert.match(told[0]!['sentence'], /^0\.00 EUR for 1 claim; 30\.00 EUR of them were kept back/)
    await refuses(
      'nothing_was_paid',
      hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' }),
    )
    await acme.agreeing(ana, { amount_cents: 4500, category: 'treatment' })
    const last = await make()
    assert.deepEqual([last.offset_cents, last.paid_cents], [2000, 2500])
    await second.api.payouts.release(last)
    assert.equal((await acme.balances(ana))['overpaid'], 0)
    assert.deepEqual(await acme.faults(), [])
  })

  test('two open runs never keep the same debt back twice', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    const forged = await acme.agreeing(ana, { amount_cents: 5000 })
    await second.api.payouts.release(await make())
    const { version } = await hr.api.review.find({ id: forged.id })
    await hr.api.review.reverse({ id: forged.id, version, text: 'The receipt was forged' })
    await acme.agreeing(ana, { amount_cents: 3000 })
    const first = await make()
    await acme.agreeing(ana, { amount_cents: 4000 })
    const next = await make()
    assert.deepEqual([first.offset_cents, next.offset_cents], [3000, 2000])
    await hr.api.payouts.cancel(first)
    await second.api.payouts.release(next)
    const again = await make()
    assert.deepEqual([again.claims_cents, again.offset_cents], [3000, 3000])
    await second.api.payouts.release(again)
    assert.equal((await acme.balances(ana))['overpaid'], 0)
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('a payment that comes back', () => {
  test('makes its claims unpaid again, once, and the next run pays them', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    const ben = await banked(acme)
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const run = await second.api.payouts.release(await make())
    const back = () =>
      hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const all = await Promise.allSettled([back(), back(), back()])
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.deepEqual(await payments(acme, ana), ['returned'])
    assert.deepEqual(await payments(acme, ben), ['paid'])
    const { items } = await hr.api.payouts.items({ id: run.id })
    const returned = items.find(({ person_id }) => person_id === ana.id)
    assert.equal(returned?.returned_because, 'Account closed')
    assert.equal(returned.claim_ids.length, 1)
    const next = await make()
    assert.deepEqual([next.claims, next.paid_cents], [1, 4000])
    await second.api.payouts.release(next)
    assert.deepEqual(await payments(acme, ana), ['paid'])
    assert.deepEqual(await acme.faults(), [])
  })

  test('what had been kept back from it is kept back again, and no cent more', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    const forged = await acme.agreeing(ana, { amount_cents: 1000 })
    await second.api.payouts.release(await make())
    const { version } = await hr.api.review.find({ id: forged.id })
    await hr.api.review.reverse({ id: forged.id, version, text: 'The receipt was forged' })
    await acme.agreeing(ana, { amount_cents: 4000 })
    const run = await second.api.payouts.release(await make())
    assert.equal(run.paid_cents, 3000)
    await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const again = await make()
    assert.deepEqual([again.claims_cents, again.offset_cents, again.paid_cents], [4000, 1000, 3000])
    await second.api.payouts.release(again)
    await acme.agreeing(ana, { amount_cents: 2000 })
    assert.equal((await make()).offset_cents, 0)
    assert.deepEqual(await acme.faults(), [])
  })

  test('a claim reversed between payment and return owes nothing any more', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    const forged = await acme.agreeing(ana, { amount_cents: 1000 })
    const run = await second.api.payouts.release(await make())
    const { version } = await hr.api.review.find({ id: forged.id })
    await hr.api.review.reverse({ id: forged.id, version, text: 'The receipt was forged' })
    await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    const { available, overpaid, paid } = await acme.balances(ana)
    assert.deepEqual([available, overpaid, paid], [200_000, 0, 0])
    await refuses('nothing_to_pay', make())
    assert.deepEqual(await acme.faults(), [])
  })
})

describe('the files', () => {
  test('the bank’s has everybody with an account, right sums, and letters every bank takes', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme, 'Ana')
    const ben = await acme.hire('Ben')
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ana, { amount_cents: 255 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const run = await second.api.payouts.release(await make())
    const file = await hr.api.payouts.bank_file({ id: run.id })
    const xml = await file.text()
    assert.match(xml, /<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain\.001\.001\.09">/)
    assert.equal(xml.match(/<CdtTrfTxInf>/g)?.length, 1)
    assert.equal(xml.match(/<NbOfTxs>1<\/NbOfTxs><?/g)?.length, 2)
    assert.equal(xml.match(/<CtrlSum>42\.55<\/CtrlSum>/g)?.length, 2)
    assert.match(xml, /<InstdAmt Ccy="EUR">42\.55<\/InstdAmt>/)
    assert.match(xml, /<Nm>Ana Ozil-Duric<\/Nm>/)
    assert.match(xml, new RegExp(`<Dt>${daysFrom(acme.today, 3)}</Dt>`))
    const [id] = /<EndToEndId>(.*?)<\/EndToEndId>/.exec(xml)?.slice(1) ?? []
    assert.ok(id && id.length <= 35 && id.startsWith(`HF${run.id}-`))
    assert.ok(!/Harbour|health check/i.test(xml))
    assert.equal(xml, await (await hr.api.payouts.bank_file({ id: run.id })).text())
    const csv = await (await hr.api.payouts.payroll_file({ id: run.id })).text()
    const lines = csv.trim().split(/\r?\n/)
    assert.equal(lines.length, 3)
    assert.match(csv, /bank file/)
    assert.match(csv, /Ben,[^\n]*20\.00,0\.00,20\.00,EUR,payroll/)
    assert.ok(!csv.includes(iban))
  })

  test('a name that is a formula stays a name', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    await scene.sql`update profiles set full_name = '=HYPERLINK("http://evil")' where id = ${ana.id}`
    await acme.agreeing(ana)
    const run = await second.api.payouts.release(await make())
    const csv = await (await hr.api.payouts.payroll_file({ id: run.id })).text()
    assert.match(csv, /"'=HYPERLINK/)
  })

  test('no bank file without euros, a debtor’s account, or anybody to pay', async () => {
    const { acme, hr, second, make } = await paying()
    const ben = await acme.hire()
    await acme.agreeing(ben)
    const run = await second.api.payouts.release(await make())
    assert.equal(run.without_account, 1)
    await refuses('nobody_has_an_account', hr.api.payouts.bank_file({ id: run.id }))
    await scene.sql`delete from company_accounts where company_id = ${acme.id}`
    await refuses('company_account_needed', hr.api.payouts.bank_file({ id: run.id }))
    await scene.sql`update companies set currency = 'USD' where id = ${acme.id}`
    await refuses('bank_file_needs_euro', hr.api.payouts.bank_file({ id: run.id }))
    assert.ok(await hr.api.payouts.payroll_file({ id: run.id }))
  })

  test('the account is the one of the release, whatever is entered later', async () => {
    const { acme, hr, second, make } = await paying()
    const ana = await banked(acme)
    await acme.agreeing(ana)
    const run = await second.api.payouts.release(await make())
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban: another_iban })
    const xml = await (await hr.api.payouts.bank_file({ id: run.id })).text()
    assert.ok(xml.includes(iban))
    assert.equal(xml.split(another_iban).length, 2) // the debtor's alone
  })
})

describe('bank accounts', () => {
  test('are checked by their own digits, in the form and in the database', async () => {
    const { acme, hr } = await paying()
    const ana = await acme.hire()
    for (const wrong of ['DE89370400440532013001', 'DE8937040044053201300', 'XX', 'DE89 <b>']) {
      await refuses('invalid_input', ana.api.payouts.set_my_account({ holder: 'Ana', iban: wrong }))
      await refuses(
        'invalid_input',
        hr.api.payouts.set_company_account({ holder: 'Acme', iban: wrong }),
      )
    }
    const good = ['GB82WEST12345698765432', 'NL91ABNA0417164300', 'MT84MALT011000012345MTLCAST001S']
    for (const right of [iban, another_iban, ...good]) {
      assert.ok(holdsAsIban(right), right)
      const [row] = await scene.sql`select wall.iban_holds(${right}) as holds`
      assert.equal(row!['holds'], true, right)
    }
    await assert.rejects(
      scene.sql`insert into bank_accounts values (${acme.id}, ${ana.id}, 'Ana', 'DE89370400440532013001')`,
      { constraint_name: 'iban_invalid' },
    )
  })

  test('show their end alone, to their owner alone, and stand in no record', async () => {
    const { acme, hr } = await paying()
    const ana = await banked(acme)
    assert.deepEqual(await ana.api.payouts.my_account({}), {
      holder: 'Ana Özil-Đurić',
      iban_end: '3000',
    })
    assert.equal(await (await acme.hire()).api.payouts.my_account({}), null)
    await refuses('forbidden', hr.api.payouts.my_account({}))
    assert.equal((await hr.api.payouts.company_account({}))?.iban, another_iban)
    const kept = await scene.sql`select to_jsonb(a)::text as said from audit_log a
      where company_id = ${acme.id} and table_name in ('bank_accounts', 'company_accounts')`
    assert.ok(kept.length >= 2)
    assert.ok(!JSON.stringify(kept).includes('37040044'))
    const told = await scene.sql`select title from notifications where person_id = ${ana.id}`
    assert.deepEqual(
      told.map((row) => row['title']),
      ['The account for your payouts was changed'],
    )
  })

  test('names become letters that every bank takes', () => {
    assert.equal(sepaText('Đurđa Łukasiewicz & Søn', 70), 'Durda Lukasiewicz + Son')
    assert.equal(sepaText('<script>', 70), 'script')
    assert.equal(sepaText('李', 70), 'NOTPROVIDED')
    assert.equal(sepaText('x'.repeat(100), 70).length, 70)
  })
})
