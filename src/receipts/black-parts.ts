// Parts of a page that are blacked out, and what of the reading stood there.
import type { z } from 'zod'
import type { BlackedRead, ReadMarks, Spot } from './marks.contract.ts'
import type { BlackedPart } from './receipts.contract.ts'

export type PagePart = z.infer<typeof BlackedPart>

/** Shares are sums of shares: the last digit may be one too many. */
const hair = 1e-6

/** Whether a part is not entirely on one of the pages. */
export const isOff = ({ page, left, top, width, height }: PagePart, pages: number) =>
  page > pages || left + width > 1 + hair || top + height > 1 + hair

/** Values read from parts that are black now; also those whose line nobody knows. */
export function readsIn(parts: readonly PagePart[], marks: ReadMarks): BlackedRead[] {
  const reads = ['amount', 'on', 'provider'] as const
  return reads.filter((read) => {
    const spot = marks[read]
    return !spot || parts.some((part) => meet(part, spot))
  })
}

const meet = (one: Spot, other: Spot) =>
  one.page === other.page &&
  one.left < other.left + other.width &&
  other.left < one.left + one.width &&
  one.top < other.top + other.height &&
  other.top < one.top + one.height
