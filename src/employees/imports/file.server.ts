// A file of people, read as it arrives: what each row says, and what is wrong with it.
import { unmark, type CsvRow } from '#lib/csv.ts'
import { Day } from '#lib/days.ts'
import { Problem } from '#problems.ts'
import { columnsFault, matchColumns } from './columns.ts'
import { import_limits, type ColumnField, type ColumnFields } from './imports.contract.ts'
import { row_shapes } from './finding-words.ts'
import { oneLine } from '#lib/one-line.ts'

type PersonRow = {
  line: number
  full_name: string | null
  email: string | null
  phone: string | null
  department: string | null
  personnel_number: string | null
  joined_on: string | null
  left_on: string | null
  finding: 'fresh' | 'skipped' | 'invalid'
  reason: string | null
}
type ReadBy = { columns: ColumnFields; date_order: 'dmy' | 'mdy' }

const batch_rows = 2000
const names = ['full_name', 'email', 'phone', 'department', 'personnel_number'] as const
const days = ['joined_on', 'left_on'] as const

/** Reads a file in batches, and holds no more than one of them; first says which columns it does not use. */
export async function* readPeople(
  rows: AsyncIterable<CsvRow>,
  by: ReadBy,
  onUnused: (headings: string[]) => void,
): AsyncGenerator<PersonRow[]> {
  let fields: ColumnField[] | undefined
  let count = 0
  let batch: PersonRow[] = []
  for await (const row of rows) {
    if (!fields) {
      fields = fieldsOf(row, by)
      onUnused(unusedOf(row.cells, fields))
      continue
    }
    count += 1
    if (count > import_limits.rows) throw new Problem('csv_too_many_rows')
    batch.push(readPerson(row, fields, by))
    if (batch.length < batch_rows) continue
    yield batch
    batch = []
  }
  if (!fields) throw new Problem('csv_columns_missing')
  if (count === 0) throw new Problem('csv_empty')
  if (batch.length > 0) yield batch
}

const unusedOf = (cells: readonly string[], fields: readonly ColumnField[]) =>
  cells
    .filter((cell, at) => fields[at] === 'none' && cell.trim() !== '')
    .slice(0, 200)
    .map((cell) => oneLine(cell.trim()).slice(0, 200))

const samples_of_column = 3

type ColumnGuess = { heading: string; field: ColumnField; samples: string[] }

/** The headings and some cells of each column: first those with letters that a wrong encoding would spoil. */
export async function lookAt(rows: AsyncIterable<CsvRow>, by: ReadBy) {
  let columns: ColumnGuess[] | undefined
  let count = 0
  const odd: string[][] = []
  for await (const { cells, fault } of rows) {
    if (!columns) {
      if (fault) throw new Problem('csv_columns_missing')
      const fields = matchColumns(cells, by.columns)
      columns = cells.slice(0, 200).map((cell, at) => ({
        heading: cell.trim().slice(0, 200),
        field: fields[at] ?? 'none',
        samples: [],
      }))
      continue
    }
    count += 1
    if (count > import_limits.rows) throw new Problem('csv_too_many_rows')
    for (const [at, column] of columns.entries()) {
      const cell = (cells[at] ?? '').trim().slice(0, 80)
      if (!cell) continue
      if (column.samples.length < samples_of_column) column.samples.push(cell)
      const strange = (odd[at] ??= [])
      if (/[^\u0020-\u007e]/.test(cell) && strange.length < 2 && !column.samples.includes(cell))
        strange.push(cell)
    }
  }
  if (!columns || count === 0) throw new Problem(columns ? 'csv_empty' : 'csv_columns_missing')
  return {
    rows: count,
    columns: columns.map((column, at) => ({
      ...column,
      samples: [...(odd[at] ?? []), ...column.samples].slice(0, samples_of_column),
    })),
  }
}

function fieldsOf({ cells, fault }: CsvRow, { columns }: ReadBy): ColumnField[] {
  if (fault) throw new Problem('csv_columns_missing')
  const fields = matchColumns(cells, columns)
  const wrong = columnsFault(fields)
  if (wrong) throw new Problem(wrong)
  return fields
}

function readPerson(
  { line, cells, fault }: CsvRow,
  fields: readonly ColumnField[],
  { date_order }: ReadBy,
): PersonRow {
  const cell = (name: ColumnField) => {
    const text = unmark((cells[fields.indexOf(name)] ?? '').trim()).trim()
    return oneLine(text.replaceAll('\u0000', '')).slice(0, 300) || null
  }
  const person = {
    line,
    full_name: cell('full_name') ?? joined(cell('first_name'), cell('last_name')),
    email: cell('email')?.toLowerCase() ?? null,
    phone: cell('phone'),
    department: cell('department'),
    personnel_number: cell('personnel_number'),
    joined_on: dayOf(cell('joined_on'), date_order),
    left_on: dayOf(cell('left_on'), date_order),
  }
  const kept = {
    ...person,
    joined_on: isDay(person.joined_on) ? person.joined_on : null,
    left_on: isDay(person.left_on) ? person.left_on : null,
  }
  if (fault) return { ...kept, finding: 'invalid', reason: fault }
  const is_odd = fields.some((field, at) => field !== 'none' && odd.test(cells[at] ?? ''))
  const wrong = [...reasonsOf(person), ...(is_odd ? ['odd_characters'] : [])]
  const lacking = !person.full_name || !person.email
  // People with a number may be identified by it: then the rest of the row has to agree.
  if (lacking && !(person.personnel_number && wrong.length > 0))
    return { ...kept, finding: 'skipped', reason: null }
  return wrong.length > 0
    ? { ...kept, finding: 'invalid', reason: wrong.join(' ') }
    : { ...kept, finding: 'fresh', reason: null }
}

const joined = (first: string | null, last: string | null) =>
  first && last ? `${first} ${last}` : null

const isDay = (text: string | null) => text === null || Day().safeParse(text).success

/** 2026-04-03, 3.4.2026, or 3/4/2026 in the company's order; any other text is kept as it is, and refused. */
function dayOf(text: string | null, order: ReadBy['date_order']): string | null {
  if (!text) return null
  const iso = /^(\d{4}-\d{2}-\d{2})(T[\d:.]+Z?| 00:00(:00)?)?$/.exec(text)?.[1]
  if (iso) return iso
  const parts = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text)
  if (!parts) return text
  const [, first = '', dot, second = '', year] = parts
  const [day, month] = dot === '.' || order === 'dmy' ? [first, second] : [second, first]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const formula = /^[=+@-]/
/** Letters that show a wrong encoding: a name would silently lose them. */
const odd = /\uFFFD|(?!\s)\p{Cc}/u

/** The faults of a row as codes: fields by their names, and others. */
function reasonsOf(person: Omit<PersonRow, 'finding' | 'reason' | 'line'>): string[] {
  const reasons: string[] = names.filter(
    (name) => person[name] !== null && !row_shapes[name].safeParse(person[name]).success,
  )
  reasons.push(...days.filter((name) => !isDay(person[name])))
  const texts = [person.full_name, person.department, person.personnel_number]
  if (texts.some((text) => text && formula.test(text))) reasons.push('formula')
  return reasons
}
