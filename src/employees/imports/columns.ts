// The names of the columns of an employee file, and the field of each.
import {
  list_fields,
  type ColumnField,
  type ColumnFields,
  type ListField,
} from './imports.contract.ts'

export const fieldLabels: Record<ListField, string> = {
  full_name: 'Name',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  personnel_number: 'Personnel number',
  department: 'Department',
  phone: 'Phone',
  joined_on: 'First day',
  left_on: 'Last day',
}

/** Two spellings of one heading are the same when they are compared. */
export const plainHeading = (heading: string) =>
  heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._:-]+/g, ' ')
    .trim()

const known: Record<ListField, string> = {
  full_name: 'name, full name, employee name, employee, mitarbeiter, vollständiger name',
  first_name: 'first name, firstname, given name, forename, vorname',
  last_name: 'last name, lastname, surname, family name, nachname, familienname',
  email:
    'email, e mail, mail, email address, e mail address, work email, e mail adresse, emailadresse',
  personnel_number:
    'personnel number, personnel no, employee number, employee no, employee id, staff number, ' +
    'personalnummer, personal nr, pers nr, persnr, mitarbeiternummer',
  department: 'department, dept, abteilung',
  phone: 'phone, phone number, telephone, mobile, telefon, telefonnummer, handy, mobil',
  joined_on:
    'joined on, joined, first day, start date, hire date, entry date, eintritt, eintrittsdatum',
  left_on: 'left on, last day, end date, exit date, leaving date, austritt, austrittsdatum',
}
const by_heading = new Map(
  list_fields.flatMap((field) => known[field].split(', ').map((heading) => [heading, field])),
)

/** The field of each column: as the company chose, else by its heading; of two columns for one field, the first. */
export function matchColumns(headings: readonly string[], chosen: ColumnFields): ColumnField[] {
  const plain = headings.map(plainHeading)
  const taken = new Set<ColumnField>(plain.flatMap((heading) => chosen[heading] ?? []))
  const found = plain.map((heading): ColumnField => {
    const own = chosen[heading]
    if (own) return own
    const field = by_heading.get(heading)
    if (!field || taken.has(field)) return 'none'
    taken.add(field)
    return field
  })
  // A column “Name” next to one for the first name is the last name.
  const has = (field: ListField) => found.includes(field)
  const split = has('first_name') && !has('last_name')
  return found.map((field, at) =>
    split && field === 'full_name' && !chosen[plain[at] ?? ''] ? 'last_name' : field,
  )
}

/** The columns that are missing to identify people, and fields that two columns have. */
export function columnsFault(fields: readonly ColumnField[]) {
  const assigned = fields.filter((field) => field !== 'none')
  if (new Set(assigned).size < assigned.length) return 'columns_twice'
  const has = (field: ListField) => assigned.includes(field)
  const named = has('full_name') || (has('first_name') && has('last_name'))
  return named && has('email') ? undefined : 'csv_columns_missing'
}
