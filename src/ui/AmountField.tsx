import { z } from 'zod'
import { decimal, parseAmount } from '#lib/money.ts'
import { TextField } from './TextField.tsx'

/** An amount as text in a form, whole minor units out of it. Empty is nothing at all, or `empty`. */
export const amountText = (currency: string) => amountOr(currency, 0).pipe(z.int())
export const amountOrNull = (currency: string) => amountOr(currency, null)

const amountOr = <Empty extends 0 | null>(currency: string, empty: Empty) =>
  z
    .string()
    .optional()
    .transform((text = '', context): number | Empty => {
      if (text.trim() === '') return empty
      const amount = parseAmount(text, currency)
      if ('cents' in amount && amount.cents >= 0) return amount.cents
      const message = 'fault' in amount ? amount.fault : 'Enter an amount of zero or more'
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    })

type Props = { name: string; label: string; currency: string; hint?: string; required?: boolean }

export function AmountField({ currency, label, ...props }: Props) {
  return (
    <TextField
      {...props}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder={decimal(0, currency)}
      className="figures text-right"
      aside={<span className="text-ui text-faint">{currency}</span>}
    />
  )
}
