import { useCallback } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { z } from 'zod'

type ChangeOptions = { replace?: boolean }
/** The new value of each name in the address; nothing removes it. */
type AddressChange = Readonly<Record<string, string>>

/** Changes the address. Another choice is another list: its first page. */
export function useAddress() {
  const [search, setSearch] = useSearchParams()
  const say = useCallback(
    (changes: AddressChange, options?: ChangeOptions) =>
      setSearch((current) => {
        const next = new URLSearchParams(current)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        next.delete(PAGE)
        return next
      }, options),
    [setSearch],
  )
  return [search, say] as const
}

/** A choice that lives in the address: it survives a reload and can be sent to a colleague. The list stays where it is. */
export function useUrlState(name: string, fallback = '', { replace = true }: ChangeOptions = {}) {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation() as { state: HistoryTrail }
  const change = useCallback(
    (value: string) =>
      setSearch(
        (current) => {
          const next = new URLSearchParams(current)
          if (value && value !== fallback) next.set(name, value)
          else next.delete(name)
          return next
        },
        { replace, state },
      ),
    [name, fallback, replace, state, setSearch],
  )
  return [search.get(name) ?? fallback, change] as const
}

/** A filter in the address, which Back undoes. Typing that makes a search more precise is one step. */
export function useFilter(name: string, fallback = '') {
  const [search, say] = useAddress()
  const kept = search.get(name) ?? fallback
  const change = useCallback(
    (value: string) => {
      if (value !== kept) say({ [name]: value === fallback ? '' : value })
    },
    [name, fallback, kept, say],
  )
  /** Typing adds one entry to the history, not one for each letter. */
  const refine = useCallback(
    (value: string) => say({ [name]: value }, { replace: kept !== '' && value !== '' }),
    [name, kept, say],
  )
  return [kept, change, refine] as const
}

/** The filters of an address that its shape accepts; one that was cut, or is older, opens the list without the rest. */
export function knownOf<Shape extends z.ZodObject, Filters extends z.input<Shape>>(
  shape: Shape,
  filters: Filters,
): Filters {
  const unknown = shape.safeParse(filters).error?.issues.map(({ path }) => path[0]) ?? []
  const known = Object.entries(filters).filter(([name]) => !unknown.includes(name))
  return Object.fromEntries(known) as Filters
}

const PAGE = 'after'
type HistoryTrail = { trail?: (string | null)[] } | null

/** Pages by key: where this one begins, and how to the next and back. */
export function usePageKey() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { state } = useLocation()
  const trail = (state as HistoryTrail)?.trail ?? []
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
    /** A second press finds the key of the page before still there while the next page is on its way. */
    forward: (key: string) => key !== after && go(key, [...trail, after]),
  }
}

export type Sort = { by: string; descending: boolean }

export function useSort(first: string, descending = false) {
  const word = (sort: Sort) => (sort.descending ? `-${sort.by}` : sort.by)
  const [value, change] = useFilter('sort', word({ by: first, descending }))
  const sort: Sort = { by: value.replace(/^-/, ''), descending: value.startsWith('-') }
  const press = (by: string) =>
    change(word({ by, descending: by === sort.by ? !sort.descending : false }))
  return { ...sort, press }
}
