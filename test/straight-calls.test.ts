// Straight SQL tells what a company has, decides or counts to whoever has a right to it, and to nobody else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Tx } from '#lib/db.server.ts'
import { admin_rights } from '#permissions/callers.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { belongingsOf, type Belongings } from './world/one-of-each.ts'
import type { Person } from './world/people.ts'
import { withRights } from './world/rights.ts'
import { openScene } from './world/scene.ts'
import { moreOfEach, type AnswerFacts } from './world/more-of-each.ts'
import { read } from './sources.ts'

const scene = await openScene()
after(() => scene.close())

/** The callers, by their right for Acme; ana and colleague are its employees, waits asks to join, boss owns another company. */
type CallerName = CompanyRight | 'ana' | 'colleague' | 'waits' | 'boss' | 'provider'
/** A call of a function, or a read of a table as its policies show it. */
type CallLine = [call: string, may: readonly CallerName[]]

const its_people: CallerName[] = [...CompanyRight.options, 'ana', 'colleague', 'waits', 'provider']
const who_see_groups: CallerName[] = ['owner', 'people', 'auditor']
const who_set_the_policy: CallerName[] = ['owner', 'reviewer', 'auditor']
const of_money: CallerName[] = ['finance', 'auditor']
const of_people: CallerName[] = ['people']

const ofTheCompany = ({ ids, stage, person }: Belongings, field: string): CallLine[] => {
  const [acme, ana] = [stage.id, person.id]
  return [
    [`child_age_of('${acme}')`, its_people],
    [`company_today('${acme}')`, its_people],
    [`currency_refusal('${acme}')`, its_people],
    [`current_plan_year('${acme}')`, its_people],
    [`plan_year_of('${acme}', current_date)`, its_people],
    [`own_department_refusal('${acme}', '${ana}')`, its_people],
    [`cast(details_refusals('${acme}', '${ana}') ->> 'department' as text)`, ['ana']],
    [`family_rules where company_id = '${acme}'`, ['owner', 'people', 'auditor']],
    [`claim_policies where company_id = '${acme}'`, who_set_the_policy],
    ['claim_policy_history()', [...who_set_the_policy, 'boss']],
    ['policy_gaps()', ['owner', 'boss']],
    ['step_choices()', ['owner', 'boss']],
    [`cast(preview_claim_policy('{}') ->> 'claims' as integer)`, ['owner']],
    [
      `coalesce((select sum(people) from plan_effect('${acme}', '${stage.plan_year}', '{}')), 0)`,
      ['owner'],
    ],
    [`people_in_group('${ids.group}')`, who_see_groups],
    [`empty_departments('${field}')`, who_see_groups],
    [`group_in_use('${ids.group}')`, who_see_groups],
    [`group_refusals('${ids.group}')`, who_see_groups],
    ['company_absences()', admin_rights],
    [`company_absences('${acme}')`, [...admin_rights, 'provider']],
    [`company_activity('${acme}', null, 10)`, ['provider']],
    [`largest_contribution('${acme}')`, ['provider']],
    ['first_day()', ['owner', 'people', 'boss']],
    [`waiting_at_domains('${acme}')`, ['owner', 'people']],
    ['key_states()', ['owner']],
    ['scim_domains()', ['owner', 'boss']],
    ['sign_ins(null, 10)', ['owner', 'auditor', 'boss', 'provider']],
    ['system_health()', ['provider']],
    ['platform_figures(30)', ['provider']],
    ['used_by_few(0)', ['provider']],
    [`verify_audit('${acme}')`, ['owner', 'auditor', 'provider']],
    [`verify_ledger('${acme}')`, ['owner', ...of_money, 'provider']],
  ]
}

const ofPeople = ({ ids, stage, person, admin }: Belongings): CallLine[] => {
  const [acme, ana] = [stage.id, person.id]
  return [
    [`about_employee('${ana}')`, of_people],
    [`entries_about('${ana}')`, ['owner', 'auditor', 'provider']],
    [`groups_of_person('${ana}')`, ['people', 'auditor']],
    [`erasure_blockers('${ana}')`, [...of_people, 'ana']],
    [`items_to_erase('${ana}')`, of_people],
    [`is_reviewer('${admin.id}')`, of_people],
    [`right_confirmers('${ana}', 'finance')`, ['owner']],
    [`claim_years('${acme}', '${ana}')`, ['ana']],
    [`claim_story(${ids.claim})`, ['reviewer', 'ana']],
    [`review_facts(${ids.claim})`, ['reviewer']],
    ['claim_assignees((select c from claims c order by c.id desc limit 1))', ['reviewer']],
    [`entry_context('${acme}', 'claims', '${ids.claim}', now())`, ['owner', 'auditor']],
    [`run_accounts(${ids.run})`, of_money],
    [`item_refusals('${acme}', ${ids.run}, '${ana}')`, of_money],
    [`pay_account(${ids.run}, '${ana}')`, of_money],
    [`pay_run_people(${ids.run})`, of_money],
    [`run_releasers('${acme}', ${ids.run})`, of_money],
    [`wage_lines(${ids.run})`, of_money],
    [`pay_run_file(${ids.run})`, ['finance']],
    ['preview_pay_run(current_date)', ['finance', 'boss']],
    [`receipt_opens('${ids.receipt}', false)`, ['reviewer', 'boss']],
    [`adjustment_confirmers('${acme}', '${ids.adjustment}')`, of_money],
  ]
}

/** Calls about what more-of-each.ts has made. */
const ofTheRest = (
  { ids, stage, person }: Belongings,
  { newcomer, slot }: AnswerFacts,
): CallLine[] => {
  const [acme, ana] = [stage.id, person.id]
  const right = `(select r from company_rights r where r.id = '${ids.right}')`
  return [
    [`account_waits(${ids.run})`, of_money],
    ['audit_span(null, null)', [...its_people, 'boss']],
    [`blacking_refusal('${ids.receipt}')`, ['ana']],
    [`blocked_cents('${ana}', null)`, of_money],
    ['can_use_sso()', []],
    [`claimed_receipts('${acme}')`, ['ana']],
    [`coming_grants('${ana}', '${stage.plan_year}')`, ['people', ...of_money, 'ana']],
    ['company_of_address()', ['waits']],
    [`copied_receipts('${acme}')`, ['ana']],
    [`day_codes('${slot.provider_id}', '${slot.day}')`, ['provider']],
    ['greatest(1, (select count(*) from overpayments()))', [...of_money, 'boss']],
    ['greatest(1, (select count(*) from due_payments(current_date)))', ['finance', 'boss']],
    [`has_own_account('${acme}', '${newcomer}')`, its_people],
    [`has_two_step('{${newcomer}}')`, ['provider']],
    [`import_leavers('${ids.import}', 0, null)`, ['people']],
    [`import_price('${stage.id}', '${ids.import}')`, ['people']],
    ['journal(current_date, null)', of_money],
    [`key_name('${acme}', '${ids.key}')`, of_people],
    [`never_came('${newcomer}')`, of_people],
    ['people_outside_identity_provider()', ['owner']],
    [`owners_with_password('${acme}')`, ['owner']],
    [`identity_provider_refusals('${acme}')`, ['owner']],
    [`reason_of('${acme}', '${ana}', '${ids.adjustment}')`, ['ana', ...of_money]],
    [`restricted_receipts(${ids.claim})`, ['reviewer']],
    [`right_ends_password('${acme}', '${newcomer}')`, ['owner']],
    [`right_refusal('confirm', ${right}, null)`, ['owner']],
    [`rights_given('${acme}')`, [...admin_rights, 'auditor']],
    ['scim_dry_run()', its_people.filter((name) => name !== 'provider')],
  ]
}

/** Answers about whoever asks, by their own number alone. */
const of_oneself =
  /^(?:my_.*|verify_my_ledger|needs_you|done_notices|has_limits|seen_views|managers_approve|actor)$/

/** Functions that another test calls straight. */
const asked_elsewhere: Record<string, string> = {
  company_days_off: 'test/straight-sql.test.ts',
  dependent_share: 'test/straight-sql.test.ts',
  giving_refusal: 'src/companies/own-admins.test.ts',
  import_effects: 'src/employees/imports/price.test.ts',
  leavers_refusal: 'test/straight-sql.test.ts',
  policy_is_superseded: 'test/straight-sql.test.ts',
}

const nothing = new Set(['null', 'false', '[]', '0', '"forbidden"'])

const answers = (call: string) => async (tx: Tx) => {
  const rows = await tx.unsafe<{ answer: unknown }[]>(
    `select to_json(a) as answer from ${call.replace(/ where (?![^(]*\))|$/, ' a$&')}`,
  )
  return rows.some(({ answer }) => !nothing.has(JSON.stringify(answer)))
}

describe('what a whole company has', () => {
  let ask: Record<string, (call: string) => Promise<boolean>>
  let own: Belongings
  let reviewer: Person
  const lines: CallLine[] = []
  before(async () => {
    own = await belongingsOf(scene, 'Ana')
    const { company } = own.stage
    const holders = await Promise.all(
      CompanyRight.options.map(async (kind) => [kind, await withRights(scene, company, kind)]),
    )
    const people: Record<string, Person> = {
      ...(Object.fromEntries(holders) as Record<CompanyRight, Person>),
      ana: own.person,
      colleague: await company.hire('Colleague'),
      waits: await scene.signUp(`waits@${company.domain}`, 'company_admin'),
      boss: (await scene.company()).admin,
      provider: await scene.superAdmin(),
    }
    reviewer = people['reviewer']!
    const asPeople = Object.entries(people).map(([name, person]) => [
      name,
      (call: string) => scene.straight(person, answers(call)),
    ])
    ask = Object.fromEntries(asPeople)
  })

  async function areTold(some: CallLine[]) {
    lines.push(...some)
    for (const [call, expected] of some) {
      const found: string[] = []
      for (const [name, asks] of Object.entries(ask)) {
        const isTold = await asks(call).catch((error: { code?: string; message: string }) => {
          assert.equal(error.code, 'HF422', `${call}: ${error.message}`)
          return !['forbidden', 'not_found'].includes(error.message) // they got past who may ask
        })
        if (isTold) found.push(name)
      }
      assert.deepEqual(found.toSorted(), expected.toSorted(), call)
    }
  }

  test('is told to whoever has a right to it, and to nobody else', async () => {
    const { groups } = own.admin.api
    const field = await groups.add({ name: 'Field', departments: ['Field'] })
    await scene.sql`insert into employee_group_people (company_id, group_id, person_id)
      values (${own.stage.id}, ${own.ids.group}, ${own.person.id})`
    await scene.sql`insert into family_rules (company_id, child_age) values (${own.stage.id}, 24)`
    await areTold([...ofTheCompany(own, field.id), ...ofPeople(own)])
    await areTold(ofTheRest(own, await moreOfEach(scene, own, reviewer)))
  })

  test('has a line here for each function that a request may ask of it', async () => {
    const granted = await scene.sql<{ name: string }[]>`
      select distinct p.proname as name from pg_proc p where p.pronamespace = 'public'::regnamespace
        and p.prosecdef and p.provolatile = 's'
        and has_function_privilege('healthfund_request', p.oid, 'execute') order by 1`
    const lined = new Set(lines.flatMap(([call]) => call.match(/\w+(?=\()/g) ?? []))
    const others = granted.map(({ name }) => name)
    assert.deepEqual(
      others.filter((name) => !of_oneself.test(name) && !lined.has(name)),
      Object.keys(asked_elsewhere),
    )
    for (const [name, file] of Object.entries(asked_elsewhere))
      assert.ok(read(file).includes(`${name}(`), `${file} does not ask ${name}`)
  })
})
