// The terms of the policy in words, and what a version of it changed.
import type { z } from 'zod'
import { count, counted, money } from '#ui/figures.ts'
import type { Policy, PolicyTerms } from './policies.contract.ts'
import { stepsInWords, type Names } from './step-words.contract.ts'

/** The highest amount that the form takes: with it a receipt is never needed. */
const never_cents = 1e9

export type VersionedPolicy = z.infer<typeof Policy>
type Terms = z.infer<typeof PolicyTerms>
type FigureName = Exclude<keyof Terms, 'steps'>
const figure_words: Record<
  FigureName,
  [name: string, say: (value: number, currency: string) => string]
> = {
  auto_approve_cents: ['Approved automatically up to', money],
  auto_approve_per_month: ['Automatic per person and month', count],
  spot_check_percent: ['Spot checks', (percent) => `${percent}%`],
  receipt_above_cents: [
    'Receipt needed',
    (cents, currency) => (cents < never_cents ? `above ${money(cents, currency)}` : 'never'),
  ],
  review_days: ['Decided within', (days) => counted(days, 'working day')],
  account_wait_days: ['A new or changed bank account waits', (days) => counted(days, 'day')],
}

type TermChange = { name: string; before: string | undefined; after: string }

/** The changes of a version; all terms for the first one. */
export function policyChangesOf(
  now: Terms,
  before: Terms | undefined,
  currency: string,
  names: Names = {},
): TermChange[] {
  const changed = (term: keyof Terms) =>
    !before || JSON.stringify(before[term]) !== JSON.stringify(now[term])
  const figures = (Object.keys(figure_words) as FigureName[]).filter(changed).map((term) => {
    const [name, say] = figure_words[term]
    return { name, before: before && say(before[term], currency), after: say(now[term], currency) }
  })
  if (!changed('steps')) return figures
  const inWords = (terms: Terms) => stepsInWords(terms.steps, names, currency)
  return [...figures, { name: 'Approvals', before: before && inWords(before), after: inWords(now) }]
}
