// The rows of an employee file, whatever program wrote it: text in some encoding, or a workbook.
import { CsvReader, type CsvRow } from '#lib/csv.ts'
import type { Log } from '#lib/log.server.ts'
import { openWorkerPool, type WorkerPool } from '#lib/worker-pool.server.ts'
import { Problem } from '#problems.ts'
import type { Encoding } from './imports.contract.ts'
import { Letters } from './text.server.ts'

/** A workbook grows to twenty times its size when it is opened, and is held as a whole. */
const workbook_bytes = 16 * 1024 * 1024

/** Workbooks are archives from strangers: a zip bomb ends a process of its own, not the server. */
export const workbookWorkers = (log: Log, within_ms = 60_000): WorkerPool =>
  openWorkerPool({
    program: new URL('workbooks-program.server.ts', import.meta.url),
    size: 1,
    within_ms,
    memory_mb: 1024,
    idle_ms: 5_000,
    too_slow: 'workbook_too_slow',
    too_heavy: 'workbook_too_large',
    broken: 'workbook_broken',
    log,
  })

type FileRows = { rows: AsyncIterable<CsvRow>; encoding: () => Encoding | 'xlsx' | null }

/** The first bytes tell a workbook. */
export async function openRows(
  body: AsyncIterable<Uint8Array>,
  workbooks: WorkerPool,
  encoding: Encoding | null,
): Promise<FileRows> {
  const chunks = body[Symbol.asyncIterator]()
  const first = await chunks.next()
  const bytes = first.done ? new Uint8Array() : first.value
  const all = async function* () {
    yield bytes
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  if (isZip(bytes)) return { rows: ofWorkbook(all(), workbooks), encoding: () => 'xlsx' }
  if (isOldWorkbook(bytes)) throw new Problem('workbook_old')
  const letters = new Letters(encoding)
  return { rows: ofText(all(), letters), encoding: () => letters.encoding ?? null }
}

const isZip = ([a, b, c, d]: Uint8Array) => a === 0x50 && b === 0x4b && c === 3 && d === 4
/** An old .xls, or a workbook with a password. */
const isOldWorkbook = ([a, b, c, d]: Uint8Array) =>
  a === 0xd0 && b === 0xcf && c === 0x11 && d === 0xe0

async function* ofText(body: AsyncIterable<Uint8Array>, letters: Letters): AsyncGenerator<CsvRow> {
  const reader = new CsvReader()
  for await (const bytes of body) yield* reader.read(letters.read(bytes))
  yield* reader.read(letters.end())
  yield* reader.end()
}

async function* ofWorkbook(
  body: AsyncIterable<Uint8Array>,
  workbooks: WorkerPool,
): AsyncGenerator<CsvRow> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const bytes of body) {
    size += bytes.length
    if (size > workbook_bytes) throw new Problem('workbook_too_large')
    parts.push(bytes)
  }
  const { parts: answered } = await workbooks.run({ what: 'rows' }, Buffer.concat(parts))
  const sheet = JSON.parse(Buffer.from(answered[0]?.bytes ?? []).toString()) as string[][]
  for (const [at, cells] of sheet.entries()) {
    if (cells.some((cell) => cell.trim() !== '')) yield { line: at + 1, cells }
  }
}
