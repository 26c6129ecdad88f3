// A company keeps receipts from its reviewers: they decide by the checks, and one opens for a reason that is told.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { pharmacy, receiptPdf } from '../../test/world/papers.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { send } from '../../test/world/receipts.ts'
import { giveRights, withRights } from '../../test/world/rights.ts'
import { openedScene } from '../../test/world/scene.ts'

const scene = openedScene()
let pdf: Buffer<ArrayBuffer>
let stage: FundedCompany
/** The people who may open them, and those who may not. */
let allowed: Person
let plain: Person
let owner: Person
before(async () => {
  pdf = Buffer.from(await receiptPdf(pharmacy))
  stage = await fundedCompany(scene)
  owner = stage.company.admin
  allowed = await withRights(scene, stage.company, 'reviewer', 'receipts')
  plain = await withRights(scene, stage.company, 'reviewer')
  await restrict(true)
  await send(await stage.hire(), pdf) // the stage makes a key of files where none is yet
})

const restrict = (receipts_restricted: boolean) =>
  owner.api.settings.change_company({ receipts_restricted })

async function claimWith(person: Person) {
  const { id: receipt } = await send(person, pdf, 'oncology.pdf')
  const { id: claim } = await stage.claim(person, { receipt_ids: [receipt] })
  return { receipt, claim }
}

/** Rows of receipts that straight SQL as the request login shows to somebody. */
const seenBy = (person: Person, receipt: string) =>
  scene
    .straight(person, (tx) => tx`select id from receipts where id = ${receipt}`)
    .then(({ length }) => length)

const openedBy = async ({ api }: Person, id: string) =>
  (await api.receipts.opens({ id })).map(({ opener_role, what, purpose }) => [
    opener_role,
    what,
    purpose,
  ])

describe('a restricted receipt', () => {
  test('of one’s own opens to who is a reviewer beside, sent with a claim or not yet', async () => {
    const rea = await stage.hire('Rea')
    await giveRights(scene, stage.company, rea, 'reviewer')
    const { id } = await send(rea, pdf)
    const opens = async () => {
      assert.equal((await rea.api.receipts.find({ id })).id, id)
      assert.ok((await rea.api.receipts.thumbnail({ id })).size > 0)
      assert.equal(await seenBy(rea, id), 1)
    }
    await opens()
    await stage.claim(rea, { receipt_ids: [id] })
    await opens()
    assert.equal(await seenBy(plain, id), 0)
  })

  test('shows a reviewer nothing but that it is there; the claim is decided by its checks', async () => {
    const ana = await stage.hire('Ana')
    const draft = await stage.draft({ amount_cents: 8_000, service_on: stage.today })
    const receipt = await stage.receipt(ana, {
      amount_cents: 8_000,
      on: stage.today,
      provider: 'Oncology Harbour Clinic',
    })
    await scene.sql`update receipts set file_name = 'oncology.pdf' where id = ${receipt}`
    const { id } = await ana.api.claims.submit({ ...draft, receipt_ids: [receipt] })
    for (const person of [plain, allowed, owner]) {
      const found = await person.api.review.find({ id })
      assert.deepEqual([found.receipts_list, found.restricted_receipts], [[], 1])
      const match = found.trace.find(({ rule }) => rule === 'receipt_match')
      assert.equal(match?.facts['found'], 'agrees')
      assert.doesNotMatch(JSON.stringify(found), /oncology/i)
      assert.deepEqual(await person.api.receipts.list({ claim_id: id }), [])
      await refuses('not_found', person.api.receipts.find({ id: receipt }))
      await refuses('not_found', person.api.receipts.thumbnail({ id: receipt }))
      await refuses('not_found', person.api.receipts.file({ id: receipt }))
      assert.equal(await seenBy(person, receipt), 0)
    }
    const { version } = await plain.api.review.find({ id })
    assert.equal((await plain.api.review.approve({ id, version })).status, 'approved')
  })

  test('opens to a reviewer with the right, for a reason, and whose it is reads both', async () => {
    const ben = await stage.hire('Ben')
    const { receipt, claim } = await claimWith(ben)
    const purpose = 'The amount could not be read'
    const found = await allowed.api.review.open_receipts({ id: claim, purpose })
    assert.deepEqual([found.receipts_list.length, found.restricted_receipts], [1, 0])
    assert.ok((await (await allowed.api.receipts.file({ id: receipt })).arrayBuffer()).byteLength)
    await allowed.api.receipts.thumbnail({ id: receipt, size: 'large' })
    assert.equal(await seenBy(allowed, receipt), 1)
    assert.deepEqual(await openedBy(ben, receipt), [
      ['company_admin', 'file', null],
      ['company_admin', 'picture', purpose],
    ])
    const { notifications } = await ben.api.notifications.list({})
    const notice = notifications.find(({ code }) => code === 'receipts_opened')
    assert.equal(notice?.path, `/dashboard/my-claims/${claim}`)
    assert.doesNotMatch(JSON.stringify(notice), /could not be read/)
    await refuses('not_found', plain.api.receipts.file({ id: receipt }))
  })

  test('closes again after half an hour', async () => {
    const cem = await stage.hire('Cem')
    const { receipt, claim } = await claimWith(cem)
    await allowed.api.review.open_receipts({ id: claim, purpose: 'A second look' })
    await scene.sql`update receipt_openings set at = now() - interval '31 minutes'
      where receipt_id = ${receipt}`
    await refuses('not_found', allowed.api.receipts.file({ id: receipt }))
    assert.equal((await allowed.api.review.find({ id: claim })).restricted_receipts, 1)
  })

  test('is refused to who has no right to it, without a reason, of one’s own and elsewhere', async () => {
    const dora = await stage.hire('Dora')
    const { claim } = await claimWith(dora)
    const purpose = 'Just curious'
    const no_reviewer = await withRights(scene, stage.company, 'receipts', 'finance')
    const other = await fundedCompany(scene)
    const stranger = await withRights(scene, other.company, 'reviewer', 'receipts')
    await refuses('receipts_not_for_you', plain.api.review.open_receipts({ id: claim, purpose }))
    await refuses('receipts_not_for_you', owner.api.review.open_receipts({ id: claim, purpose }))
    await refuses('forbidden', no_reviewer.api.review.open_receipts({ id: claim, purpose }))
    await refuses('forbidden', dora.api.review.open_receipts({ id: claim, purpose }))
    await refuses('not_found', stranger.api.review.open_receipts({ id: claim, purpose }))
    await refuses('invalid_input', allowed.api.review.open_receipts({ id: claim, purpose: '  x ' }))
    const too_long = 'x'.repeat(201)
    await refuses(
      'invalid_input',
      allowed.api.review.open_receipts({ id: claim, purpose: too_long }),
    )
    await giveRights(scene, stage.company, dora, 'reviewer', 'receipts')
    await refuses('not_found', dora.api.review.open_receipts({ id: claim, purpose }))
    const opened = await scene.sql`select from receipt_openings where purpose = ${purpose}`
    assert.equal(opened.length, 0)
  })

  test('stays restricted when the company no longer restricts them, and so do those used again', async () => {
    const eli = await stage.hire('Eli')
    const { receipt, claim } = await claimWith(eli)
    await restrict(false)
    try {
      await refuses('not_found', plain.api.receipts.file({ id: receipt }))
      const { version } = await plain.api.review.find({ id: claim })
      const text = 'Not covered'
      await plain.api.review.reject({ id: claim, version, reason: 'not_covered', text })
      const [again] = await eli.api.receipts.reuse({ ids: [receipt] })
      assert.equal(again?.restricted, true)
      const open = await claimWith(await stage.hire('Fay'))
      assert.ok((await plain.api.review.find({ id: open.claim })).receipts_list.length)
      await restrict(true)
      assert.deepEqual((await plain.api.review.find({ id: open.claim })).receipts_list, [])
    } finally {
      await restrict(true)
    }
  })

  test('an owner alone restricts them, and the record says so', async () => {
    await refuses('forbidden', plain.api.settings.change_company({ receipts_restricted: false }))
    const { receipts_restricted, admins_two_step } = await owner.api.settings.company({})
    assert.deepEqual([receipts_restricted, admins_two_step], [true, 'optional'])
    const { entries } = await owner.api.audit.list({})
    assert.ok(entries.some(({ table_name, act }) => table_name === 'companies' && act === 'update'))
  })

  test('that is erased is not said to be there', async () => {
    const { receipt, claim } = await claimWith(await stage.hire('Hal'))
    await scene.sql`delete from receipts where id = ${receipt}`
    const found = await allowed.api.review.find({ id: claim })
    assert.deepEqual([found.receipts_list, found.restricted_receipts], [[], 0])
    const purpose = 'The amount could not be read'
    await refuses('receipt_gone', allowed.api.review.open_receipts({ id: claim, purpose }))
  })

  test('of an appeal counts with those of the claim it appeals', async () => {
    const gil = await stage.hire('Gil')
    const { claim } = await claimWith(gil)
    const { version } = await plain.api.review.find({ id: claim })
    await plain.api.review.approve({ id: claim, version, amount_cents: 1000, text: 'A part' })
    const rest = await gil.api.claims.appeal({
      id: claim,
      text: 'The rest, please',
      receipt_ids: [],
    })
    assert.equal((await plain.api.review.find({ id: rest.id })).restricted_receipts, 1)
    const opened = await allowed.api.review.open_receipts({ id: rest.id, purpose: 'The appeal' })
    assert.deepEqual([opened.receipts_list.length, opened.restricted_receipts], [1, 0])
  })
})
