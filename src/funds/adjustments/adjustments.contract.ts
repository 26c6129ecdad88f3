// Adjustments: more or less for one person beside the plan's grant, proposed by one admin with Finance and confirmed by another.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { get, post, Refusal, SearchText } from '#lib/contract.ts'
import { Note, PlanYearKey } from '#funds/terms.contract.ts'

export type Adjustment = z.infer<typeof Adjustment>
export const Adjustment = z.object({
  id: z.uuid(),
  plan_year: PlanYearKey,
  person_id: z.uuid(),
  person_name: z.string(),
  category: Category,
  /** Below zero, the person gets less. */
  cents: z.int(),
  currency: z.string(),
  reason: z.string(),
  status: z.enum(['waiting', 'confirmed', 'declined', 'withdrawn']),
  proposed_at: z.iso.datetime(),
  proposed_by: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  decided_by: z.string().nullable(),
  /** The people who can confirm it now, by name, while it waits. */
  confirmers: z.string().array(),
  /** The reason, for each act, why this very admin may not do it now. */
  refusals: z.object({ confirm: Refusal, decline: Refusal, withdraw: Refusal }),
})

const AdjustmentId = z.object({ id: z.uuid() })

export const adjustments = {
  /** The waiting ones, then the decided ones, the newest first. */
  list: get(
    '/adjustments',
    z.object({ person_id: z.uuid().optional(), after: z.string().max(2000).optional() }),
    z.object({
      adjustments: Adjustment.array(),
      next: z.string().nullable(),
      /** Why the asker may propose none for this person. */
      refusals: z.object({ propose: Refusal }),
    }),
  ),
  /** The people whose balance can be adjusted. */
  people: get(
    '/adjustments/people',
    z.object({ search: SearchText.optional() }),
    z.array(z.object({ id: z.uuid(), name: z.string(), note: z.string().nullable() })),
  ),
  /** Plan years that can be adjusted, the newest first. */
  years: get(
    '/adjustments/years',
    z.object({}),
    z.object({ years: PlanYearKey.array(), currency: z.string() }),
  ),
  find: get('/adjustments/:id', AdjustmentId, Adjustment),
  /** Without a year, in today's plan year. */
  propose: post(
    '/adjustments',
    z.object({
      person_id: z.uuid('Choose a person'),
      category: Category,
      cents: z
        .int()
        .min(-1e12)
        .max(1e12)
        .refine((cents) => cents !== 0, 'Enter an amount above zero'),
      reason: Note,
      plan_year: PlanYearKey.optional(),
    }),
    Adjustment,
    { idempotent: true },
  ),
  /** Posts one transfer, and notifies the person. */
  confirm: post('/adjustments/:id/confirmation', AdjustmentId, Adjustment),
  decline: post('/adjustments/:id/refusal', AdjustmentId, Adjustment),
  withdraw: post('/adjustments/:id/withdrawal', AdjustmentId, Adjustment),
}
