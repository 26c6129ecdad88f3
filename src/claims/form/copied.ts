// Claiming again: the form's first values.
import type { z } from 'zod'
import { decimal } from '#lib/money.ts'
import type { ClaimDetail } from '#claims/claims.contract.ts'
import type { ClaimForm } from './claim-form.ts'
import { linesText, newLine } from './typed-lines.ts'

/** The form begins with what the claim had, without the field it was rejected for. */
export function copyOf(copied: ClaimDetail, currency: string): Partial<z.input<ClaimForm>> {
  const { category, dependent_id, type_id, provider, service_on, note, rejection } = copied
  const money = (cents: number) => decimal(cents, currency)
  const { amount_cents, lines: copied_lines } = claimableOf(copied)
  const lines = copied_lines.map(({ what, amount_cents: cents }) => newLine(what, money(cents)))
  return {
    provider,
    service_on,
    note: note ?? '',
    ...(rejection?.reason === 'wrong_person'
      ? {}
      : { category, dependent_id: dependent_id ?? '', type_id }),
    ...(rejection?.reason === 'wrong_amount'
      ? {}
      : {
          bill_cents: money(copied.bill_cents),
          amount_cents: money(amount_cents),
          lines: linesText(lines),
        }),
  }
}

/** The part that can be claimed again: if the rest is a claim of its own, only what had been approved. */
function claimableOf(copied: ClaimDetail): Pick<ClaimDetail, 'amount_cents' | 'lines'> {
  const { payment, appealed_as, approved_cents, amount_cents, lines } = copied
  if (payment !== 'reversed' || appealed_as === null) return { amount_cents, lines }
  const approved = lines.map((line) => ({
    ...line,
    amount_cents: line.approved_cents ?? line.amount_cents,
  }))
  return {
    amount_cents: approved_cents ?? amount_cents,
    lines: approved.filter((line) => line.amount_cents > 0),
  }
}
