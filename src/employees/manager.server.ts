import { besideFields } from '#lib/beside-fields.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { patternOf, soughtWords } from '#lib/keyed.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { manager } from './manager.contract.ts'

export const managerHandlers: Handlers<typeof manager> = {
  manager: ({ tx, actor, input: { id } }) => managerOf(tx, actor, id),

  managers: ({ tx, actor, input: { search } }) =>
    rows(
      manager.managers.output.element,
      tx`select id, full_name as name, email as note from profiles
        where company_id = ${actor.company_id} and standing in ('active', 'pending')
          and without_accents(full_name || ' ' || email)
            like all (${soughtWords(search).map(patternOf)})
        order by sort_name, id limit 20`,
    ),

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
          'note', m.email) end as manager
      from profiles p left join profiles m on m.company_id = p.company_id and m.id = p.manager_id
      where p.company_id = ${company_id} and p.id = ${id}`,
  )
