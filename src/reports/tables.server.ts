// Tables on paper: columns as wide as their figures ask for, the head again on each page.
import { isSuppressed, type Cell, type SheetColumn, type ReportSheet } from './document.ts'
import { fonts, ink, margin, type Paper } from './paper.server.ts'
import { cellWords } from './show.ts'

type DrawnTable = Pick<ReportSheet, 'columns' | 'rows' | 'sums'>

const size = 7.5
const row_height = 17
const padding = { left: 4, right: 4, top: 4, bottom: 3 }
const horizontal_padding = padding.left + padding.right
const upright = 595.28 - 2 * margin

/** Broad tables lie on the side. */
export function drawSheet(paper: Paper, sheet: ReportSheet) {
  const natural_widths = widthsOf(paper, sheet)
  const broad = sum(natural_widths) > upright
  const room = paper.bottom - paper.y > 110
  const landscape = broad || (paper.lies && room) // what is narrow may stay on a landscape page
  if (landscape !== paper.lies || !room) paper.sheet(landscape)
  paper.style('semibold', 10).text(sheet.name, margin, paper.y)
  paper.y += 4
  drawTable(paper, sheet, natural_widths)
  paper.y += 20
}

export function drawTable(
  paper: Paper,
  table: DrawnTable,
  natural_widths = widthsOf(paper, table),
) {
  const widths = fitted(natural_widths, paper.inner, table.columns)
  const summed = new Set(table.sums)
  const rows = table.rows.map((row, at) => ({ row, sum: summed.has(at) }))
  const head = headHeight(paper, table.columns, widths)
  let at = 0
  do {
    const fit = Math.max(Math.floor((paper.bottom - paper.y - head) / row_height), 0)
    // The last row, mostly a sum, takes one along to its page.
    const part = rows.slice(at, at + (fit > 1 && at + fit === rows.length - 1 ? fit - 1 : fit))
    if (part.length > 0 || rows.length === 0) drawPart(paper, table.columns, part, widths, head)
    at += part.length
    if (at < rows.length) paper.sheet(paper.lies)
  } while (at < rows.length)
}

type TableRow = { row: Cell[]; sum: boolean }

function drawPart(
  paper: Paper,
  columns: SheetColumn[],
  rows: TableRow[],
  widths: number[],
  head: number,
) {
  paper.style('regular', size)
  const border = (bottom: number) => ({ top: 0, left: 0, right: 0, bottom })
  const table = paper.table({
    position: { x: margin, y: paper.y },
    maxWidth: paper.inner,
    defaultStyle: { padding, textOptions: { lineBreak: false } },
    columnStyles: columns.map(({ kind }, at) => ({
      width: widths[at] ?? 0,
      align: { x: isLeft(kind) ? 'left' : 'right', y: 'center' },
    })),
    rowStyles: (at) =>
      at === 0
        ? { height: head, border: border(0.8), borderColor: ink.faint, textColor: ink.soft }
        : {
            height: row_height,
            border: border(0.4),
            borderColor: ink.line,
            ...(rows[at - 1]?.sum ? { backgroundColor: ink.wash } : {}),
          },
  })
  const font = (weight: keyof typeof fonts) => ({ src: fonts[weight], size })
  table.row(
    columns.map(({ title }) => ({
      text: title,
      type: 'TH' as const,
      font: font('medium'),
      textOptions: {},
    })),
  )
  for (const { row, sum } of rows) table.row(row.map((cell, at) => cellOf(cell, at, sum)))
  table.end()

  function cellOf(cell: Cell, at: number, sum: boolean) {
    const weight = sum ? 'semibold' : 'regular'
    const text = paper
      .style(weight, size)
      .cut(cellWords(cell, columns[at]?.kind ?? 'text'), (widths[at] ?? 0) - horizontal_padding)
    const faint = isSuppressed(cell) || cell === null
    return { text, font: font(weight), textColor: faint ? ink.faint : ink.text }
  }
}

const isLeft = (kind: SheetColumn['kind']) => kind === 'text' || kind === 'month' || kind === 'day'

const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)

/** A column is as wide as its longest text; long tables are sampled. */
function widthsOf(paper: Paper, { columns, rows }: DrawnTable): number[] {
  paper.style('semibold', size)
  const every = Math.ceil(rows.length / 400)
  const sample = rows.filter((_, at) => at % every === 0)
  return columns.map(({ title, kind }, at) => {
    const head = Math.max(...title.split(' ').map((word) => paper.widthOfString(word)))
    const texts = sample.map((row) => paper.widthOfString(cellWords(row[at] ?? null, kind)))
    return Math.min(Math.max(head, ...texts) + 1, 190) + horizontal_padding
  })
}

/** Spare width goes to all columns; missing width is taken from the words: a figure is never cut. */
function fitted(natural_widths: number[], room: number, columns: SheetColumn[]): number[] {
  const whole = sum(natural_widths)
  if (whole <= room) return natural_widths.map((width) => (width * room) / whole)
  const words = sum(natural_widths.filter((_, at) => columns[at]?.kind === 'text'))
  const scale = Math.max((room - (whole - words)) / words, 0.3)
  return natural_widths.map((width, at) => (columns[at]?.kind === 'text' ? width * scale : width))
}

function headHeight(paper: Paper, columns: SheetColumn[], widths: number[]): number {
  paper.style('medium', size)
  const heights = columns.map(({ title }, at) =>
    paper.heightOfString(title, { width: (widths[at] ?? 0) - horizontal_padding }),
  )
  return Math.max(...heights) + padding.top + padding.bottom
}
