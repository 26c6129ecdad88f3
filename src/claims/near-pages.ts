// A list that grows page after page, however long: what changes is asked again near what is looked at, and
// elsewhere once it comes into sight.
import { useInfiniteQuery, type InfiniteData } from '@tanstack/react-query'
import { useCallback, useMemo, useRef } from 'react'
import { queries, type Call } from '#ui/ask.ts'

type Page = { next: string | null }
const beside = 1

export function useNearPages<I extends { limit: number }, O extends Page>(
  call: Call<I & { after?: string | undefined }, O>,
  input: I,
  /** A page as it was known, and as it is now: where the next one begins must stay. */
  join: (known: O, fresh: O) => O,
) {
  const in_sight = useRef(0)
  const outdated = useRef(new Set<string>())
  const queryKey = useMemo(() => [call.key, 'near', input], [call, input])
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey,
    queryFn: async ({ signal, pageParam: key }) => {
      const known = queries.getQueryData<InfiniteData<O, string>>(queryKey)
      const at = known?.pageParams.indexOf(key) ?? -1
      const page = known?.pages[at]
      if (page && Math.abs(at - in_sight.current) > beside) {
        outdated.current.add(key)
        return page
      }
      outdated.current.delete(key)
      const fresh = await call({ ...input, ...(key ? { after: key } : {}) }, { signal })
      // Else all pages beyond would have to be asked again.
      return page?.next && fresh.next ? join(page, fresh) : fresh
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  /** Tells which row is the first in sight. */
  const see = useCallback(
    (row: number) => {
      in_sight.current = Math.floor(row / input.limit)
      const keys = queries.getQueryData<InfiniteData<O, string>>(queryKey)?.pageParams ?? []
      const close = keys.slice(
        Math.max(0, in_sight.current - beside),
        in_sight.current + beside + 1,
      )
      if (close.some((key) => outdated.current.has(key))) void refetch()
    },
    [queryKey, input.limit, refetch],
  )
  return {
    pages: data?.pages,
    more: hasNextPage && !isFetchingNextPage ? fetchMore : undefined,
    see,
  }
}
