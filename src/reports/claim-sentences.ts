// The claims of a period in words: what happened to them, and what has to be decided.
import type { Cell, ReportSheet, View } from './document.ts'
import { ask, days, no_company, percent, plural, say } from './sentences.ts'

const figureOf = ({ figures }: View, label: string): Cell =>
  figures.find((figure) => figure.label === label)?.value ?? null

export function claimHappenings(views: View[], types: ReportSheet): string[] {
  const [main] = views
  if (!main) return [no_company]
  const of = (label: string) => figureOf(main, label)
  const claims = (label: string) => plural(of(label), 'claim', 'claims')
  const [most] = types.rows.filter(([currency]) => currency === main.currency).toSorted(byNumber)
  if (of('Submitted, number') === 0) {
    return [`No claim was submitted in ${main.currency} in this period.`]
  }
  return [
    ...say`${claims('Submitted, number')} for ${of('Submitted')} came in.`,
    ...say`${claims('Approved, number')} were approved, with ${of('Approved')}; ${of('Paid')} was paid out.`,
    ...say`Of all decisions ${percent(of('Approval rate'))} were approvals.`,
    ...say`A decision took ${days(of('Working days to decide'))} on average.`,
    ...say`${percent(of('Within target'))} of them came within the target.`,
    ...(most ? say`Most claims were for ${most[2]}: ${most[3]} of them.` : []),
  ]
}

const numberOf = (row: Cell[]) => (typeof row[3] === 'number' ? row[3] : 0)
const byNumber = (one: Cell[], other: Cell[]) => numberOf(other) - numberOf(one)

/** A report asks why if a share is below these. */
export const in_time_min = 90
const approved_min = 75

export function claimDecisions(views: View[], types: ReportSheet, statuses: ReportSheet): string[] {
  const below = (value: Cell, least: number) => typeof value === 'number' && value < least
  const late = views
    .map((view) => ({ currency: view.currency, share: figureOf(view, 'Within target') }))
    .filter(({ share }) => below(share, in_time_min))
    .flatMap(({ currency, share }) => say`${percent(share)} in ${currency}`)
  const refused = types.rows.flatMap(([currency, , type, , , , , , rate]) =>
    below(rate ?? null, approved_min)
      ? say`${type} in ${currency} is approved in ${percent(rate)}: do people know what is covered?`
      : [],
  )
  const open = statuses.rows.flatMap(([, outcome, , , , number, claimed]) => {
    if (number === 0) return []
    if (outcome === 'Pending')
      return say`To be decided: ${plural(number, 'claim', 'claims')} for ${claimed}.`
    if (outcome === 'Approved, payment returned')
      return say`${plural(number, 'payment', 'payments')} of ${claimed} came back: ask for an account?`
    return []
  })
  return [
    ...ask(late, (list) => `Decided within the target: ${list} of the decisions. Add reviewers?`),
    ...refused,
    ...open,
  ]
}
