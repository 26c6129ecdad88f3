// Values read from a receipt, compared with those typed.

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

/** A provider's name is rarely written the same way twice: one may be part of the other. */
export function agreementOf(typed: ClaimValues, read: ReceiptValues | undefined) {
  const judge = (known: unknown, same: boolean): Agreement =>
    known === null || known === undefined ? 'unread' : same ? 'agrees' : 'differs'
  const [written, printed] = [comparable(typed.provider), comparable(read?.read_provider ?? '')]
  return {
    bill: judge(
      read?.read_amount_cents,
      read?.read_amount_cents === typed.bill_cents &&
        (read.read_currency ?? typed.currency) === typed.currency,
    ),
    service_on: judge(read?.read_on, read?.read_on === typed.service_on),
    provider: judge(read?.read_provider, written.includes(printed) || printed.includes(written)),
  }
}

/** A name without accents, case and punctuation: 'Dr. Müller' → 'dr muller'. */
const comparable = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
