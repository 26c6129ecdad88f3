// The journal is the ledger, as a company's books say it: to the cent, whatever happened.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { accounts, cents, readCsv, sum } from '../../test/book-files.ts'
import { randomBy, randomSeed } from '../../test/random.ts'
import { reverse } from '../../test/world/claims.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import { openedScene } from '../../test/world/scene.ts'
import { isProblemCode } from '#problems.ts'

const scene = openedScene()
const seed = randomSeed()

type Stage = Awaited<ReturnType<typeof payingCompany>>
type Row = Record<string, string>

const postings = (rows: Row[]) => rows.filter((row) => row['Record'] === 'posting')
/** The excess of an account's debit side over its credit side. */
const balance = (rows: Row[], account: string | undefined) =>
  sum(
    postings(rows).map((row) => {
      const amount = cents(row['Amount']!)
      return row['Account'] === account ? amount : row['Contra account'] === account ? -amount : 0
    }),
  )

/** Every way in which money of a company moves, each at least once. */
async function everyWay(stage: Stage) {
  const { acme, hr, second, make } = stage
  const [ana, ben, cem] = [
    await payee(acme, 'Ana'),
    await acme.hire('Ben'),
    await payee(acme, 'Cem'),
  ]
  const release = async () => second.api.payouts.release(await make())
  const back = (id: number, person_id: string) =>
    hr.api.payouts.return_item({ id, person_id, reason: 'Account closed' })
  const { provider, plan_year, id: company_id } = acme
  const money = { company_id, amount_cents: 7700, occurred_on: plan_year, confirmed: true }
  const wrong = await provider.api.funds.contribute({ ...money, reference: '=INV;"2" Größe' })
  await provider.api.funds.reverse_contribution({ company_id, id: wrong.id, reason: 'Twice' })
  const undone = await acme.claim(ana, { amount_cents: 1100 })
  await ana.api.claims.withdraw({ id: (await acme.claim(ana, { amount_cents: 2200 })).id })
  const { id, version } = await hr.api.review.find({ id: undone.id })
  await hr.api.review.approve({ id, version })
  await hr.api.review.undo({ id })
  await reverse(hr, await acme.agreeing(ana, { amount_cents: 900 }))
  const [forged, cheated] = [
    await acme.agreeing(ana, { amount_cents: 1000, category: 'treatment' }),
    await acme.agreeing(cem, { amount_cents: 1500 }),
  ]
  await acme.agreeing(ben, { amount_cents: 3333, category: 'treatment' })
  const first = await release()
  await reverse(hr, forged)
  await reverse(hr, cheated)
  await acme.agreeing(ana, { amount_cents: 4000 })
  const second_run = await release() // withholds Ana's thousand
  await back(second_run.id, ana.id)
  await release() // pays all of it, less the thousand, which is of no category by now
  const settle = { reason: 'She left, and it is not worth a letter' }
  await hr.api.payouts.settle_overpayment({
    person_id: cem.id,
    cents: 1500,
    how: 'written_off',
    ...settle,
  })
  await back(first.id, cem.id) // had been written off, and comes back
  await back(first.id, ana.id) // had been withheld since: hers after all
  await release() // so it is given back
  const late = await acme.agreeing(ben, { amount_cents: 600 })
  await release()
  await reverse(hr, late)
  await hr.api.payouts.settle_overpayment({
    person_id: ben.id,
    cents: 600,
    how: 'paid_back',
    ...settle,
  })
  const never = await acme.agreeing(cem, { amount_cents: 800 })
  const last = await release()
  await reverse(hr, never)
  await back(last.id, cem.id) // reversed while its payment was on its way back
  return { ana, ben, cem }
}

const tried = (act: Promise<unknown>) =>
  act.catch(({ code, message }: { code?: string; message?: string }) =>
    assert.ok(isProblemCode(code), message),
  )

/** A random life of a company: claims, decisions, runs, returned payments and settlements in any order. */
async function liveOn({ acme, hr, second }: Stage, acts: number) {
  const { whole, pick } = randomBy(seed)
  const people = [await payee(acme), await payee(acme), await acme.hire()]
  for (let n = 0; n < acts; n += 1) {
    const [dice, person] = [whole(100), pick(people)]
    const category = pick(['prevention', 'treatment'] as const)
    if (dice < 40) await tried(acme.agreeing(person, { amount_cents: 1 + whole(9000), category }))
    else if (dice < 60) {
      const { claims } = await hr.api.review.queue({ status: 'approved' })
      const claim = pick(claims)
      if (!claim) continue
      const { id, version } = claim
      await tried(hr.api.review.reverse({ id, version, text: 'It was forged' }))
    } else if (dice < 80) {
      const pay_on = daysAfter(acme.today, pick([0, whole(40)]))
      await tried(
        hr.api.payouts
          .make({ cut_off_on: acme.today, pay_on })
          .then((run) => second.api.payouts.release(run)),
      )
    } else if (dice < 95) {
      const run = pick((await hr.api.payouts.runs({})).runs)
      const back = { person_id: person.id, reason: 'Account closed' }
      if (run) await tried(hr.api.payouts.return_item({ id: run.id, ...back }))
    } else {
      const overpayment = pick((await hr.api.payouts.overpayments({})).people)
      const how = pick(['paid_back', 'written_off'] as const)
      const settled = { how, reason: 'As agreed' }
      if (overpayment) await hr.api.payouts.settle_overpayment({ ...overpayment, ...settled })
    }
  }
}

const zone = 'Pacific/Kiritimati'

describe('the journal', () => {
  test('of a payout adds up to what it pays, by bank and with the salary, whatever it withholds', async () => {
    const stage = await payingCompany(scene)
    const { acme, hr } = stage
    await hr.api.books.change_codes(accounts)
    await everyWay(stage)
    await liveOn(stage, 60)
    const { runs } = await hr.api.payouts.runs({})
    assert.ok(runs.length >= 6)
    for (const run of runs.filter(({ status }) => status === 'released')) {
      const rows = await readCsv(await hr.api.books.journal({ id: run.id }))
      const paid = balance(rows, accounts.bank) + balance(rows, accounts.payroll)
      assert.equal(paid + run.paid_cents, 0, `payout ${run.id}`)
      assert.equal(balance(rows, accounts.payable), run.paid_cents)
      for (const row of postings(rows)) {
        assert.equal(row['Document'], `P${run.id}`)
        assert.equal(row['Value date'], run.pay_on)
      }
      const { postings: count, cents: total } = await hr.api.books.sums({ id: run.id })
      const totals = rows.filter((row) => row['Record'] === 'total')
      assert.deepEqual(
        totals.map((row) => [row['Debit/credit'], Number(row['Postings']), cents(row['Amount']!)]),
        [
          ['debit', count, total],
          ['credit', count, total],
        ],
      )
    }
    const [{ fault }] = await scene.sql<[{ fault: string | null }]>`
      select fault from verify_ledger(${acme.id})`
    assert.equal(fault, null)
  })

  test('of a month has that month’s transfers of the ledger, and all months add up to what people got', async () => {
    const stage = await payingCompany(scene)
    const { acme, hr } = stage
    const { sql } = scene
    await hr.api.books.change_codes(accounts)
    await everyWay(stage)
    await liveOn(stage, 60)
    await sql`update companies set time_zone = ${zone} where id = ${acme.id}`
    // Acts are spread over years, each in a month of its own, some in the first or the last second of one.
    const days = sql`(date_trunc('month', now() at time zone ${zone})
      - make_interval(months => 1 + (random() * 14)::int)
      + pick.by) at time zone ${zone}`
    const by = sql`cross join lateral (select (array['0 seconds', '1 month -1 second', '14 days'])[
      1 + (random() * 2)::int + 0 * length(x.id::text)]::interval as by) pick`
    await sql.begin(async (tx) => {
      await tx`select setseed(${randomBy(seed).whole(1000) / 1000})`
      await tx`update transfers t set posted_at = d.at from (
        select x.id, ${days} as at from transfers x ${by} where x.company_id = ${acme.id}) d
      where t.company_id = ${acme.id} and t.id = d.id`
      await tx`update pay_runs r set released_at = d.at from (
        select x.id, ${days} as at from pay_runs x ${by} where x.company_id = ${acme.id}) d
      where r.company_id = ${acme.id} and r.id = d.id and r.status = 'released'`
    })
    const months = await sql<{ month: string; event: string; cents: number; count: number }[]>`
      select to_char(posted_at at time zone ${zone}, 'YYYY-MM') as month, event,
        sum(amount_cents)::bigint as cents, count(*)::int as count
      from transfers where company_id = ${acme.id} group by 1, 2 order by 1`
    const inner = ['allocation', 'grant', 'claim_held', 'claim_released']
    const events = new Set(months.map(({ event }) => event))
    for (const event of [...inner, ...booked]) assert.ok(events.has(event), `${event} happened`)
    const names = new Set(months.map(({ month }) => month))
    names.add(acme.today.slice(0, 7)) // what was given back, which no transfer tells
    let all: Row[] = []
    for (const month of names) {
      const rows = await readCsv(await hr.api.books.journal({ month }))
      all = [...all, ...rows]
      for (const row of postings(rows)) assert.equal(row['Date']!.slice(0, 7), month)
      const months_here = months.filter((one) => one.month === month && booked.has(one.event))
      const ledger = sum(months_here.map((one) => one.cents))
      const posted = postings(rows).filter((row) => !/correction/.test(row['Text']!))
      assert.equal(sum(posted.map((row) => cents(row['Amount']!))), ledger, month)
      assert.equal(posted.length, sum(months_here.map(({ count }) => count)), month)
      const [debit, credit] = rows.filter((row) => row['Record'] === 'total')
      assert.equal(debit!['Amount'], credit!['Amount'])
    }
    await asPeopleGot(stage, all)
  })
})

/** The kinds of transfer that are the books' affair (docs/books.md); the others are the company's own money. */
const booked = new Set([
  'contribution',
  'contribution_reversed',
  'claim_approved',
  'claim_undone',
  'claim_reversed',
  'claim_paid',
  'payment_returned',
  'overpaid_recovered',
  'overpaid_paid_back',
  'overpaid_written_off',
  'written_off_returned',
])

/** The sums owed, spent and paid in the journal are those of the claims, the runs and the ledger. */
async function asPeopleGot({ acme }: Stage, rows: Row[]) {
  const { sql } = scene
  const [is] = await sql<[{ owed: number; spent: number; paid: number; outside: number }]>`
    select (select sum(case kind when 'payable' then balance_cents when 'overpaid' then -balance_cents
          else 0 end) from accounts where company_id = ${acme.id})::bigint
        - (select coalesce(sum(o.cents), 0) from profiles p
            cross join lateral private.amounts_to_withhold(${acme.id}, array[p.id]) o
            where p.company_id = ${acme.id} and o.plan_year is null)::bigint as owed,
      (select coalesce(sum(approved_cents), 0) from claims where company_id = ${acme.id}
        and status = 'approved' and payment <> 'reversed')::bigint as spent,
      (select coalesce(sum(i.paid_cents) filter (where i.returned_at is null), 0) from pay_items i
        join pay_runs r on r.company_id = i.company_id and r.id = i.run_id and r.status = 'released'
        where i.company_id = ${acme.id})::bigint as paid,
      (select sum(case event when 'overpaid_paid_back' then amount_cents
          when 'contribution' then amount_cents when 'contribution_reversed' then -amount_cents
          else 0 end) from transfers where company_id = ${acme.id})::bigint as outside`
  const { expense_prevention, expense_treatment, expense_solidarity, bank, payroll } = accounts
  assert.equal(balance(rows, accounts.payable) + is.owed, 0)
  const costs = [expense_prevention, expense_treatment, expense_solidarity]
  assert.equal(sum(costs.map((account) => balance(rows, account))), is.spent)
  assert.equal(balance(rows, bank) + balance(rows, payroll), is.outside - is.paid)
}
