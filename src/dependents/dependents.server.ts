import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import {
  current_states,
  Dependent,
  dependents,
  DependentEvent,
  Family,
  CoverRules,
  isCurrent,
} from './dependents.contract.ts'

type DependentHandlers = Handlers<typeof dependents>

const waiting_shown = 50

const own: Pick<
  DependentHandlers,
  'mine' | 'add' | 'change' | 'end' | 'resume' | 'withdraw' | 'history'
> = {
  mine: ({ tx, actor }) => familyOf(tx, actor),

  add: async ({ tx, input }) => {
    const { full_name, relationship, born_on, covered_from = null } = input
    const [made] = await besideFields(
      fields,
      tx<[{ id: string }]>`
        select add_dependent(${full_name}, ${relationship}, ${born_on}, ${covered_from}) as id`,
    )
    return findDependent(tx, made.id)
  },

  change: async ({ tx, input }) => {
    await besideFields(fields, tx`select change_dependent(${tx.json(input)})`)
    return findDependent(tx, input.id)
  },

  end: async ({ tx, input: { id, covered_to } }) => {
    await besideFields(fields, tx`select end_dependent(${id}, ${covered_to})`)
    return findDependent(tx, id)
  },

  resume: async ({ tx, input: { id } }) => {
    await tx`select end_dependent(${id}, ${null})`
    return findDependent(tx, id)
  },

  withdraw: async ({ tx, input: { id } }) => {
    await tx`select withdraw_dependent(${id})`
    return findDependent(tx, id)
  },

  history: async ({ tx, input: { id } }) => {
    await findDependent(tx, id)
    return rows(
      DependentEvent,
      tx`select id, at, event, day, case by_role when 'company_admin' then 'hr'
          when 'employee' then 'person' else 'system' end as by
        from dependent_events where dependent_id = ${id} order by id limit 200`,
    )
  },
}

const of_hr: Pick<
  DependentHandlers,
  'of' | 'requests' | 'approve' | 'decline' | 'undo' | 'rules' | 'set_approval' | 'set_child_age'
> = {
  of: async ({ tx, input: { person_id } }) => {
    const [person] = await tx`select from profiles where id = ${person_id}`
    if (!person) throw new Problem('not_found')
    return rows(
      Dependent,
      tx`select ${dependentColumns(tx)} from ${rowsOf(tx)} where d.person_id = ${person_id}
        order by ${in_order(tx)} limit 200`,
    )
  },

  requests: async ({ tx }) => {
    const [{ waiting }] = await tx<[{ waiting: number }]>`
      select count(*)::int as waiting from dependents where status = 'requested'`
    const found = await rows(
      dependents.requests.output.shape.dependents.element,
      tx`select ${dependentColumns(tx)}, p.full_name as person_name
        from ${rowsOf(tx)}
        where d.status = 'requested' order by d.added_at, d.id limit ${waiting_shown}`,
    )
    return { waiting, dependents: found }
  },

  approve: ({ tx, input: { id, version } }) => decide(tx, id, version, true, null),
  decline: ({ tx, input: { id, version, reason = null } }) =>
    decide(tx, id, version, false, reason || null),

  undo: async ({ tx, input: { id } }) => {
    await besideFields(fields, tx`select undo_dependent(${id})`)
    return findDependent(tx, id)
  },

  rules: ({ tx }) => rulesOf(tx),

  set_approval: async ({ tx, actor, input: { needed } }) => {
    await tx`
      insert into family_rules (company_id, approval_needed) values (${actor.company_id}, ${needed})
      on conflict (company_id) do update set approval_needed = excluded.approval_needed`
    return publishRules(tx, actor)
  },

  set_child_age: async ({ tx, actor, input: { child_age } }) => {
    await tx`
      insert into family_rules (company_id, child_age) values (${actor.company_id}, ${child_age})
      on conflict (company_id) do update set child_age = excluded.child_age`
    return publishRules(tx, actor)
  },
}

export const dependentsHandlers: DependentHandlers = { ...own, ...of_hr }

const rowsOf = (tx: Tx) => tx`dependents d
  join (select c.id, company_today(c.id) as today, child_age_of(c.id) as child_age
    from companies c where c.id = actor_company()) c on c.id = d.company_id
  join profiles p on p.company_id = d.company_id and p.id = d.person_id
  cross join lateral covered_until(d, c.child_age, p.left_on)
  cross join lateral cover_state(d.status, d.covered_from, covered_until, c.today)`

const dependentColumns = (tx: Tx) => tx`
  d.id, d.person_id, d.full_name, d.relationship, d.born_on, age_on(d.born_on, c.today) as age,
  d.covered_from, d.covered_to, covered_until, ages_out_on(d.relationship, d.born_on, c.child_age) as ages_out_on,
  cover_state, d.approval, dependent_refusals(d, actor_id()) as refusals, d.added_on,
  d.decline_reason, d.version`

/** People covered now or later come first, then the former ones. */
const in_order = (tx: Tx) => tx`
  cover_state <> all (${current_states}::text[]), d.added_at, d.id`

const findDependent = (tx: Tx, id: string) =>
  row(Dependent, tx`select ${dependentColumns(tx)} from ${rowsOf(tx)} where d.id = ${id}`)

const FamilyFacts = Family.omit({
  dependents: true,
  total: true,
  active: true,
  average_age: true,
  rules: true,
})

async function familyOf(tx: Tx, actor: Actor): Promise<Family> {
  const [found, rules, facts] = await Promise.all([
    rows(
      Dependent,
      tx`select ${dependentColumns(tx)} from ${rowsOf(tx)} where d.person_id = ${actor.id}
        order by ${in_order(tx)} limit 200`,
    ),
    row(CoverRules, tx`select * from my_family_rules()`),
    row(
      FamilyFacts,
      tx`
        select t.today, p.joined_on, p.left_on,
          json_build_object('add', family_refusal(p.left_on, t.today)) as refusals,
          new_cover_from(p.joined_on, t.today) as new_cover_from,
          coalesce(y.dependent_cents, 0) as dependent_cents, y.dependent_cap_cents,
          coalesce(dependent_share(p.company_id, y.starts_on, p.joined_on), 0) as dependent_share_cents
        from profiles p cross join lateral company_today(p.company_id) t (today)
          left join plan_years y on y.company_id = p.company_id
          and y.starts_on = (select current_plan_year(${actor.company_id}))
        where p.id = ${actor.id}`,
    ),
  ])
  const now = found.filter(isCurrent)
  const ages = now.reduce((sum, { age }) => sum + age, 0)
  return {
    dependents: found,
    total: now.length,
    active: now.filter(({ cover_state }) => cover_state === 'active').length,
    average_age: now.length ? Math.round(ages / now.length) : null,
    rules,
    ...facts,
  }
}

async function decide(
  tx: Tx,
  id: string,
  version: number,
  approves: boolean,
  reason: string | null,
) {
  await tx`select decide_dependent(${id}, ${version}, ${approves}, ${reason})`
  return findDependent(tx, id)
}

const rulesOf = (tx: Tx) => row(CoverRules, tx`select * from family_rules_of(actor_company())`)

async function publishRules(tx: Tx, actor: Actor) {
  await tx`select publish(${`admins:${actor.company_id}`})`
  return rulesOf(tx)
}

const fields = {
  born_in_the_future: 'born_on',
  born_too_long_ago: 'born_on',
  child_too_old: 'born_on',
  too_young_for_that: 'born_on',
  one_active_spouse: 'relationship',
  cover_before_birth: 'covered_from',
  cover_before_joining: 'covered_from',
  cover_after_leaving: 'covered_from',
  cover_ends_before_it_begins: 'covered_to',
}
