// Rights, what each opens and what it does not: straight SQL as the login that requests use, and every answer there is.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { isOpenTo } from '#permissions/callers.ts'
import { contracts } from '#contracts.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { fields } from './act-ids.ts'
import { belongingsOf, type Belongings } from './world/one-of-each.ts'
import type { Person } from './world/people.ts'
import { withRights } from './world/rights.ts'
import { openedScene } from './world/scene.ts'
import { sampleOf } from './samples.ts'

const rights = CompanyRight.options
/** Nothing else in a company is called so: what was treated, by whom, for whom and what was said of it. */
const marks = [
  'Zahnkrone',
  'Praxis Quastl',
  'Mila Sonnleitner',
  'Wurzelbehandlung',
  'scan-of-quastl',
]

const scene = openedScene()
let own: Belongings
let people: Record<CompanyRight, Person>
before(async () => {
  own = await belongingsOf(scene, 'Ana')
  people = {} as typeof people
  for (const right of rights) people[right] = await withRights(scene, own.stage.company, right)
  const { stage, person } = own
  await stage.agreeing(person, { amount_cents: 3100 })
  const run = await own.admin.api.payouts.make({ cut_off_on: stage.today, pay_on: stage.today })
  await people.finance.api.payouts.release(run)
  own.ids.run = run.id
  const rejected = await stage.claim(person, { amount_cents: 2100 })
  await own.admin.api.review.reject({
    id: rejected.id,
    version: rejected.version,
    reason: 'not_covered',
    text: marks[3]!,
  })
  const marked = { type_name: marks[0]!, provider: marks[1]!, note: marks[3]!, for_whom: marks[2]! }
  await scene.sql`update claims set ${scene.sql(marked)} where company_id = ${stage.id}`
  await scene.sql`update claim_events set text = ${marks[3]!} where company_id = ${stage.id}`
  await scene.sql`update dependents set full_name = ${marks[2]!} where company_id = ${stage.id}`
  await scene.sql`update receipts set file_name = ${marks[4]!} where company_id = ${stage.id}`
})

describe('straight SQL', () => {
  /** The rights that see rows of the company, where that is not everybody of it. */
  const seen_by: Record<string, readonly CompanyRight[]> = {
    absences: ['owner', 'people', 'reviewer', 'finance'],
    account_names: ['people', 'finance', 'auditor'],
    accounts: ['people', 'finance', 'auditor'],
    api_key_secrets: ['owner'],
    api_keys: ['owner', 'auditor'],
    audit_log: ['owner', 'auditor'],
    balance_adjustments: ['finance', 'auditor'],
    category_funds: rights,
    check_bookings: ['people'],
    claim_counts: rights,
    claim_events: ['reviewer'],
    claim_limits: ['owner', 'auditor'],
    claim_policies: ['owner', 'reviewer', 'auditor'],
    claim_type_counts: ['owner', 'reviewer'],
    claims: ['reviewer'],
    company_accounts: ['finance', 'auditor'],
    company_rights: rights,
    dependent_events: ['people', 'reviewer'],
    dependents: ['people', 'reviewer'],
    employee_groups: ['owner', 'people', 'auditor'],
    erasures: ['people'],
    fund_changes: rights,
    fund_totals: rights,
    grants: ['people', 'finance', 'auditor'],
    headcount_days: rights,
    headcounts: rights,
    import_rows: ['people'],
    imports: ['people'],
    notifications: ['reviewer', 'finance'],
    pay_claims: ['finance', 'auditor'],
    pay_items: ['finance', 'auditor'],
    pay_runs: ['finance', 'auditor'],
    payment_blocks: ['finance', 'auditor'],
    profiles: ['owner', 'people', 'reviewer', 'finance', 'auditor'],
    receipts: ['reviewer'],
    regrants: ['owner', 'people', 'finance', 'auditor'],
    rights_now: rights,
    scim_groups: ['owner'],
    scim_users: ['owner'],
    transfers: ['people', 'finance', 'auditor'],
    waiting_totals: ['people', 'finance', 'auditor'],
    webhook_deliveries: ['owner'],
    webhook_secrets: ['owner'],
    webhooks: ['owner'],
  }

  test('shows the tables of each right to those who have it', async () => {
    const tables = await scene.services.sql.request<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p', 'v') and c.relnamespace = 'public'::regnamespace
        and has_any_column_privilege(c.oid, 'select') order by 1`
    const plain = await own.stage.hire('Nobody')
    const found: Record<string, CompanyRight[]> = {}
    for (const { name } of tables) {
      const count = async (who: Person) => {
        const [row] = await scene.straight(who, (tx) =>
          tx.unsafe(`select count(*)::int as n from ${name}`),
        )
        return row!['n'] as number
      }
      const anyway = await count(plain)
      for (const right of rights) {
        if ((await count(people[right])) > anyway) (found[name] ??= []).push(right)
      }
    }
    assert.deepEqual(found, seen_by)
  })

  /** The acts that write each table in plain statements. */
  const written_by: Record<string, (keyof typeof callers)[]> = {
    check_providers: ['health_checks.add_provider', 'health_checks.change_provider'],
    check_slots: ['health_checks.add_slots', 'health_checks.close_slot'],
    claim_types: ['policies.add_type', 'policies.change_type'],
    employee_groups: ['groups.add', 'groups.change', 'groups.remove'],
    family_rules: ['dependents.set_approval', 'dependents.set_child_age'],
    person_notes: ['employees.add_note', 'employees.remove_note'],
    plan_years: ['funds.add_year'],
    profiles: ['employees.edit'],
  }

  test('writes a table of the company by the rights of its acts, and no others', async () => {
    const policies = await scene.sql<{ name: string; condition: string }[]>`
      select tablename as name, string_agg(concat_ws(' ', qual, with_check), ' ') as condition
      from pg_policies where cmd <> 'SELECT' and concat_ws(' ', qual, with_check) ~ 'actor_has'
      group by 1, cmd order by 1`
    const found = policies.map(({ name, condition }) => [
      name,
      rights.filter((right) => condition.includes(`'${right}'::text`)),
    ])
    const expected = policies.map(({ name }) => [
      name,
      rights.filter((right) =>
        written_by[name]?.some((act) => (callers[act] as readonly string[]).includes(right)),
      ),
    ])
    assert.deepEqual(found, expected)
  })
})

describe('what was treated', () => {
  const acts = Object.entries(contracts).flatMap(([feature, contract]) =>
    Object.entries(contract as Record<string, Endpoint>).map(([name, endpoint]) => ({
      act: `${feature}.${name}`,
      endpoint,
    })),
  )

  /** A well-formed question about what is there. */
  function inputOf(act: string, endpoint: Endpoint) {
    const input = sampleOf(endpoint.input)
    for (const { path, kind } of fields.filter((field) => field.act === act)) {
      if (path in input && kind)
        input[path] = path === 'ids' ? String(own.ids[kind]) : own.ids[kind]
    }
    return input
  }

  async function answerOf(act: string, endpoint: Endpoint, person: Person) {
    const request = toRequest(endpoint, 'http://127.0.0.1', inputOf(act, endpoint), {
      file: new Blob(['name,email\n']),
    })
    request.headers.set('authorization', `Bearer ${person.token}`)
    const answer = await scene.services.app.request(request)
    if (endpoint.kind === 'stream') await answer.body?.cancel()
    return { ok: answer.ok, body: endpoint.kind === 'stream' ? '' : await answer.text() }
  }

  const mayAsk = (act: string, right: CompanyRight) => {
    const who = callers[act as keyof typeof callers]
    if (!Array.isArray(who)) return false
    return isOpenTo(who, { role: 'company_admin', rights: [right], has_own: false })
  }

  for (const right of ['finance', 'auditor', 'viewer', 'owner'] as const) {
    test(`stands in no answer to who has ${right} alone`, async () => {
      const answered: string[] = []
      for (const { act, endpoint } of acts) {
        if (!mayAsk(act, right)) continue
        const { ok, body } = await answerOf(act, endpoint, people[right])
        if (ok) answered.push(act)
        for (const mark of marks) assert.ok(!body.includes(mark), `${act} says ${mark}`)
      }
      assert.ok(answered.length > 8)
    })
  }

  test('would be found: reviewers are told all of it', async () => {
    const { endpoint } = acts.find(({ act }) => act === 'review.find')!
    const { body } = await answerOf('review.find', endpoint, people.reviewer)
    for (const mark of marks.slice(0, 3)) assert.ok(body.includes(mark), mark)
  })
})
