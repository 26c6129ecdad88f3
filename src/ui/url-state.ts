import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** A choice that lives in the address: it survives a reload and can be sent to a colleague. */
export function useUrlState(name: string, fallback = '') {
  const [search, setSearch] = useSearchParams()
  const change = useCallback(
    (value: string) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          if (value === fallback) next.delete(name)
          else next.set(name, value)
          // Another choice is another list: its first page.
          next.delete(PAGE)
          return next
        },
        { replace: true },
      ),
    [name, fallback, setSearch],
  )
  return [search.get(name) ?? fallback, change] as const
}

const PAGE = 'after'
type Trail = { trail?: (string | null)[] } | null

/** Pages by key: where this one begins, and how to the next and back. */
export function usePageKey() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { state } = useLocation()
  const trail = (state as Trail)?.trail ?? []
  const after = search.get(PAGE)
  const go = (key: string | null | undefined, next_trail: (string | null)[]) => {
    const next = new URLSearchParams(search)
    if (key) next.set(PAGE, key)
    else next.delete(PAGE)
    void navigate({ search: next.toString() }, { state: { trail: next_trail } })
  }
  return {
    after: after ?? undefined,
    /** An address that was sent without its history can only go back to the beginning. */
    back: after ? () => go(trail.at(-1), trail.slice(0, -1)) : undefined,
    forward: (key: string) => go(key, [...trail, after]),
  }
}

export type Sort = { by: string; descending: boolean }

export function useSort(first: string, descending = false) {
  const word = (sort: Sort) => (sort.descending ? `-${sort.by}` : sort.by)
  const [value, change] = useUrlState('sort', word({ by: first, descending }))
  const sort: Sort = { by: value.replace(/^-/, ''), descending: value.startsWith('-') }
  const press = (by: string) =>
    change(word({ by, descending: by === sort.by ? !sort.descending : false }))
  return { ...sort, press }
}
