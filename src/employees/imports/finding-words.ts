// The findings about a row of an employee file, in words.
import { Name } from '#lib/one-line.ts'
import { isProblemCode, problems } from '#problems.ts'
import { Department, PersonnelNumber, Phone } from '#employees/employees.contract.ts'
import { Email } from '#users/users.contract.ts'
import type { Finding, ImportRow } from './imports.contract.ts'

/** Why a row is not taken. Never which company an address belongs to. */
const findingSentences: Record<Finding, string> = {
  fresh: 'New',
  here: 'Already in your company',
  duplicate: 'The same email or personnel number is in an earlier row',
  address_taken: 'This email already has an account that can’t be added here',
  skipped: 'Name or email is missing',
  invalid: 'Invalid',
  taken: 'Added',
  adopted: 'Added, with the account they already have',
  undone: 'Undone',
  changes: 'Changes',
  changed: 'Changed',
  same: 'No changes',
  missing: 'Not in the file',
  left: 'Leaves',
  admin: 'Has rights for the company: never changed by a file',
  suspended: 'Suspended: a file never ends their employment',
  gone: 'Has left already',
  conflict: 'Belongs to another person',
  untouched: 'Left as it is',
  kept: 'Stays',
}

/** Headings of the counts of rows, by their outcome. */
export const row_outcomes = [
  ['fresh', 'New'],
  ['here', 'Already an employee'],
  ['duplicate', 'Duplicate in file'],
  ['address_taken', 'Email already in use'],
  ['skipped', 'Name or email missing'],
  ['invalid', 'Invalid'],
] as const satisfies readonly [Finding, string][]

export const row_shapes = {
  full_name: Name,
  email: Email,
  phone: Phone,
  department: Department,
  personnel_number: PersonnelNumber,
}
/** Faults of a row other than those of its fields, which go by their names. */
const row_faults = {
  too_long: 'This row is too long',
  open_quote: 'A quote is opened here and never closed: everything after it was read as this row',
  formula: 'This looks like a formula',
  odd_characters: 'Unreadable characters',
  joined_on: 'The first day is not a date. Write it as 2026-03-01',
  left_on: 'The last day is not a date. Write it as 2026-03-01',
  ends_before_it_begins: 'The last day is before the first',
  begins_too_late: 'The first day is more than a year ahead',
  rows_differ: 'Two rows for one person say different things',
  number_of_two: 'Two rows give this personnel number to two people',
  number_of_another: 'The personnel number belongs to one person, the email to another',
  number_differs: 'This person has another personnel number',
  address_differs: 'Not the email they sign in with: it stays as it is',
  suspended_stays: 'Suspended: the last day stays as it is',
  not_in_file: 'Not in the file, and stays',
  left_before: 'Last day before the first sign-in: not added',
  changed_since: 'Changed by somebody else in the meantime',
  not_applied: 'Couldn’t be saved',
  had_account: 'Has signed in, or had an account before',
}
type RowField = keyof typeof row_shapes
const isField = (code: string): code is RowField => code in row_shapes
const isFault = (code: string): code is keyof typeof row_faults => code in row_faults

/** A row's own faults in words, or else its finding. Old rows have their faults as sentences. */
export function findingText(
  row: Pick<ImportRow, 'finding' | 'reason'> & { [Name in RowField]?: string | null },
) {
  if (!row.reason) return findingSentences[row.finding]
  const codes = row.reason.split(' ')
  const sentences = codes.map((code) => {
    if (isField(code))
      return row_shapes[code].safeParse(row[code]).error?.issues[0]?.message ?? 'Invalid'
    if (isFault(code)) return row_faults[code]
    return isProblemCode(code) ? problems[code][1] : null
  })
  return sentences.includes(null) ? row.reason : sentences.join('. ')
}
