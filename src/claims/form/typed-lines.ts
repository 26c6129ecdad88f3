// The lines of a claim as they are typed: one text, so that the form's draft keeps them.
import { z } from 'zod'
import { decimal, parseAmount } from '#lib/money.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import { amountText } from '#ui/amount.ts'
import { ClaimDraft, ClaimLine } from '#claims/claims.contract.ts'

export type TypedLine = z.infer<typeof TypedLine>
const TypedLine = z.object({ key: z.string(), what: z.string(), amount: z.string() })

export const linesFrom = (text: unknown): TypedLine[] =>
  typeof text === 'string' && text ? TypedLine.array().parse(JSON.parse(text)) : []

export const linesText = (lines: readonly TypedLine[]): string =>
  lines.length > 0 ? JSON.stringify(lines) : ''

export const newLine = (what = '', amount = ''): TypedLine => ({
  key: crypto.randomUUID(),
  what,
  amount,
})

export const sumText = (lines: readonly TypedLine[], currency: string): string => {
  const cents = lines.flatMap(({ amount }) => {
    const read = parseAmount(amount, currency)
    return 'cents' in read && read.cents > 0 ? read.cents : []
  })
  return cents.length > 0
    ? decimal(
        cents.reduce((sum, one) => sum + one, 0),
        currency,
      )
    : ''
}

/** The lines as the contract takes them. A fault has the path of its line, `lines.1.amount`. */
export function linesShape(currency: string) {
  const shape = z
    .object({ what: ClaimLine.shape.what, amount: amountText(currency).pipe(PositiveCents) })
    .transform(({ what, amount }) => ({ what, amount_cents: amount }))
    .array()
    .pipe(ClaimDraft.shape.lines.unwrap())
  return z
    .string()
    .optional()
    .transform((text): z.input<typeof shape> => linesFrom(text))
    .pipe(shape)
    .transform((lines) => (lines.length > 0 ? lines : undefined))
}
