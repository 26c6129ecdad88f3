import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { useMedia } from '#ui/media.ts'
import { idsIn } from './claim-form.ts'
import { useReceipts } from './use-receipts.ts'
import { ReceiptViewer } from '#claims/receipts/ReceiptViewer.tsx'

/** The receipts beside the form, large enough to be read while filling it in. A phone has no room for them. */
export function FormReceipts({ name }: { name: string }) {
  const has_room = useMedia('(width >= 48rem)')
  const { receipts } = useReceipts(idsIn(useFormContext().watch(name)))
  const [chosen, setChosen] = useState<string>()
  if (!has_room || receipts.length === 0) return null
  const found = receipts.findIndex(({ id }) => id === chosen)
  return (
    <div data-two-panes className="mt-4">
      <ReceiptViewer
        receipts={receipts}
        at={found < 0 ? receipts.length - 1 : found}
        onAt={(at) => setChosen(receipts[at]?.id)}
        is_own
        className="h-[calc(100dvh-22rem)] min-h-80"
      />
    </div>
  )
}
