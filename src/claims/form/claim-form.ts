// The new claim's form: texts as they are typed, and what they mean once they are complete.
import { z } from 'zod'
import { Category } from '#categories.ts'
import { decimal } from '#lib/money.ts'
import { PositiveCents } from '#funds/terms.contract.ts'
import type { Receipt } from '#receipts/receipts.contract.ts'
import { amountText } from '#ui/amount.ts'
import { money } from '#ui/figures.ts'
import { ClaimDraft } from '#claims/claims.contract.ts'
import { sameProvider } from '#claims/rules/provider.ts'
import { amountsIn, jointBill } from '#claims/rules/rule-facts.ts'
import { linesShape } from './typed-lines.ts'

/** Receipt ids as one text, so that the form's draft keeps them: a reload loses no upload. */
export const idsIn = (text: unknown): string[] =>
  typeof text === 'string' ? text.split(',').filter(Boolean) : []

const { provider, service_on, note, receipt_ids } = ClaimDraft.shape

export const claimFormOf = (currency: string) =>
  z
    .object({
      category: z.enum(Category.options, 'Choose a category'),
      // May be empty: the form has no such field once another category is chosen.
      dependent_id: z.union([z.uuid('Choose who it is for'), z.literal('')]).optional(),
      type_id: z.uuid('Choose a type'),
      provider,
      service_on,
      bill_cents: amountText(currency).pipe(PositiveCents),
      amount_cents: amountText(currency).pipe(PositiveCents),
      note,
      lines: linesShape(currency),
      receipt_ids: z.string().optional().transform(idsIn).pipe(receipt_ids),
      /**
       * The idempotency key, made when the claim is first sent and kept with the draft until it is known that there is no claim.
       * As long as it is here there may be one, and sending again makes no second.
       */
      attempt: z.string(),
    })
    .refine(({ category, dependent_id }) => category !== 'solidarity' || dependent_id, {
      path: ['dependent_id'],
      error: 'Choose who it is for',
    })

export type ClaimForm = ReturnType<typeof claimFormOf>
type FormValues = Record<string, unknown>

/** The part of the form that is complete enough to be checked. */
export function draftOf(typed: FormValues, currency: string): Partial<z.input<typeof ClaimDraft>> {
  const fields = claimFormOf(currency).shape
  const draft: FormValues = {}
  for (const name of Object.keys(ClaimDraft.shape) as (keyof typeof ClaimDraft.shape)[]) {
    const parsed = fields[name].safeParse(typed[name] === '' ? undefined : typed[name])
    if (parsed.success && parsed.data !== undefined) draft[name] = parsed.data
  }
  return draft.category === 'solidarity' ? draft : { ...draft, dependent_id: null }
}

export type Readable = 'bill_cents' | 'service_on' | 'provider'
export type Proposals = Partial<Record<Readable, string>>

/**
 * The values read from the receipts, as one would type them. The first receipt that has a value counts. The bill is the sum of
 * all receipts if their amounts differ.
 */
export function proposalsOf(receipts: readonly Receipt[], currency: string): Proposals {
  const read = receipts.filter(({ read_state }) => read_state === 'read')
  const amounts = amountsIn(read, currency)
  const all_read = read.length === receipts.length
  const bill = (all_read && jointBill(amounts)) || amounts.find((amount) => amount !== null)
  const service_on = read.find((receipt) => receipt.read_on)?.read_on
  const provider = read.find((receipt) => receipt.read_provider)?.read_provider
  return {
    ...(bill ? { bill_cents: decimal(bill, currency) } : {}),
    ...(service_on ? { service_on } : {}),
    ...(provider ? { provider } : {}),
  }
}

/** An amount in another currency is not filled in: the person knows what they paid in theirs. */
export function foreignAmount(receipts: readonly Receipt[], currency: string): string | undefined {
  const read = receipts.find(
    ({ read_amount_cents, read_currency }) =>
      read_amount_cents !== null && (read_currency ?? currency) !== currency,
  )
  if (!read?.read_currency || read.read_amount_cents === null) return undefined
  const printed = money(read.read_amount_cents, read.read_currency)
  return `The receipt says ${printed}. Enter what you paid in ${currency}; HR compares it by hand`
}

/** Receipts that are added up and differ in day or provider are no single bill. */
export function differingIn(receipts: readonly Receipt[], currency: string): string | undefined {
  if (jointBill(amountsIn(receipts, currency)) === undefined) return undefined
  const [first, ...others] = receipts
  const days = new Set(receipts.flatMap(({ read_on }) => read_on ?? []))
  const name = first?.read_provider
  const providers = others.some(
    ({ read_provider }) => name && read_provider && !sameProvider(read_provider, name),
  )
  const how = [days.size > 1 && 'days', providers && 'providers'].filter(Boolean).join(' and ')
  if (!how) return undefined
  return `These receipts are of different ${how}. Submit a claim for each, or HR has to ask which is right`
}

/** Reading fills in a field that its person has not touched, or one that reading itself filled in before. */
export const mayFill = (now: unknown, filled: string | undefined, touched: boolean): boolean =>
  !touched && (!now || now === filled)
