import { clsx } from 'clsx'
import { ReceiptText } from 'lucide-react'
import { useRef } from 'react'
import { api } from '#api/api.ts'
import { Category } from '#categories.ts'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Button } from '#ui/Button.tsx'
import { useDropped } from '#ui/dropped.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useFilePicker } from './file-picker.tsx'
import { CategoryLabel } from '#claims/ClaimBadges.tsx'
import { LimitedTo } from './LimitedTo.tsx'
import { yearOfDay } from './claim-options.ts'

type Props = {
  onFiles: (files: File[]) => void
  /** Whether files dropped on the page are taken here. While the form is open, it takes them itself. */
  listens: boolean
}

/** The way to a new claim: a receipt is dropped or chosen, and the form opens with it. */
export function SubmitPrompt({ onFiles, listens }: Props) {
  const zone = useRef<HTMLElement>(null)
  const over = useDropped(zone, onFiles, listens)
  const pick = useFilePicker(onFiles)
  return (
    <section
      ref={zone}
      aria-label="Submit a claim"
      className={clsx(
        'flex min-w-0 flex-col justify-between gap-4 rounded-card border border-dashed p-5',
        'transition-colors',
        over ? 'border-primary bg-primary-wash' : 'border-edge/60 bg-surface',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-primary-wash text-primary-ink">
          <ReceiptText className="size-4.5" aria-hidden />
        </span>
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="text-sm font-semibold">Paid for your health? Get it back</h2>
          <p className="mt-0.5 text-ui text-pretty text-soft">
            <span className="pointer-coarse:hidden">Drop a receipt here</span>
            <span className="hidden pointer-coarse:inline">
              Choose a receipt or take a photo
            </span>{' '}
            and we’ll fill in the rest.
          </p>
        </div>
        <Button onClick={pick.open}>Choose receipt</Button>
        {pick.input}
      </div>
      <Boundary>
        <Available />
      </Boundary>
    </section>
  )
}

function Available() {
  const options = useRead(api.claims.options, {})
  const year = options && yearOfDay(options, undefined)
  if (options && !year) return null
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-1 border-t border-line pt-3 text-ui">
      {Category.options.map((category) => (
        <div key={category} className="flex items-baseline gap-2">
          <dt className="text-soft">
            <CategoryLabel category={category} />
          </dt>
          <dd className="font-medium">
            {options && year ? (
              <Money cents={year.available[category]} currency={options.currency} />
            ) : (
              <Skeleton className="h-4 w-14" />
            )}
            <span className="sr-only"> available</span>
            {options && year && <LimitedTo options={options} year={year} category={category} />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
