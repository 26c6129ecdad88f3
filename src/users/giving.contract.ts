import { z } from 'zod'
import { del, get, post, Refusal, SearchText } from '#lib/contract.ts'
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
  /** When its holder counts as a second person, if that is still to come and the right takes two people. */
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
  /** One of their rights counts now. */
  is_at_work: z.boolean(),
  rights: GivenRight.array(),
})

export const NewRight = z.object({
  person_id: z.uuid('Choose somebody in your company'),
  kind: CompanyRight,
  /** Days of the company. Without them, from now on and until somebody ends it. */
  from_on: Day('Enter a day').optional(),
  until_on: Day('Enter a day').optional(),
})

const ById = z.object({ id: z.uuid() })
const TheseRights = z.object({ ids: z.uuid().array().min(1).max(20) })
const RightOf = NewRight.pick({ person_id: true, kind: true })
/** The owner goes on, though they were told which steps of the policy would lack people. */
export const Knowingly = ById.extend({ knowingly: z.boolean().optional() })

export const rights = {
  list: get(
    '/company/rights',
    z.object({}),
    z.object({ holders: Holder.array(), refusals: z.object({ invite: Refusal }) }),
  ),
  /** The holders of rights in a company, for the provider. */
  of_company: get('/companies/:id/rights', ById, Holder.array()),
  /** The people a right may be given to, by the beginning or any part of their name. */
  people: get(
    '/company/rights/people',
    z.object({ search: SearchText.optional() }),
    z.array(z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })),
  ),
  /**
   * The owners who can confirm the right, or null if it counts at once; and whether the person will have to choose a new
   * password.
   */
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
      /** When rights that are confirmed begin. */
      begins_at: z.iso.datetime().nullable(),
      confirmers: z.string().array(),
    }),
  ),
  give: post(
    '/company/rights',
    NewRight,
    ById.extend({ waits: z.boolean(), ends_password: z.boolean() }),
  ),
  /** Confirms all of them or none. */
  confirm: post('/company/rights/confirmations', TheseRights, TheseRights),
  end: del('/company/rights/:id', Knowingly, ById),
}
