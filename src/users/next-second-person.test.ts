// A new holder of a right counts for a day as the giver: every page says so, and until when.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { refusalText } from '#claims/review/refused.ts'
import { tooFew } from '#claims/policies/gaps.contract.ts'
import { needText } from '#notifications/needs.contract.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import type { Person } from '../../test/world/people.ts'
import { aDayLater } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'
import { dateText } from '#ui/date-words.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
let olaf: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  await scene.confirm(hr)
  olaf = await acme.admin('Olaf')
  await scene.sql`update company_rights set given_by = ${hr.id} where person_id = ${olaf.id}`
})

test('a new second person is told of with the moment from which they count, on every page', async () => {
  const ana = await acme.hire('Ana')
  const { id, version } = await acme.claim(ana, { amount_cents: 60_000, category: 'treatment' })
  await hr.api.review.approve({ id, version })
  const { rights } = (await hr.api.rights.list({})).holders.find((one) => one.id === olaf.id)!
  const counts_from = rights.find(({ kind }) => kind === 'reviewer')!.counts_from!
  const text = `Olaf counts as a second person from ${dateText(counts_from, 'moment')}`

  const claim = await hr.api.review.find({ id })
  const why = refusalText(claim.refusals.approve!, claim)
  assert.ok(why.endsWith(`Nobody else can decide it now. ${text}.`), why)

  for (const { api } of [hr, olaf]) {
    const { has_second_person, next_second_person } = await api.payouts.preview({})
    assert.deepEqual([has_second_person, next_second_person?.name], [false, 'Olaf'])
    assert.equal(Date.parse(next_second_person!.from_at), Date.parse(counts_from))
  }

  const gaps = await hr.api.policies.gaps({})
  assert.deepEqual([gaps.reviewers, gaps.not_yet], [2, 1])
  assert.equal(
    tooFew(gaps),
    `A claim may need 2 approvals by different people. ${text}; such a claim may wait until then.`,
  )

  const { lines } = await olaf.api.needs.list({})
  const line = lines.find(({ number }) => number === id)!
  const { title, does } = needText(line)
  assert.equal(title, `Claim #${id} waits until your right to review is a day old`)
  assert.equal(does, 'View claim')
})

test('a day later they count, and nothing says otherwise', async () => {
  await aDayLater(scene, olaf)
  const gaps = await hr.api.policies.gaps({})
  assert.deepEqual([gaps.not_yet, gaps.next_second_person, tooFew(gaps)], [0, null, undefined])
  const preview = await hr.api.payouts.preview({})
  assert.deepEqual([preview.has_second_person, preview.next_second_person], [true, null])
  const { rights } = (await hr.api.rights.list({})).holders.find((one) => one.id === olaf.id)!
  assert.ok(rights.every(({ counts_from }) => counts_from === null))
  const [line] = (await olaf.api.needs.list({})).lines
  assert.equal(needText(line!).does, 'Decide')
})

test('a lone reviewer is told to give somebody the right, in whole sentences', () => {
  const why = refusalText('decided_by_you', { assigned_to: [], next_second_person: null })
  assert.match(
    why,
    /Nobody else can decide it now\. An owner can give somebody the Reviewer right\.$/,
  )
})
