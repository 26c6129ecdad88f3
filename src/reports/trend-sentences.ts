// How the use of the funds went, in words.
import { isMoney, type Cell, type ReportSheet, type View } from './document.ts'
import { allocate_more, no_company, percent, plural, runsOut, say } from './sentences.ts'
import { reportMonthName } from './show.ts'

const named = (row: Cell[]): Cell => (typeof row[1] === 'string' ? reportMonthName(row[1]) : null)

export function trendHappenings(views: View[], { rows }: ReportSheet): string[] {
  const [main] = views
  if (!main) return [no_company]
  const of = rows.filter(([currency]) => currency === main.currency)
  const [first, last] = [of[0], of.at(-1)]
  if (!first || !last) return []
  const cents = (row: Cell[]) => (isMoney(row[8] ?? null) ? (row[8] as { cents: number }).cents : 0)
  const [best] = of.toSorted((one, other) => cents(other) - cents(one))
  const begin =
    first === last ? [] : say`It was ${percent(first[7])} at the end of ${named(first)}.`
  return [
    ...say`${last[6]} of the ${last[5]} allocated was used at the end of ${named(last)}: ${percent(last[7])}.`,
    ...begin,
    ...(best && of.length > 1 && cents(best) > 0
      ? say`Most was approved in ${named(best)}: ${best[8]}.`
      : []),
    ...say`${plural(last[3], 'person', 'people')} of ${last[2]} claimed in ${named(last)}.`,
  ]
}

const hardly_used = 5

/** Each category's state at the end. */
export function trendDecisions({ rows }: ReportSheet): string[] {
  const last = new Map(rows.map((row) => [JSON.stringify([row[0], row[2]]), row]))
  return [...last.values()].flatMap((row) => {
    const [currency, , category, , , share] = row
    if (typeof share !== 'number') return []
    const of = say`${percent(share)} of what is allocated to ${category} (${currency}) is used`[0]
    if (runsOut(share)) return say`${of}: ${allocate_more}`
    if (share < hardly_used) return say`Only ${of}: is the money better in another category?`
    return []
  })
}
