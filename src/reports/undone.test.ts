// Decisions that were undone, in the reports: as if they had never been made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealAll } from '#funds/jobs.server.ts'
import { fundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { cellOf, csvTables, reportMaker } from '../../test/report-files.ts'
import type { ReportKind } from './reports.contract.ts'

const scene = openedScene()
const makeNow = reportMaker(scene)

test('figures of the ledger and of the decisions agree, whatever was undone in between', async () => {
  const stage = await fundedCompany(scene)
  await scene.sql`update companies set time_zone = 'UTC' where id = ${stage.id}`
  const { review } = stage.company.admin.api
  const no = { reason: 'not_covered', text: 'This is not covered by the plan' } as const
  type DecisionAct = 'approve' | 'reject' | 'part'
  const decide = async (id: number, act: DecisionAct) => {
    const of = { id, version: (await review.find({ id })).version }
    if (act === 'reject') return review.reject({ ...of, ...no })
    return review.approve(act === 'approve' ? of : { ...of, amount_cents: 3000, text: 'In part' })
  }
  const claim = async (
    person: Person,
    category: 'prevention' | 'treatment',
    ...acts: DecisionAct[]
  ) => {
    const { id } = await stage.claim(person, { category, amount_cents: 5000 })
    for (const [at, act] of acts.entries()) {
      await decide(id, act)
      if (at < acts.length - 1) await review.undo({ id })
    }
    return id
  }
  const people = []
  for (let at = 0; at < 6; at += 1) people.push(await stage.hire())
  for (const person of people) {
    await claim(person, 'prevention', 'approve', 'approve')
    await claim(person, 'prevention', 'reject', 'part', 'reject')
    await claim(person, 'prevention', 'part', 'reject', 'part')
  }
  // Four people have used something of Treatment: one approval was undone, one reversed.
  const [first, second, ...four] = people as [Person, Person, ...Person[]]
  await review.undo({ id: await claim(first, 'treatment', 'approve') })
  const wrong = await claim(second, 'treatment', 'approve')
  const { version } = await review.find({ id: wrong })
  await review.reverse({ id: wrong, version, text: 'The wrong claim' })
  for (const person of four) await claim(person, 'treatment', 'approve')
  await sealAll(scene.sql)

  const month = stage.today.slice(0, 7)
  const report = async (kind: ReportKind) => {
    const report_input = { kind, from: month, to: month, company_id: stage.id }
    const made = await makeNow(stage.provider, report_input)
    return csvTables(stage.provider, made.id)
  }
  const activity = await report('claims_activity')
  const ledger = (title: string) => cellOf(activity, 'By category', ['EUR', 'Prevention'], title)
  assert.equal(ledger('Submitted, number'), '18')
  assert.equal(ledger('Submitted'), '900.00')
  assert.equal(ledger('Approved, number'), '12')
  assert.equal(ledger('Approved'), '480.00')
  assert.equal(ledger('Given back, number'), '12')
  assert.equal(ledger('Given back'), '420.00')
  const all = (sheet: string, title: string) => cellOf(activity, sheet, ['EUR', 'All'], title)
  assert.equal(all('By month', 'Approved, number'), '17')
  assert.equal(all('Decisions by month', 'Approved, number'), '17')
  const performance = await report('company_performance')
  assert.equal(cellOf(performance, 'Claims', ['EUR', 'All'], 'Submitted, number'), '24')
  const trends = await report('utilization_trends')
  const used = cellOf(trends, 'By category', ['EUR', month, 'Treatment'], 'Used so far')
  assert.equal(used, 'suppressed', 'of four people')
})
