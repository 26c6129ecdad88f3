// A step of approval in words: who approves, when it applies, and how far it goes.
import { categoryNames } from '#categories.ts'
import { counted, money } from '#ui/figures.ts'
import type { ApprovalStep } from './steps.contract.ts'

/** The names of the step's people and types, by id. */
export type Names = Readonly<Record<string, string>>

const gone = 'one that is gone'
const named = (ids: readonly string[], names: Names) => ids.map((id) => names[id] ?? gone)
const joined = (words: readonly string[], by: string) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${by} ${words.at(-1)}`

export function whoApproves({ who, person_ids, together }: ApprovalStep, names: Names): string {
  if (who === 'reviewers') return 'Any reviewer'
  if (who === 'owners') return 'Any owner'
  if (who === 'manager') return 'The employee’s manager'
  return joined(named(person_ids, names), together ? 'and' : 'or')
}

export function whenItApplies(step: ApprovalStep, names: Names, currency: string): string {
  const { above_cents, categories, type_ids, departments, group_ids, new_provider } = step
  const conditions = [
    above_cents === null ? '' : `above ${money(above_cents, currency)}`,
    joined(
      categories.map((one) => categoryNames[one]),
      'or',
    ),
    joined(named(type_ids, names), 'or'),
    departments.length > 0 ? `people of ${joined(departments, 'or')}` : '',
    group_ids.length > 0 ? `in ${joined(named(group_ids, names), 'or')}` : '',
    new_provider ? 'for a new provider' : '',
  ].filter(Boolean)
  return conditions.length > 0 ? conditions.join(', ') : 'every claim'
}

export function withinWhat(step: ApprovalStep, names: Names, currency: string): string {
  const { most_cents, days, deputy_id } = step
  return [
    most_cents === null ? '' : `at most ${money(most_cents, currency)}`,
    days === null ? '' : `within ${counted(days, 'working day')}`,
    deputy_id === null ? '' : `deputy ${names[deputy_id] ?? gone}`,
  ]
    .filter(Boolean)
    .join(', ')
}

export const stepsInWords = (steps: ApprovalStep[], names: Names, currency: string): string =>
  steps.length === 0
    ? 'One reviewer'
    : steps
        .map((step, at) =>
          [
            `${at + 1}. ${whoApproves(step, names)}`,
            whenItApplies(step, names, currency),
            withinWhat(step, names, currency),
          ]
            .filter(Boolean)
            .join(', '),
        )
        .join('; ')
