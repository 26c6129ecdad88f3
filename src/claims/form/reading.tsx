import { ScanText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import {
  differingIn,
  foreignAmount,
  mayFill,
  proposalsOf,
  type Proposals,
  type Readable,
  idsIn,
} from './claim-form.ts'
import { useReceipts } from './use-receipts.ts'
import type { TouchedFields } from './form-defaults.ts'

/** Values read from receipts are filled in where nobody typed, and marked until they are changed. */
export function useReading(currency: string, touched: TouchedFields) {
  const form = useFormContext()
  const ids = idsIn(form.watch('receipt_ids'))
  const { receipts } = useReceipts(ids)
  const proposals = proposalsOf(receipts, currency)
  const filled = useRef<Proposals>({})
  const all_read =
    receipts.length === ids.length &&
    receipts.every(({ read_state }) => read_state !== 'waiting' && read_state !== 'reading')
  const key = JSON.stringify(proposals)
  useEffect(() => {
    const read = JSON.parse(key) as Proposals
    for (const [name, text] of Object.entries(filled.current) as [Readable, string][]) {
      // A text whose receipt was removed is no longer proposed.
      if (!all_read || read[name] !== undefined) continue
      if (form.getValues(name) === text && !touched.has(name)) form.setValue(name, '')
      delete filled.current[name]
    }
    for (const [name, text] of Object.entries(read) as [Readable, string][]) {
      const now: unknown = form.getValues(name)
      // A value that is already there is left: setting it again would draw the form again, endlessly.
      if (now === text || !mayFill(now, filled.current[name], touched.has(name))) continue
      form.setValue(name, text, { shouldValidate: form.formState.isSubmitted, shouldDirty: true })
    }
    filled.current = { ...filled.current, ...read }
  }, [key, all_read, form, touched])
  return {
    form,
    /** Receipts that can't be one bill together, by day or provider. */
    differing: all_read ? differingIn(receipts, currency) : undefined,
    /** Amounts in another currency, which the form can't fill in. */
    foreign: foreignAmount(receipts, currency),
    marks: (name: Readable) => Boolean(proposals[name]) && form.watch(name) === proposals[name],
  }
}

export const ReadMark = () => (
  <span className="inline-flex animate-appear items-center gap-1 text-xs text-primary-ink">
    <ScanText className="size-3.5" aria-hidden />
    read from your receipt
  </span>
)
