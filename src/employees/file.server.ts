// A file of people, read as it arrives: what each row says, and what is wrong with it.
import { CsvReader, unmarked, type CsvRow } from '#lib/csv.ts'
import { Problem } from '#problems.ts'
import { import_limits, row_shapes } from './imports.contract.ts'

export type PersonRow = {
  line: number
  full_name: string | null
  email: string | null
  phone: string | null
  department: string | null
  finding: 'fresh' | 'skipped' | 'invalid'
  reason: string | null
}

const batch_rows = 2000
const names = ['full_name', 'email', 'phone', 'department'] as const
type Columns = Record<(typeof names)[number], number>

/** In batches. Nothing of the file is held beyond one of them. */
export async function* readPeople(body: ReadableStream<Uint8Array>): AsyncGenerator<PersonRow[]> {
  let columns: Columns | undefined
  let count = 0
  let batch: PersonRow[] = []
  for await (const row of readRows(body)) {
    if (!columns) {
      columns = readHeader(row)
      continue
    }
    count += 1
    if (count > import_limits.rows) throw new Problem('csv_too_many_rows')
    batch.push(readPerson(row, columns))
    if (batch.length < batch_rows) continue
    yield batch
    batch = []
  }
  if (!columns) throw new Problem('csv_columns_missing')
  if (count === 0) throw new Problem('csv_empty')
  if (batch.length > 0) yield batch
}

async function* readRows(body: ReadableStream<Uint8Array>): AsyncGenerator<CsvRow> {
  const reader = new CsvReader()
  let decoder: TextDecoder | undefined
  const decode = (bytes?: Uint8Array) => {
    decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      throw new Problem('csv_not_utf8')
    }
  }
  for await (const bytes of body) yield* reader.read(decode(bytes))
  yield* reader.read(decode())
  yield* reader.end()
}

/** Excel's “Unicode text” says by its first two bytes what it is. All else is UTF-8, or refused: names are at stake. */
function encodingOf([first, second, third]: Uint8Array = new Uint8Array()) {
  const is_zip = first === 0x50 && second === 0x4b && third === 3
  if (is_zip) throw new Problem('csv_not_utf8') // a workbook: what helps is said there
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

function readHeader({ cells, fault }: CsvRow): Columns {
  if (fault) throw new Problem('csv_columns_missing')
  const titles = cells.map((cell) => cell.trim().toLowerCase())
  const at = (...known: string[]) => titles.findIndex((title) => known.includes(title))
  const columns = {
    full_name: at('name', 'full_name', 'full name'),
    email: at('email', 'e-mail', 'email address', 'e-mail-adresse'),
    phone: at('phone', 'telephone', 'telefon', 'mobile'),
    department: at('department', 'abteilung'),
  }
  if (columns.full_name < 0 || columns.email < 0) throw new Problem('csv_columns_missing')
  return columns
}

function readPerson({ line, cells, fault }: CsvRow, columns: Columns): PersonRow {
  const cell = (name: keyof Columns) => {
    const text = unmarked((cells[columns[name]] ?? '').trim()).trim()
    // PostgreSQL holds no such character, and nobody's name does.
    return text.replaceAll('\u0000', '\uFFFD') || null
  }
  const person = {
    line,
    full_name: cell('full_name')?.slice(0, 300) ?? null,
    email: cell('email')?.toLowerCase().slice(0, 300) ?? null,
    phone: cell('phone')?.slice(0, 300) ?? null,
    department: cell('department')?.slice(0, 300) ?? null,
  }
  if (fault) return { ...person, finding: 'invalid', reason: fault }
  if (!person.full_name || !person.email) return { ...person, finding: 'skipped', reason: null }
  const wrong = reasonsOf(person)
  return wrong.length > 0
    ? { ...person, finding: 'invalid', reason: wrong.join(' ') }
    : { ...person, finding: 'fresh', reason: null }
}

const formula = /^[=+@-]/
const odd = /[\p{Cc}\uFFFD]/u

/** Codes: the fields that are not as they should be, and what else is wrong. */
function reasonsOf(person: Pick<PersonRow, (typeof names)[number]>): string[] {
  const reasons: string[] = names.filter(
    (name) => person[name] !== null && !row_shapes[name].safeParse(person[name]).success,
  )
  const texts = [person.full_name, person.department]
  if (texts.some((text) => text && formula.test(text))) reasons.push('formula')
  if (names.some((name) => odd.test(person[name] ?? ''))) reasons.push('odd_characters')
  return reasons
}
