// A picture's likeness: 64 bits that stay nearly the same when it is scaled, re-compressed or lit differently.
import type { Sharp } from 'sharp'

const side = 32
const kept = 8

/** The signs of the lowest frequencies, each against the median of all. As a signed 64-bit number. */
export async function likenessOf(picture: Sharp): Promise<bigint> {
  const { data, info } = await picture
    .greyscale()
    .resize(side, side, { fit: 'fill' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const grey = Array.from({ length: side * side }, (_, at) => data[at * info.channels] ?? 0)
  const waves = frequencies(grey)
  const middle = waves.toSorted((a, b) => a - b)[waves.length / 2] ?? 0
  const bits = waves.map((wave) => (wave > middle ? '1' : '0')).join('')
  return BigInt.asIntN(64, BigInt(`0b${bits}`))
}

/** Discrete cosine transform, rows then columns; the very lowest (how bright it is) left out. */
function frequencies(grey: number[]): number[] {
  const wave = (frequency: number, at: number) =>
    Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * side))
  const all = Array.from({ length: kept }, (_, index) => index + 1)
  const rows = Array.from({ length: side }, (_, y) =>
    all.map((u) => sum(side, (x) => (grey[y * side + x] ?? 0) * wave(u, x))),
  )
  return all.flatMap((v) => all.map((_, at) => sum(side, (y) => (rows[y]?.[at] ?? 0) * wave(v, y))))
}

const sum = (count: number, value: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => value(at)).reduce((total, next) => total + next, 0)
