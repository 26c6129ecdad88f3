import { dayText } from '#lib/days.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { OwnTx } from '#lib/tuning.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { findImport } from '#employees/imports/imports.server.ts'
import { chosenPeople } from '../list.server.ts'
import type { PeopleSelection, many } from './many.contract.ts'

/** The most people that one act takes: larger changes are a file's. */
const most_chosen = 20_000

export const manyHandlers: Handlers<typeof many> = {
  compare: async ({ tx, actor, input: { becomes, ...people } }) => {
    const chosen = await peopleOf(tx, actor, people)
    const rows = chosen.map(({ full_name, email }, at) => ({
      line: at + 1,
      full_name,
      email,
      ...becomes,
      finding: 'fresh',
    }))
    const [{ id }] = await tx<[{ id: string }]>`
      select open_import(${nameOf(becomes)}, true, true) as id`
    await tx`select stage_rows(${id}, ${tx.json(rows)})`
    await tx`select check_import(${id})`
    return findImport(tx, id)
  },

  put_in_group: async ({ tx, actor, input: { into_group_id, ...people } }) => {
    const chosen = await peopleOf(tx, actor, people)
    const ids = chosen.map(({ id }) => id)
    const [{ added, added_at }] = await tx<[{ added: number; added_at: string }]>`
      select put_in_group(${actor.company_id}, ${into_group_id}, ${ids}::uuid[]) as added,
        to_json(now()) #>> '{}' as added_at`
    const [{ in_it }] = await tx<[{ in_it: number }]>`
      select count(*)::int as in_it from employee_group_people
      where company_id = ${actor.company_id} and group_id = ${into_group_id}
        and person_id = any (${ids}::uuid[])`
    return { added, were_in_it: in_it - added, left_out: ids.length - in_it, added_at }
  },

  undo_put_in_group: async ({ tx, actor, input: { group_id, added_at } }) => {
    const [{ taken_out }] = await tx<[{ taken_out: number }]>`
      select undo_put_in_group(${actor.company_id}, ${group_id}, ${added_at}::text::timestamptz)
        as taken_out`
    return { taken_out }
  },

  invite_again: async ({ tx, actor, input: people }) => {
    const chosen = await peopleOf(tx, actor, people)
    const [{ invited }] = await tx<[{ invited: number }]>`
      select invite_many_again(${chosen.map(({ id }) => id)}::uuid[]) as invited`
    return { invited, left_out: chosen.length - invited }
  },
}

const nameOf = (becomes: { left_on: string } | { department: string }) =>
  'left_on' in becomes ? `Last day ${dayText(becomes.left_on)}` : `Department ${becomes.department}`

async function peopleOf(tx: OwnTx, { company_id }: Actor, chosen: PeopleSelection) {
  if (!company_id) throw new Problem('forbidden')
  const found = await chosenPeople(tx, company_id, chosen, most_chosen)
  if (found.length === 0) throw new Problem('nobody_chosen')
  if (found.length > most_chosen) throw new Problem('too_many_chosen')
  return found
}
