// Straight SQL tells what a company has decided or counts to whoever has a right to it, and to nobody else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CompanyRight } from '#users/rights.contract.ts'
import { withRights } from './rights-stage.ts'
import type { Person } from './scene.ts'
import { openStraight } from './straight-stage.ts'

const { scene, as, close } = await openStraight()
after(close)

/** By their right for Acme; ana is its employee, waits asks to join, boss owns another company. */
type Name = CompanyRight | 'ana' | 'waits' | 'boss' | 'provider'
/** Of a function, or of a table as its policies show it. */
type Line = { call: string; answers: Name[] }

const who_see_groups: Name[] = ['owner', 'people', 'auditor']
const lines = ({ acme, group }: Record<'acme' | 'group', string>): Line[] => [
  { call: `people_in_group('${group}')`, answers: who_see_groups },
  { call: `empty_departments('${group}')`, answers: who_see_groups },
  { call: `group_in_use('${group}')`, answers: who_see_groups },
  {
    call: `(select p from claim_policies p where company_id = '${acme}')`,
    answers: ['owner', 'reviewer', 'auditor'],
  },
  { call: 'claim_policy_history()', answers: ['owner', 'reviewer', 'auditor', 'boss'] },
  { call: 'my_claim_terms()', answers: ['ana'] },
  { call: 'family_rules', answers: ['owner', 'people', 'auditor'] },
  { call: 'my_family_rules()', answers: ['ana'] },
  { call: 'company_absences()', answers: ['owner', 'people', 'reviewer', 'finance'] },
  {
    call: `company_absences('${acme}')`,
    answers: ['owner', 'people', 'reviewer', 'finance', 'provider'],
  },
]

describe('what a whole company has', () => {
  let people: Record<Name, Person>
  let asked: Line[]
  before(async () => {
    const [acme, other] = [await scene.company({ name: 'Acme' }), await scene.company()]
    const holder = (kind: CompanyRight) => withRights(scene, acme, kind)
    people = {
      owner: await holder('owner'),
      people: await holder('people'),
      reviewer: await holder('reviewer'),
      receipts: await holder('receipts'),
      finance: await holder('finance'),
      auditor: await holder('auditor'),
      viewer: await holder('viewer'),
      ana: await acme.hire('Ana'),
      waits: await scene.signUp(`waits@${acme.domain}`, 'company_admin'),
      boss: other.admin,
      provider: await scene.superAdmin(),
    }
    const [{ id }] = await scene.sql<[{ id: string }]>`
      insert into employee_groups (company_id, name, departments)
        values (${acme.id}, 'Field', '{Field}') returning id`
    await scene.sql`insert into absences (company_id, person_id, from_on, to_on, by_id)
      values (${acme.id}, ${acme.admin.id}, current_date, current_date + 9, ${acme.admin.id})`
    await scene.sql`insert into family_rules (company_id, child_age) values (${acme.id}, 24)`
    asked = lines({ acme: acme.id, group: id })
  })

  /** Whether they are told anything; who may not ask is told nothing. */
  const isTold = (name: Name, { call }: Line) =>
    as(people[name], (tx) =>
      tx.unsafe<{ said: unknown }[]>(`select a as said from ${call} a`),
    ).then(
      (found) => found.some(({ said }) => said !== null),
      (error: { message: string }) => {
        assert.equal(error.message, 'forbidden', call)
        return false
      },
    )

  test('is told to whoever has a right to it, and to nobody else', async () => {
    for (const line of asked) {
      const told: string[] = []
      for (const name of Object.keys(people) as Name[])
        if (await isTold(name, line)) told.push(name)
      assert.deepEqual(told.toSorted(), line.answers.toSorted(), line.call)
    }
  })
})
