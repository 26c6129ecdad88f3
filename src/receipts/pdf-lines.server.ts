// The lines of a page of a PDF, each with its place: the library gives the text alone, and has the places inside.
import type { PDFiumPage } from '@hyzyla/pdfium'
import { around } from './placing.ts'
import type { Line } from './reading.ts'

/** What the library uses itself, and does not pass on. */
type Inside = {
  pageIdx: number
  module: {
    HEAPU8: Uint8Array
    wasmExports: { malloc(bytes: number): number; free(at: number): void }
    _FPDFText_LoadPage: (page: number) => number
    _FPDFText_ClosePage: (text: number) => void
    _FPDFText_CountChars: (text: number) => number
    _FPDFText_GetUnicode: (text: number, at: number) => number
    _FPDFText_GetCharBox: (
      text: number,
      at: number,
      ...pointers: [left: number, right: number, bottom: number, top: number]
    ) => number
  }
}
const bytes_of_a_number = 8

export function linesOfPage(page: PDFiumPage): Line[] {
  const { module, pageIdx } = page as unknown as Inside
  const {
    _FPDFText_LoadPage: load,
    _FPDFText_ClosePage: close,
    _FPDFText_CountChars: countLetters,
    _FPDFText_GetUnicode: letterAt,
    _FPDFText_GetCharBox: findBox,
  } = module
  const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
  const text = load(pageIdx)
  const sides = module.wasmExports.malloc(4 * bytes_of_a_number)
  const side = (at: number) => sides + at * bytes_of_a_number
  const lines: { text: string; corners: [number, number][] }[] = []
  let line: (typeof lines)[0] | undefined
  try {
    const count = countLetters(text)
    for (let at = 0; at < count; at += 1) {
      const letter = String.fromCodePoint(letterAt(text, at))
      if (/[\r\n\f]/.test(letter)) {
        line = undefined
        continue
      }
      if (!line) lines.push((line = { text: '', corners: [] }))
      line.text += letter
      if (!letter.trim()) continue
      if (!findBox(text, at, side(0), side(1), side(2), side(3))) continue
      // From the bottom left upwards; asked for again, as the memory may have grown.
      const found = new Float64Array(module.HEAPU8.buffer.slice(sides, side(4)))
      const [left = 0, right = 0, bottom = 0, top = 0] = found
      line.corners.push([left / width, 1 - top / height], [right / width, 1 - bottom / height])
    }
  } finally {
    module.wasmExports.free(sides)
    close(text)
  }
  return lines.map(({ text: says, corners }) => ({
    text: says,
    spot: corners.length > 0 ? around(corners, page.number + 1) : undefined,
  }))
}
