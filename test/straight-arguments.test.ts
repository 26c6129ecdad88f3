// Straight SQL with arguments that no handler sends: nulls, other words, fields that are not its own.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Tx } from '#lib/db.server.ts'
import { fundedCompany } from './world/company.ts'
import { opened } from './world/opened.ts'
import { withRights } from './world/rights.ts'
import { openStraight } from './world/straight.ts'

const { scene, as, close } = await openStraight()
after(close)

const acme = opened(() => scene.company({ name: 'Acme' }))
const ana = opened(() => acme.hire('Ana'))

test('nobody makes a super admin, or somebody of no role, of their own company', async () => {
  const waits = await scene.signUp(`waits@${acme.domain}`, 'company_admin')
  const hr = await withRights(scene, acme, 'people')
  for (const role of ['super_admin', 'anything', null])
    for (const person of [ana, waits, hr, acme.admin]) {
      const newcomer = { role, company_id: acme.id, email: 'eve@eve.test', full_name: 'Eve' }
      await assert.rejects(
        as(person, (tx) => tx`select add_person(${tx.json(newcomer)})`),
        { message: 'forbidden' },
        `${role} by ${person.email}`,
      )
    }
})

test('an owner proves the record and the ledger of their own company, not those of all', async () => {
  for (const act of ['verify_audit(null)', 'verify_ledger(null)'])
    await assert.rejects(
      as(acme.admin, (tx) => tx.unsafe(`select ${act}`)),
      { message: 'forbidden' },
      act,
    )
})

test('the month’s report is the clock’s to ask for, and no text of one’s own', async () => {
  const [provider, colleague] = [await scene.superAdmin(), await scene.superAdmin()]
  await colleague.api.reports.schedule({ kind: 'claims_activity', enabled: true })
  const report_input = {
    kind: 'claims_activity',
    from_on: '2020-01-01',
    to_on: '2020-01-31',
    title: 'Your password has expired',
    is_scheduled: true,
  }
  await assert.rejects(
    as(provider, (tx) => tx`select request_report(${tx.json(report_input)})`),
    { message: 'forbidden' },
  )
})

test('which file was taken stands in the record, and nothing else', async () => {
  const taken = (particulars: object) => (tx: Tx) =>
    tx`select record_download('payouts.bank_file', ${tx.json(particulars)})`
  for (const particulars of [
    { note: 'Paid in full' },
    { id: 'Paid in full, says the auditor' },
    { id: { note: 'Paid' } },
  ])
    await assert.rejects(as(acme.admin, taken(particulars)), { message: 'forbidden' })
  await as(acme.admin, taken({ id: 7, month: '2026-01', format: null }))
})

test('a plan that gives people less than they used is refused, whatever else it says', async () => {
  const stage = await fundedCompany(scene)
  const { admin } = stage.company
  await stage.agreeing(await stage.hire(), { bill_cents: 4000, amount_cents: 4000 })
  const other = acme.id
  const saved = await as(
    admin,
    (tx) => tx<[{ people: number }]>`
      select save_plan_year(company_id, starts_on, version, ${tx.json({ prevention_cents: 0, company_id: other })})
        as people from plan_years where company_id = ${stage.id} and starts_on = ${stage.plan_year}`,
  )
  assert.equal(saved[0].people, 1)
})

test('a contribution comes to an open year, of a day that has come', async () => {
  const provider = await scene.superAdmin()
  const { id } = await scene.company({ name: 'Funded' })
  const contribute = (day: string) => (tx: Tx) =>
    tx.unsafe(`select contribute(id, current_plan_year(id), 100, ${day}, 'A reference')
      from companies where id = '${id}'`)
  await assert.rejects(as(provider, contribute('company_today(id) + 1')), {
    message: 'day_to_come',
  })
  await scene.sql`update plan_years set closed_at = now() where company_id = ${id}`
  await assert.rejects(as(provider, contribute('company_today(id)')), {
    message: 'plan_year_closed',
  })
})

test('a view that is shared has filters that every page can read', async () => {
  const save = (filters: object) => (tx: Tx) =>
    tx`select save_view('claims', 'Mine', ${tx.json(filters)})`
  for (const filters of [
    { search: 7 },
    { search: null },
    { search: { a: 'b' } },
    { search: 'x'.repeat(101) },
  ])
    await assert.rejects(as(acme.admin, save(filters)), { code: '23514' }, JSON.stringify(filters))
  await as(acme.admin, save({ search: 'x' }))
})

test('the share that may leave by file is a number', async () => {
  await as(acme.admin, (tx) => tx`select set_leaver_limit(0)`)
  await assert.rejects(
    as(acme.admin, (tx) => tx`select set_leaver_limit(null)`),
    { message: 'invalid_input' },
  )
})

test('the answer to an inquiry stands under the name of who gave it', async () => {
  const [provider, colleague] = [await scene.superAdmin(), await scene.superAdmin()]
  await scene.sql`insert into inquiries (full_name, email, company, people, message)
    values ('Ida', 'ida@x.test', 'Ida Ltd', 5, 'Please call me back')`
  await assert.rejects(
    as(
      provider,
      (tx) => tx`update inquiries set answered_at = now(), answered_by = ${colleague.id}`,
    ),
    { code: '42501' },
  )
})

test('somebody is added, and moved, to one address that a mail can have', async () => {
  const hr = await withRights(scene, acme, 'people')
  const add = (email: string) => (tx: Tx) => {
    const newcomer = { role: 'employee', company_id: acme.id, email, full_name: 'Eve' }
    return tx<[{ id: string }]>`select person_id as id from add_person(${tx.json(newcomer)})`
  }
  for (const email of ['a@x.test, b@y.test', 'a@x.test\nBcc: b@y.test', 'Pay <a@x.test>'])
    await assert.rejects(as(hr, add(email)), { code: '23514' }, email)
  const [{ id }] = await as(hr, add('a@x.test'))
  await assert.rejects(
    as(hr, (tx) => tx`select correct_address(${id}, 'a@x.test, b@y.test')`),
    { code: '23514' },
  )
})
