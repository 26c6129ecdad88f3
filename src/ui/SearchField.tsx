import { clsx } from 'clsx'
import { Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { SearchText } from '#lib/contract.ts'
import { inputStyles } from './Field.tsx'
import { useFilter } from './url-state.ts'

const WAIT_MS = 250

type Props = { label: string; name?: string; wide?: boolean }

/** A search kept in the address as `?search=`, which searches when typing pauses. */
export function SearchField({ label, name = 'search', wide = false }: Props) {
  const [kept, , keep] = useFilter(name)
  const [typed, setTyped] = useState(kept)
  const [shown_text, setShownText] = useState(kept)
  if (kept !== shown_text) {
    setShownText(kept)
    setTyped(kept)
  }
  useEffect(() => {
    const text = typed.trim()
    if (text === kept) return undefined
    const timer = setTimeout(() => {
      setShownText(text)
      keep(text)
    }, WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed, kept, keep])
  return (
    <search className={clsx('relative block w-full', !wide && 'sm:w-80')}>
      <Search
        className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint"
        aria-hidden
      />
      <input
        type="text"
        inputMode="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={SearchText.maxLength ?? undefined}
        onChange={(event) => setTyped(event.target.value)}
        className={clsx(inputStyles, 'h-9! pl-9 text-ellipsis', typed ? 'pr-9' : 'pr-3')}
      />
      {typed && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => setTyped('')}
          className="absolute top-1 right-1 grid size-7 place-items-center rounded-md text-faint hover:text-ink"
        >
          <X className="size-4" aria-hidden />
        </button>
      )}
    </search>
  )
}
