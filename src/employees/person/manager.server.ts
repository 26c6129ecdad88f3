import { besideFields } from '#lib/field-problems.server.ts'
import { row, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { peopleNamed } from '#lib/people-named.server.ts'
import { manager } from './manager.contract.ts'

export const managerHandlers: Handlers<typeof manager> = {
  manager: ({ tx, actor, input: { id } }) => managerOf(tx, actor, id),

  managers: ({ tx, actor, input: { search } }) =>
    peopleNamed(tx, actor.company_id, search, ['active', 'pending']),

  set_manager: async ({ tx, actor, input: { id, manager_id } }) => {
    await besideFields(
      { manager_in_a_circle: 'manager_id' },
      tx`select set_manager(${id}, ${manager_id})`,
    )
    return managerOf(tx, actor, id)
  },
}

const managerOf = (tx: Tx, { company_id }: Actor, id: string) =>
  row(
    manager.manager.output,
    tx`select case when m.id is not null then json_build_object('id', m.id, 'name', m.full_name,
          'note', m.email, 'reviews', is_reviewer(m.id)) end as manager,
        managers_approve() as approves,
        json_build_object('set_manager', manager_refusal(p.id, actor_id())) as refusals
      from profiles p left join profiles m on m.company_id = p.company_id and m.id = p.manager_id
      where p.company_id = ${company_id} and p.id = ${id}`,
  )
