// A report before it is a file: figures with their meaning, the same for PDF, XLSX and CSV.
import type { Category } from '#categories.ts'

/** A figure with fewer than five people behind it, or one that would give it away. */
type Suppressed = { suppressed: true }
export const suppressed: Suppressed = { suppressed: true }
export const suppressed_word = 'suppressed'

export type MoneyCell = { cents: number; currency: string }
export type Cell = string | number | MoneyCell | Suppressed | null

export type ColumnKind = 'text' | 'count' | 'money' | 'percent' | 'days' | 'month' | 'day'
/** A `backdrop` figure is shown only beside those that the table is about: alone it says nothing. */
export type SheetColumn = { title: string; kind: ColumnKind; backdrop?: true }
export type ReportSheet = {
  name: string
  columns: SheetColumn[]
  rows: Cell[][]
  /** Rows that are sums of others. */
  sums: number[]
}

export type ChartSeries = { name: string; tone: ChartTone; values: (number | null)[] }
export type ChartTone = Category | 'primary' | 'accent' | 'secondary'
export type Chart = {
  title: string
  shape: 'bars' | 'lines' | 'horizontal_bars'
  labels: string[]
  series: ChartSeries[]
  /** The unit of the axis: an amount of a currency, percent, or a number. */
  unit: { currency: string } | 'percent' | 'count'
}

/** The figure of the period before is null where there was nothing yet. */
export type Figure = { label: string; kind: ColumnKind; value: Cell; before: Cell }
/** The figures of one currency: amounts of different ones are never added. */
export type View = { currency: string; companies: number; figures: Figure[] }

export type ReportDocument = {
  title: string
  type: string
  description: string
  scope: string
  period: string
  period_before: string
  made_at: string
  /** The time of a reading from a standby. */
  as_of?: string | null
  happened: string[]
  /** The view of most companies comes first. */
  views: View[]
  decide: string[]
  charts: Chart[]
  sheets: ReportSheet[]
  notes: string[]
}

/** The part of a document that one kind of report adds; whether it hides something is said once, in the notes. */
export type ReportParts = Pick<
  ReportDocument,
  'happened' | 'views' | 'decide' | 'charts' | 'sheets'
> & {
  hides: boolean
  notes?: string[]
}

export const isMoney = (cell: Cell): cell is MoneyCell =>
  typeof cell === 'object' && cell !== null && 'cents' in cell
export const isSuppressed = (cell: Cell): cell is Suppressed =>
  typeof cell === 'object' && cell !== null && 'suppressed' in cell
