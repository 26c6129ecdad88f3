// A report as comma-separated values: its sheets one under the other, each under its name.
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { decimal } from '#lib/money.ts'
import {
  isMoney,
  isSuppressed,
  suppressed_word,
  type Cell,
  type ColumnKind,
  type ReportDocument,
} from './document.ts'
import { isMonth } from './show.ts'

export function* csvOf(document: ReportDocument): Generator<string> {
  const { title, type, description, scope, period, made_at, as_of } = document
  const { happened, decide, notes } = document
  yield byte_order_mark
  for (const [name, value] of Object.entries({
    title,
    type,
    description,
    scope,
    period,
    made_at,
    ...(as_of && { as_of }),
  })) {
    yield csvLine([name, value])
  }
  for (const sentence of happened) yield csvLine(['happened', sentence])
  for (const sentence of decide) yield csvLine(['to decide', sentence])
  for (const note of notes) yield csvLine(['note', note])
  for (const { name, columns, rows } of document.sheets) {
    yield csvLine([])
    yield csvLine([name])
    yield csvLine(columns.map(({ title, kind }) => (kind === 'percent' ? `${title}, %` : title)))
    for (const row of rows) {
      yield csvLine(row.map((cell, at) => written(cell, columns[at]?.kind ?? 'text')))
    }
  }
}

/** Amounts with a point, in the row's currency; months as 2026-01. */
function written(cell: Cell, kind: ColumnKind): string | number | null {
  if (cell === null) return null
  if (isSuppressed(cell)) return suppressed_word
  if (isMoney(cell)) return decimal(cell.cents, cell.currency)
  return typeof cell === 'string' && kind === 'month' && isMonth(cell) ? cell.slice(0, 7) : cell
}
