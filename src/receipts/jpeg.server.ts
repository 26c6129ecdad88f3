// Keeps a JPEG's picture and nothing else: not where, when and with what a photo was taken.

const [start, end, scan] = [0xd8, 0xd9, 0xda]
const isApp = (marker: number) => marker >= 0xe0 && marker <= 0xef
const comment = 0xfe
const standsAlone = (marker: number) => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Parts that applications add are removed, except for the file type, Adobe's colours and the colour profile. */
function isOfThePicture(marker: number, content: Uint8Array) {
  const beginsWith = (word: string) =>
    Buffer.from(content.subarray(0, word.length)).equals(Buffer.from(word))
  if (marker === 0xe0) return beginsWith('JFIF\0')
  if (marker === 0xe2) return beginsWith('ICC_PROFILE\0')
  return marker === 0xee && beginsWith('Adobe')
}

/** Removes metadata without loss: the picture's own bytes stay. Throws if this is no JPEG. */
export function bareJpeg(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0xff || bytes[1] !== start) throw new Error('This is no JPEG')
  const kept = [bytes.subarray(0, 2)]
  let at = 2
  for (;;) {
    const marker = bytes[at + 1]
    if (bytes[at] !== 0xff || marker === undefined) throw new Error('A JPEG is cut off')
    if (marker === 0xff) {
      at += 1 // padding
      continue
    }
    if (marker === end) return Buffer.concat([...kept, bytes.subarray(at, at + 2)])
    const length = standsAlone(marker) ? 0 : ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
    const next = at + 2 + length
    const dropped = marker === comment || isApp(marker)
    if (!dropped || isOfThePicture(marker, bytes.subarray(at + 4, next))) {
      kept.push(bytes.subarray(at, next))
    }
    at = next
    if (marker !== scan) continue
    const rest = endOfScan(bytes, at)
    kept.push(bytes.subarray(at, rest))
    at = rest
  }
}

/** The scan ends at the next marker: within it FF is followed by 00, or restarts it. */
function endOfScan(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length - 1; at += 1) {
    const marker = bytes[at + 1] ?? 0
    if (bytes[at] === 0xff && marker !== 0 && !standsAlone(marker)) return at
  }
  throw new Error('A JPEG is cut off')
}
