// Rights for a company: who has which, given, confirmed and ended.
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { GivenRight, Holder, rights } from './giving.contract.ts'
import { peopleNamed } from '#lib/people-named.server.ts'
import { CompanyRight } from './rights.contract.ts'

export const rightsHandlers: Handlers<typeof rights> = {
  list: async ({ tx, actor }) => {
    const holders = await holdersOf(tx, actor.company_id, actor.id)
    const refusals = await row(
      rights.list.output.shape.refusals,
      tx`select giving_refusal('owner', null) as invite`,
    )
    return { holders, refusals }
  },

  of_company: ({ tx, actor, input: { id } }) => holdersOf(tx, id, actor.id),

  people: async ({ tx, actor, input: { search } }) =>
    (await peopleNamed(tx, actor.company_id, search, ['active'])).filter(
      ({ id }) => id !== actor.id,
    ),

  confirmers: ({ tx, actor, input: { person_id, kind } }) =>
    row(
      rights.confirmers.output,
      tx`select right_confirmers(${person_id}, ${kind}) as confirmers,
        right_ends_password(${actor.company_id}, ${person_id}) as ends_password,
        json_build_object('give', giving_refusal(${kind}, ${person_id})) as refusals`,
    ),

  waiting: ({ tx }) => row(rights.waiting.output, tx`select * from my_waiting_rights()`),

  give: async ({ tx, input: { person_id, kind, from_on = null, until_on = null } }) => {
    const { id } = await besideFields(
      { right_already_given: 'kind', right_ends_too_soon: 'until_on', yourself: 'person_id' },
      row(
        rights.end.output,
        tx`select give_right(${person_id}, ${kind}, ${from_on}, ${until_on}) as id`,
      ),
    )
    return row(
      rights.give.output,
      tx`select r.id, r.confirmed_at is null as waits,
          right_ends_password(r.company_id, r.person_id) as ends_password
        from company_rights r where r.id = ${id}`,
    )
  },

  confirm: async ({ tx, input: { ids } }) => {
    await tx`select confirm_rights(${ids}::uuid[])`
    return { ids }
  },

  end: async ({ tx, input: { id, knowingly = false } }) => {
    await tx`select end_right(${id}, ${knowingly})`
    return { id }
  },
}

const RightToConfirm = GivenRight.extend({ person: Holder.omit({ rights: true }) })

async function holdersOf(tx: Tx, company_id: string | null, me: string): Promise<Holder[]> {
  const lines = await rows(
    RightToConfirm,
    tx`select r.id, r.kind, r.begins_at, r.ends_at, r.confirmed_at is null as waits,
        (select g.full_name from profiles g where g.id = r.given_by) as given_by,
        (select g.full_name from profiles g where g.id = r.confirmed_by) as confirmed_by,
        (select max(l.counts_from) from rights_lately l where l.company_id = r.company_id
          and l.person_id = r.person_id and l.kind = r.kind and takes_two(r.kind)) as counts_from,
        right_refusals(r, ${me}) as refusals,
        json_build_object('id', p.id, 'full_name', p.full_name, 'email', p.email,
          'status', p.status, 'is_at_work', exists (select from rights_now n
            where n.company_id = p.company_id and n.person_id = p.id)) as person
      from company_rights r join profiles p on p.company_id = r.company_id and p.id = r.person_id
      where r.company_id = ${company_id} and has_not_ended(r.ended_at, r.ends_at)
      order by p.created_at, p.id, array_position(${CompanyRight.options}::text[], r.kind)
      limit 1000`,
  )
  const holders = new Map<string, Holder>()
  for (const { person, ...right } of lines) {
    const holder = holders.get(person.id) ?? { ...person, rights: [] }
    holders.set(person.id, { ...holder, rights: [...holder.rights, right] })
  }
  return [...holders.values()]
}
