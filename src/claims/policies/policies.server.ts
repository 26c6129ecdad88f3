// The policy of a company: its terms, version by version, and its catalogue of types.
import { z } from 'zod'
import { categories } from '#categories.ts'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { PolicyGaps } from './gaps.contract.ts'
import { ClaimType, policies, Policy, Preview } from './policies.contract.ts'

const about_name = { type_exists: 'name' } as const

export const policiesHandlers: Handlers<typeof policies> = {
  current: async ({ tx, actor }) => {
    const [policy, company] = await Promise.all([
      currentPolicy(tx),
      row(
        policies.current.output.pick({ currency: true }),
        tx`select currency from companies where id = ${actor.company_id}`,
      ),
    ])
    return { ...policy, ...company }
  },

  history: ({ tx }) => rows(Policy, tx`select * from claim_policy_history()`),

  gaps: async ({ tx, input: { without = null } }) => {
    const { gaps } = await row(
      z.object({ gaps: PolicyGaps }),
      tx`select policy_gaps(${without}) as gaps`,
    )
    return gaps
  },

  preview: async ({ tx, input }) => {
    const { preview } = await row(
      z.object({ preview: Preview }),
      tx`select preview_claim_policy(${tx.json(input)}) as preview`,
    )
    return preview
  },

  step_choices: async ({ tx }) => {
    const { choices } = await row(
      z.object({ choices: policies.step_choices.output }),
      tx`select step_choices() as choices`,
    )
    return choices
  },

  change: async ({ tx, input: { version, note, ...terms } }) => {
    await tx`select change_claim_policy(${version}, ${tx.json(terms)}, ${note || null})`
    return currentPolicy(tx)
  },

  types: ({ tx, actor }) => rows(ClaimType, typesOf(tx, actor)),

  add_type: async ({ tx, actor, input: { category, name } }) => {
    const [added] = await besideFields(
      about_name,
      tx<{ id: string }[]>`
        insert into claim_types (company_id, category, name)
        values (${actor.company_id}, ${category}, ${name}) returning id`,
    )
    await tx`select publish(${`admins:${actor.company_id}`})`
    return row(ClaimType, typesOf(tx, actor, added?.id))
  },

  change_type: async ({ tx, actor, input: { id, name, active } }) => {
    const [changed] = await besideFields(
      about_name,
      tx`
        update claim_types set name = coalesce(${name ?? null}, name),
          active = coalesce(${active ?? null}, active)
        where company_id = ${actor.company_id} and id = ${id} returning id`,
    )
    if (!changed) throw new Problem('not_found')
    await tx`select publish(${`admins:${actor.company_id}`})`
    return row(ClaimType, typesOf(tx, actor, id))
  },
}

const currentPolicy = (tx: Tx) => row(Policy, tx`select * from claim_policy_history() limit 1`)

const typesOf = (tx: Tx, { company_id }: Actor, id?: string) => tx`
  select t.id, t.category, t.name, t.active, coalesce(c.claims, 0)::bigint as claims
  from claim_types t
  left join claim_type_counts c on c.type_id = t.id
  where t.company_id = ${company_id} ${id ? tx`and t.id = ${id}` : tx``}
  order by array_position(${[...categories]}::text[], t.category), lower(t.name)`
