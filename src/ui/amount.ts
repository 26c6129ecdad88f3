// Amounts as they are typed into forms.
import { z } from 'zod'
import { parseAmount } from '#lib/money.ts'

/** An amount as text in a form, whole minor units out of it. Empty is zero, or null, or refused. */
export const amountText = (currency: string) => amountOr(currency, 0).pipe(z.int())
export const amountOrNull = (currency: string) => amountOr(currency, null)
export const neededAmount = (currency: string) => amountOr(currency, undefined).pipe(z.int())

const amountOr = <Empty extends 0 | null | undefined>(currency: string, empty: Empty) =>
  z
    .string()
    .optional()
    .transform((text = '', context): number | Empty => {
      if (text.trim() === '' && empty !== undefined) return empty
      const amount = parseAmount(text, currency)
      if ('cents' in amount && amount.cents >= 0) return amount.cents
      const message = 'fault' in amount ? amount.fault : 'An amount can’t be negative'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })
