import { z } from 'zod'
import { Day } from '#lib/days.ts'
import { get, patch, post, put, Refusal } from '#lib/contract.ts'
import { Name } from '#lib/one-line.ts'

export type Relationship = z.infer<typeof Relationship>
export const Relationship = z.enum(['spouse', 'child', 'parent'], 'Choose a relationship')

/** The cover of today: `upcoming` begins later, `ended` is over or the child too old. */
export type CoverState = z.infer<typeof CoverState>
export const CoverState = z.enum([
  'requested',
  'upcoming',
  'active',
  'ended',
  'declined',
  'withdrawn',
])

/** Covered, or about to be. */
export const current_states: readonly CoverState[] = ['active', 'upcoming', 'requested']
export const isCurrent = ({ cover_state }: { cover_state: CoverState }) =>
  current_states.includes(cover_state)

export type Dependent = z.infer<typeof Dependent>
export const Dependent = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  full_name: z.string(),
  relationship: Relationship,
  born_on: z.iso.date(),
  age: z.int(),
  covered_from: z.iso.date(),
  /** The end of cover as it was set; it can be earlier by age, or where the employee leaves. */
  covered_to: z.iso.date().nullable(),
  /** The last day of cover; null while it goes on. */
  covered_until: z.iso.date().nullable(),
  /** A child's last day by age; null for others. */
  ages_out_on: z.iso.date().nullable(),
  cover_state: CoverState,
  /** HR approved it, so only the name can be changed. */
  approval: z.boolean(),
  /** The reason, for each act, why whoever reads this may not do it now. */
  refusals: z.object({
    change: Refusal,
    end: Refusal,
    resume: Refusal,
    withdraw: Refusal,
    approve: Refusal,
    decline: Refusal,
  }),
  added_on: z.iso.date(),
  decline_reason: z.string().nullable(),
  version: z.int(),
})

export type DependentEvent = z.infer<typeof DependentEvent>
export const DependentEvent = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  by: z.enum(['person', 'hr', 'system']),
  event: z.enum([
    'added',
    'requested',
    'approved',
    'declined',
    'withdrawn',
    'changed',
    'ended',
    'resumed',
    'reminded',
  ]),
  day: z.iso.date().nullable(),
})

export type CoverRules = z.infer<typeof CoverRules>
export const CoverRules = z.object({
  approval_needed: z.boolean(),
  /** Children are covered until the end of the month in which they reach this age. */
  child_age: z.int(),
})

export type Family = z.infer<typeof Family>
export const Family = z.object({
  dependents: Dependent.array(),
  total: z.int(),
  active: z.int(),
  /** Whole years over those who are covered or will be; null without any. */
  average_age: z.int().nullable(),
  today: z.iso.date(),
  joined_on: z.iso.date(),
  left_on: z.iso.date().nullable(),
  refusals: z.object({ add: Refusal }),
  /** The day from which somebody new is covered, unless another is chosen. */
  new_cover_from: z.iso.date(),
  rules: CoverRules,
  /** The extra of the plan for each covered dependent, and at most for all. */
  dependent_cents: z.int(),
  dependent_cap_cents: z.int().nullable(),
  /** The part of the extra for each in this plan year: less than it in the one in which they joined. */
  dependent_share_cents: z.int(),
})

export const NewDependent = z.object({
  full_name: Name,
  relationship: Relationship,
  born_on: Day(),
  covered_from: Day().optional(),
})

const DependentId = z.object({ id: z.uuid() })
const ByVersion = DependentId.extend({ version: z.int() })

const DependentChange = ByVersion.extend({
  ...NewDependent.shape,
  covered_from: Day(),
})

export const EndOfCover = z.object({ covered_to: Day() })
export const Decline = z.object({
  reason: z.string().trim().max(500, 'At most 500 characters').optional(),
})

export const dependents = {
  mine: get('/dependents', z.object({}), Family),
  add: post('/dependents', NewDependent, Dependent, { idempotent: true }),
  change: patch('/dependents/:id', DependentChange, Dependent),
  end: post('/dependents/:id/end', DependentId.extend(EndOfCover.shape), Dependent),
  resume: post('/dependents/:id/resumption', DependentId, Dependent),
  withdraw: post('/dependents/:id/withdrawal', DependentId, Dependent),
  history: get('/dependents/:id/history', DependentId, DependentEvent.array()),

  /** HR reads the family of one of its people, and those who wait for its approval. */
  of: get('/dependents/of/:person_id', z.object({ person_id: z.uuid() }), Dependent.array()),
  requests: get(
    '/dependents/requests',
    z.object({}),
    z.object({
      waiting: z.int(),
      dependents: Dependent.extend({ person_name: z.string() }).array(),
    }),
  ),
  approve: post('/dependents/:id/approval', ByVersion, Dependent),
  decline: post('/dependents/:id/refusal', ByVersion.extend(Decline.shape), Dependent),
  /** The admin who decided may undo it for some seconds: the person was not told of it yet. */
  undo: post('/dependents/:id/undo', DependentId, Dependent),
  rules: get('/dependents/rules', z.object({}), CoverRules),
  set_approval: put('/dependents/rules/approval', z.object({ needed: z.boolean() }), CoverRules),
  set_child_age: put(
    '/dependents/rules/child-age',
    z.object({ child_age: z.coerce.number('Enter an age').int().min(16).max(40) }),
    CoverRules,
  ),
}
