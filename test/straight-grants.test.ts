// Each grant to write that a request’s login has, with no function between: whom it is for, and who writes nothing by it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Person } from './world/people.ts'
import { withRights } from './world/rights.ts'
import { openStraight } from './world/straight.ts'

const { scene, as, close } = await openStraight()
after(close)

/** Owner and people work for Acme, the owner with every right; ana and ben are its employees, boss another company's owner. */
type CallerName = 'owner' | 'people' | 'ana' | 'ben' | 'boss' | 'provider' | 'colleague'
type Ids = Record<CallerName | 'acme' | 'other' | 'checks' | 'group' | 'note' | 'own_note', string>
type GrantLine = { grant: string; statement: string; may: CallerName[]; not: CallerName[] }

const of_providers = 'name, offers, place, note, time_zone'
const of_companies = 'name, domain, status, currency, time_zone'
const of_plans =
  'company_id, starts_on, prevention_cents, treatment_cents, solidarity_cents, by_month, dependent_cents, ' +
  'dependent_cap_cents, proration, carry_over, carry_over_max_cents, filing_days, leaver_filing_days'

const lines = (ids: Ids): GrantLine[] => [
  {
    grant: 'insert into answered_requests',
    statement: `insert into answered_requests (person_id, key, question, answer)
      values ('${ids.ana}', 'a-key-of-a-request', '', '{}')`,
    may: ['ana'],
    not: ['ben', 'owner', 'boss', 'provider'],
  },
  {
    grant: `insert into check_providers (company_id, ${of_providers})`,
    statement: `insert into check_providers (company_id, ${of_providers})
      values ('${ids.acme}', 'Clinic', 'Blood test', 'Main street', null, 'UTC')`,
    may: ['people', 'owner'],
    not: ['ana', 'boss', 'provider'],
  },
  {
    grant: `update check_providers (${of_providers})`,
    statement: `update check_providers set name = 'Other clinic' where id = '${ids.checks}'`,
    may: ['people', 'owner'],
    not: ['ana', 'boss', 'provider'],
  },
  ...[ids.acme, ids.other].map((company): GrantLine => {
    const here = company === ids.acme
    return {
      grant: 'insert into check_slots (company_id, provider_id, starts_at, minutes, capacity)',
      statement: `insert into check_slots (company_id, provider_id, starts_at, minutes, capacity)
        values ('${company}', '${ids.checks}', '2100-01-01 10:00Z', 20, 2)`,
      may: here ? ['people', 'owner'] : [],
      not: here ? ['ana', 'boss', 'provider'] : ['people', 'boss', 'provider'],
    }
  }),
  {
    grant: 'insert into claim_types (company_id, category, name)',
    statement: `insert into claim_types (company_id, category, name)
      values ('${ids.acme}', 'treatment', 'Wellness')`,
    may: ['owner'],
    not: ['people', 'ana', 'boss', 'provider'],
  },
  {
    grant: 'update claim_types (name, active)',
    statement: `update claim_types set active = false where company_id = '${ids.acme}'`,
    may: ['owner'],
    not: ['people', 'ana', 'boss', 'provider'],
  },
  {
    grant: `insert into companies (${of_companies})`,
    statement: `insert into companies (name) values ('Of their own')`,
    may: ['provider'],
    not: ['owner', 'ana'],
  },
  {
    grant: `update companies (${of_companies})`,
    statement: `update companies set currency = 'CHF' where id = '${ids.acme}'`,
    may: ['provider'],
    not: ['owner', 'people', 'ana', 'boss'],
  },
  {
    grant: 'insert into employee_groups (company_id, name, departments)',
    statement: `insert into employee_groups (company_id, name) values ('${ids.acme}', 'Drivers')`,
    may: ['people', 'owner'],
    not: ['ana', 'boss', 'provider'],
  },
  {
    grant: 'update employee_groups (name, departments)',
    statement: `update employee_groups set name = 'Drivers' where id = '${ids.group}'`,
    may: ['people', 'owner'],
    not: ['ana', 'boss', 'provider'],
  },
  {
    grant: 'delete from employee_groups',
    statement: `delete from employee_groups where id = '${ids.group}'`,
    may: ['people', 'owner'],
    not: ['ana', 'boss', 'provider'],
  },
  {
    grant: 'insert into family_rules (company_id, approval_needed, child_age)',
    statement: `insert into family_rules (company_id, child_age) values ('${ids.acme}', 21)`,
    may: ['people', 'owner'],
    not: ['ana', 'boss', 'provider'],
  },
  {
    grant: 'update family_rules (approval_needed, child_age)',
    statement: `update family_rules set child_age = 40 where company_id = '${ids.other}'`,
    may: ['boss'],
    not: ['people', 'owner', 'ana', 'provider'],
  },
  {
    grant: 'update inquiries (answered_at, answered_by)',
    statement: 'update inquiries set answered_at = now(), answered_by = actor_id()',
    may: ['provider', 'colleague'],
    not: ['owner', 'ana'],
  },
  {
    grant: 'delete from inquiries',
    statement: 'delete from inquiries',
    may: ['provider', 'colleague'],
    not: ['owner', 'ana'],
  },
  {
    grant: 'update notifications (read_at)',
    statement: `update notifications set read_at = now() where person_id = '${ids.ana}'`,
    may: ['ana'],
    not: ['ben', 'owner', 'boss', 'provider'],
  },
  ...(['ana', 'people', 'ben'] as const).map((about): GrantLine => ({
    grant: 'insert into person_notes (company_id, person_id, text, written_by)',
    statement: `insert into person_notes (company_id, person_id, text, written_by)
        values ('${ids.acme}', '${ids[about]}', 'Called', '${about === 'ben' ? ids.owner : ids.people}')`,
    may: about === 'ana' ? ['people'] : [],
    not: about === 'ana' ? ['owner', 'ana', 'boss', 'provider'] : ['people'],
  })),
  {
    grant: 'delete from person_notes',
    statement: `delete from person_notes where id = '${ids.note}'`,
    may: ['people', 'owner'],
    not: ['ana', 'ben', 'boss', 'provider'],
  },
  {
    grant: 'delete from person_notes',
    statement: `delete from person_notes where id = '${ids.own_note}'`,
    may: ['owner'],
    not: ['people'],
  },
  {
    grant: `insert into plan_years (${of_plans})`,
    statement: `insert into plan_years (company_id, starts_on) values ('${ids.acme}', '2100-01-01')`,
    may: ['owner'],
    not: ['people', 'ana', 'boss', 'provider'],
  },
  {
    grant: 'insert into preferences',
    statement: `insert into preferences select '${ids.ana}', w.* from preferences_of('${ids.ana}') w`,
    may: ['ana'],
    not: ['ben', 'owner', 'boss', 'provider'],
  },
  {
    grant: 'update preferences (email_notifications, claim_updates, fund_alerts, health_tips)',
    statement: `update preferences set fund_alerts = false where person_id = '${ids.ben}'`,
    may: ['ben'],
    not: ['ana', 'owner', 'boss', 'provider'],
  },
  {
    grant: 'update profiles (full_name, phone, department)',
    statement: `update profiles set full_name = 'Somebody' where id = '${ids.ana}'`,
    may: ['ana', 'people', 'owner', 'provider'],
    not: ['ben', 'boss'],
  },
  {
    grant: 'update profiles (full_name, phone, department)',
    statement: `update profiles set full_name = 'Somebody' where id = '${ids.owner}'`,
    may: ['owner', 'provider'],
    not: ['people', 'ana', 'boss'],
  },
  {
    grant: 'insert into report_schedules (person_id, kind)',
    statement: `insert into report_schedules (person_id, kind)
      values ('${ids.provider}', 'claims_activity')`,
    may: ['provider'],
    not: ['colleague', 'owner', 'ana'],
  },
  {
    grant: 'delete from report_schedules',
    statement: `delete from report_schedules where person_id = '${ids.provider}'`,
    may: ['provider'],
    not: ['colleague', 'owner', 'ana'],
  },
]

describe('a grant to write', () => {
  let people: Record<CallerName, Person>
  let written: GrantLine[]
  before(async () => {
    const [acme, other] = [await scene.company({ name: 'Acme' }), await scene.company()]
    const [ana, ben] = [await acme.hire('Ana'), await acme.hire('Ben')]
    const [provider, colleague] = [await scene.superAdmin(), await scene.superAdmin()]
    const { admin: owner } = acme
    const people_admin = await withRights(scene, acme, 'people')
    people = { owner, people: people_admin, ana, ben, boss: other.admin, provider, colleague }
    const [made] = await scene.sql<[Record<'checks' | 'group' | 'note' | 'own_note', string>]>`
      with checks as (insert into check_providers (company_id, name, offers, place, time_zone)
          values (${acme.id}, 'Doctors', 'Check-up', 'First street', 'UTC') returning id),
        groups as (insert into employee_groups (company_id, name)
          values (${acme.id}, 'Interns') returning id),
        note as (insert into person_notes (company_id, person_id, text, written_by)
          values (${acme.id}, ${ana.id}, 'Called', ${owner.id}) returning id),
        own_note as (insert into person_notes (company_id, person_id, text, written_by)
          values (${acme.id}, ${people_admin.id}, 'Called', ${owner.id}) returning id),
        rules as (insert into family_rules (company_id, child_age) values (${other.id}, 20)),
        switches as (insert into preferences select ${ben.id}, w.* from preferences_of(${ben.id}) w),
        schedule as (insert into report_schedules (person_id, kind)
          values (${provider.id}, 'fund_allocation')),
        inserted as (insert into inquiries (full_name, email, company, people, message)
          values ('Ida', 'ida@x.test', 'Ida Ltd', 5, 'Please call me back')),
        heard as (insert into notifications (person_id, kind, code, path)
          values (${ana.id}, 'account', 'account_approved', '/'))
      select checks.id as checks, groups.id as "group", note.id as note, own_note.id as own_note
        from checks, groups, note, own_note`
    const ids = Object.fromEntries(Object.entries(people).map(([name, { id }]) => [name, id]))
    written = lines({
      ...made,
      ...(ids as Record<CallerName, string>),
      acme: acme.id,
      other: other.id,
    })
  })

  /** How many rows it writes for them; it is taken back. */
  async function rowsFor(name: CallerName, { statement }: GrantLine): Promise<number> {
    let count = -1
    const attempt = as(people[name], async (tx) => {
      count = (await tx.unsafe(`${statement} returning 1`)).length
      throw new Error('undone')
    })
    await assert.rejects(attempt, (error: { message: string; code?: string }) => {
      if (error.message !== 'undone') assert.equal(error.code, '42501', `${name}: ${error.message}`)
      return true
    })
    return Math.max(count, 0)
  }

  test('writes what it is for, and nothing of anybody else', async () => {
    for (const line of written) {
      for (const name of line.may)
        assert.ok((await rowsFor(name, line)) > 0, `${name} may not: ${line.statement}`)
      for (const name of line.not)
        assert.equal(await rowsFor(name, line), 0, `${name} may: ${line.statement}`)
    }
  })

  test('has its line here, with the columns it is for', async () => {
    const granted = await scene.sql<{ text: string }[]>`
      select a.verb || c.relname || coalesce(' (' || a.columns || ')', '') as text from pg_class c
      cross join lateral (
        select verb, null as columns from (values ('insert into ', 'insert'), ('update ', 'update'),
            ('delete from ', 'delete')) v (verb, right_name)
          where has_table_privilege('healthfund_request', c.oid, right_name)
        union all
        select verb, string_agg(x.attname, ', ' order by x.attnum)
          from (values ('insert into ', 'insert'), ('update ', 'update')) v (verb, right_name)
          join pg_attribute x on x.attrelid = c.oid and x.attnum > 0 and not x.attisdropped
            and has_column_privilege('healthfund_request', c.oid, x.attnum, right_name)
          where not has_table_privilege('healthfund_request', c.oid, right_name)
          group by verb) a
      where c.relkind in ('r', 'p', 'v') and c.relnamespace::regnamespace::text in ('public', 'auth', 'private')`
    const lined = new Set(written.map(({ grant }) => grant))
    assert.deepEqual([...lined].toSorted(), granted.map(({ text }) => text).toSorted())
  })
})
