import { clsx } from 'clsx'
import { Download, RotateCw, Square } from 'lucide-react'
import { useState, type CSSProperties } from 'react'
import type { z } from 'zod'
import { receipts_api } from '#api/receipts-api.ts'
import { IconButton } from '#ui/Button.tsx'
import { useDownload } from '#ui/DownloadButton.tsx'
import { save } from '#ui/save.ts'
import { toast } from '#ui/toast.ts'
import type { Spot } from '#receipts/marks.contract.ts'
import type { ClaimReceipt } from '#claims/claims.contract.ts'
import { zooms } from './page-room.ts'
import { Pages, Zooms } from './PageButtons.tsx'
import { ReceiptPage } from './ReceiptPage.tsx'

export type ShownReceipt = z.infer<typeof ClaimReceipt>

type Props = {
  receipts: readonly ShownReceipt[]
  /** The receipt shown; controlled, since the page around it may choose one, too. */
  at: number
  onAt: (at: number) => void
  /** The receipts belong to the viewer. */
  is_own?: boolean
  className?: string
}

/** Receipts to be read by people: large, turned the right way, page by page. */
export function ReceiptViewer({ receipts, at, onAt, is_own = false, className }: Props) {
  const receipt = receipts[at] ?? receipts[0]
  if (!receipt) return null
  return (
    <div className={clsx(frame, 'flex flex-col', className)}>
      {receipts.length > 1 && <Choice receipts={receipts} at={at} onAt={onAt} />}
      <OneReceipt
        key={`${receipt.id} ${receipt.blacked_times}`}
        receipt={receipt}
        is_own={is_own}
      />
    </div>
  )
}

const frame = 'min-h-0 min-w-0 overflow-hidden rounded-card border border-line bg-sunken'

const Choice = ({ receipts, at, onAt }: Props) => (
  <div className="relative flex gap-1 overflow-x-auto border-b border-line bg-surface p-1.5">
    {receipts.map((receipt, index) => (
      <button
        key={receipt.id}
        type="button"
        aria-pressed={index === at}
        onClick={() => onAt(index)}
        className={clsx(
          'max-w-40 shrink-0 truncate rounded-md px-2.5 py-1 text-ui text-soft hover:bg-sunken',
          'aria-pressed:bg-primary-wash aria-pressed:font-medium aria-pressed:text-primary-ink',
        )}
      >
        {receipt.file_name}
      </button>
    ))}
  </div>
)

function OneReceipt({ receipt, is_own }: { receipt: ShownReceipt; is_own: boolean }) {
  const [page, setPage] = useState(1)
  const [step, setStep] = useState(0)
  const [quarter, setQuarter] = useState(0)
  const [again, setAgain] = useState(0)
  const pages = receipt.pages ?? 1
  return (
    <>
      <ReceiptPage
        key={`${page} ${again}`}
        receipt={receipt}
        page={page}
        zoom={zooms[step] ?? 1}
        quarter={quarter}
        label={receipt.file_name}
        onRetry={() => setAgain(again + 1)}
        className="flex-1"
      >
        {(style) => <ReadMarks receipt={receipt} page={page} style={style} />}
      </ReceiptPage>
      {receipt.blacked_times > 0 && (
        <p className="flex items-center gap-2 border-t border-line bg-surface px-3 py-2 text-ui">
          <Square className="size-3.5 shrink-0 fill-current" aria-hidden />
          {is_own ? 'Parts blacked out by you' : 'Parts blacked out by the employee'}
        </p>
      )}
      <div className="flex items-center gap-0.5 border-t border-line bg-surface p-1">
        <Zooms step={step} onStep={setStep} />
        <IconButton
          size="small"
          label="Turn"
          icon={RotateCw}
          onClick={() => setQuarter((quarter + 1) % 4)}
        />
        <Pages page={page} pages={pages} onPage={setPage} />
        <span className="ml-auto" />
        <DownloadOne receipt={receipt} />
      </div>
    </>
  )
}

function DownloadOne({ receipt: { id, file_name } }: { receipt: ShownReceipt }) {
  const { busy, download } = useDownload()
  const get = async () => {
    toast('Downloading receipt...', 'notice')
    save(await receipts_api.file({ id }))
  }
  return (
    <IconButton
      size="small"
      label={`Download ${file_name}`}
      loading={busy}
      icon={Download}
      onClick={() => download(get)}
    />
  )
}

const accent = (strength: number) =>
  `color-mix(in oklab, var(--color-accent) ${strength}%, transparent)`
const names = { amount: 'Amount', on: 'Date', provider: 'Provider' } as const

/** Marks the lines from which values were read. Words beside the receipt say the same to people who don't see the marks. */
function ReadMarks({ receipt, page, style }: MarksProps) {
  const marks = Object.entries(receipt.read_marks) as [keyof typeof names, Spot][]
  const share = (of: number) => `${of * 100}%`
  return (
    <div
      aria-hidden
      data-marks
      style={style}
      className="pointer-events-none absolute top-1/2 left-1/2"
    >
      {marks
        .filter(([, spot]) => spot.page === page)
        .map(([name, { left, top, width, height }]) => (
          <span
            key={name}
            title={names[name]}
            style={{
              left: share(left),
              top: share(top),
              width: share(width),
              height: share(height),
              background: accent(20),
              outline: `2px solid ${accent(50)}`,
            }}
            className="absolute animate-appear rounded-sm"
          />
        ))}
    </div>
  )
}

type MarksProps = { receipt: ShownReceipt; page: number; style: CSSProperties }
