// A report as a workbook: a sheet to begin with, then one per table; real numbers, real dates.
import writeXlsxFile, { type CellObject, type Sheet as BookSheet } from 'write-excel-file/node'
import { decimalsOf } from '#lib/currencies.ts'
import {
  isMoney,
  isSuppressed,
  suppressed_word,
  type Cell,
  type ColumnKind,
  type ReportDocument,
  type ReportSheet,
} from './document.ts'
import { cellWords, isMonth } from './show.ts'

type Book = BookSheet<never>

const ink = { head: '#0E5F5F', soft: '#6B645C', wash: '#E8F3F2' }

export const xlsxOf = (document: ReportDocument): Promise<Buffer> =>
  writeXlsxFile([firstSheet(document), ...document.sheets.map(sheetOf)] as Book[], {
    // A font must be named: without it programs other than Excel show bold or coloured cells in another one.
    fontFamily: 'Calibri',
    fontSize: 11,
  }).toBuffer()

function firstSheet(document: ReportDocument): Book {
  const { title, type, description, scope, period, made_at, as_of } = document
  const { happened, decide, notes } = document
  const line = (name: string, cell: CellObject): CellObject[] => [
    { value: name, textColor: ink.soft },
    { align: 'left', ...cell },
  ]
  return {
    sheet: 'Summary',
    orientation: 'landscape',
    columns: [{ width: 22 }, ...document.views.map(() => ({ width: 22 })), { width: 22 }],
    data: [
      [{ value: title, fontWeight: 'bold', fontSize: 16, textColor: ink.head }],
      [{ value: description, textColor: ink.soft }],
      [],
      line('Type', { value: type }),
      line('About', { value: scope }),
      line('Period', { value: period }),
      line('Made', moment(made_at)),
      ...(as_of ? [line('As of', moment(as_of))] : []),
      [],
      ...section('What happened', happened),
      ...section('To decide', decide),
      ...figures(document),
      ...notes.map((note) => [{ value: note, textColor: ink.soft }]),
    ],
  }
}

const moment = (value: string): CellObject => ({
  value: new Date(value),
  type: Date,
  format: 'yyyy-mm-dd hh:mm:ss "UTC"',
})
const head = (value: string): CellObject => ({ value, fontWeight: 'bold', textColor: ink.head })

const section = (title: string, sentences: string[]): CellObject[][] =>
  sentences.length === 0 ? [] : [[head(title)], ...sentences.map((value) => [{ value }]), []]

function figures({ views }: ReportDocument): CellObject[][] {
  const [main] = views
  if (!main) return []
  const labels = main.figures.map(({ label, kind }): CellObject[] => [
    { value: label, textColor: ink.soft },
    ...views.map(({ figures }) => ({
      ...cellOf(figures.find((figure) => figure.label === label)?.value ?? null, kind),
      align: 'right' as const,
    })),
  ])
  const heads = views.map(({ currency }) => ({ ...head(currency), align: 'right' as const }))
  return [[head('Figures'), ...heads], ...labels, []]
}

function sheetOf({ name, columns, rows, sums }: ReportSheet): Book {
  const summed = new Set(sums)
  return {
    sheet: name,
    orientation: 'landscape',
    stickyRowsCount: 1,
    columns: columns.map(({ title, kind }, at) => ({
      width: kind === 'text' ? wordsWidth(rows, at) : Math.max(14, title.length + 2),
    })),
    data: [
      columns.map(({ title, kind }): CellObject => ({
        value: title,
        fontWeight: 'bold',
        backgroundColor: ink.wash,
        textColor: ink.head,
        align: ['text', 'month', 'day'].includes(kind) ? 'left' : 'right',
        bottomBorderColor: ink.head,
        bottomBorderStyle: 'thin',
      })),
      ...rows.map((row, at) =>
        row.map((cell, column): CellObject => ({
          ...cellOf(cell, columns[column]?.kind ?? 'text'),
          ...(summed.has(at) ? { fontWeight: 'bold', topBorderStyle: 'thin' } : {}),
        })),
      ),
    ],
  }
}

/** A column is as wide as its longest text, within what a screen has room for. */
const wordsWidth = (rows: readonly Cell[][], at: number) =>
  rows.reduce(
    (width, row) => Math.min(Math.max(width, cellWords(row[at] ?? null, 'text').length + 2), 60),
    24,
  )

function cellOf(cell: Cell, kind: ColumnKind): CellObject {
  if (cell === null) return {}
  if (isSuppressed(cell)) return { value: suppressed_word, textColor: ink.soft, align: 'right' }
  if (isMoney(cell)) {
    const digits = decimalsOf(cell.currency)
    const format = digits === 0 ? '#,##0' : `#,##0.${'0'.repeat(digits)}`
    return { value: cell.cents / 10 ** digits, type: Number, format }
  }
  if (typeof cell === 'number') {
    return kind === 'percent'
      ? { value: cell / 100, type: Number, format: '0.0%' }
      : { value: cell, type: Number, format: kind === 'days' ? '0.0' : '#,##0' }
  }
  if (kind === 'day')
    return { value: new Date(cell), type: Date, format: 'd mmm yyyy', align: 'left' }
  if (kind === 'month' && isMonth(cell))
    return { value: new Date(cell), type: Date, format: 'mmm yyyy', align: 'left' }
  return { value: cell, type: String }
}
