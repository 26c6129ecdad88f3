import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { receipts_api } from '#api/receipts-api.ts'
import { showFailure } from '#ui/failure.ts'
import { decimal } from '#lib/money.ts'
import { idsIn, type ClaimForm } from './claim-form.ts'
import type { ClaimDetail } from '#claims/claims.contract.ts'
import { linesText, newLine } from './typed-lines.ts'

/** The form begins with what the claim had, without what it was rejected for: that would be rejected again. */
export function copyOf(copied: ClaimDetail, currency: string): Partial<z.input<ClaimForm>> {
  const { category, dependent_id, type_id, provider, service_on, note, rejection } = copied
  const money = (cents: number) => decimal(cents, currency)
  const lines = copied.lines.map(({ what, amount_cents }) => newLine(what, money(amount_cents)))
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
          amount_cents: money(copied.amount_cents),
          lines: linesText(lines),
        }),
  }
}

/**
 * Claiming again takes the receipts along, as fresh ones: the old claim keeps its own. Not those of an approved
 * claim, which can't be claimed twice, nor those that nobody could read.
 */
export function useReused(copied: ClaimDetail | undefined) {
  const form = useFormContext()
  const begun = useRef(false)
  const unreadable = copied?.rejection?.reason === 'receipt_unreadable'
  const ids = isPaidFor(copied) || unreadable ? [] : copied?.receipts_list.map(({ id }) => id)
  useEffect(() => {
    if (begun.current || !ids?.length || form.getValues('receipt_ids')) return
    begun.current = true
    const reuse = async () => {
      try {
        const fresh = await receipts_api.reuse({ ids })
        // Receipts that were uploaded in the meantime stay.
        const there = idsIn(form.getValues('receipt_ids') as string | undefined)
        form.setValue('receipt_ids', [...fresh.map(({ id }) => id), ...there].join(','))
      } catch (error) {
        showFailure(error)
      }
    }
    void reuse()
  })
}

const isPaidFor = (copied: ClaimDetail | undefined) =>
  copied?.status === 'approved' && copied.payment !== 'reversed'
