// The table of approvals that a company writes: when each step applies, and who approves in it.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { Cents, PositiveCents } from '#funds/terms.contract.ts'

const Ids = z.uuid().array().max(100)

export type ApprovalStep = z.infer<typeof ApprovalStep>
export const ApprovalStep = z
  .object({
    /** A step applies if all conditions that are set hold. */
    above_cents: Cents.max(1e12).nullable(),
    categories: Category.array().max(3),
    type_ids: Ids,
    departments: z.string().trim().min(1).max(100).array().max(100),
    group_ids: Ids,
    /** Applies if no claim for this provider has been approved in the company yet. */
    new_provider: z.boolean(),
    who: z.enum(['reviewers', 'owners', 'people', 'manager']),
    person_ids: z.uuid().array().max(20),
    /** All named people approve, not any one of them. */
    together: z.boolean(),
    /** Asked, too, when none of the named is available or the step's days are over. */
    deputy_id: z.uuid().nullable(),
    most_cents: PositiveCents.max(1e12).nullable(),
    /** Working days for this step alone; null: it shares those of the whole decision. */
    days: z
      .int('Enter a whole number')
      .min(1, 'At least one working day')
      .max(60, 'At most 60 working days')
      .nullable(),
  })
  .refine(({ who, person_ids }) => (who === 'people') === person_ids.length > 0, {
    message: 'Choose at least one person',
    path: ['person_ids'],
  })
  .refine(({ who, together }) => who === 'people' || !together, {
    message: 'Only named people can approve together',
    path: ['together'],
  })

/** A step without conditions, for any reviewer. */
export const plain_step: ApprovalStep = {
  above_cents: null,
  categories: [],
  type_ids: [],
  departments: [],
  group_ids: [],
  new_provider: false,
  who: 'reviewers',
  person_ids: [],
  together: false,
  deputy_id: null,
  most_cents: null,
  days: null,
}

export const most_steps = 10

/** With no steps, one reviewer decides. */
export const ApprovalSteps = ApprovalStep.array().max(most_steps, `At most ${most_steps} steps`)
