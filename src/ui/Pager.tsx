import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button.tsx'
import { usePageKey } from './url-state.ts'

type Props = {
  /** The key at which the next page begins; null on the last one. */
  next: string | null | undefined
  /** '20 of 100,000' */
  summary?: string | undefined
}

/** A pager for the list that a page is about: the address has its position. */
export function Pager({ next, summary }: Props) {
  const { back, forward } = usePageKey()
  return <Turn back={back} forward={next ? () => forward(next) : undefined} summary={summary} />
}

/**
 * Pages of a list that is a part of a page; for another subject (`of`) it begins again. `keep` is for `useRead`: the last page
 * stays until the next one is loaded, but not that of another list.
 */
export function usePages<Key extends string | number>(of: string) {
  const [before, setPages] = useState<{ of: string; trail?: readonly Key[] }>({ of })
  const pages = before.of === of ? before : { of }
  if (pages !== before) setPages(pages)
  const { trail = [] } = pages
  const key = trail.at(-1)
  const forward = (next: Key) => next !== key && setPages({ of, trail: [...trail, next] })
  const pager = (next: Key | null | undefined) => (
    <Turn
      back={trail.length > 0 ? () => setPages({ of, trail: trail.slice(0, -1) }) : undefined}
      forward={next ? () => forward(next) : undefined}
    />
  )
  return { key, keep: pages.trail !== undefined, pager }
}

type TurnProps = {
  back: (() => void) | undefined
  forward: (() => void) | undefined
  summary?: string | undefined
}

function Turn({ back, forward, summary }: TurnProps) {
  if (!forward && !back && !summary) return null
  return (
    <nav
      aria-label="Pages"
      className="flex items-center justify-between gap-3 border-t border-line px-4 py-3 sm:px-5"
    >
      <p className="figures text-ui text-soft">{summary}</p>
      {(forward || back) && (
        <div className="flex gap-2">
          <Button size="small" disabled={!back} onClick={back} icon={ChevronLeft}>
            Previous
          </Button>
          <Button size="small" disabled={!forward} onClick={forward}>
            Next
            <ChevronRight className="size-4" aria-hidden />
          </Button>
        </div>
      )}
    </nav>
  )
}
