// The lines of a page of a PDF, each with its place: the library gives the text alone, and has the places inside.
import type { PDFiumPage } from '@hyzyla/pdfium'
import { boxAround } from './placing.ts'
import type { ReadLine } from './reading.ts'

/** Internals that the library uses and does not export. */
type PdfiumInternals = {
  pageIdx: number
  module: {
    HEAPU8: Uint8Array
    wasmExports: { malloc(bytes: number): number; free(at: number): void }
    _FPDFText_LoadPage: (page: number) => number
    _FPDFText_ClosePage: (text: number) => void
    _FPDFText_CountChars: (text: number) => number
    _FPDFText_GetUnicode: (text: number, at: number) => number
    _FPDFText_IsGenerated: (text: number, at: number) => number
    _FPDFText_GetCharAngle: (text: number, at: number) => number
    _FPDFText_GetLooseCharBox: (text: number, at: number, rectangle: number) => number
    _FPDFText_GetCharBox: (
      text: number,
      at: number,
      ...pointers: [left: number, right: number, bottom: number, top: number]
    ) => number
  }
}
const bytes_of_a_number = 8

/** Edges in points, counted from the bottom left. */
type Edges = { left: number; right: number; bottom: number; top: number }
type Letter = {
  character: string
  /** Not in the file: the library added it for a space or the end of a line. */
  generated: boolean
  upright: boolean
  ink: Edges
  /** The box that its font sets aside for it. */
  room: Edges
}
type GrowingLine = { text: string; last: Letter; room: Edges; corners: [number, number][] }

export function linesOfPage(page: PDFiumPage): ReadLine[] {
  const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
  const lines: GrowingLine[] = []
  let line: GrowingLine | undefined
  let between = { generated: '', written: '' }
  for (const letter of lettersOf(page)) {
    if (!letter.character.trim()) {
      between[letter.generated ? 'generated' : 'written'] += letter.character
      continue
    }
    const space = line && spaceBetween(line, letter, between)
    between = { generated: '', written: '' }
    if (!line || space === undefined) {
      lines.push((line = { text: letter.character, last: letter, room: letter.room, corners: [] }))
    } else {
      line.text += space + letter.character
      line.room = around_both(line.room, letter.room)
    }
    line.last = letter
    const { left, right, bottom, top } = letter.ink
    line.corners.push([left / width, 1 - top / height], [right / width, 1 - bottom / height])
  }
  return lines.map(({ text, corners }) => ({ text, spot: boxAround(corners, page.number + 1) }))
}

const around_both = (one: Edges, other: Edges): Edges => ({
  left: Math.min(one.left, other.left),
  right: Math.max(one.right, other.right),
  bottom: Math.min(one.bottom, other.bottom),
  top: Math.max(one.top, other.top),
})

/**
 * The text between a line and this letter; undefined if the letter begins another line. The library takes some short pages for
 * vertical writing and ends lines and words in the middle, so the places of upright letters decide.
 */
function spaceBetween(
  { last, room }: GrowingLine,
  letter: Letter,
  { generated, written }: { generated: string; written: string },
): string | undefined {
  if (!last.upright || !letter.upright) {
    return /[\r\n\f]/.test(generated) ? undefined : generated || written
  }
  const { ink } = letter
  const middle = (ink.bottom + ink.top) / 2
  const size = letter.room.top - letter.room.bottom
  const gap = letter.room.left - room.right
  if (middle < room.bottom || middle > room.top || gap < -size) return undefined
  return written || gap > size / 8 ? ' ' : ''
}

function lettersOf(page: PDFiumPage): Letter[] {
  const { module, pageIdx } = page as unknown as PdfiumInternals
  const {
    _FPDFText_LoadPage: load,
    _FPDFText_ClosePage: close,
    _FPDFText_CountChars: countLetters,
    _FPDFText_GetUnicode: letterAt,
    _FPDFText_IsGenerated: isGenerated,
    _FPDFText_GetCharAngle: angleAt,
    _FPDFText_GetCharBox: findInk,
    _FPDFText_GetLooseCharBox: findRoom,
  } = module
  const text = load(pageIdx)
  const sides = module.wasmExports.malloc(4 * bytes_of_a_number)
  const side = (at: number) => sides + at * bytes_of_a_number
  // The memory is asked for each time, as it may have grown.
  const read = () => module.HEAPU8.buffer.slice(sides, side(4))
  try {
    return Array.from({ length: countLetters(text) }, (_, at): Letter => {
      findInk(text, at, side(0), side(1), side(2), side(3))
      const [left = 0, right = 0, bottom = 0, top = 0] = new Float64Array(read())
      findRoom(text, at, sides)
      const [from = 0, upper = 0, to = 0, lower = 0] = new Float32Array(read())
      return {
        character: String.fromCodePoint(letterAt(text, at)),
        generated: isGenerated(text, at) === 1,
        upright: Math.cos(angleAt(text, at)) > 0.99,
        ink: { left, right, bottom, top },
        room: { left: from, right: to, bottom: lower, top: upper },
      }
    })
  } finally {
    module.wasmExports.free(sides)
    close(text)
  }
}
