// Sums and days in the reader’s locale, in texts that the record keeps in one format.
import { formatOf } from '#lib/currencies.ts'
import { Problem } from '#problems.ts'
import { dateText } from '#ui/DateText.tsx'
import { money } from '#ui/figures.ts'
import { stepText } from '#claims/rules/trace-words.ts'
import type { TraceStep } from '#claims/words.contract.ts'

export const localised = (sentence: string) =>
  sentence
    .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, (day) => dateText(day))
    .replaceAll(/\b(\d+(?:\.\d+)?) ([A-Z]{3})\b/g, (_, sum: string, currency: string) =>
      formatOf(undefined, currency).format(Number(sum)),
    )

/** The server's findings at the fields, with sums and days as this page writes them. */
export function localisedProblem(error: unknown): unknown {
  if (!(error instanceof Problem) || !error.fields) return error
  const fields = Object.entries(error.fields).map(([name, sentences]) => [
    name,
    sentences.map(localised),
  ])
  return new Problem(error.code, { fields: Object.fromEntries(fields) })
}

/** A step of the trace in the reader's words; `person` is the claimant, if somebody else reads it. */
export function localisedStep(step: TraceStep, currency: string, person: string | null = null) {
  const of = (cents: number) => money(cents, currency)
  return stepText(step, { person, money: of, day: (day) => dateText(day) })
}
