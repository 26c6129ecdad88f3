// Values read from a receipt, compared with those typed.
import { sameProvider } from '#claims/rules/provider.ts'

type ClaimValues = {
  bill_cents: number
  currency: string
  service_on: string
  provider: string
}
type ReceiptValues = {
  read_amount_cents: number | null
  read_currency: string | null
  read_on: string | null
  read_provider: string | null
}

export type Agreement = 'agrees' | 'differs' | 'unread'

/** The same comparison as the rules make. */
export function agreementOf(typed: ClaimValues, read: ReceiptValues | undefined) {
  const judge = (known: unknown, same: boolean): Agreement =>
    known === null || known === undefined ? 'unread' : same ? 'agrees' : 'differs'
  return {
    bill: judge(
      read?.read_amount_cents,
      read?.read_amount_cents === typed.bill_cents &&
        (read.read_currency ?? typed.currency) === typed.currency,
    ),
    service_on: judge(read?.read_on, read?.read_on === typed.service_on),
    provider: judge(
      read?.read_provider,
      sameProvider(read?.read_provider ?? typed.provider, typed.provider),
    ),
  }
}
