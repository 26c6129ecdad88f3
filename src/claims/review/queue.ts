// The queue's filters in the address, and the rows they give.
import { useMemo } from 'react'
import { useLocation } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { Category } from '#categories.ts'
import { paths, pathTo } from '#paths.ts'
import { useCursorList } from '#ui/cursor-list.ts'
import { useFilter, useUrlState } from '#ui/url-state.ts'
import { ReviewFilter, type QueuedClaim, type review } from './review.contract.ts'
import { ClaimState } from '#claims/words.contract.ts'

type QueuePage = z.infer<(typeof review)['queue']['output']>

/** The queue opens with the waiting claims. */
export const first_status = 'pending'
export const all_status = 'all'
/** About three screens: whatever is in sight is read again after each act of anybody. */
const page_rows = 50

const QueueOrder = ReviewFilter.shape.sort.unwrap()

/** The longest waiting come first; of decided claims the latest. */
const firstOrder = (status: string | undefined) => (status === first_status ? 'oldest' : 'newest')

export function useQueueFilter(): z.input<typeof ReviewFilter> {
  const [search] = useUrlState('search')
  const [status] = useUrlState('status', first_status)
  const [category] = useUrlState('category')
  const [overdue] = useUrlState('overdue')
  const [person] = useUrlState('person')
  const [sort] = useUrlState('sort')
  return useMemo(
    () => ({
      search: search || undefined,
      status: ClaimState.safeParse(status).data,
      category: Category.safeParse(category).data,
      overdue: overdue ? 'true' : undefined,
      person_id: z.uuid().safeParse(person).data,
      sort: QueueOrder.safeParse(sort).data ?? firstOrder(status),
    }),
    [search, status, category, overdue, person, sort],
  )
}

const other_end = {
  oldest: 'newest',
  newest: 'oldest',
  amount: '-amount',
  '-amount': 'amount',
} as const

export function useQueueOrder() {
  const { sort = 'oldest', status } = useQueueFilter()
  const [, change] = useFilter('sort', firstOrder(status))
  return { sort, change, turn: () => change(other_end[sort]) }
}

export function useQueue() {
  const filter = useQueueFilter()
  const input = useMemo(() => ({ ...filter, limit: page_rows }), [filter])
  const { pages, more, failed, see } = useCursorList(api.review.queue, input, near)
  const rows = useMemo(() => pages && distinct(pages.flatMap(({ claims }) => claims)), [pages])
  return { filter, rows, more, failed, see, total: pages?.[0]?.total }
}

/** Rows that new ones push off a page stay on it; a row on two pages is drawn once. */
function join(known: QueuePage, fresh: QueuePage): QueuePage {
  const last = fresh.claims.at(-1)?.id
  const at = known.claims.findIndex(({ id }) => id === last)
  const pushed = at < 0 ? [] : known.claims.slice(at + 1)
  return { ...fresh, claims: [...fresh.claims, ...pushed], next: known.next }
}

const near = { limit: page_rows, join }

/** A claim that moved between two pages while they were asked for is shown once. */
function distinct(claims: readonly QueuedClaim[]): QueuedClaim[] {
  const ids = new Set<number>()
  return claims.filter(({ id }) => !ids.has(id) && ids.add(id))
}

/** The address of a claim, with the filters that stand in the address now. */
export function useClaimPath() {
  const { search } = useLocation()
  return useMemo(
    () => (id: number | undefined) =>
      (id === undefined ? paths.claims : pathTo(paths.claim, id)) + search,
    [search],
  )
}

/** Why a claim can't be selected; null if one of the acts on many claims takes it. */
export const selectionRefusal = ({ refusals: { approve_many, ask, reject } }: QueuedClaim) =>
  approve_many && ask && reject
