import { clsx } from 'clsx'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { receipts_api } from '#api/receipts-api.ts'
import { useRead } from '#ui/ask.ts'
import { AuthImage } from '#ui/AuthImage.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { ReceiptViewer, type ShownReceipt } from './ReceiptViewer.tsx'

/** The employee's own receipts, and who else has looked at them. */
export function ClaimReceipts({ receipts }: { receipts: readonly ShownReceipt[] }) {
  const [open, setOpen] = useState<number>()
  if (receipts.length === 0) return <p className="text-sm text-soft">No receipt attached.</p>
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2">
        {receipts.map((receipt, at) => (
          <li key={receipt.id} className="flex min-w-0 gap-3">
            <button
              type="button"
              aria-label={`Look at ${receipt.file_name}`}
              onClick={() => setOpen(at)}
              className={thumbStyles}
            >
              <AuthImage
                small
                call={receipts_api.thumbnail}
                input={{ id: receipt.id, size: 'small' as const }}
                alt=""
                className="size-full object-cover object-top"
              />
            </button>
            <div className="min-w-0 flex-1 text-ui">
              <p className="truncate text-sm font-medium">{receipt.file_name}</p>
              {receipt.restricted && (
                <p className="mt-0.5 text-soft">Restricted: HR decides without seeing it</p>
              )}
              {receipt.blacked_times > 0 && (
                <p className="mt-0.5 text-soft">Parts blacked out by you</p>
              )}
              <Openings id={receipt.id} />
            </div>
          </li>
        ))}
      </ul>
      <Dialog wide open={open !== undefined} onClose={() => setOpen(undefined)} title="Receipt">
        <ReceiptViewer
          receipts={receipts}
          at={open ?? 0}
          onAt={setOpen}
          is_own
          className="h-[70dvh]"
        />
      </Dialog>
    </>
  )
}

const thumbStyles = clsx(
  'grid h-24 w-18 shrink-0 place-items-center overflow-hidden rounded-md border border-line',
  'bg-sunken text-faint hover:border-edge',
)

const shown_openings = 3

function Openings({ id }: { id: string }) {
  const opens = useRead(receipts_api.opens, { id })
  const [all, setAll] = useState(false)
  if (!opens) return <Skeleton className="mt-1 h-4 w-32" />
  if (opens.length === 0) return <p className="mt-0.5 text-soft">Nobody else has opened it</p>
  const shown = all ? opens : opens.slice(0, shown_openings)
  return (
    <>
      <p className="mt-0.5 flex items-center gap-1.5 text-soft">
        <Eye className="size-3.5" aria-hidden />
        Opened by
      </p>
      <ul>
        {shown.map((opening) => (
          <li key={opening.id}>
            <p className="wrap-anywhere">
              {opening.opener_name}
              <span className="text-faint">
                {', '}
                <DateText value={opening.at} show="moment" />
              </span>
            </p>
            {opening.purpose && (
              <p className="wrap-anywhere text-soft">Reason given: {opening.purpose}</p>
            )}
          </li>
        ))}
      </ul>
      {opens.length > shown.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="rounded text-primary-ink underline underline-offset-2"
        >
          {`${opens.length - shown.length} more`}
        </button>
      )}
    </>
  )
}
