// All there is about a person, written into an archive: data.json, a CSV per list, receipts, README.txt.
import type { Tx } from '#lib/db.server.ts'
import type { Files, StoredFile } from '#lib/files.server.ts'
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { spanOfDays, withSpans, type Days } from '#lib/retention.ts'
import { about_a_person } from './about-a-person.ts'
import type { DataEntry } from './about-claims.ts'
import type { Archive } from './archive.server.ts'

type ReportProgress = (percent: number) => Promise<void>
type DataRow = Record<string, unknown>

const rows_at_once = 500

export async function writeAll(
  tx: Tx,
  files: Files,
  archive: Archive,
  { person_id, as_of, days }: { person_id: string; as_of: string; days: Days },
  progress: ReportProgress,
) {
  await archive.add('README.txt', [readme(as_of, days)])
  await archive.add('data.json', json(tx, person_id, as_of))
  await progress(20)
  const lists = about_a_person.filter(({ single }) => !single)
  for (const [at, entry] of lists.entries()) {
    await archive.add(`${entry.name}.csv`, csv(tx, entry, person_id))
    await progress(20 + Math.round((30 * (at + 1)) / lists.length))
  }
  await writeReceipts(tx, files, archive, person_id, progress)
}

async function* json(tx: Tx, person_id: string, as_of: string) {
  yield `{\n"made_at": ${JSON.stringify(as_of)}`
  for (const entry of about_a_person) {
    yield `,\n${JSON.stringify(entry.name)}: `
    if (entry.single) {
      const [only] = await tx.unsafe<DataRow[]>(entry.query, [person_id])
      yield JSON.stringify(only ?? null)
      continue
    }
    yield '['
    let before = '\n'
    for await (const rows of rowsOf(tx, entry, person_id)) {
      yield before + rows.map((row) => JSON.stringify(row)).join(',\n')
      before = ',\n'
    }
    yield ']'
  }
  yield '\n}\n'
}

async function* csv(tx: Tx, entry: DataEntry, person_id: string) {
  yield byte_order_mark
  let headed = false
  for await (const rows of rowsOf(tx, entry, person_id)) {
    if (!headed && rows[0]) yield csvLine(Object.keys(rows[0]))
    headed = true
    yield rows.map((row) => csvLine(Object.values(row).map(cell))).join('')
  }
  if (!headed) yield csvLine(await columnsOf(tx, entry, person_id))
}

const cell = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value ?? null) ?? '').replace(/^null$/, '')

/** A list that is empty still says what it would have held. */
async function columnsOf(tx: Tx, { query }: DataEntry, person_id: string) {
  const none = tx.unsafe(query, [person_id])
  await none
  return none.columns.map(({ name }) => name)
}

const rowsOf = (tx: Tx, { query }: DataEntry, person_id: string): AsyncIterable<DataRow[]> =>
  tx.unsafe<DataRow[]>(query, [person_id]).cursor(rows_at_once)

type ExportedReceipt = StoredFile & { id: string; claim_id: number | null; file_name: string }

async function writeReceipts(
  tx: Tx,
  files: Files,
  archive: Archive,
  person_id: string,
  progress: ReportProgress,
) {
  const receipts = await tx<ExportedReceipt[]>`
    select id, claim_id, file_name, storage_key, file_key, wrapped_key, parts from receipts
    where person_id = ${person_id} order by created_at, id`
  for (const [at, receipt] of receipts.entries()) {
    const bytes = await files.open(receipt, 'file')
    if (!archive.hasRoomFor(bytes.length)) {
      await archive.add('receipts/MORE.txt', [more(receipts.length - at)])
      break
    }
    await archive.add(nameOf(receipt), [bytes], { packed: true })
    await progress(50 + Math.round((49 * (at + 1)) / receipts.length))
  }
}

const more = (left_out: number) =>
  `A ZIP can’t be larger than this. ${left_out} more receipts are listed in receipts.csv: download\r\n` +
  'them from their claims in My Claims, or ask your HR.\r\n'

/** The receipt's own name, made safe for every file system; the id keeps two of the same name apart. */
function nameOf({ id, claim_id, file_name }: ExportedReceipt) {
  const folder = claim_id === null ? 'without-claim' : `claim-${claim_id}`
  const plain = file_name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .replace(/^\.+/, '_')
  return `receipts/${folder}/${id.slice(0, 8)} ${plain}`
}

function readme(as_of: string, days: Days) {
  const parts = about_a_person.map(
    ({ name, title, why, kept, single }) =>
      `${title}\n  ${single ? `data.json, "${name}"` : `${name}.csv, and data.json, "${name}"`}\n` +
      `  Why: ${why}\n  Kept: ${withSpans(kept, (rule) => spanOfDays(days[rule]))}\n`,
  )
  return [
    'ALL YOUR DATA AT HEALTHFUND',
    `As it was on ${as_of}.`,
    '',
    'data.json holds everything, for programs: one key for each part below, with an object or a',
    'list of objects. The CSV files hold the same lists, for spreadsheets (UTF-8, commas).',
    'Amounts end in “cents”: whole numbers of the smallest unit of the currency beside them, such as',
    'cents of a euro, yen, or thousandths of a Kuwaiti dinar. Times are UTC.',
    'The folder receipts holds the files of your receipts, by claim.',
    '',
    'Passwords, keys of second steps and links that were mailed are in no export: they are kept',
    'in a form that nobody can read, or not at all.',
    '',
    ...parts,
  ].join('\r\n')
}
