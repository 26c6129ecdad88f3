// One act is one line, in the trade's words, and opens to all that it changed.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { spread } from '../../test/world/money.ts'
import { payee, payingCompany } from '../../test/world/payouts.ts'
import type { Person } from '../../test/world/people.ts'
import { openedScene } from '../../test/world/scene.ts'
import { money } from '#ui/figures.ts'
import { actText, actsOf, isPlain, mergedEntry } from './story.ts'
import { actorNameOf } from './words.contract.ts'
import { asInFiles } from './in-files.ts'
import { changesOf } from './words.ts'

const scene = openedScene()
let hr: Person
let paying: Awaited<ReturnType<typeof payingCompany>>
let run: number
let claim: number
before(async () => {
  paying = await payingCompany(scene)
  hr = paying.hr
  const ana = await payee(paying.acme, 'Ana')
  for (const amount_cents of [4000, 3000, 2000]) await paying.acme.agreeing(ana, { amount_cents })
  const waiting = await paying.acme.claim(ana, { amount_cents: 9000 })
  claim = waiting.id
  await hr.api.review.ask({ id: waiting.id, version: waiting.version, text: 'For whom?' })
  const made = await paying.make()
  run = made.id
  await paying.second.api.payouts.release({ id: made.id, version: made.version })
})

const lines = async () => actsOf((await hr.api.audit.list({ limit: 200 })).entries)

describe('the audit', () => {
  test('tells a released payout as one line, with all its rows behind it', async () => {
    const released = (await lines()).find(({ text }) => / released /.test(text))
    assert.equal(released?.text, `Second released payout ${run} (3 claims)`)
    assert.ok(released.entries.length > 3)
    assert.ok((await lines()).some(({ text }) => text === `admin made payout ${run} (3 claims)`))
  })

  test('says of a claim alone that it came into a payout, and that it left it', async () => {
    const { entries } = await hr.api.audit.list({ table: 'claims', limit: 200 })
    const put_in = entries.find(({ after: now }) => now?.['payment'] === 'in_run')!
    const [act] = actsOf([put_in])
    assert.equal(act?.text, `admin added claim ${put_in.subject} to payout ${run}`)
    assert.deepEqual(
      changesOf(put_in, {}, asInFiles('UTC')).map(({ field, after: is }) => `${field}: ${is}`),
      [`Payout: #${run}`, 'Payment: being paid out'],
    )
    const left = { ...put_in, before: put_in.after, after: put_in.before }
    assert.equal(
      actsOf([left])[0]?.text,
      `admin removed claim ${put_in.subject} from payout ${run}`,
    )
  })

  test('says of a reminder that it was one, and to whom', async () => {
    const { entries } = await hr.api.audit.list({ table: 'claims', limit: 1 })
    const update = {
      ...entries[0]!,
      actor_id: null,
      actor_name: null,
      actor_role: 'system',
      act: 'update' as const,
    }
    const sent = (id: number, reminded: number) => ({
      ...update,
      id,
      row_id: String(id),
      subject: `#${id}`,
      before: { reminded: 0 },
      after: { reminded },
    })
    const [once, twice] = [actsOf([sent(8, 1), sent(7, 1)])[0]!, actsOf([sent(7, 2)])[0]!]
    assert.equal(once.text, 'The system reminded the reviewers of 2 claims')
    assert.equal(twice.text, 'The system reminded the owner of claim #7')
    assert.ok(!isPlain(twice), 'the line says all there is')
    const [change] = changesOf(twice.lead, {}, asInFiles('UTC'))
    assert.deepEqual(change, { field: 'Reminded', before: 'nobody', after: 'the owner' })
  })

  test('names what became of a claim', async () => {
    const texts = (await lines()).map(({ text }) => text)
    assert.ok(texts.includes(`admin asked about claim #${claim}`))
    assert.ok(texts.includes(`Ana submitted claim #${claim}`))
  })

  test('says what became of people', async () => {
    const zoe = await paying.acme.hire('Zoe')
    await hr.api.employees.suspend({ id: zoe.id })
    await hr.api.employees.reactivate({ id: zoe.id })
    const texts = (await lines()).map(({ text }) => text)
    assert.deepEqual(texts.slice(0, 2), ['admin re-activated Zoe', 'admin suspended Zoe'])
  })

  test('says who asked to join, and names an approval that is not the last', async () => {
    const { entries } = await hr.api.audit.list({ table: 'profiles', limit: 1 })
    const base = {
      ...entries[0]!,
      act: 'update' as const,
      actor_name: null,
      actor_role: 'system',
      subject: 'Emre',
      before: { requested_at: null },
      after: { requested_at: '2026-11-20T09:50:00Z' },
    }
    const first = { table_name: 'claims', subject: '#7', after: { passed_by: ['a'] } }
    const came = { ...base, act: 'insert' as const, before: null, after: { requested_at: null } }
    const approved = { ...base, ...first, actor_name: 'Ana' }
    assert.deepEqual(
      [came, base, approved].map((entry) => actsOf([entry])[0]?.text),
      ['Emre signed up', 'Emre asked to join Acme', 'Ana approved a step of claim #7'],
    )
  })

  test('gives no article to what is several', async () => {
    const { entries } = await hr.api.audit.list({ table: 'profiles', limit: 1 })
    const changed = { ...entries[0]!, act: 'update' as const, actor_name: 'Ana', subject: null }
    assert.deepEqual(
      ['preferences', 'family_rules', 'group_plans'].map(
        (table_name) => actsOf([{ ...changed, table_name }])[0]?.text,
      ),
      ['Ana changed notification switches', 'Ana changed family rules', 'Ana changed a group plan'],
    )
  })

  test('counts what was done alike at once', async () => {
    const { entries } = await hr.api.audit.list({ table: 'claims', act: 'insert', limit: 1 })
    const one = entries[0]!
    const [act] = actsOf([3, 2, 1].map((id) => ({ ...one, id, row_id: String(id) })))
    assert.match(act?.text ?? '', /^Ana submitted 3 claims$/)
  })

  test('tells a contribution and its reversal to the company and to the provider', async () => {
    const { provider, company, today } = paying.acme
    const company_id = company.id
    const recorded = await provider.api.funds.contribute({
      company_id,
      amount_cents: 100,
      occurred_on: today,
      reference: 'A slip',
      confirmed: true,
    })
    const reason = 'The wrong company'
    await provider.api.funds.reverse_contribution({ company_id, id: recorded.id, reason })
    for (const { api } of [hr, provider]) {
      const { entries } = await api.audit.list({ table: 'transfers', limit: 2 })
      const who = api === hr.api ? 'Healthfund' : actorNameOf(entries[0]!)
      assert.deepEqual(
        actsOf(entries).map(({ text }) => text),
        [
          `${who} reversed contribution A slip (€1.00)`,
          `${who} recorded contribution A slip (€1.00)`,
        ],
      )
      assert.deepEqual(
        entries.map(({ after }) => [after?.['amount_cents'], after?.['note']]),
        [
          [100, reason],
          [100, 'A slip'],
        ],
      )
    }
  })

  test('tells who moved the company’s money between categories, and how much', async () => {
    const { funds, audit } = hr.api
    const { plan_year } = await funds.overview({})
    const free = async () => {
      const [prevention, treatment, solidarity] = (await funds.overview({})).categories
      return spread(prevention!.free_cents, treatment!.free_cents, solidarity!.free_cents)
    }
    const { provider, company, today } = paying.acme
    await provider.api.funds.contribute({
      company_id: company.id,
      amount_cents: 1500,
      occurred_on: today,
      reference: 'To move',
      confirmed: true,
    })
    await funds.allocate({ plan_year, ...spread(900, 0, 0) })
    await funds.allocate({ plan_year, ...spread(300, 0, 300) })
    await funds.deallocate({ plan_year, ...spread(200, 0, 0) })
    const expected = await free()
    const targets = {
      prevention_cents: expected.prevention_cents - 700,
      treatment_cents: expected.treatment_cents + 700,
      solidarity_cents: expected.solidarity_cents,
    }
    const { id } = await funds.rebalance({ plan_year, expected, targets, note: 'More treatment' })
    await funds.undo_rebalance({ id })
    const acts = actsOf((await audit.list({ table: 'transfers', limit: 6 })).entries)
    assert.deepEqual(
      acts.map(({ text }) => text),
      [
        'admin moved €7.00 back from Treatment to Prevention',
        'admin moved €7.00 from Prevention to Treatment',
        'admin returned €2.00 from Prevention',
        'admin made 2 allocations',
        'admin allocated €9.00 to Prevention',
      ],
    )
    assert.deepEqual(
      acts[3]!.entries.map((entry) => actText(entry)),
      ['Allocated €3.00 to Solidarity', 'Allocated €3.00 to Prevention'],
    )
    const lead = acts[1]!.lead
    const note = changesOf(lead, {}, asInFiles('UTC')).find(({ field }) => field === 'Note')
    assert.equal(note?.after, 'More treatment')
    const twice = { ...lead, id: lead.id + 1, row_id: '0' }
    const undone = { ...acts[0]!.lead, id: lead.id + 1, row_id: '0' }
    assert.deepEqual(
      [...actsOf([twice, lead]), ...actsOf([undone, acts[0]!.lead])].map(({ text }) => text),
      ['admin made 2 transfers between categories', 'admin undid 2 transfers between categories'],
    )
  })

  test('tells an edit of a company as one line, with all that it changed', async () => {
    const { provider, company } = paying.acme
    const { domain, ...found } = await provider.api.companies.find({ id: company.id })
    await provider.api.companies.change({
      ...found,
      name: 'Zephyr',
      domain: `new-${domain}`,
      time_zone: 'Europe/Rome',
    })
    const act = actsOf((await provider.api.audit.list({ table: 'companies' })).entries)[0]!
    assert.equal(act.text, `${actorNameOf(act.lead)} changed company Zephyr`)
    const changes = changesOf(mergedEntry(act), {}, asInFiles('UTC'))
    for (const field of ['Name', 'Time zone', 'Domain']) {
      assert.ok(
        changes.some((change) => change.field === field),
        field,
      )
    }
    const twice = {
      ...act.lead,
      act: 'update' as const,
      after: { domain_proven_at: '2026-11-25' },
    }
    const one = actsOf([{ ...twice, id: twice.id + 1 }, act.lead])[0]!
    assert.equal(one.text, act.text)
    assert.equal(mergedEntry(one).after?.['domain_proven_at'], '2026-11-25')
    assert.equal(mergedEntry(one).after?.['name'], 'Zephyr')
  })

  test('has the plurals, articles and labels of the trade', async () => {
    const { entries } = await hr.api.audit.list({ table: 'claims', act: 'insert', limit: 1 })
    const made = { ...entries[0]!, actor_name: 'Ana', subject: null }
    const many = (table_name: string) =>
      actsOf([3, 2, 1].map((id) => ({ ...made, id, row_id: String(id), table_name, after: {} })))[0]
        ?.text
    assert.deepEqual(
      ['audit_erasures', 'companies', 'claim_policies', 'api_keys', 'book_codes', 'profiles'].map(
        many,
      ),
      [
        'Ana made 3 record erasures',
        'Ana added 3 companies',
        'Ana saved 3 claim policies',
        'Ana added 3 API keys',
        'Ana added 3 wage types or accounts',
        'Ana added 3 people',
      ],
    )
    const role = { ...made, table_name: 'profiles', act: 'update' as const, subject: 'Sam' }
    const [act] = actsOf([{ ...role, after: { role: 'employee' } }])
    assert.equal(act?.text, 'Ana made Sam an Employee')
    const after = { gone: { mails: 1, own_acts: 2 }, hr_at: '2026', steps: [], cents: 500 }
    const erasure = { ...role, table_name: 'erasures', before: null, after, currency: 'EUR' }
    assert.deepEqual(
      changesOf(erasure, {}, asInFiles('UTC')).map(({ field, after: is }) => `${field}: ${is}`),
      ['Erased: mails 1, own acts 2', 'HR decided: 2026', 'Amount: 5.00 EUR'],
    )
    const on_screen = { ...asInFiles('UTC'), amount: money }
    const [amount] = changesOf({ ...erasure, after: { cents: 684_311 } }, {}, on_screen)
    assert.equal(amount?.after, '€6,843.11')
  })

  test('calls what was overpaid so, and no contribution', async () => {
    const { entries } = await hr.api.audit.list({ table: 'transfers', limit: 1 })
    const texts = ['overpaid_paid_back', 'overpaid_written_off'].map((event) => {
      const [act] = actsOf([{ ...entries[0]!, actor_name: 'Ana', subject: '#7', after: { event } }])
      return act?.text
    })
    assert.deepEqual(texts, [
      'Ana marked overpayment #7 as paid back',
      'Ana wrote off overpayment #7',
    ])
  })

  test('loses no entry', async () => {
    const { entries } = await hr.api.audit.list({ limit: 200 })
    const act_entries = actsOf(entries).flatMap((act) => act.entries)
    assert.deepEqual(act_entries, entries)
  })
})
