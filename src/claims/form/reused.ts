import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { receipts_api } from '#api/receipts-api.ts'
import { showFailure } from '#ui/failure.ts'
import { idsIn } from './claim-form.ts'
import type { ClaimDetail } from '#claims/claims.contract.ts'

/**
 * Copies the receipts of the claim that is claimed again; the old claim keeps its own. Receipts of an approved claim can't be
 * claimed twice, and unreadable ones are no use, so neither are copied.
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
