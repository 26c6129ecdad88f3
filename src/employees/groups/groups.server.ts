// Groups of a company's people, as HR makes and changes them.
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { Group, groups } from './groups.contract.ts'

const about_name = { group_exists: 'name' } as const

export const groupsHandlers: Handlers<typeof groups> = {
  list: ({ tx, actor }) => rows(Group, groupsOf(tx, actor)),

  own: ({ tx, actor }) =>
    row(
      groups.own.output,
      tx`select json_build_object('pick', own_benefit_refusal('people', p.company_id, p.id, p.id))
          as refusals from profiles p where p.id = ${actor.id}`,
    ),

  preview: ({ tx, actor, input: { id = null, departments } }) =>
    row(
      groups.preview.output,
      tx`select my_group_refusals(${id}, ${departments}) as refusals,
        exists (select from groups_of_person(${actor.id}) g where g.id = ${id}) as is_in
        where ${id}::uuid is null or exists (select from employee_groups g where g.id = ${id})`,
    ),

  add: async ({ tx, actor, input: { name, departments } }) => {
    const [made] = await besideFields(
      about_name,
      tx<{ id: string }[]>`insert into employee_groups (company_id, name, departments)
        values (${actor.company_id}, ${name}, ${departments && [...new Set(departments)]})
        returning id`,
    )
    return changedGroup(tx, actor, made?.id)
  },

  change: async ({ tx, actor, input: { id, version, name, departments } }) => {
    const group = await lockGroup(tx, actor, id)
    if (group.version !== version) throw new Problem('changed_meanwhile')
    await besideFields(
      about_name,
      tx`update employee_groups set name = ${name},
          departments = ${departments && [...new Set(departments)]}
        where company_id = ${actor.company_id} and id = ${id}`,
    )
    return changedGroup(tx, actor, id)
  },

  remove: async ({ tx, actor, input: { id } }) => {
    await lockGroup(tx, actor, id)
    await tx`delete from employee_groups where company_id = ${actor.company_id} and id = ${id}`
    await tx`select publish(${`admins:${actor.company_id}`})`
    return { id }
  },

  put_person: async ({ tx, actor, input: { id, person_id } }) => {
    await refuseOthers(tx, actor, person_id)
    await tx`select put_in_group(${actor.company_id}, ${id}, array[${person_id}::uuid])`
    return row(Group, groupsOf(tx, actor, id))
  },

  take_person: async ({ tx, actor, input: { id, person_id } }) => {
    await refuseOthers(tx, actor, person_id)
    await tx`select take_out_of_group(${actor.company_id}, ${id}, ${person_id})`
    return row(Group, groupsOf(tx, actor, id))
  },

  of_person: async ({ tx, actor, input: { id } }) => {
    await refuseOthers(tx, actor, id)
    return rows(
      groups.of_person.output.element,
      tx`select g.id, g.name, g.departments from groups_of_person(${id}) g`,
    )
  },
}

const groupsOf = (tx: Tx, { company_id }: Actor, id?: string) => tx`
  select g.id, g.name, g.departments, g.version, people_in_group(g.id) as people,
    empty_departments(g.id) as empty, group_in_use(g.id) as in_use,
    group_refusals(g.id) as refusals
  from employee_groups g
  where g.company_id = ${company_id} ${id ? tx`and g.id = ${id}` : tx``}
  order by lower(g.name) limit 1000`

const lockGroup = (tx: Tx, { company_id }: Actor, id: string) =>
  row(
    Group.pick({ departments: true, version: true }),
    tx`select g.departments, g.version from employee_groups g
      where g.company_id = ${company_id} and g.id = ${id} for no key update`,
  )

async function changedGroup(tx: Tx, actor: Actor, id: string | undefined): Promise<Group> {
  if (!id) throw new Problem('not_found')
  await tx`select publish(${`admins:${actor.company_id}`})`
  return row(Group, groupsOf(tx, actor, id))
}

async function refuseOthers(tx: Tx, { company_id }: Actor, id: string) {
  const [theirs] = await tx`select from profiles
    where id = ${id} and company_id = ${company_id} and account_state <> 'requested'`
  if (!theirs) throw new Problem('not_found')
}
