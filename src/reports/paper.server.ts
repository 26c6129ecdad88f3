// The paper that reports are drawn on: A4, the product's fonts and colours, figures that stand apart.
import { createRequire } from 'node:module'
import PdfPages from 'pdfkit'

const font = (name: string) =>
  createRequire(import.meta.url).resolve(`@expo-google-fonts/inter/${name}.ttf`)
/** Always by their files: tables return to a font by its file, and would open it again. */
export const fonts = {
  regular: font('400Regular/Inter_400Regular'),
  medium: font('500Medium/Inter_500Medium'),
  semibold: font('600SemiBold/Inter_600SemiBold'),
}

export const ink = {
  text: '#241F1A',
  soft: '#5F5850',
  faint: '#77706A',
  line: '#E4DFD8',
  wash: '#F6F4F0',
  primary: '#0E5F5F',
}
export const margin = 48

type Options = PDFKit.Mixins.TextOptions
type Layout = (text: string, features?: string[]) => unknown
type Laid = { _font: { font: { layout: Layout } } }

/** The fonts have none of these, and a box says less than nothing. */
const shown = (text: string) => text.replace(/\p{Extended_Pictographic}|\u200d|\ufe0f/gu, '').trim()

export class Paper extends PdfPages {
  constructor(info: { Title: string; Subject: string }) {
    super({
      size: 'A4',
      margin,
      bufferPages: true,
      lang: 'en',
      displayTitle: true,
      font: fonts.regular,
      info: { ...info, Author: 'Healthfund' },
    })
    for (const file of Object.values(fonts)) this.#spaceFigures(file)
  }

  /** Figures of one width have no kerning: with it the point of 17.1% slides under the 7. */
  #spaceFigures(file: string) {
    // oxlint-disable-next-line no-underscore-dangle -- features can't be given to tables, only to the font itself
    const { font } = (this.font(file) as unknown as Laid)._font
    const layout = font.layout.bind(font)
    font.layout = (text, features = ['tnum']) => layout(text, features)
  }

  get inner(): number {
    return this.page.width - 2 * margin
  }
  /** The line at which the foot begins. */
  get bottom(): number {
    return this.page.height - margin - 18
  }
  get lies(): boolean {
    return this.page.width > this.page.height
  }

  sheet(landscape = false): this {
    this.addPage({ size: 'A4', layout: landscape ? 'landscape' : 'portrait', margin })
    this.x = margin
    this.y = margin
    return this
  }

  style(weight: keyof typeof fonts, size: number, colour = ink.text): this {
    return this.font(fonts[weight]).fontSize(size).fillColor(colour)
  }

  /** One line, cut where it is too long. */
  line(text: string, x: number, y: number, width?: number): this {
    const cut = width === undefined ? text : this.cut(text, width)
    return this.text(cut, x, y, { lineBreak: false })
  }

  endingAt(text: string, right: number, y: number): this {
    return this.line(text, right - this.widthOfString(text), y)
  }

  cut(text: string, width: number): string {
    if (this.widthOfString(text) <= width + 0.5) return text
    let cut = text
    while (cut.length > 1 && this.widthOfString(`${cut}…`) > width) cut = cut.slice(0, -1)
    return `${cut}…`
  }

  override text(text: string, x?: number | Options, y?: number, options?: Options): this {
    return typeof x === 'number'
      ? super.text(shown(text), x, y, options)
      : super.text(shown(text), x)
  }
}
