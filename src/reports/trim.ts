// Leaves out what says nothing: rows without a figure (but for companies: they are counted above),
// months and categories of few people alone, charts with nothing in them.
import { isSuppressed, type Cell, type Chart, type ReportSheet } from './document.ts'
import { isNothing } from './show.ts'

export function trimmed(sheet: ReportSheet): ReportSheet {
  const { columns } = sheet
  const names = columns.findLast(({ kind }) => kind === 'text' || kind === 'month')
  const by_part = names?.kind === 'month' || names?.title === 'Category'
  const figures = columns.flatMap(({ kind, backdrop }, at) =>
    ['count', 'money', 'percent', 'days'].includes(kind) && !(by_part && backdrop) ? [at] : [],
  )
  const summed = new Set(sheet.sums)
  const hasText = (row: Cell[]) =>
    names?.title === 'Company' ||
    figures.some((at) => {
      const cell = row[at] ?? null
      return !isNothing(cell) && !(by_part && isSuppressed(cell))
    })
  const kept = sheet.rows
    .map((row, at) => ({ row, sum: summed.has(at) }))
    .filter(({ row, sum }) => sum || hasText(row))
  return {
    ...sheet,
    rows: kept.map(({ row }) => row),
    sums: kept.flatMap(({ sum }, at) => (sum ? [at] : [])),
  }
}

/** Worth drawing: something is there, and not most of it is hidden. */
export function speaks({ series, labels, shape }: Chart): boolean {
  if (labels.length < 2 && shape !== 'horizontal_bars') return false
  const values = series.flatMap(({ values }) => values)
  const hidden = values.filter((value) => value === null).length
  return values.some((value) => value) && hidden * 2 < values.length
}
