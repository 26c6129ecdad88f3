// How far a page is turned from upright: lines of text, looked at along themselves, are the sharpest stripes.
import sharp from 'sharp'

const width_max = 700
const steep = 15

/** The skew in degrees; turning the picture by as much the other way makes its lines level. */
export async function skewOf(picture: Uint8Array): Promise<number> {
  const small = sharp(picture).greyscale().resize(width_max, width_max, { fit: 'inside' })
  const { data, info } = await small.raw().toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: 1 as const }
  const around = await sharp(data, { raw }).blur(8).greyscale().raw().toBuffer()
  const ink = inkOf(data, around, info.width)
  if (ink.length < 200) return 0
  const coarse = sharpest(ink, range(-steep, steep, 1))
  return sharpest(ink, range(coarse - 1, coarse + 1, 0.2))
}

type Dot = readonly [x: number, y: number]

/** Pixels clearly darker than those around: letters, whatever the light and the table. */
function inkOf(grey: Buffer, around: Buffer, width: number): Dot[] {
  const ink: Dot[] = []
  for (let at = 0; at < grey.length; at += 1) {
    if ((around[at] ?? 0) - (grey[at] ?? 0) > 18) ink.push([at % width, Math.floor(at / width)])
  }
  return ink
}

const range = (from: number, to: number, step: number) =>
  Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => from + at * step)

function sharpest(ink: Dot[], angles: number[]): number {
  const marks = angles.map((angle) => [angle, sharpness(ink, angle)] as const)
  return marks.toSorted((one, other) => other[1] - one[1])[0]?.[0] ?? 0
}

/** The squares of how much ink lies in each stripe: greatest where ink and paper take turns. */
function sharpness(ink: Dot[], angle: number): number {
  const slope = Math.tan((angle * Math.PI) / 180)
  const stripes = new Map<number, number>()
  for (const [x, y] of ink) {
    const stripe = Math.round(y - x * slope)
    stripes.set(stripe, (stripes.get(stripe) ?? 0) + 1)
  }
  let sum = 0
  for (const dots of stripes.values()) sum += dots * dots
  return sum
}
