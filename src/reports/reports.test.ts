// The provider's reports: their figures are the ledger's, their three files agree, few people stay hidden.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { decimal } from '#lib/money.ts'
import { sealAll } from '#funds/jobs.server.ts'
import { approveFunds, fund, moveFunds, payFunds, spread } from '../../test/world/money.ts'
import { aKey, type Company, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { cellOf, csvTables, filesAgree, pdfOfReport, reportMaker } from '../../test/report-files.ts'
import { amount } from './show.ts'
import type { ReportKind } from './reports.contract.ts'

const scene = openedScene()
const makeNow = reportMaker(scene)
let boss: Person
let acme: Company
let small: Company
const month = new Date().toISOString().slice(0, 7)
const all_kinds = [
  'fund_allocation',
  'claims_activity',
  'company_performance',
  'utilization_trends',
] as const
const categories = ['prevention', 'treatment', 'solidarity'] as const

before(async () => {
  boss = await scene.superAdmin()
  acme = await scene.company({ name: 'Acme' })
  small = await scene.company({ name: 'Small Works' })
  await filled(acme, 9)
  await filled(small, 3)
})

/** A company with money and people who claimed: the first `of` of them, different amounts each. */
async function filled(company: Company, of: number) {
  const pools = spread(500_000, 1_500_000, 300_000)
  const plan_year = await fund(boss, company, pools, { amount_cents: 5_000_000 })
  for (let at = 0; at < of; at += 1) {
    const { id } = await company.hire()
    const claim = (category: string, cents: number, then: 'wait' | 'approve' | 'pay' | 'release') =>
      claims(company.id, plan_year, id, category, cents, then)
    await claim('treatment', 10_050 + at * 1111, at % 2 ? 'pay' : 'approve')
    await claim('prevention', 2_005 + at, at < 5 ? 'approve' : 'wait')
    if (at === 0) await claim('solidarity', 3_333, 'approve')
    if (at === 1) await claim('treatment', 500, 'release')
  }
  await sealAll(scene.sql)
}

async function claims(
  company: string,
  year: string,
  person: string,
  category: string,
  cents: number,
  then: string,
) {
  const { sql } = scene
  const cause = `claim ${aKey()} 1`
  const of = { company, year, person, category }
  await moveFunds(sql, 'hold', of, cents, cause)
  if (then === 'release') await moveFunds(sql, 'release', of, cents, cause)
  if (then === 'approve' || then === 'pay') await approveFunds(sql, of, [cents, cents - 5], cause)
  if (then === 'pay') await payFunds(sql, of, cents - 5, cause)
}

const generate = (kind: ReportKind, company_id?: string) =>
  makeNow(boss, {
    kind,
    from: `${month.slice(0, 4)}-01`,
    to: month,
    ...(company_id ? { company_id } : {}),
  })

type Transfer = {
  company_id: string
  amount_cents: number
  event: string
  person_id: string | null
  from_kind: string
  to_kind: string
  category: string | null
  to_category: string | null
  from_category: string | null
}
/** The ledger itself, row by row: nothing that is kept or summed. */
const ledger = () => scene.sql<Transfer[]>`
  select t.company_id, t.amount_cents, t.event, t.person_id, f.kind as from_kind, o.kind as to_kind,
    coalesce(o.category, f.category) as category, o.category as to_category,
    f.category as from_category
  from transfers t join accounts f on f.company_id = t.company_id and f.id = t.from_account
  join accounts o on o.company_id = t.company_id and o.id = t.to_account`
const sumOf = (rows: Transfer[]) => rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0)

describe('figures', () => {
  test('fund allocation is what the transfers of one company add up to, to the cent', async () => {
    const report = await generate('fund_allocation', acme.id)
    assert.match(report.title, /^Fund allocation summary · Acme · /)
    const tables = await csvTables(boss, report.id)
    const [head, ...rows] = tables['By category']!
    const of_acme = (await ledger()).filter(({ company_id }) => company_id === acme.id)
    const balance = (kinds: string[], category: string | null) =>
      sumOf(of_acme.filter((t) => kinds.includes(t.to_kind) && t.to_category === category)) -
      sumOf(of_acme.filter((t) => kinds.includes(t.from_kind) && t.from_category === category))
    const column = (title: string) => head!.indexOf(title)
    for (const category of ['prevention', 'treatment']) {
      const row = rows.find((cells) => cells[1]!.toLowerCase() === category)!
      const is = (title: string, cents: number) =>
        assert.equal(row[column(title)], decimal(cents, 'EUR'), `${category} ${title}`)
      is('Not granted', balance(['pool'], category))
      is('Allocated', balance(['pool', 'available', 'held', 'payable', 'paid'], category))
      is('Granted', balance(['available', 'held', 'payable', 'paid'], category))
    }
    const by_kind = (kinds: string[]) =>
      categories.reduce((sum, category) => sum + balance(kinds, category), 0)
    const whole = rows.find((cells) => cells[1] === 'All')!
    assert.equal(whole[column('Used so far')], decimal(by_kind(['payable', 'paid']), 'EUR'))
    // One person alone used Solidarity: hidden, and so is another category, or it could be computed.
    const hidden = rows.filter((cells) => cells[column('Used so far')] === 'suppressed')
    assert.equal(hidden.length, 2)
    assert.ok(hidden.some(([, category]) => category === 'Solidarity'))
  })

  test('fund allocation tells of the period what was used in it, and of all else that it is so far', async () => {
    const company = await scene.company({ name: 'Two months' })
    await filled(company, 9)
    const used = async () => {
      const report_input = { kind: 'fund_allocation', from: month, to: month } as const
      const { id } = await makeNow(boss, { ...report_input, company_id: company.id })
      const tables = await csvTables(boss, id)
      return [
        cellOf(tables, 'Used in the period', ['EUR', 'All'], 'Used in the period'),
        cellOf(tables, 'By category', ['EUR', 'All'], 'Used so far'),
      ]
    }
    const [in_period, so_far] = await used()
    assert.equal(in_period, so_far)
    await scene.sql`update transfers set posted_at = posted_at - interval '40 days'
      where company_id = ${company.id} and event = 'claim_approved'`
    assert.deepEqual(await used(), ['0.00', so_far])
  })

  test('claims activity is what the events of the ledger add up to, to the cent', async () => {
    const report = await generate('claims_activity', acme.id)
    const tables = await csvTables(boss, report.id)
    const of_acme = (await ledger()).filter(({ company_id }) => company_id === acme.id)
    const [head, ...rows] = tables['By month']!
    const whole = rows.find((cells) => cells[1] === 'All')!
    const this_month = rows.find((cells) => cells[1] === month)!
    const events = { Submitted: 'claim_held', Approved: 'claim_approved' }
    for (const [title, event] of Object.entries(events)) {
      const found = of_acme.filter((t) => t.event === event)
      for (const row of [whole, this_month]) {
        assert.equal(row[head!.indexOf(title)], decimal(sumOf(found), 'EUR'))
        assert.equal(row[head!.indexOf(`${title}, number`)], String(found.length))
      }
    }
    const payers = new Set(of_acme.filter((t) => t.event === 'claim_paid').map((t) => t.person_id))
    assert.equal(payers.size, 4)
    assert.equal(whole[head!.indexOf('Paid')], 'suppressed', 'four people were paid')
  })

  test('what one person was overpaid does not follow from what is shown', async () => {
    const company = await scene.company({ name: 'Overpaying' })
    await filled(company, 9)
    const [paid] = await scene.sql<[{ year: string; person: string; cents: number }]>`
      select plan_year as year, person_id as person, balance_cents as cents from accounts
      where company_id = ${company.id} and kind = 'paid' and category = 'treatment'
      order by balance_cents desc limit 1`
    const of = { company: company.id, category: 'treatment', ...paid }
    await moveFunds(scene.sql, 'reverse_paid', of, paid.cents, 'claim 9 1')
    await sealAll(scene.sql)
    const tables = await csvTables(boss, (await generate('fund_allocation', company.id)).id)
    for (const category of ['Prevention', 'Treatment', 'Solidarity', 'All']) {
      const cell = (title: string) => cellOf(tables, 'By category', ['EUR', category], title)
      const parts = ['Used so far', 'Waiting', 'Available'].map(cell)
      if (parts.includes('suppressed')) continue
      const sum = parts.reduce((cents, part) => cents + Math.round(Number(part) * 100), 0)
      assert.equal(decimal(sum, 'EUR'), cell('Granted'), category)
    }
  })

  test('what the board reads first are the figures of the tables', async () => {
    const report = await generate('fund_allocation', acme.id)
    const { 'By category': by_category } = await csvTables(boss, report.id)
    const [head, ...rows] = by_category!
    const whole = rows.find((cells) => cells[1] === 'All')!
    const used = amount({
      cents: Math.round(Number(whole[head!.indexOf('Used so far')]) * 100),
      currency: 'EUR',
    })
    const share = `${whole[head!.indexOf('Utilization, %')]}%`
    const sentence = `${used} is used so far, ${share} of what is allocated.`
    const { text } = await pdfOfReport(boss, report.id)
    assert.ok(text.includes('What happened'), text)
    assert.ok(text.includes(sentence), `${sentence} is not in ${text}`)
    assert.match(text, /What to decide .*Paid in, but in no category: Acme \(€27,000\.00\)/)
    const csv = await (await boss.api.reports.file({ id: report.id, format: 'csv' })).text()
    assert.ok(csv.includes(sentence))
  })

  test('a company of few is hidden in every report, and cannot be worked out of the rest', async () => {
    const third = await scene.company({ name: 'Third' })
    await filled(third, 7)
    const report = await generate('company_performance')
    const { Companies: companies } = await csvTables(boss, report.id)
    const [head, ...rows] = companies!
    const used = (name: string) => rows.find((cells) => cells[1] === name)![head!.indexOf('Used')]
    assert.equal(used('Small Works'), 'suppressed')
    const shown = ['Acme', 'Third', 'All'].filter((name) => used(name) !== 'suppressed')
    assert.equal(shown.length, 2, 'one other goes with it')
    const participation = rows.find((cells) => cells[1] === 'Small Works')!
    assert.equal(participation[head!.indexOf('People who claimed')], 'suppressed')
    const { text } = await pdfOfReport(boss, report.id)
    assert.match(text, /fewer than five people/)
  })

  test('utilization trends end where the money stands now', async () => {
    const report = await generate('utilization_trends', acme.id)
    const tables = await csvTables(boss, report.id)
    const [head, ...rows] = tables['By month']!
    const last = rows.at(-1)!
    const { categories: now } = await acme.admin.api.funds.overview({})
    const sum = (field: 'used_cents' | 'allocated_cents') =>
      decimal(
        now.reduce((all, category) => all + category[field], 0),
        'EUR',
      )
    assert.equal(last[1], month)
    assert.equal(last[head!.indexOf('Used so far')], sum('used_cents'))
    assert.equal(last[head!.indexOf('Allocated')], sum('allocated_cents'))
    assert.equal(last[head!.indexOf('Employees')], '9')
    assert.equal(last[head!.indexOf('People who claimed')], '9')
  })

  test('companies of different currencies are never added', async () => {
    const swiss = await scene.company({ name: 'Swiss' })
    await scene.sql`update companies set currency = 'JPY' where id = ${swiss.id}`
    const report = await generate('fund_allocation')
    const tables = await csvTables(boss, report.id)
    const [, ...rows] = tables['By category']!
    const sums = rows.filter(([, category]) => category === 'All')
    assert.deepEqual(
      sums.map(([currency]) => currency),
      ['EUR', 'JPY'],
    )
    assert.equal(sums[1]![2], '0')
    assert.match((await pdfOfReport(boss, report.id)).text, /different currencies are never added/)
    await scene.sql`update companies set currency = 'EUR' where id = ${swiss.id}`
  })
})

describe('files', () => {
  for (const kind of all_kinds) {
    test(`${kind}: PDF, XLSX and CSV say the same`, async () => {
      const report = await generate(kind)
      const tables = await csvTables(boss, report.id)
      await filesAgree(boss, report, tables)
      const { text } = await pdfOfReport(boss, report.id)
      assert.ok(report.pdf_bytes! > 5_000)
      assert.ok(text.includes('Healthfund'))
    })
  }

  test('a name is no formula, and letters of every European language are there', async () => {
    const odd = await scene.company({ name: 'Žöllner Σίγμα Щука' })
    await scene.sql`update companies set name = '=1+1|Žöllner Σίγμα Щука' where id = ${odd.id}`
    const report = await generate('company_performance', odd.id)
    const csv = await (await boss.api.reports.file({ id: report.id, format: 'csv' })).text()
    assert.ok(csv.includes("'=1+1|Žöllner"))
    assert.ok(!/(^|,)=1/m.test(csv))
    assert.match((await pdfOfReport(boss, report.id)).text, /Žöllner Σίγμα Щука/)
    await scene.sql`update companies set name = 'Odd' where id = ${odd.id}`
  })
})
