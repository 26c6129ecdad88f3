// Claims with lines: each line is decided on separately.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { approvalOf, fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene({ env: { LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal' } })
let acme: FundedCompany
let hr: Person
let second: Person
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  second = await acme.admin('Second')
  ana = await acme.hire('Ana')
})

const glasses = { what: 'Glasses', amount_cents: 20_000 }
const cloth = { what: 'Cleaning cloth', amount_cents: 1000 }
const of_both = { amount_cents: 21_000, lines: [glasses, cloth] }
const whole = (line: typeof glasses) => ({ approved_cents: line.amount_cents })
const refused_cloth = { approved_cents: 0, reason: 'Cloths are not covered' }
const linesOf = async ({ id }: { id: number }) =>
  (await ana.api.claims.find({ id })).lines.map(({ what, approved_cents, reason }) => [
    what,
    approved_cents,
    reason,
  ])

describe('a claim with lines', () => {
  test('adds up, or is not made', async () => {
    const short = { ...of_both, amount_cents: 20_999 }
    await refuses('lines_differ', acme.claim(ana, short))
    const draft = await acme.draft(short)
    const { problems } = await ana.api.claims.check(draft)
    assert.ok(problems.some(({ code, field }) => code === 'lines_differ' && field === 'lines'))
    for (const lines of [
      [{ ...glasses, what: ' ' }, cloth],
      [
        { ...glasses, amount_cents: 22_000 },
        { ...cloth, amount_cents: -1000 },
      ],
      Array.from({ length: 21 }, () => cloth),
    ]) {
      await refuses('invalid_input', acme.claim(ana, { amount_cents: 21_000, lines }))
    }
  })

  test('is decided line by line, with a reason where it is less, which its person reads', async () => {
    const claim = await acme.claim(ana, of_both)
    assert.deepEqual(await linesOf(claim), [
      ['Glasses', null, null],
      ['Cleaning cloth', null, null],
    ])
    const decide = (lines: object[], more = {}) =>
      hr.api.review.approve({ ...approvalOf(claim), lines, ...more } as never)
    await refuses(
      'decide_by_line',
      hr.api.review.approve({ ...approvalOf(claim), amount_cents: 20_000 }),
    )
    for (const decisions of [
      [{}, {}],
      [whole(glasses), { approved_cents: -1, reason: 'Less' }],
    ])
      await assert.rejects(
        scene.straight(
          hr,
          (tx) =>
            tx`select approve_claim(${claim.id}, ${claim.version}, null, null, ${tx.json(decisions)})`,
        ),
        { message: 'decide_by_line' },
      )
    await refuses('decide_by_line', decide([whole(glasses)]))
    await refuses('decide_by_line', decide([whole(glasses), whole(cloth)], { amount_cents: 9 }))
    await refuses('reason_needed', decide([whole(glasses), { approved_cents: 0 }]))
    await refuses('approved_more_than_claimed', decide([{ approved_cents: 20_001 }, refused_cloth]))
    await refuses('approved_nothing', decide([{ ...refused_cloth }, { ...refused_cloth }]))
    const done = await decide([whole(glasses), refused_cloth])
    assert.deepEqual([done.status, done.approved_cents], ['approved', 20_000])
    assert.deepEqual(await linesOf(claim), [
      ['Glasses', 20_000, null],
      ['Cleaning cloth', 0, 'Cloths are not covered'],
    ])
    assert.deepEqual(await acme.faults(), [])
  })

  test('one without lines is not decided by them', async () => {
    const claim = await acme.claim(ana, { amount_cents: 5000 })
    const lines = [{ approved_cents: 4000, reason: 'Less' }]
    await refuses('decide_by_line', hr.api.review.approve({ ...approvalOf(claim), lines }))
    assert.deepEqual(await linesOf(claim), [])
  })

  test('a further approval lowers a line, and never raises one', async () => {
    const large = { what: 'Frame', amount_cents: 40_000 }
    const claim = await acme.claim(ana, { amount_cents: 41_000, lines: [large, cloth] })
    const first = await hr.api.review.approve({
      ...approvalOf(claim),
      lines: [{ approved_cents: 38_000, reason: 'The bill says 380' }, whole(cloth)],
    })
    assert.deepEqual([first.status, first.stage], ['pending', 'further_review'])
    const then = (lines: object[]) =>
      second.api.review.approve({ ...approvalOf(first), lines } as never)
    await refuses('approved_more_than_before', then([whole(large), whole(cloth)]))
    await then([{ approved_cents: 38_000 }, refused_cloth])
    assert.deepEqual(await linesOf(claim), [
      ['Frame', 38_000, 'The bill says 380'],
      ['Cleaning cloth', 0, 'Cloths are not covered'],
    ])
    const rest = await ana.api.claims.appeal({ id: claim.id, text: 'The cloth came with it' })
    assert.deepEqual([rest.amount_cents, rest.appeal_of], [3000, claim.id])
    assert.deepEqual(
      rest.lines.map(({ what, amount_cents, approved_cents }) => [
        what,
        amount_cents,
        approved_cents,
      ]),
      [
        ['Frame', 2000, null],
        ['Cleaning cloth', 1000, null],
      ],
    )
    assert.deepEqual(await acme.faults(), [])
  })

  test('undone, and after an appeal against a rejection, its lines are as they were asked', async () => {
    const lines = [
      ['Glasses', null, null],
      ['Cleaning cloth', null, null],
    ]
    const claim = await acme.claim(ana, of_both)
    await hr.api.review.approve({ ...approvalOf(claim), lines: [whole(glasses), refused_cloth] })
    await hr.api.review.undo({ id: claim.id })
    assert.deepEqual(await linesOf(claim), lines)
    const { version } = await hr.api.review.find({ id: claim.id })
    const rejected = { id: claim.id, version, reason: 'other' as const, text: 'Not covered' }
    await hr.api.review.reject(rejected)
    await ana.api.claims.appeal({ id: claim.id, text: 'Look again' })
    assert.deepEqual(await linesOf(claim), lines)
  })

  test('the record of changes has no line', async () => {
    await acme.claim(ana, of_both)
    const [kept] = await scene.sql<[{ rows: number; lines: number }]>`
      select count(*) as rows, count(*) filter (where a::text like '%Cleaning cloth%') as lines
      from audit_log a where company_id = ${acme.id} and table_name in ('claims', 'claim_events')`
    assert.ok(kept.rows > 0)
    assert.equal(kept.lines, 0)
  })
})
