import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button } from './Button.tsx'
import { usePageKey } from './url-state.ts'

type Props = {
  /** The key at which the next page begins; null on the last one. */
  next: string | null | undefined
  /** '20 of 100,000' */
  summary?: string | undefined
}

export function Pager({ next, summary }: Props) {
  const { back, forward } = usePageKey()
  if (!next && !back && !summary) return null
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-3 sm:px-5"
    >
      <p className="figures text-ui text-soft">{summary}</p>
      {(next || back) && (
        <div className="flex gap-2">
          <Button size="small" disabled={!back} onClick={back} icon={ChevronLeft}>
            Previous
          </Button>
          <Button size="small" disabled={!next} onClick={() => next && forward(next)}>
            Next
            <ChevronRight className="size-4" aria-hidden />
          </Button>
        </div>
      )}
    </nav>
  )
}
