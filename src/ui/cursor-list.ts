// A list that grows as one scrolls: page after page, each beginning where the last one ended.
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { queries, type ActCall } from './ask.ts'

type Page = { next: string | null }
const margin = 1

/** For long lists: a change loads pages near the one in sight again, and others when they come into sight. */
type Near<O> = {
  limit: number
  /** A page as it was known, and as it is now: where the next one begins must stay. */
  join: (known: O, fresh: O) => O
}

export function useCursorList<I extends object, O extends Page>(
  call: ActCall<I & { after?: string | undefined }, O>,
  input: I,
  near?: Near<O>,
) {
  const in_sight = useRef(0)
  const outdated = useRef(new Set<string>())
  const queryKey = useMemo(() => [call.key, 'pages', input], [call, input])
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, ...list } = useInfiniteQuery(
    {
      queryKey,
      queryFn: async ({ signal, pageParam: key }) => {
        const known = queries.getQueryData<InfiniteData<O, string>>(queryKey)
        const at = known?.pageParams.indexOf(key) ?? -1
        const page = known?.pages[at]
        if (near && page && Math.abs(at - in_sight.current) > margin) {
          outdated.current.add(key)
          return page
        }
        outdated.current.delete(key)
        const fresh = await call({ ...input, ...(key ? { after: key } : {}) }, { signal })
        // A page must end where the known one did, or all pages after it would have to be loaded again.
        return near && page?.next && fresh.next ? near.join(page, fresh) : fresh
      },
      initialPageParam: '',
      getNextPageParam: ({ next }) => next,
    },
  )
  const { fetchNextPage, refetch } = list
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  /** Tells which row is the first in sight. */
  const see = useCallback(
    (row: number) => {
      if (!near) return
      in_sight.current = Math.floor(row / near.limit)
      const keys = queries.getQueryData<InfiniteData<O, string>>(queryKey)?.pageParams ?? []
      const close = keys.slice(
        Math.max(0, in_sight.current - margin),
        in_sight.current + margin + 1,
      )
      if (close.some((key) => outdated.current.has(key))) void refetch()
    },
    [queryKey, near, refetch],
  )
  return {
    pages: data?.pages,
    /** The next page is on its way. */
    fetching: isFetchingNextPage,
    more: hasNextPage && !isFetchingNextPage ? fetchMore : undefined,
    /** The next page could not be loaded; it is tried again when somebody presses. */
    failed: isFetchNextPageError,
    see,
  }
}
