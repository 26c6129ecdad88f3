// Each act is told by what it did, to whom, with its amounts and dates: not by the fields it changed.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { daysAfter } from '#lib/days.ts'
import { fundedCompany, type FundedCompany } from '../../test/world/company.ts'
import { keyOf } from '../../test/world/keys.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { dateText } from '#ui/date-words.ts'
import { actsOf } from './story.ts'
import { asInFiles } from './in-files.ts'
import { changesOf } from './words.ts'

const scene = openedScene()
let acme: FundedCompany
let hr: Person
let second: Person
let ana: Person
before(async () => {
  acme = await fundedCompany(scene)
  hr = acme.company.admin
  second = await acme.admin('Second')
  ana = await acme.hire('Ana')
  await scene.confirm(hr)
  await scene.confirm(second)
})

const storyOf = async (table: string, reader = hr) => {
  const { entries, names } = await reader.api.audit.list({ table, limit: 200 })
  return actsOf(entries).map(({ text, lead }) => ({
    text,
    changes: changesOf(lead, names, asInFiles('UTC')).map(
      ({ field, before: was, after: is }) => `${field}: ${was === null ? '' : `${was} → `}${is}`,
    ),
  }))
}
const newest = async (table: string, reader = hr) => (await storyOf(table, reader))[0]!

test('an approval in part says so, with what was claimed and why', async () => {
  const { id, version } = await acme.claim(ana, { amount_cents: 9000 })
  const text = 'Gym fees are not medical'
  await hr.api.review.approve({ id, version, amount_cents: 6000, text })
  const { text: line, changes } = await newest('claims')
  assert.equal(line, `admin approved claim #${id} in part (€60.00 of €90.00)`)
  assert.ok(changes.some((change) => /^Amount claimed: .*90/.test(change)))
  assert.ok(changes.includes(`Reason: ${text}`))
  const auditor = await acme.admin('Olga')
  await scene.sql`delete from company_rights where person_id = ${auditor.id}`
  await scene.sql`insert into company_rights (company_id, person_id, kind, given_by, confirmed_at)
    values (${acme.id}, ${auditor.id}, 'auditor', ${hr.id}, now())`
  const read = (await storyOf('claims', await scene.signIn(auditor.email)))[0]!
  assert.equal(read.text, line)
  assert.ok(!read.changes.some((change) => change.includes('Gym')), 'the words are the reviewers’')
})

test('an approval by the policy is the policy’s, not the employee’s who submitted the claim', async () => {
  const { id, automatic } = await acme.agreeing(ana, { amount_cents: 2000 })
  assert.ok(automatic)
  const found = async (search: string) => {
    const { entries } = await hr.api.audit.list({ search, table: 'claims' })
    return actsOf(entries).filter(({ lead }) => lead.row_id === String(id))
  }
  const approved = await found('approved')
  assert.deepEqual(
    approved.map(({ text }) => text),
    [`The policy approved claim #${id}`],
  )
  assert.equal(approved[0]?.lead.actor_id, null)
  assert.deepEqual(
    (await found(`#${id}`)).map(({ text }) => text),
    [`The policy approved claim #${id}`, `Ana submitted claim #${id}`],
  )
  const file = await (await hr.api.audit.export({ search: 'approved' })).text()
  assert.match(file, new RegExp(`,The policy,System,.*#${id},`))
})

test('a claim is found by its number as it is called, and by no other number', async () => {
  const [one] = await scene.sql<[{ first: number }]>`
    select min(id)::int as first from claims where company_id = ${acme.id}`
  const { entries } = await hr.api.audit.list({ search: `claim ${one.first}`, limit: 200 })
  assert.ok(entries.length > 1)
  assert.deepEqual([...new Set(entries.map(({ subject }) => subject))], [`#${one.first}`])
  const same = await hr.api.audit.list({ search: `Claim #${one.first}`, limit: 200 })
  assert.deepEqual(same.entries, entries)
})

test('an undo says what it undid', async () => {
  const { id, version } = await acme.claim(ana, { amount_cents: 5000 })
  await hr.api.review.reject({ id, version, reason: 'no_receipt', text: 'Please add one' })
  assert.ok((await newest('claims')).changes.includes('Reason: Receipt missing: Please add one'))
  const undone = await hr.api.review.undo({ id })
  assert.equal((await newest('claims')).text, `admin undid the rejection of claim #${id}`)
  await hr.api.review.approve({ id, version: undone.version })
  const again = await hr.api.review.undo({ id })
  assert.equal((await newest('claims')).text, `admin undid the approval of claim #${id}`)
  await hr.api.review.ask({ id, version: again.version, text: 'For whom?' })
  await hr.api.review.undo({ id })
  assert.equal((await newest('claims')).text, `admin withdrew the question about claim #${id}`)
})

test('a policy has its version, and its steps as the policy’s page has them', async () => {
  const { since: _, by_name: __, currency: _c, ...terms } = await hr.api.policies.current({})
  const [first, ...others] = terms.steps
  const steps = [{ ...first!, who: 'people' as const, person_ids: [second.id] }, ...others]
  await hr.api.policies.change({ ...terms, steps, review_days: 9, note: 'Summer' })
  const { text, changes } = await newest('claim_policies')
  assert.equal(text, `admin saved claim policy version ${terms.version + 1}`)
  assert.equal(changes.length, 3, 'what did not change is not told')
  assert.ok(changes.some((change) => /^Decided within: .* → 9 working days$/.test(change)))
  const table = changes.find((change) => change.startsWith('Approvals: '))!
  assert.match(table, /^Approvals: .*Any reviewer.* → 1\. Second, /)
  assert.ok(changes.includes('Note: Summer'))
})

test('that the provider took over a suspension, which HR can’t end from then on, is told', async () => {
  const { id } = await acme.hire('Una')
  const provider = await scene.superAdmin()
  await hr.api.employees.suspend({ id })
  assert.equal((await newest('profiles')).text, 'admin suspended Una')
  await provider.api.users.suspend({ id })
  assert.deepEqual(await newest('profiles'), {
    text: 'Healthfund took over the suspension of Una',
    changes: ['Suspended by: the company → the provider'],
  })
})

test('an adjustment names the person, the amount and the year', async () => {
  const { id } = await hr.api.adjustments.propose({
    person_id: ana.id,
    category: 'treatment',
    cents: 2500,
    reason: 'A longer illness',
  })
  const of = 'balance adjustment of +€25.00 for Ana (Treatment)'
  assert.equal((await newest('balance_adjustments')).text, `admin proposed a ${of}`)
  await second.api.adjustments.confirm({ id })
  assert.equal((await newest('balance_adjustments')).text, `Second confirmed the ${of}`)
})

test('a payment block names the person and the claim', async () => {
  const { id } = await hr.api.payment_blocks.add({
    person_id: ana.id,
    claim_id: null,
    reason: 'Being asked about',
  })
  const { text } = await newest('payment_blocks')
  assert.equal(text, 'admin blocked all payments to Ana')
  await hr.api.payment_blocks.remove({ id })
  const removed = await newest('payment_blocks')
  assert.equal(removed.text, 'admin removed the block on all payments to Ana')
})

test('an absence names the person and the days', async () => {
  const from_on = daysAfter(acme.today, 3)
  const to_on = daysAfter(acme.today, 9)
  const { id } = await hr.api.absences.add({ from_on, to_on })
  const of = `absence of admin, ${dateText(from_on)} to ${dateText(to_on)}`
  assert.equal((await newest('absences')).text, `admin added the ${of}`)
  await hr.api.absences.end({ id })
  assert.equal((await newest('absences')).text, `admin removed the ${of}`)
})

test('a right is given, confirmed and ended in words', async () => {
  const { id } = await hr.api.rights.give({ person_id: ana.id, kind: 'viewer' })
  assert.equal((await newest('company_rights')).text, 'admin gave Ana the Viewer right')
  await hr.api.rights.end({ id })
  assert.equal((await newest('company_rights')).text, 'admin ended the Viewer right of Ana')
  const right_texts = (await storyOf('company_rights')).map(({ text }) => text)
  assert.ok(
    right_texts.some((text) => / gave admin the Owner, .* rights$/.test(text)),
    right_texts.join('; '),
  )
  await hr.api.rights.give({ person_id: ana.id, kind: 'owner' })
  assert.equal((await newest('company_rights')).text, 'admin proposed the Owner right for Ana')
})

test('a file that was downloaded is named, with its kind', async () => {
  const { entries } = await hr.api.audit.list({ limit: 1 })
  const taken = (after: object, subject: string | null = null) =>
    actsOf([
      {
        ...entries[0]!,
        actor_name: 'Ana',
        table_name: 'downloads',
        act: 'insert',
        subject,
        after: { ...after },
      },
    ])[0]?.text
  assert.deepEqual(
    [
      taken({ file: 'books.journal', id: 11, format: 'datev' }, '#11'),
      taken({ file: 'books.journal', id: 11, format: 'csv' }, '#11'),
      taken({ file: 'books.journal', month: '2026-10', format: 'csv' }),
      taken({ file: 'payouts.bank_file', id: 11 }, '#11'),
      taken({ file: 'reports.file', format: 'pdf' }, 'Fund allocation, Aurora'),
    ],
    [
      'Ana downloaded the journal of payout 11 (DATEV)',
      'Ana downloaded the journal of payout 11 (CSV)',
      'Ana downloaded the journal of Oct 2026 (CSV)',
      'Ana downloaded the bank file of payout 11',
      'Ana downloaded the report Fund allocation, Aurora (PDF)',
    ],
  )
})

test('a file that nobody leaves by has no last day', async () => {
  const checked = async () => {
    const [{ id }] = await scene.sql<[{ id: string }]>`
      insert into imports (company_id, file_name, status, full_list, uploaded_by)
      values (${acme.id}, 'people.csv', 'checked', true, ${hr.id}) returning id`
    return id
  }
  await hr.api.imports.start({ id: await checked() })
  const { changes } = await newest('imports')
  assert.ok(changes.includes('Status: checked → importing'))
  assert.deepEqual(
    changes.filter((change) => /last day/i.test(change)),
    [],
  )
  await hr.api.imports.start({ id: await checked(), leaves: true, left_on: '2026-11-30' })
  const leaving = (await newest('imports')).changes
  assert.ok(leaving.includes('Last day of people not in the file: 2026-11-30'))
  assert.ok(leaving.includes('People not in the file leave: no → yes'))
})

test('a file that an API key sent names the key', async () => {
  const key = await keyOf(scene, hr, ['people:write'], { name: 'Payroll' })
  await scene.sql`
    insert into imports (company_id, file_name, status, full_list, uploaded_by, uploaded_by_key)
    values (${acme.id}, 'people.csv', 'checked', true, ${hr.id}, ${key.id})`
  const { changes } = await newest('imports')
  assert.ok(
    changes.some((change) => /key: Payroll$/i.test(change)),
    changes.join('\n'),
  )
})

test('a new company is told by its name, with the policy and the money that it begins with', async () => {
  const { provider } = acme
  const made = await provider.api.companies.add({
    name: 'Zephyr',
    currency: 'JPY',
    time_zone: 'Asia/Tokyo',
    admin_email: 'akiko@zephyr.test',
    contribution_cents: 300_000,
  })
  const { entries } = await provider.api.audit.list({ limit: 200 })
  const own = actsOf(entries.filter(({ company_name }) => company_name === made.name))
  assert.deepEqual(
    own.map(({ text }) => text.replace(/^.*? (?=added)/, '')),
    ['added company Zephyr'],
  )
})

test('who accepts an invitation is told before the domain that it verifies', async () => {
  const { entries } = await hr.api.audit.list({ table: 'profiles', limit: 1 })
  const base = {
    ...entries[0]!,
    act: 'update' as const,
    actor_id: null,
    actor_name: null,
    actor_role: 'system',
    before: { status: 'pending' },
    after: { status: 'active' },
    subject: 'Akiko',
  }
  const after = { domain_proven_at: '2026-11-25T10:00:00Z' }
  const proven = { ...base, id: base.id + 1, table_name: 'companies', before: {}, after }
  const [act, ...others] = actsOf([proven, base])
  assert.deepEqual([act?.text, others], ['Akiko joined Acme', []])
})

test('what retention deleted is told by what it was, how much and after how long', async () => {
  await scene.sql`insert into drops (rule, days, rows) values ('sign_ins', 400, 2)`
  const { text, changes } = await newest('drops', acme.provider)
  assert.equal(
    text,
    'The system deleted 2 entries after 400 days: the log of sign-ins and changes of accounts',
  )
  assert.deepEqual(changes.filter((change) => !change.startsWith('At:')).toSorted(), [
    'Deleted: The log of sign-ins and changes of accounts',
    'Entries: 2',
    'Kept for days: 400',
  ])
})
