// Comma-separated values as people's programs write them: read in a stream, written without formulas.

export type CsvRow = {
  /** The line of the file at which the row begins. */
  line: number
  cells: string[]
  fault?: 'too_long' | 'open_quote'
}

const row_max = 64 * 1024
const QUOTE = 34
const NEWLINE = 10
const RETURN = 13

/** Reads text in pieces of any size. Holds one row at most, and drops a row that is too long. */
export class CsvReader {
  #delimiter = 0
  #head = ''
  #cells: string[] = []
  #cell = ''
  #size = 0
  #quoted = false
  #closed = false
  #after_return = false
  #line = 1
  #row_line = 1

  /** The delimiter: comma, semicolon or tab, whichever the first line has most of. */
  #chooseDelimiter(text: string): string {
    this.#head += text
    if (!/[\r\n]/.test(text) && this.#head.length <= row_max) return ''
    const head = this.#head
    this.#head = ''
    this.#delimiter = delimiterOf(/^[^\r\n]*/.exec(head.slice(0, row_max))?.[0] ?? '')
    return head
  }

  *read(text: string): Generator<CsvRow> {
    const ready = this.#delimiter ? text : this.#chooseDelimiter(text)
    if (ready) yield* this.#scan(ready)
  }

  *end(): Generator<CsvRow> {
    if (!this.#delimiter) {
      const head = this.#head
      this.#delimiter = delimiterOf(head)
      yield* this.#scan(head)
    }
    const open = this.#quoted
    const row = this.#finish()
    if (row) yield open ? { ...row, fault: 'open_quote' } : row
  }

  *#scan(text: string): Generator<CsvRow> {
    let from = 0
    for (let at = 0; at < text.length; at += 1) {
      const character = text.charCodeAt(at)
      if (character === NEWLINE && this.#after_return) {
        this.#after_return = false
        if (!this.#quoted) {
          from = at + 1
          continue
        }
      }
      this.#after_return = false
      if (this.#quoted) {
        if (character === NEWLINE || character === RETURN) this.#countLine(character)
        if (character !== QUOTE) continue
        this.#take(text, from, at)
        this.#quoted = false
        this.#closed = true
        from = at + 1
      } else if (character === QUOTE && this.#closed && from === at) {
        this.#quoted = true // a doubled quote is one
      } else if (character === QUOTE && this.#cell === '' && from === at) {
        this.#quoted = true
        from = at + 1
      } else if (character === this.#delimiter) {
        this.#take(text, from, at)
        this.#endCell()
        from = at + 1
      } else if (character === NEWLINE || character === RETURN) {
        this.#take(text, from, at)
        const row = this.#finish()
        if (row) yield row
        this.#countLine(character)
        this.#row_line = this.#line
        from = at + 1
      } else this.#closed = false
    }
    this.#take(text, from, text.length)
  }

  #countLine(character: number) {
    this.#line += 1
    this.#after_return = character === RETURN
  }

  #take(text: string, from: number, to: number) {
    this.#size += to - from
    if (this.#size > row_max) this.#cell = ''
    else if (to > from) this.#cell += text.slice(from, to)
  }

  #endCell() {
    this.#size += 1
    if (this.#size <= row_max) this.#cells.push(this.#cell)
    this.#cell = ''
    this.#closed = false
  }

  /** A blank line is no row. */
  #finish(): CsvRow | undefined {
    const blank = this.#cells.length === 0 && this.#cell.trim() === '' && this.#size <= row_max
    this.#endCell()
    const too_long = this.#size > row_max
    const row: CsvRow = { line: this.#row_line, cells: too_long ? [] : this.#cells }
    this.#cells = []
    this.#size = 0
    this.#quoted = false
    if (blank) return undefined
    return too_long ? { ...row, fault: 'too_long' } : row
  }
}

const delimiterOf = (line: string): number => {
  const parts = (character: string) => line.split(character).length
  if (parts('\t') > Math.max(parts(','), parts(';'))) return 9
  return parts(';') > parts(',') ? 59 : 44
}

/** Cells that look like formulas and are harmless: a negative number, or a phone number. */
const harmless = /^(-\d+(\.\d+)?|\+\d[\d ()-]{5,})$/

/** A cell that a spreadsheet would take for a formula is marked as text. */
export const neutral = (cell: string) =>
  /^[=+\-@\t\r]/.test(cell) && !harmless.test(cell) ? `'${cell}` : cell

/** A cell that `neutral` marked, as it was. */
export const unmark = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  const written = cells.map((cell) => {
    const text = neutral(String(cell ?? ''))
    return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  })
  return `${written.join(',')}\r\n`
}

/** The most lines of a file that the product writes, for somebody to open in a spreadsheet. */
export const csv_entries_max = 100_000

/** Spreadsheets recognise UTF-8 by it. */
export const byte_order_mark = '\uFEFF'
