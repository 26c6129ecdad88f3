// The acts of SCIM, in words.
import { isProblemCode, problems } from '#problems.ts'
import type { BadgeTone } from '#ui/Badge.tsx'
import { dateText } from '#ui/DateText.tsx'
import type { ScimChange, ScimCall } from './scim.contract.ts'

export function callOutcome({ dry_run, status }: ScimCall): [word: string, tone: BadgeTone] {
  if (status >= 400) return ['Refused', 'bad']
  return dry_run ? ['Dry run', 'accent'] : ['Done', 'good']
}

export const scimActWords: Record<ScimChange['act'], string> = {
  added: 'added',
  changed: 'changed',
  left: 'leaves today',
  back: 'is back',
  kept_out: 'not active again: they are suspended, or HR set their last day',
  deleted: 'removed: leaves today',
  group_added: 'group added',
  group_changed: 'group changed',
  group_deleted: 'group deleted',
  joined: 'is in the group',
  went: 'is no longer in the group',
}
const fields: Record<string, string> = {
  userName: 'User name',
  externalId: 'External id',
  displayName: 'Name',
  email: 'Email',
  phone: 'Phone',
  department: 'Department',
  employeeNumber: 'Personnel number',
  active: 'Active',
  left_on: 'Last day',
}
const values: Record<string, string> = { true: 'yes', false: 'no' }
function shown(field: string, value: string | null): string {
  if (value === null) return 'none'
  if (field === 'left_on') return dateText(value)
  return field === 'active' ? (values[value] ?? value) : value
}

/** 'Department: Finance, was Sales' */
export const fieldWords = ({ field, from, to }: ScimChange['fields'][number]): string =>
  `${fields[field] ?? field}: ${shown(field, to)}${from === null ? '' : `, was ${shown(field, from)}`}`

export const reasonOf = ({ code }: ScimCall): string | undefined =>
  isProblemCode(code) ? problems[code][1] : undefined
