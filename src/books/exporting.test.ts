// Journals: who may have them, when and with which codes, and how DATEV gets them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accounts, datev, readCsv, readExtf, sum } from '../../test/book-files.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { refuses } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()

type Stage = Awaited<ReturnType<typeof payingCompany>>

const fieldsOf = (act: Promise<unknown>) =>
  act.then(
    () => assert.fail('was not refused'),
    (error: { fields?: Record<string, string[]> }) => error.fields ?? {},
  )

/** A run of one claim, and the month in which it was released. */
async function paid() {
  const stage = await payingCompany(scene)
  const { acme, second, make } = stage
  const ana = await payee(acme, 'Ana')
  await acme.agreeing(ana, { amount_cents: 4000 })
  const run = await second.api.payouts.release(await make())
  return { ...stage, ana, run, month: acme.today.slice(0, 7) }
}

/** Everything that happened is moved to this moment at the company. */
const movedTo = ({ acme }: Stage, moment: string) => scene.sql`
  update transfers set posted_at = ${moment}::timestamp at time zone
      (select time_zone from companies where id = ${acme.id})
    where company_id = ${acme.id}`

describe('a journal', () => {
  test('is none of a company next door, of an employee, of a run not released, or of a month to come', async () => {
    const { acme, hr, ana, run, make } = await paid()
    await hr.api.books.change_codes({ ...accounts, ...datev })
    const other = (await scene.company({ name: 'Other' })).admin.api.books
    const formats = ['csv', 'datev'] as const
    for (const format of formats) {
      await refuses('not_found', other.journal({ id: run.id, format }))
      await refuses('forbidden', ana.api.books.journal({ id: run.id, format }))
    }
    await refuses('not_found', other.sums({ id: run.id }))
    await refuses('forbidden', ana.api.books.sums({}))
    await acme.agreeing(ana, { amount_cents: 1200 })
    const open = await make()
    await refuses('run_not_released', hr.api.books.journal({ id: open.id }))
    await refuses('run_not_released', hr.api.books.sums({ id: open.id }))
    await refuses('month_to_come', hr.api.books.journal({ month: '2999-01' }))
    await refuses('month_to_come', hr.api.books.sums({ month: '2999-01' }))
    for (const month of ['2026-13', '2026-1', '1026-01', '2026-01-01', '']) {
      await refuses('invalid_input', hr.api.books.journal({ month }))
    }
    assert.equal((await other.sums({})).postings, 0)
  })

  test('of a month that is still running says so, in its name and to DATEV', async () => {
    const { hr, month } = await paid()
    await hr.api.books.change_codes({ ...accounts, ...datev })
    assert.equal((await hr.api.books.sums({ month })).so_far, true)
    assert.equal((await hr.api.books.sums({})).so_far, true)
    assert.equal((await hr.api.books.sums({ month: '2020-02' })).so_far, false)
    const { head } = await readExtf(await hr.api.books.journal({ month, format: 'datev' }))
    assert.equal(head[16], `"Healthfund ${month} so far"`)
    const past = await readExtf(await hr.api.books.journal({ month: '2020-02', format: 'datev' }))
    assert.equal(past.head[16], '"Healthfund 2020-02"')
    assert.deepEqual([past.head[14], past.head[15]], ['20200201', '20200229'])
    assert.deepEqual(past.postings, [])
  })

  test('without an account is refused, and each that is missing is named', async () => {
    const { hr, run, month } = await paid()
    const { books } = hr.api
    const needed = 'book_codes_needed'
    const { missing, refusals } = await books.sums({ month })
    assert.deepEqual(
      new Set(missing),
      new Set(['Bank', 'Contributions in transit', 'Cost of Prevention', 'Owed to employees']),
    )
    assert.deepEqual([refusals.journal, refusals.datev, refusals.wages], [needed, needed, null])
    assert.equal((await books.sums({ id: run.id })).refusals.wages, needed)
    await refuses(needed, books.journal({ id: run.id }))
    assert.deepEqual(await fieldsOf(books.journal({ id: run.id })), {
      payable: ['Owed to employees has no account'],
      bank: ['Bank has no account'],
    })
    await books.change_codes(accounts)
    const complete = await books.sums({ month })
    assert.deepEqual([complete.missing, complete.refusals.journal], [[], null])
    assert.deepEqual(await fieldsOf(books.journal({ month, format: 'datev' })), {
      datev_consultant: ['Consultant number is not known'],
      datev_client: ['Client number is not known'],
    })
    await books.change_codes({ ...datev, bank: 'A-1200', payable: '174000' })
    assert.deepEqual(await fieldsOf(books.journal({ id: run.id, format: 'datev' })), {
      bank: ['Bank needs digits only for DATEV, at most 5'],
      payable: ['Owed to employees needs digits only for DATEV, at most 5'],
    })
    await books.change_codes({ datev_digits: '5', bank: '12000' })
    const { head, postings } = await readExtf(await books.journal({ id: run.id, format: 'datev' }))
    assert.equal(head[13], '5')
    assert.deepEqual(
      postings.map(({ debit, credit, cents }) => [debit, credit, cents]),
      [['174000', '12000', 4000]],
    )
  })

  test('says nothing about health and names nobody; a reference that is a formula stays text', async () => {
    const stage = await paid()
    const { acme, hr, month } = stage
    await hr.api.books.change_codes({ ...accounts, ...datev })
    const reference = '=SUM("Größe";A1) 5 € 李'
    await acme.provider.api.funds.contribute({
      company_id: acme.id,
      amount_cents: 100,
      occurred_on: acme.plan_year,
      reference,
    })
    const rows = await readCsv(await hr.api.books.journal({ month }))
    const texts = rows.filter((row) => row['Record'] === 'posting').map((row) => row['Text']!)
    const number = /\d+/.exec(texts.find((text) => text.startsWith('Claim'))!)![0]
    assert.deepEqual(
      new Set(texts),
      new Set([
        'Contribution INV-1',
        `Contribution ${reference}`,
        `Claim ${number} approved`,
        `Payout ${stage.run.id}, claim ${number}`,
      ]),
    )
    const { postings } = await readExtf(await hr.api.books.journal({ month, format: 'datev' }))
    assert.ok(postings.some(({ text }) => text === 'Contribution =SUM("Größe";A1) 5 € ?'))
    assert.equal(
      sum(postings.map(({ cents }) => cents)),
      (await hr.api.books.sums({ month })).cents,
    )
    const json = JSON.stringify([rows, postings])
    assert.ok(!/Ana|Harbour|Clinic|treatment/i.test(json))
    const contribution = rows.find((row) => row['Text']!.endsWith('李'))!
    assert.equal(contribution['Value date'], acme.plan_year)
    assert.equal(contribution['Date'], acme.today)
  })

  test('belongs to the day at the company, also in the last second of a year', async () => {
    const stage = await paid()
    const { acme, hr } = stage
    await hr.api.books.change_codes({ ...accounts, ...datev, datev_year: '7' })
    await scene.sql`select seal_transfers(${acme.id}, 1000)`
    const [sealed] = await scene.sql<[{ number: number }]>`
      select s.number from transfer_seals s join transfers t
        on t.company_id = s.company_id and t.id = s.transfer_id and t.event = 'contribution'
        where s.company_id = ${acme.id}`
    for (const zone of ['Pacific/Kiritimati', 'America/New_York']) {
      await scene.sql`update companies set time_zone = ${zone} where id = ${acme.id}`
      await movedTo(stage, '2025-12-31 23:59:59')
      const count = async (month: string) => (await hr.api.books.sums({ month })).postings
      assert.deepEqual([await count('2025-12'), await count('2026-01')], [3, 0])
      const old = await readExtf(await hr.api.books.journal({ month: '2025-12', format: 'datev' }))
      assert.deepEqual([old.head[12], old.head[15]], ['20250701', '20251231'])
      assert.deepEqual(
        old.postings.map(({ on }) => on),
        ['3112', '3112', '3112'],
      )
      assert.ok(old.postings.some(({ document }) => document === `T${sealed.number}`))
      await movedTo(stage, '2026-01-01 00:00:00')
      assert.deepEqual([await count('2025-12'), await count('2026-01')], [0, 3])
      const fresh = await readCsv(await hr.api.books.journal({ month: '2026-01' }))
      assert.equal(fresh[0]!['Date'], '2026-01-01')
    }
  })

  test('has no contributions where they come from the account that pays: no money moves between two', async () => {
    const { hr, month } = await paid()
    await hr.api.books.change_codes(accounts)
    const all = await hr.api.books.sums({ month })
    await hr.api.books.change_codes({ transit: accounts.bank })
    const { postings, cents } = await hr.api.books.sums({ month })
    assert.deepEqual([all.postings, postings, cents], [3, 2, 8000])
    const rows = await readCsv(await hr.api.books.journal({ month }))
    assert.equal(rows.filter((row) => row['Record'] === 'posting').length, 2)
  })

  test('is for DATEV in currencies with two decimals or none; taking it is on record', async () => {
    const { acme, hr, run, month } = await paid()
    await hr.api.books.change_codes({ ...accounts, ...datev })
    await hr.api.books.journal({ month, format: 'datev' })
    const { entries } = await hr.api.audit.list({ table: 'downloads' })
    assert.deepEqual(entries[0]!.after, { month, format: 'datev', file: 'books.journal' })
    await scene.countsIn(acme.id, 'KWD')
    const { refusals } = await hr.api.books.sums({ id: run.id })
    assert.deepEqual([refusals.journal, refusals.datev], [null, 'datev_two_decimals'])
    await refuses('datev_two_decimals', hr.api.books.journal({ id: run.id, format: 'datev' }))
    const [row] = await readCsv(await hr.api.books.journal({ id: run.id }))
    assert.deepEqual([row!['Amount'], row!['Currency']], ['4.000', 'KWD'])
    await scene.countsIn(acme.id, 'JPY')
    const yen = await readExtf(await hr.api.books.journal({ id: run.id, format: 'datev' }))
    assert.equal(yen.postings[0]!.cents, 400_000)
  })
})
