import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import type { z } from 'zod'
import { receipts_api } from '#api/receipts-api.ts'
import { showFailure } from '#ui/failure.ts'
import { idsIn } from './claim-form.ts'
import type { ClaimDetail } from './claims.contract.ts'

/**
 * Claiming again takes the receipts along, as fresh ones: the old claim keeps its own. Not those of an approved
 * claim: they can't be claimed twice.
 */
export function useReused(copied: z.infer<typeof ClaimDetail> | undefined) {
  const form = useFormContext()
  const begun = useRef(false)
  const ids = isPaidFor(copied) ? [] : copied?.receipts_list.map(({ id }) => id)
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

const isPaidFor = (copied: z.infer<typeof ClaimDetail> | undefined) =>
  copied?.status === 'approved' && copied.payment !== 'reversed'
