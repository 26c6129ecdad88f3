// A report before it is a file: figures with their meaning, the same for PDF, XLSX and CSV.
import type { Category } from '#categories.ts'

/** What fewer than five people are behind, or what would give it away. */
export type Suppressed = { suppressed: true }
export const suppressed: Suppressed = { suppressed: true }
export const suppressed_word = 'suppressed'

export type MoneyCell = { cents: number; currency: string }
export type Cell = string | number | MoneyCell | Suppressed | null

export type ColumnKind = 'text' | 'count' | 'money' | 'percent' | 'days' | 'month'
export type Column = { title: string; kind: ColumnKind }
export type Sheet = {
  name: string
  columns: Column[]
  rows: Cell[][]
  /** Rows that are sums of others. */
  sums: number[]
}

export type Series = { name: string; tone: Tone; values: (number | null)[] }
export type Tone = Category | 'primary' | 'accent' | 'secondary'
export type Chart = {
  title: string
  shape: 'bars' | 'lines' | 'lying_bars'
  labels: string[]
  series: Series[]
  /** What the axis counts: an amount of a currency, percent, or how many. */
  unit: { currency: string } | 'percent' | 'count'
}

export type Document = {
  title: string
  type: string
  description: string
  scope: string
  period: string
  made_at: string
  figures: { label: string; value: Cell; kind: ColumnKind; note: string }[]
  charts: Chart[]
  sheets: Sheet[]
  notes: string[]
}

/** What one kind of report adds to a document; whether it hides something is said once, in the notes. */
export type Parts = Pick<Document, 'figures' | 'charts' | 'sheets'> & {
  hides: boolean
  notes?: string[]
}

export const isMoney = (cell: Cell): cell is MoneyCell =>
  typeof cell === 'object' && cell !== null && 'cents' in cell
export const isSuppressed = (cell: Cell): cell is Suppressed =>
  typeof cell === 'object' && cell !== null && 'suppressed' in cell
