// A list that grows as one scrolls: page after page, each beginning where the last one ended.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Call } from './ask.ts'

type Page = { next: string | null }

export function usePages<I extends object, O extends Page>(
  call: Call<I & { after?: string | undefined }, O>,
  input: I,
) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [call.key, 'pages', input],
    queryFn: ({ signal, pageParam }) =>
      call({ ...input, ...(pageParam ? { after: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  })
  const fetchMore = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return {
    pages: data?.pages,
    more: hasNextPage && !isFetchingNextPage ? fetchMore : undefined,
  }
}
