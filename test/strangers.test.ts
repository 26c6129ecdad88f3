// Every act that takes an id × everything a stranger or a colleague has: it is not found, by whomever it is asked.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { admin_rights, isOpenTo } from '#permissions/callers.ts'
import { toRequest } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { fields, type Field } from './act-ids.ts'
import { belongingsOf, type Belongings, type MadeKind } from './world/one-of-each.ts'
import type { Person } from './world/people.ts'
import { openedScene } from './world/scene.ts'
import { inputOf, inputValue } from './own-input.ts'
import { valuesOf, type Filled } from './own-values.ts'

/** The answers other than `not_found`, with nothing of the stranger's. */
const answers: Record<string, string> = {
  // filters, which find nothing
  'funds.accounts: person_id': 'ok',
  'funds.statement: account_id': 'ok',
  'funds.statement: person_id': 'ok',
  'funds.export_statement: account_id': 'ok',
  'funds.export_statement: person_id': 'ok',
  'funds.balances: ids': 'ok',
  'adjustments.list: person_id': 'ok',
  'payouts.overpayments: person_id': 'ok',
  'payment_blocks.list: person_id': 'ok',
  'payment_blocks.list: claim_id': 'ok',
  'review.queue: person_id': 'ok',
  'employees.list: group_id': 'ok',
  'employees.export: group_id': 'ok',
  'health_checks.slots: provider_id': 'ok',
  'health_checks.offered_slots: provider_id': 'ok',
  'receipts.list: claim_id': 'ok',
  'audit.actors: actor_id': 'ok',
  'audit.list: actor_id': 'ok',
  'audit.export: actor_id': 'ok',
  'audit.list: about': 'ok',
  'audit.export: about': 'ok',
  // a draft that is evaluated, and a list of which each is answered by itself
  'claims.check: dependent_id': 'ok',
  'claims.check: type_id': 'ok',
  'claims.check: receipt_ids': 'ok',
  'review.approve_many: claims.id': 'ok',
  'review.reject_many: claims.id': 'ok',
  'review.ask_many: claims.id': 'ok',
  'review.undo_many: claims.id': 'ok',
  'absences.add: deputy_id': 'no_such_deputy',
  'absences.deputies: person_id': 'ok', // nobody is offered
  'policies.preview: steps.type_ids': 'ok',
  'policies.preview: steps.group_ids': 'ok',
  'policies.preview: steps.person_ids': 'ok',
  'policies.preview: steps.deputy_id': 'ok',
  'policies.gaps: without': 'ok',
  'rights.confirmers: person_id': 'ok',
  'policies.change: steps.person_ids': 'not_a_reviewer',
  'policies.change: steps.deputy_id': 'not_a_reviewer',
  // parts of a draft: the field says what is wrong with it, as for one that was removed
  'claims.submit: dependent_id': 'not_your_dependent',
  'claims.submit: type_id': 'type_inactive',
  'claims.submit: receipt_ids': 'receipt_gone',
  'claims.answer: receipt_ids': 'receipt_gone',
  'claims.appeal: receipt_ids': 'receipt_gone',
  'receipts.reuse: ids': 'receipt_gone',
  // people of a list: none of them is in this one
  'many.compare: person_ids': 'nobody_chosen',
  'many.put_in_group: person_ids': 'nobody_chosen',
  'many.invite_again: person_ids': 'nobody_chosen',
  'many.compare: group_id': 'nobody_chosen',
  'many.put_in_group: group_id': 'nobody_chosen',
  'many.invite_again: group_id': 'nobody_chosen',
}

/** The kinds of thing that belong to one person, whatever the company. */
const personal: readonly MadeKind[] = ['notification', 'export', 'session']
const of_an_employee: readonly MadeKind[] = [
  'dependent',
  'claim',
  'receipt',
  'booking',
  ...personal,
]

describe('what is somebody else’s', () => {
  const scene = openedScene()
  let own: Belongings
  let strangers: Belongings
  let colleagues: Belongings
  let provider: Person
  let written: () => Promise<number>
  let values: Filled
  let for_dependents: Record<string, unknown>

  before(async () => {
    own = await belongingsOf(scene, 'Ana')
    colleagues = await belongingsOf(scene, 'Ben', own.stage)
    strangers = await belongingsOf(scene, 'Stranger')
    provider = await scene.superAdmin()
    values = await valuesOf(own)
    const type_id = await own.stage.typeOf('solidarity')
    for_dependents = { category: 'solidarity', type_id }
    written = async () => {
      const [count] = await scene.sql<[{ entries: number }]>`
        select count(*)::int as entries from audit_log where company_id = ${strangers.stage.id}`
      return count.entries
    }
  })

  /** A well-formed input in which everything is one's own but this one thing. */
  function inputWith({ endpoint, act, path }: Field, theirs: string | number) {
    const input = inputOf({ act, endpoint }, own, values)
    const [outer, inner] = path.split('.') as [string, string?]
    if (path === 'dependent_id') Object.assign(input, for_dependents)
    input[outer] = inner
      ? [{ ...firstOf(input[outer]), [inner]: inputValue(act, inner, theirs) }]
      : inputValue(act, outer, theirs)
    return input
  }
  const firstOf = (list: unknown) => ({ version: 1, ...(Array.isArray(list) ? list[0] : {}) })
  async function ask(field: Field, person: Person, theirs: string | number) {
    const input = inputWith(field, theirs)
    const request = toRequest(field.endpoint, 'http://127.0.0.1', input)
    request.headers.set('authorization', `Bearer ${person.token}`)
    const answer = await scene.services.app.request(request)
    const body = await answer.text()
    const code = answer.ok ? 'ok' : ((JSON.parse(body) as { code: string }).code ?? '')
    assert.ok(answer.status < 500, `${field.act}: ${body}`)
    return { code, body }
  }

  type CallerRole = 'employee' | 'company_admin' | 'super_admin'
  const mayAsk = ({ act }: Field, role: CallerRole) => {
    const who = callers[act as keyof typeof callers]
    const rights = role === 'company_admin' ? admin_rights : []
    return Array.isArray(who) && isOpenTo(who, { role, rights, has_own: false })
  }

  test('each act that takes an id is known, and what it is the id of was made', () => {
    const unknown = fields.filter(({ kind }) => !kind || strangers.ids[kind] === undefined)
    assert.deepEqual(
      unknown.map(({ act, path }) => `${act}: ${path}`),
      [],
    )
  })

  for (const field of fields) {
    const name = `${field.act}: ${field.path}`
    test(`${name} of a stranger`, async () => {
      const was = await written()
      const requests: [CallerRole, Person][] = [
        ['employee', own.person],
        ['company_admin', own.admin],
        ['super_admin', provider],
      ]
      for (const [role, person] of requests) {
        const may = mayAsk(field, role)
        // The provider's staff see every company; what is a person's alone is nobody else's, theirs neither.
        if (may && role === 'super_admin' && !personal.includes(field.kind!)) continue
        const { code, body } = await ask(field, person, strangers.ids[field.kind!])
        const expected = may ? (answers[name] ?? 'not_found') : 'forbidden'
        assert.equal(code, expected, `${role}: ${body.slice(0, 300)}`)
        assert.doesNotMatch(body, /Stranger/, role)
      }
      assert.equal(await written(), was)
    })

    const theirs = [...of_an_employee].includes(field.kind!)
    if (!theirs) continue
    test(`${name} of a colleague`, async () => {
      const requests: [CallerRole, Person, readonly MadeKind[]][] = [
        ['employee', own.person, of_an_employee],
        ['company_admin', own.admin, personal],
      ]
      for (const [role, person, kinds] of requests) {
        if (!mayAsk(field, role) || !kinds.includes(field.kind!)) continue
        const { code, body } = await ask(field, person, colleagues.ids[field.kind!])
        assert.equal(code, answers[name] ?? 'not_found', `${role}: ${body.slice(0, 300)}`)
      }
    })
  }
})
