import { z } from 'zod'
import { del, get, post, Refusal } from '#lib/contract.ts'
import { Day } from '#lib/days.ts'
import { CompanyRight } from './rights.contract.ts'

export type GivenRight = z.infer<typeof GivenRight>
export const GivenRight = z.object({
  id: z.uuid(),
  kind: CompanyRight,
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime().nullable(),
  given_by: z.string().nullable(),
  confirmed_by: z.string().nullable(),
  /** When its holder counts as a second person, where that is still to come and something asks for one. */
  counts_from: z.iso.datetime().nullable(),
  /** The right takes effect once another owner has confirmed it. */
  waits: z.boolean(),
  refusals: z.object({ confirm: Refusal, end: Refusal }),
})

export type Holder = z.infer<typeof Holder>
export const Holder = z.object({
  id: z.uuid(),
  full_name: z.string(),
  email: z.string(),
  status: z.enum(['pending', 'active', 'suspended']),
  rights: GivenRight.array(),
})

export const NewRight = z.object({
  person_id: z.uuid('Choose somebody in your company'),
  kind: CompanyRight,
  /** Days of the company; from now on, and until somebody ends it, without. */
  from_on: Day('Enter a day').optional(),
  until_on: Day('Enter a day').optional(),
})

const ById = z.object({ id: z.uuid() })
const TheseRights = z.object({ ids: z.uuid().array().min(1).max(20) })
const RightOf = NewRight.pick({ person_id: true, kind: true })
/** An owner was told what the policy's steps lose by it. */
export const Knowingly = ById.extend({ knowingly: z.boolean().optional() })

export const rights = {
  list: get(
    '/company/rights',
    z.object({}),
    z.object({ holders: Holder.array(), refusals: z.object({ invite: Refusal }) }),
  ),
  /** The provider sees who has which. */
  of_company: get('/companies/:id/rights', ById, Holder.array()),
  /** The people a right may be given to, by the beginning or any part of their name. */
  people: get(
    '/company/rights/people',
    z.object({ search: z.string().trim().max(100).optional() }),
    z.array(z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })),
  ),
  /** The owners who can confirm it; null where it counts at once. And whether the person chooses a new password then. */
  confirmers: get(
    '/company/rights/confirmers',
    RightOf,
    z.object({
      confirmers: z.string().array().nullable(),
      ends_password: z.boolean(),
      refusals: z.object({ give: Refusal }),
    }),
  ),
  /** The asker's rights that wait, and the owners who can confirm one of them now. */
  waiting: get(
    '/me/rights/waiting',
    z.object({}),
    z.object({
      kinds: CompanyRight.array(),
      given_by: z.string().nullable().array(),
      given_at: z.iso.datetime().nullable(),
      /** The first moment of rights that nobody has to confirm any more. */
      begins_at: z.iso.datetime().nullable(),
      confirmers: z.string().array(),
    }),
  ),
  give: post(
    '/company/rights',
    NewRight,
    ById.extend({ waits: z.boolean(), ends_password: z.boolean() }),
  ),
  /** All of them or none. */
  confirm: post('/company/rights/confirmations', TheseRights, TheseRights),
  end: del('/company/rights/:id', Knowingly, ById),
}
