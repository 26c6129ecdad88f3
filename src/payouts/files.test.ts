// The files of a released run, and the accounts they pay to: as banks and payrolls read them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { daysAfter } from '#lib/days.ts'
import { readBankFile } from '../../test/bank-file.ts'
import { another_iban, payee, iban, payingCompany } from '../../test/world/payouts.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { bankFile, purposeOf, sepaText } from './bank-file.ts'
import { holdsAsIban } from './iban.ts'

const swiss_iban = 'CH9300762011623852957'

const scene = openedScene()

describe('the files', () => {
  test('the bank’s has everybody with an account, right sums, and nothing about health', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    const cem = await payee(acme, 'Cem', 'Cem & Söhne <Łódź>')
    const ben = await acme.hire('Ben')
    const first = await acme.agreeing(ana, { amount_cents: 4000 })
    const second_one = await acme.agreeing(ana, { amount_cents: 255 })
    const third = await acme.agreeing(cem, { amount_cents: 1 })
    await acme.agreeing(ben, { amount_cents: 2000 })
    const run = await second.api.payouts.release(await make(3))
    const xml = await (await hr.api.payouts.bank_file({ id: run.id })).text()
    const file = readBankFile(xml)
    assert.deepEqual(file.debtor, { holder: 'Acme d.o.o.', iban: another_iban })
    assert.equal(file.pay_on, daysAfter(acme.today, 3))
    const found = file.payments.toSorted((a, b) => b.cents - a.cents)
    assert.deepEqual(
      found.map((one) => [one.holder, one.iban, one.cents, one.purpose]),
      [
        ['Ana Ozil-Duric', iban, 4255, `Reimbursement, claims ${first.id}, ${second_one.id}`],
        ['Cem + Sohne Lodz', iban, 1, `Reimbursement, claim ${third.id}`],
      ],
    )
    assert.ok(file.payments.every(({ id }) => id.startsWith(`HF${run.id}-`)))
    assert.ok(!/Harbour|health check/i.test(xml))
    assert.equal(xml, await (await hr.api.payouts.bank_file({ id: run.id })).text())
    const csv = await (await hr.api.payouts.payroll_file({ id: run.id })).text()
    const lines = csv.trim().split(/\r?\n/)
    assert.equal(lines.length, 4)
    assert.match(csv, /bank file/)
    assert.match(csv, /Ben,[^\n]*20\.00,0\.00,20\.00,EUR,payroll/)
    assert.ok(!csv.includes(iban))
    // The row is what erasing a person leaves of their part of a payout.
    await scene.sql`update pay_items set holder = null, iban = null where person_id = ${ana.id}`
    const later = await (await hr.api.payouts.payroll_file({ id: run.id })).text()
    assert.equal(later.replace(/erased: .*/, ''), csv, 'paid by the bank, as before')
  })

  test('of a payout released after its pay day asks for the day of its release, and that day it is paid', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana, { amount_cents: 4000 })
    const made = await make()
    await scene.sql`update pay_runs set pay_on = pay_on - 10 where id = ${made.id}
      and company_id = ${acme.id}`
    const run = await second.api.payouts.release(made)
    assert.equal(run.pay_on, acme.today)
    const xml = await (await hr.api.payouts.bank_file({ id: run.id })).text()
    assert.equal(readBankFile(xml).pay_on, acme.today)
    const [claim] = (await ana.api.claims.mine({})).claims
    assert.equal(claim?.paid_on, acme.today)
  })

  test('whatever people are called and however much they get, a bank can read it', () => {
    const payment = fc.record({
      person_id: fc.uuid(),
      holder: fc.string({ unit: 'binary', minLength: 2, maxLength: 70 }),
      iban: fc.constantFrom(iban, another_iban, 'MT84MALT011000012345MTLCAST001S'),
      cents: fc.integer({ min: 1, max: 99_999_999_999 }),
      claim_ids: fc.array(fc.integer({ min: 1, max: 2_147_483_647 }), { maxLength: 40 }),
    })
    const run = fc.record({
      run_id: fc.integer({ min: 1, max: 2_147_483_647 }),
      released_at: fc.constantFrom('2026-11-21T10:11:12.345Z', '2026-02-28T00:00:00.000Z'),
      pay_on: fc.constant('2026-11-24'),
      currency: fc.constantFrom('EUR', 'CHF', 'GBP', 'CZK', 'HUF', 'JPY', 'KWD'),
      debtor: fc.record({
        holder: fc.oneof(fc.string({ unit: 'binary', maxLength: 70 }), fc.constant('ß'.repeat(70))),
        iban: fc.constantFrom(another_iban, swiss_iban, 'GB82WEST12345698765432'),
      }),
      payments: fc.uniqueArray(payment, {
        minLength: 1,
        maxLength: 8,
        selector: ({ person_id }) => person_id,
      }),
    })
    fc.assert(
      fc.property(run, (run_input) => {
        const read = readBankFile(bankFile(run_input), run_input.currency)
        assert.deepEqual(
          read.payments.map(({ cents }) => cents),
          run_input.payments.map(({ cents }) => cents),
        )
      }),
    )
  })

  test('a file out of its order, or whose sums are not its payments’, is none that a bank reads', () => {
    const person_id = 'dc8d2a59-3174-40af-b622-000000000000'
    const xml = bankFile({
      run_id: 7,
      released_at: '2026-11-21T10:11:12.345Z',
      pay_on: '2026-11-24',
      currency: 'EUR',
      debtor: { holder: 'Acme', iban: another_iban },
      payments: [{ person_id, holder: 'Ana', iban, cents: 4255, claim_ids: [7] }],
    })
    assert.equal(readBankFile(xml).payments.length, 1)
    const swapped = xml.replace(/(<PmtMtd>.*<\/PmtMtd>)\n(<NbOfTxs>.*<\/NbOfTxs>)/, '$2\n$1')
    const wrong: [string, RegExp][] = [
      [swapped, /in the order of the schema/],
      [xml.replace('>SLEV<', '>SHAR<'), /ChrgBr/],
      [xml.replace('Ccy="EUR"', 'Ccy="CHF"'), /CHF/],
      [xml.replace('42.55', '42.56'), /its control sum/],
      [xml.replace('<NbOfTxs>1<', '<NbOfTxs>2<'), /as many as it says/],
      [xml.replace('<Nm>Ana<', '<Nm>Änä<'), /Cdtr\/Nm/],
      [xml.replace('<Nm>Ana<', `<Nm>${'A'.repeat(71)}<`), /Cdtr\/Nm/],
      [xml.replace('<Nm>Ana<', '<Nm>A & B<'), /well-formed/],
      [xml.replace(iban, 'DE89370400440532013001'), /DE89370400440532013001/],
      [xml.replace('</PmtInf>', ''), /well-formed/],
    ]
    for (const [one, fault] of wrong) {
      assert.notEqual(one, xml)
      assert.throws(() => readBankFile(one), fault, one)
    }
  })

  test('a name that is a formula stays a name', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await scene.sql`update profiles set full_name = '=HYPERLINK("http://evil")' where id = ${ana.id}`
    await acme.agreeing(ana)
    const run = await second.api.payouts.release(await make())
    const csv = await (await hr.api.payouts.payroll_file({ id: run.id })).text()
    assert.match(csv, /"'=HYPERLINK/)
  })

  test('in francs it is no SEPA transfer: no service level, charges shared, the bank by its number', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    await scene.countsIn(acme.id, 'CHF')
    await hr.api.payouts.set_company_account({ holder: 'Acme AG Zürich', iban: swiss_iban })
    const ana = await payee(acme)
    await acme.agreeing(ana, { amount_cents: 4255 })
    await acme.agreeing(await payee(acme, 'Cem'), { amount_cents: 1 })
    const run = await second.api.payouts.release(await make())
    const xml = await (await hr.api.payouts.bank_file({ id: run.id })).text()
    const file = readBankFile(xml, 'CHF')
    assert.deepEqual(file.debtor, { holder: 'Acme AG Zurich', iban: swiss_iban })
    assert.deepEqual(new Set(file.payments.map(({ cents }) => cents)), new Set([1, 4255]))
    assert.match(xml, /<CtrlSum>42\.56<\/CtrlSum>/)
    assert.match(xml, /<MmbId>00762<\/MmbId>/)
    assert.ok(!/SEPA|SLEV|EUR/.test(xml))
  })

  test('no bank file where nobody it pays has an account, which is known beforehand', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ben = await acme.hire()
    await acme.agreeing(ben)
    const open = await make()
    assert.equal(open.refusals.bank_file, 'run_not_released')
    const run = await second.api.payouts.release(open)
    assert.equal(run.without_account, 1)
    assert.equal(run.refusals.bank_file, 'nobody_has_an_account')
    await refuses('nobody_has_an_account', hr.api.payouts.bank_file({ id: run.id }))
    assert.ok(await hr.api.payouts.payroll_file({ id: run.id }))
  })

  test('the account is the one of the release, whatever is entered later', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme)
    await acme.agreeing(ana)
    const run = await second.api.payouts.release(await make())
    await scene.confirm(ana)
    await ana.api.payouts.set_my_account({ holder: 'Ana', iban: another_iban })
    const xml = await (await hr.api.payouts.bank_file({ id: run.id })).text()
    assert.ok(xml.includes(iban))
    assert.equal(xml.split(another_iban).length, 2) // the debtor's alone
  })
})

describe('bank accounts', () => {
  test('are checked by their own digits, in the form and in the database', async () => {
    const { acme, hr } = await payingCompany(scene)
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
      const [row] = await scene.sql`select private.iban_holds(${right}) as holds`
      assert.equal(row!['holds'], true, right)
    }
    const { sql } = scene
    const theirs = sql`insert into bank_accounts values (${acme.id}, ${ana.id}, 'Ana', 'XX')`
    await assert.rejects(theirs, { constraint: 'iban_invalid' })
    const ours = sql`update company_accounts set iban = 'XX' where company_id = ${acme.id}`
    await assert.rejects(ours, { constraint: 'company_iban_invalid' })
  })

  test('are changed by a fresh sign-in alone: a screen left open moves no money', async () => {
    const { acme, hr } = await payingCompany(scene)
    const ana = await payee(acme)
    const moves = [
      {
        who: ana,
        move: () => ana.api.payouts.set_my_account({ holder: 'Eve', iban: another_iban }),
      },
      { who: hr, move: () => hr.api.payouts.set_company_account({ holder: 'Eve', iban }) },
    ]
    for (const { who, move } of moves) {
      await scene.stale(who)
      await refuses('password_needed', move())
      assert.equal(await scene.confirm(who, 'not the one'), false)
      await refuses('password_needed', move())
    }
    assert.equal((await ana.api.payouts.my_account({}))?.iban_end, iban.slice(-4))
    assert.equal((await hr.api.payouts.company_account({}))?.iban, another_iban)
    for (const { who, move } of moves) {
      assert.ok(await scene.confirm(who))
      assert.equal((await move()).holder, 'Eve')
    }
  })

  test('show their end alone, to their owner alone, and stand in no record', async () => {
    const { acme, hr } = await payingCompany(scene)
    const ana = await payee(acme)
    assert.deepEqual(await ana.api.payouts.my_account({}), {
      holder: 'Ana Özil-Đurić',
      iban_end: '3000',
      pays_from_on: null,
    })
    assert.equal(await (await acme.hire()).api.payouts.my_account({}), null)
    await refuses('forbidden', hr.api.payouts.my_account({}))
    assert.equal((await hr.api.payouts.company_account({}))?.iban, another_iban)
    const kept = await scene.sql`select to_jsonb(a)::text as content from audit_log a
      where company_id = ${acme.id} and table_name in ('bank_accounts', 'company_accounts')`
    assert.ok(kept.length >= 2)
    assert.ok(!JSON.stringify(kept).includes('37040044'))
    // Mailed at once and always, as a changed password is (src/gotrue/recovery-codes.test.ts).
    const notices = await scene.sql`
      select payload ->> 'notice' as notice, payload -> 'facts' as facts from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id
        where t.identifier = 'settings:notice' and payload ->> 'person_id' = ${ana.id}`
    assert.deepEqual(
      notices.map(({ notice, facts }) => [notice, facts]),
      [['payout_account_changed', { change: 'added', ends_in: '3000' }]],
    )
  })

  test('of the company are told to its other owners, with the end alone', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    const inboxOf = async (who: Person) =>
      (await who.api.notifications.list({})).notifications
        .filter(({ code }) => code === 'company_account_changed')
        .map(({ facts }) => facts)
        .toReversed()
    const added = { change: 'added', ends_in: another_iban.slice(-4) }
    assert.deepEqual(await inboxOf(second), [added])
    const set = (holder: string, iban: string) =>
      hr.api.payouts.set_company_account({ holder, iban })
    await set('Acme d.o.o.', another_iban)
    assert.deepEqual(await inboxOf(second), [added], 'the same again is no change')
    await set('Acme d.o.o.', iban)
    assert.deepEqual(await inboxOf(second), [added, { change: 'changed', ends_in: iban.slice(-4) }])
    assert.deepEqual(await inboxOf(hr), [], 'not to whoever did it')
    assert.deepEqual(await inboxOf(await acme.hire()), [])
  })

  test('names become letters that every bank takes', () => {
    assert.equal(sepaText('Đurđa Łukasiewicz & Søn', 70), 'Durda Lukasiewicz + Son')
    assert.equal(sepaText('<script>', 70), 'script')
    assert.equal(sepaText('Юлия Йорданова-Щерева', 70), 'Yuliya Yordanova-Shtereva')
    assert.equal(sepaText('Ђорђе Љубић', 70), 'Djordje Ljubic')
    assert.equal(sepaText('Χρήστος Παπαδόπουλος', 70), 'Christos Papadopoulos')
    assert.equal(sepaText('ΨΑΡΟΥ', 70), 'PSAROU')
    assert.equal(sepaText('李', 70), 'NOTPROVIDED')
    assert.equal(sepaText('x'.repeat(100), 70).length, 70)
  })
})

test('what the bank is told has room for 140 characters: the claims that do not fit are counted', () => {
  assert.equal(purposeOf([4]), 'Reimbursement, claim 4')
  assert.equal(purposeOf([]), 'Reimbursement')
  const many = Array.from({ length: 60 }, (_, at) => 1000 + at)
  const purpose = purposeOf(many)
  assert.ok(purpose.length <= 140, purpose)
  const [, numbers = '', more] = /^Reimbursement, claims (.*) and (\d+) more$/.exec(purpose)!
  assert.equal(numbers.split(', ').length + Number(more), 60)
})
