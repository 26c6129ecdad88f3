// The place of a line on the paper: it was read in a picture that had been turned and straightened.
import type { Spot } from './marks.contract.ts'

type WordBox = { x0: number; y0: number; x1: number; y1: number }
type PageSize = { width: number; height: number }
type PageTurn = { skew: number; angle: 0 | 90 | 180 | 270; page: number }

/** `upright`: the picture after its turn by `angle`, before it was put straight by `skew`, which makes it larger. */
export function placeOnPaper(
  box: WordBox,
  upright: PageSize,
  { skew, angle, page }: PageTurn,
): Spot {
  const [sin, cos] = [Math.sin((skew * Math.PI) / 180), Math.cos((skew * Math.PI) / 180)]
  const straight = {
    width: upright.width * Math.abs(cos) + upright.height * Math.abs(sin),
    height: upright.width * Math.abs(sin) + upright.height * Math.abs(cos),
  }
  const from_middle = (x: number, y: number) => {
    const [dx, dy] = [x - straight.width / 2, y - straight.height / 2]
    return [
      (dx * cos - dy * sin) / upright.width + 0.5,
      (dx * sin + dy * cos) / upright.height + 0.5,
    ] as const
  }
  const corners = [
    [box.x0, box.y0],
    [box.x1, box.y0],
    [box.x0, box.y1],
    [box.x1, box.y1],
  ].map(([x = 0, y = 0]) => turnedBack(from_middle(x, y), angle))
  return boxAround(corners, page)
}

const turnedBack = ([x, y]: readonly [number, number], angle: PageTurn['angle']) =>
  ({ 0: [x, y], 90: [y, 1 - x], 180: [1 - x, 1 - y], 270: [1 - y, x] })[angle] as [number, number]

/** The box around all of them, as far as it is on the page. */
export function boxAround(points: [number, number][], page: number): Spot {
  const within = (share: number) => Math.min(1, Math.max(0, share))
  const [xs, ys] = [points.map(([x]) => within(x)), points.map(([, y]) => within(y))]
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { page, left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}
