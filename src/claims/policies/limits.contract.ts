// The limits of a company's policy: how much, how often, after how long.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { del, get, post, put } from '#lib/contract.ts'

export type LimitKind = z.infer<typeof LimitKind>
/**
 * Kinds of limits: an amount per plan year; the same per dependent; a number of claims in a number of months;
 * none in the first months.
 */
export const LimitKind = z.enum(['per_year', 'per_dependent', 'frequency', 'waiting'])

export const NewLimit = z.object({
  kind: LimitKind,
  /** Null: all claims. A limit for a type has the type's category, too. */
  category: Category.nullable(),
  type_id: z.uuid().nullable(),
  /** Null: everybody. */
  group_id: z.uuid().nullable(),
  cents: z.int().min(1, 'Enter an amount above zero').max(1e12).nullish(),
  claims: z.int('Enter a whole number').min(1, 'At least 1').max(100, 'At most 100').nullish(),
  months: z.int('Enter a whole number').min(1, 'At least 1').max(120, 'At most 120').nullish(),
})

export type LimitTerms = z.infer<typeof LimitTerms>
const LimitTerms = z.object({
  kind: LimitKind,
  name: z.string().nullable(),
  category: Category.nullable(),
  cents: z.int().nullable(),
  claims: z.int().nullable(),
  months: z.int().nullable(),
})

/** A limit that a person is under, with what it counts of their claims. */
export type OwnLimit = z.infer<typeof OwnLimit>
export const OwnLimit = LimitTerms.extend({
  id: z.uuid(),
  type_id: z.uuid().nullable(),
  counted: z.array(
    z.object({
      bill: z.int(),
      dependent_id: z.uuid().nullable(),
      plan_year: z.iso.date(),
      service_on: z.iso.date(),
      cents: z.int(),
    }),
  ),
})

export type PolicyLimit = z.infer<typeof PolicyLimit>
export const PolicyLimit = z.object({
  id: z.uuid(),
  kind: LimitKind,
  category: Category.nullable(),
  type_id: z.uuid().nullable(),
  group_id: z.uuid().nullable(),
  cents: z.int().nullable(),
  claims: z.int().nullable(),
  months: z.int().nullable(),
  version: z.int(),
  since: z.iso.datetime(),
})

const LimitId = z.object({ id: z.uuid() })

export const limits = {
  list: get('/claim-limits', z.object({}), PolicyLimit.array()),
  add: post('/claim-limits', NewLimit, PolicyLimit),
  /** A change counts for claims that are submitted from now on. */
  change: put(
    '/claim-limits/:id',
    NewLimit.extend({ id: z.uuid(), version: z.int() }),
    PolicyLimit,
  ),
  remove: del('/claim-limits/:id', LimitId, LimitId),
}
