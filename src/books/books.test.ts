// The codes of a company's own systems, and a run by wage types.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accounts, cents, datev, readCsv, sum, wage_types } from '../../test/book-files.ts'
import { reverse } from '../../test/world/claims.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses, won, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import type { Codes } from './books.contract.ts'

const scene = openedScene()

const rename = ({ id }: Person, name: string) =>
  scene.sql`update profiles set full_name = ${name} where id = ${id}`

const fieldsOf = (act: Promise<unknown>) =>
  act.then(
    () => assert.fail('was not refused'),
    (error: { fields?: Record<string, string[]> }) => error.fields ?? {},
  )

describe('codes', () => {
  test('are kept by item, changed alone, taken away by an empty one, and are in the audit', async () => {
    const { admin } = await scene.company()
    const { books, audit } = admin.api
    assert.deepEqual(await books.codes({}), {})
    assert.deepEqual(await books.change_codes({ ...wage_types, ...datev }), {
      ...wage_types,
      ...datev,
    })
    await books.change_codes({ wage_treatment: ' 9A ', wage_solidarity: '' })
    const { wage_solidarity: _, ...kept } = { ...wage_types, ...datev, wage_treatment: '9A' }
    assert.deepEqual(await books.codes({}), kept)
    const { entries } = await audit.list({ table: 'book_codes' })
    assert.deepEqual(
      entries
        .slice(0, 2)
        .map(({ act, subject, before, after }) => [
          act,
          subject,
          before?.['code'],
          after?.['code'],
        ]),
      [
        ['update', 'wage treatment', '4712', '9A'],
        ['delete', 'wage solidarity', '4713', undefined],
      ],
    )
    const entries_before = entries.length
    await books.change_codes({ wage_treatment: '9A' })
    assert.equal((await audit.list({ table: 'book_codes' })).entries.length, entries_before)
  })

  test('look as their programs want them, in the form and in the database', async () => {
    const { admin, id } = await scene.company()
    const wrong: Codes[] = [
      { wage_prevention: '=1+1' },
      { wage_prevention: '47-11' },
      { wage_prevention: '1'.repeat(21) },
      { payable: '-1740' },
      { payable: '@SUM(A1)' },
      { payable: '17;40' },
      { payable: '17"40' },
      { payable: 'Bücher' },
      { datev_consultant: '1000' },
      { datev_consultant: '12345678' },
      { datev_client: '0' },
      { datev_client: '100000' },
      { datev_digits: '3' },
      { datev_digits: '9' },
      { datev_year: '13' },
      { datev_year: '0' },
    ]
    for (const codes of wrong) {
      await refuses('invalid_input', admin.api.books.change_codes(codes))
      const [[item, code]] = Object.entries(codes) as [[string, string]]
      await assert.rejects(
        scene.sql`insert into book_codes values (${id}, ${item}, ${code})`,
        { constraint: 'book_code_invalid' },
        code,
      )
    }
    await refuses('invalid_input', admin.api.books.change_codes({ iban: '1' } as never))
    await refuses('invalid_input', admin.api.books.change_codes({ bank: 1 } as never))
    assert.deepEqual(await admin.api.books.codes({}), {})
    const right: Codes = {
      payable: '17.40/A-1',
      datev_consultant: '9999999',
      datev_client: '99999',
    }
    const most: Codes = { wage_prevention: 'A'.repeat(20), datev_digits: '8', datev_year: '12' }
    assert.deepEqual(await admin.api.books.change_codes({ ...right, ...most }), {
      ...right,
      ...most,
    })
  })

  test('an account is a cost, or money, or what is owed: never two of these, whoever is faster', async () => {
    const { acme, hr, second } = await payingCompany(scene)
    const { books } = hr.api
    await books.change_codes(accounts)
    const clashes: Codes[] = [
      { payable: '1200' },
      { bank: '1740' },
      { expense_treatment: '1200' },
      { write_off: '1740' },
      { transit: '4130' },
    ]
    for (const codes of clashes) {
      const [item] = Object.keys(codes)
      const fields = { [item!]: ['This account already has another purpose'] }
      const refusal = { code: 'account_used_twice', fields }
      await assert.rejects(books.change_codes(codes), refusal)
      const [straight] = await scene.straight(
        hr,
        (tx) => tx<[{ item: string }]>`select set_book_codes(${tx.json(codes)}) as item`,
      )
      assert.deepEqual([straight.item], Object.keys(codes))
      assert.deepEqual(await books.codes({}), accounts)
    }
    assert.deepEqual(await books.codes({}), accounts)
    // One account for all costs, one for all money, and a wage type with the same number.
    const shared: Codes = {
      expense_treatment: '4130',
      expense_solidarity: '4130',
      write_off: '4130',
      transit: '1200',
      payroll: '1200',
      wage_prevention: '1740',
    }
    await books.change_codes(shared)
    const both = await Promise.allSettled([
      books.change_codes({ bank: '5000' }),
      second.api.books.change_codes({ payable: '5000' }),
    ])
    assert.equal(won(both).length, 1)
    await scene.sql`delete from book_codes where company_id = ${acme.id}`
  })

  test('are an admin’s of the company alone', async () => {
    const { acme, hr } = await payingCompany(scene)
    await hr.api.books.change_codes(accounts)
    const ana = await acme.hire('Ana')
    await refuses('forbidden', ana.api.books.codes({}))
    await refuses('forbidden', ana.api.books.change_codes(wage_types))
    await refuses('forbidden', (await scene.superAdmin()).api.books.codes({}))
    assert.deepEqual(await (await scene.company()).admin.api.books.codes({}), {})
  })
})

describe('a run by wage types', () => {
  const read = async ({ api }: Person, id: number) => {
    const rows = await readCsv(await api.books.wages({ id }))
    return {
      rows,
      pays: rows.filter((row) => row['Record'] === 'pay'),
      sums: rows.filter((row) => row['Record'] !== 'pay'),
    }
  }
  const cellsOf = (row: Record<string, string>) => [
    row['Name'],
    row['Wage type'],
    row['Amount'],
    row['Paid by'],
  ]
  const control = (row: Record<string, string>) => [
    row['Record'],
    row['Wage type'],
    row['Amount'],
    row['Lines'],
  ]

  test('has a line per person and wage type, and sums that are the run’s to the cent', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    await hr.api.books.change_codes(wage_types)
    const ana = await payee(acme, 'Ana')
    const ben = await acme.hire('Ben')
    await rename(ben, 'Ben; "B" Müller')
    await acme.agreeing(ana, { amount_cents: 4000 })
    await acme.agreeing(ana, { amount_cents: 255 })
    await acme.agreeing(ana, { amount_cents: 1200, category: 'treatment' })
    await acme.agreeing(ben, { amount_cents: 1 })
    const run = await second.api.payouts.release(await make())
    const { pays, sums } = await read(hr, run.id)
    assert.deepEqual(pays.map(cellsOf), [
      ['Ana', '4711', '42.55', 'bank file'],
      ['Ana', '4712', '12.00', 'bank file'],
      ['Ben; "B" Müller', '4711', '0.01', 'payroll'],
    ])
    assert.deepEqual(sums.map(control), [
      ['sum', '4711', '42.56', '2'],
      ['sum', '4712', '12.00', '1'],
      ['total', '', '54.56', '3'],
    ])
    assert.equal(cents(sums.at(-1)!['Amount']!), run.paid_cents)
    for (const row of pays) {
      assert.equal(row['Period'], run.pay_on.slice(0, 7))
      assert.deepEqual([row['Currency'], row['Payout']], ['EUR', String(run.id)])
    }
    assert.deepEqual(new Set(pays.map((row) => row['Email'])), new Set([ana.email, ben.email]))
    const { entries } = await hr.api.audit.list({ table: 'downloads' })
    assert.deepEqual(entries[0]!.after, { id: String(run.id), file: 'books.wages' })
  })

  test('what is withheld lowers its own category; of a payment that came back nobody knows which', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    await hr.api.books.change_codes({ ...wage_types, wage_correction: '' })
    const ana = await payee(acme, 'Ana')
    const forged = await acme.agreeing(ana, { amount_cents: 1000, category: 'treatment' })
    await second.api.payouts.release(await make())
    await reverse(hr, forged)
    await acme.agreeing(ana, { amount_cents: 4000 })
    const run = await second.api.payouts.release(await make())
    const { pays } = await read(hr, run.id)
    assert.deepEqual(pays.map(cellsOf), [
      ['Ana', '4711', '40.00', 'bank file'],
      ['Ana', '4712', '-10.00', 'bank file'],
    ])
    await hr.api.payouts.return_item({ id: run.id, person_id: ana.id, reason: 'Account closed' })
    assert.deepEqual((await read(hr, run.id)).rows.map(control), [
      ['total', '', '0.00', '0'],
      ['returned', '', '30.00', '2'],
    ])
    const again = await second.api.payouts.release(await make())
    assert.deepEqual(await fieldsOf(hr.api.books.wages({ id: again.id })), {
      wage_correction: ['Corrections has no wage type'],
    })
    await hr.api.books.change_codes(wage_types)
    const last = await read(hr, again.id)
    assert.deepEqual(last.pays.map(cellsOf), [
      ['Ana', '4719', '-10.00', 'bank file'],
      ['Ana', '4711', '40.00', 'bank file'],
    ])
    assert.equal(sum(last.pays.map((row) => cents(row['Amount']!))), again.paid_cents)
  })

  test('is none of a company next door, of an employee, of a run not released, or without a wage type', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    const ana = await payee(acme, 'Ana')
    await rename(ana, '=HYPERLINK("http://evil")')
    await acme.agreeing(ana)
    await acme.agreeing(ana, { amount_cents: 1200, category: 'treatment' })
    const made = await make()
    await refuses('run_not_released', hr.api.books.wages({ id: made.id }))
    const run = await second.api.payouts.release(made)
    await refuses('forbidden', ana.api.books.wages({ id: run.id }))
    const other = (await scene.company({ name: 'Other' })).admin
    await refuses('not_found', other.api.books.wages({ id: run.id }))
    await hr.api.books.change_codes({ wage_prevention: '1' })
    await refuses('book_codes_needed', hr.api.books.wages({ id: run.id }))
    assert.deepEqual(await fieldsOf(hr.api.books.wages({ id: run.id })), {
      wage_treatment: ['Treatment has no wage type'],
    })
    const missing = async () => (await hr.api.books.sums({ id: run.id })).missing_wage_types
    assert.deepEqual(await missing(), ['Treatment'])
    await hr.api.books.change_codes(wage_types)
    assert.deepEqual(await missing(), [])
    const { pays } = await read(hr, run.id)
    assert.equal(pays[0]!['Name'], '\'=HYPERLINK("http://evil")')
  })

  test('an erased person’s part stays, paid the way it was', async () => {
    const { acme, hr, second, make } = await payingCompany(scene)
    await hr.api.books.change_codes(wage_types)
    const ana = await payee(acme, 'Ana')
    await acme.agreeing(ana)
    const run = await second.api.payouts.release(await make())
    await scene.sql`update pay_items set holder = null, iban = null where person_id = ${ana.id}`
    assert.equal((await read(hr, run.id)).pays[0]!['Paid by'], 'bank file')
  })
})
