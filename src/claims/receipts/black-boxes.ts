// Boxes that are drawn over a receipt, to be blacked out: shares of the page's width and height.
import type { Spot } from '#receipts/marks.contract.ts'
import { receipt_limits } from '#receipts/limits.contract.ts'

export type PlacedBox = Spot & { key: number }
export type Point = { x: number; y: number }
/** The corner that is pulled; the opposite one stays. */
export type Corner = 'first' | 'last'

/** No side gets shorter than this: the server would refuse it. */
const shortest = 2 * receipt_limits.part_side
const between = (from: number, share: number, to: number) => Math.min(to, Math.max(from, share))

let last_key = 0

/** A new box lies in the middle of the page, a little beside the others. */
export function newBox(page: number, there: number): PlacedBox {
  const offset = (there % 8) * 0.04
  return {
    key: (last_key += 1),
    page,
    left: 0.25 + offset / 2,
    top: 0.3 + offset,
    width: 0.4,
    height: 0.05,
  }
}

/** The box from where the pointer went down to where it is now; none if it hardly moved. */
export function boxBetween(
  from: Point,
  to: Point,
  page: number,
  key?: number,
): PlacedBox | undefined {
  const [x, y] = [between(0, to.x, 1), between(0, to.y, 1)]
  const [width, height] = [Math.abs(x - from.x), Math.abs(y - from.y)]
  if (width < shortest || height < shortest) return undefined
  const [left, top] = [Math.min(x, from.x), Math.min(y, from.y)]
  return { key: key ?? (last_key += 1), page, left, top, width, height }
}

export const moved = (box: PlacedBox, by: Point): PlacedBox => ({
  ...box,
  left: between(0, box.left + by.x, 1 - box.width),
  top: between(0, box.top + by.y, 1 - box.height),
})

export function pulled(box: PlacedBox, corner: Corner, by: Point): PlacedBox {
  const [right, bottom] = [box.left + box.width, box.top + box.height]
  if (corner === 'last') {
    return {
      ...box,
      width: between(shortest, box.width + by.x, 1 - box.left),
      height: between(shortest, box.height + by.y, 1 - box.top),
    }
  }
  const left = between(0, box.left + by.x, right - shortest)
  const top = between(0, box.top + by.y, bottom - shortest)
  return { ...box, left, top, width: right - left, height: bottom - top }
}

const percent = (share: number) => `${Math.round(share * 100)}%`

/** A box's place in words, for people who can't see it. */
export const placeOfBox = ({ left, top, width, height }: Spot) =>
  `${percent(left)} from the left, ${percent(top)} from the top, ` +
  `${percent(width)} wide, ${percent(height)} high`
