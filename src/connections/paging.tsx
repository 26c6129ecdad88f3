import { useState } from 'react'
import { Button } from '#ui/Button.tsx'

/** A page at a time; those before are reached by the way back. */
export function usePages() {
  const [from, setFrom] = useState<number[]>([])
  const before = from.at(-1)
  const turn = (next: number | null) =>
    (before !== undefined || next !== null) && (
      <div className="flex justify-between gap-2">
        <Button
          size="small"
          disabled={before === undefined}
          onClick={() => setFrom(from.slice(0, -1))}
        >
          Newer
        </Button>
        <Button
          size="small"
          disabled={next === null}
          onClick={() => next !== null && setFrom([...from, next])}
        >
          Older
        </Button>
      </div>
    )
  return { cursor: before === undefined ? {} : { before }, turn }
}
