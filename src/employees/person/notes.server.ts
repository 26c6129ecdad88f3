// Notes about a person, as the admins of their company keep them.
import { rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem, type ProblemCode } from '#problems.ts'
import { PersonNote, type notes } from './notes.contract.ts'

export const notesHandlers: Handlers<typeof notes> = {
  notes: async ({ tx, actor, input: { id } }) => {
    await refuseOwn(tx, actor, id)
    return notesOf(tx, actor, id)
  },

  add_note: async ({ tx, actor, input: { id, text } }) => {
    await refuseOwn(tx, actor, id)
    await tx`insert into person_notes (company_id, person_id, text, written_by)
      values (${actor.company_id}, ${id}, ${text}, ${actor.id})`
    await tx`select publish(${`admins:${actor.company_id}`})`
    return notesOf(tx, actor, id)
  },

  remove_note: async ({ tx, actor, input: { id, note_id } }) => {
    const [gone] = await tx`delete from person_notes
      where company_id = ${actor.company_id} and person_id = ${id} and id = ${note_id} returning id`
    if (!gone) throw new Problem('not_found')
    await tx`select publish(${`admins:${actor.company_id}`})`
    return notesOf(tx, actor, id)
  },
}

/** Nobody reads what is written about themselves, nor of other companies’ people. */
async function refuseOwn(tx: Tx, actor: Actor, id: string) {
  const [person] = await tx<{ refusal: ProblemCode | null }[]>`
    select person_refusal('note', p, ${actor.id}) as refusal from profiles p
    where p.id = ${id} and p.company_id = ${actor.company_id}`
  if (!person) throw new Problem('not_found')
  if (person.refusal) throw new Problem(person.refusal)
}

const notesOf = (tx: Tx, actor: Actor, id: string) =>
  rows(
    PersonNote,
    tx`select n.id, n.text, p.full_name as written_by_name, n.written_at
      from person_notes n left join profiles p on p.id = n.written_by
      where n.company_id = ${actor.company_id} and n.person_id = ${id}
      order by n.written_at desc, n.id limit 200`,
  )
