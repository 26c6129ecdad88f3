// Claims: in a person's export with their receipts; a bar to erasure while open; without the person afterwards.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { unzipSync } from 'fflate'
import { FundedCompany, fundedCompany } from '../../test/world/company.ts'
import { pharmacy, receiptPdf } from '../../test/world/papers.ts'
import { refuses, type Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { searchDatabase } from '../../test/search-database.ts'
import { daysOf } from '#lib/retention.ts'
import { sweepFiles } from '#receipts/jobs.server.ts'
import { forgetEverywhere, makeExport } from './jobs.server.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
})

async function upload(person: Person, file_name = 'Pharmacy.pdf'): Promise<string> {
  const file = new Blob([new Uint8Array(await receiptPdf(pharmacy))])
  const { id } = await person.api.receipts.upload({ file_name }, { file })
  return id
}

const approve = ({ id, version }: { id: number; version: number }) =>
  hr.api.review.approve({ id, version })

async function exported(person: Person, making: { room_bytes?: number } = {}) {
  const options = { days: daysOf(scene.config), ...making }
  const { id } = await person.api.privacy.request_export({})
  await makeExport(scene.services.files, options)({ person_id: person.id, id }, scene.tools)
  const blob = await person.api.privacy.download_export({ id })
  return unzipSync(new Uint8Array(await blob.arrayBuffer()))
}

test('an export has the claims, each with its history, and the receipts as they are kept', async () => {
  const ana = await acme.hire('Ana')
  const receipt = await upload(ana)
  const claim_input = { provider: 'Harbour Clinic', note: 'for the knee', receipt_ids: [receipt] }
  const { id } = await acme.claim(ana, claim_input)
  const files = await exported(ana)
  const data = JSON.parse(new TextDecoder().decode(files['data.json'])) as {
    claims: { number: number; provider: string; note: string }[]
    claim_events: { number: number; event: string }[]
  }
  assert.deepEqual(
    data.claims.map(({ number, provider, note }) => [number, provider, note]),
    [[id, 'Harbour Clinic', 'for the knee']],
  )
  assert.equal(data.claim_events[0]?.event, 'submitted')
  const name = Object.keys(files).find((path) => path.startsWith(`receipts/claim-${id}/`))
  assert.match(name ?? '', /Pharmacy\.pdf$/)
  const kept = await ana.api.receipts.file({ id: receipt })
  assert.deepEqual(Buffer.from(files[name!]!), Buffer.from(await kept.arrayBuffer()))

  const small = Object.keys(await exported(ana, { room_bytes: 1000 }))
  assert.ok(small.includes('receipts/MORE.txt') && small.includes('receipts.csv'))
  assert.ok(!small.some((path) => path.startsWith('receipts/claim-')))
})

test('claims that are open or not paid stand against erasure, and say so', async () => {
  const bea = await acme.hire('Bea')
  const claim = await acme.claim(bea, { amount_cents: 4000 })
  const { id } = await bea.api.privacy.request_erasure({})
  await refuses('erasure_open_claims', hr.api.privacy.approve_erasure({ id }))
  const blockers = async () => (await bea.api.privacy.erasure({})).blockers
  assert.deepEqual(
    (await blockers()).map(({ code, items, cents }) => [code, items, cents]),
    [['erasure_open_claims', 1, 4000]],
  )
  await approve(claim)
  await refuses('erasure_unpaid_claims', hr.api.privacy.approve_erasure({ id }))
  assert.equal((await blockers())[0]?.code, 'erasure_unpaid_claims')
})

test('a claim that comes between HR and the provider is seen by the provider', async () => {
  const cara = await acme.hire('Cara')
  const { id } = await cara.api.privacy.request_erasure({})
  await hr.api.privacy.approve_erasure({ id })
  await acme.claim(cara)
  await refuses('erasure_open_claims', acme.provider.api.privacy.approve_erasure({ id }))
})

test('after erasure the amounts stay and nothing says whose, where, for whom or why', async () => {
  const needles = [
    'Wunderlich',
    'Needle Hospital',
    'migraine-note',
    'Zauberberg',
    'Zebulon',
    'GB29NWBK',
  ]
  const dan = await acme.hire('Daniel Wunderlich')
  await dan.api.dependents.add({
    full_name: 'Zebulon Wunderlich',
    relationship: 'child',
    born_on: '2019-05-05',
    covered_from: acme.plan_year,
  })
  const [child] = (await dan.api.dependents.mine({})).dependents
  const about = { provider: 'Needle Hospital', note: 'migraine-note' }
  const receipt = await upload(dan, 'Zauberberg.pdf')
  const first = await acme.claim(dan, { ...about, receipt_ids: [receipt] })
  const second = await acme.claim(dan, {
    ...about,
    category: 'solidarity',
    dependent_id: child!.id,
  })
  await hr.api.review.reject({
    id: first.id,
    version: first.version,
    reason: 'not_covered',
    text: 'Needle Hospital is not covered, Daniel Wunderlich',
  })
  await dan.api.claims.withdraw({ id: second.id })
  await scene.sql`insert into bank_accounts (company_id, person_id, holder, iban)
    values (${acme.id}, ${dan.id}, 'Daniel Wunderlich', 'GB29NWBK60161331926819')`
  assert.ok((await searchDatabase(scene.sql, needles)).length > 8, 'the search finds what is there')

  const { id } = await dan.api.privacy.request_erasure({ reason: 'I am Wunderlich' })
  await hr.api.privacy.approve_erasure({ id })
  await acme.provider.api.privacy.approve_erasure({ id })
  await forgetEverywhere(false)({ person_id: dan.id }, scene.tools)
  await sweepFiles(scene.services.files)({}, scene.tools)
  assert.deepEqual(await searchDatabase(scene.sql, needles), [])
  await refuses('undo_over', hr.api.review.undo({ id: first.id }))
  const kept = await scene.sql`
    select amount_cents, provider, note, category from claims where person_id = ${dan.id} order by id`
  assert.deepEqual(
    kept.map((claim) => [claim['amount_cents'], claim['provider'], claim['note']]),
    [
      [4000, 'Erased', null],
      [4000, 'Erased', null],
    ],
  )
  assert.deepEqual(await acme.faults(), [])
  const { entries } = await hr.api.funds.statement({})
  const theirs = entries.filter(({ person_name }) => person_name === 'Former member')
  assert.ok(theirs.length > 0)
})

test('erased, they hold no health money: it is in the company’s pools again', async () => {
  const free = async () => {
    const { categories } = await hr.api.funds.overview({})
    return categories.map(({ granted_cents, free_cents }) => ({ granted_cents, free_cents }))
  }
  const before_them = await free()
  const eve = await acme.hire('Eve')
  const granted = await free()
  assert.notDeepEqual(granted, before_them)
  const { id } = await eve.api.privacy.request_erasure({ reason: '' })
  await hr.api.privacy.approve_erasure({ id })
  await acme.provider.api.privacy.approve_erasure({ id })
  assert.deepEqual(await free(), before_them)
  await scene.sql`select private.regrant_people(${acme.id}, ${acme.plan_year}, ${[eve.id]}::uuid[]),
    private.grant_soon(${acme.id}, ${acme.plan_year})`
  assert.deepEqual(await free(), before_them)
  const [books] = await scene.sql<[{ fault: string | null }]>`
    select fault from verify_ledger(${acme.id})`
  assert.equal(books.fault, null)
})
