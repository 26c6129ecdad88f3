// The sentences of a company's activity.
import type { z } from 'zod'
import { roleLabels } from '#paths.ts'
import { dateText } from '#ui/date-words.ts'
import { allOf, withArticle } from '#ui/figures.ts'
import type { CompanyActivityEntry } from './companies.contract.ts'

type ActivityEntry = z.infer<typeof CompanyActivityEntry>

/** The fields of a company as its activity names them. */
export const fieldNames: Record<string, string> = {
  name: 'the name',
  domain: 'the domain',
  domain_proven_at: 'the verification of the domain',
  domain_auto_register: 'auto-registration',
  status: 'the status',
  time_zone: 'the time zone',
  currency: 'the currency',
  country: 'the country',
  region: 'the region',
  admins_need_two_step: 'two-step verification for administrators',
  receipts_restricted: 'reviewing without receipts',
  first_day_closed_at: 'the list of first steps',
}

/** Moments say when, which stands beside the sentence already. */
const momentSentences: Record<string, string> = {
  domain_proven_at: 'verified the domain',
  first_day_closed_at: 'closed the list of first steps',
}

export function activitySentence({ about, act, subject, after }: ActivityEntry): string {
  const changed = after ?? {}
  if (about === 'imports') {
    const file = String(changed['file_name'] ?? 'an employee file')
    return act === 'insert'
      ? `uploaded ${file}`
      : (fileSteps[String(changed['status'])] ?? 'changed an employee file')
  }
  if (about === 'profiles') return personSentence(act, subject ?? 'a person', changed)
  if (act === 'insert') return 'founded the company'
  const [field] = Object.keys(changed)
  if (Object.keys(changed).length === 1 && field) {
    const value = changed[field]
    if (value && momentSentences[field]) return momentSentences[field]
    if (typeof value === 'boolean') return `turned ${fieldNames[field]} ${value ? 'on' : 'off'}`
    return `changed ${fieldNames[field]} to ${value || 'nothing'}`
  }
  return `changed ${allOf(Object.keys(changed).map((name) => `${fieldNames[name]}`))}`
}

/** An upload as it goes on: each step is a line of its own. */
const fileSteps: Record<string, string> = {
  checked: 'checked an employee file',
  importing: 'started to import an employee file',
  done: 'imported an employee file',
  undoing: 'started to undo an employee file',
  undone: 'undid an employee file',
}

function personSentence(
  act: ActivityEntry['act'],
  name: string,
  after: NonNullable<ActivityEntry['after']>,
): string {
  if (act === 'insert') return `added ${name}`
  if (act === 'delete') return `took ${name} back`
  const role = roleLabels[after['role'] as keyof typeof roleLabels]
  if (role) return `made ${name} ${withArticle(role)}`
  if (after['status']) return `set ${name} to ${after['status']}`
  if ('left_on' in after) {
    return after['left_on']
      ? `set ${name}’s last day to ${dateText(String(after['left_on']))}`
      : `kept ${name}`
  }
  return `changed ${name}’s details`
}
