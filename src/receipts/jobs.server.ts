// Background work on receipts: reading, and removing those not used.
import { z } from 'zod'
import type { Sql } from '#lib/db.server.ts'
import type { Files } from '#lib/files.server.ts'
import { startWorker, type Task } from '#lib/jobs.server.ts'
import type { Log } from '#lib/log.server.ts'
import { openWorkerPool, type WorkerPool } from '#lib/worker-pool.server.ts'
import { Problem } from '#problems.ts'
import type { ReadingHints } from './reading-days.ts'
import type { ReceiptReading } from './reading.ts'

const refusals = {
  too_slow: 'receipt_too_heavy',
  too_heavy: 'receipt_too_heavy',
  broken: 'receipt_broken',
} as const
const program = new URL('worker-program.server.ts', import.meta.url)

/** The workers that re-encode files: whoever sent one waits for it. */
export const receiptWorkers = (log: Log): WorkerPool =>
  openWorkerPool({ program, size: 1, within_ms: 30_000, ...refusals, log })

type Readers = { url: string; sql: Sql; log: Log; files: Files; size: number }

/** A worker of its own, so that no other job waits behind a photo that is read. */
export async function openReaders({ url, sql, log, files, size }: Readers) {
  const workers = openWorkerPool({
    program,
    size,
    within_ms: 60_000,
    niceness: 10, // nobody holds their breath for it
    ...refusals,
    log,
  })
  const tasks = { 'receipts:read': readReceipts(files, workers) }
  const worker = await startWorker({ url, sql, log, tasks, schedule: [], concurrency: size })
  return {
    /** The names under which its jobs are locked. */
    locks: worker.locks,
    async stop() {
      workers.close() // what is being read is read by whoever comes next
      await worker.stop()
    },
  }
}

const ReceiptInput = z.object({ company_id: z.uuid(), id: z.uuid() })
type ReadingAttempt = {
  tries: number
  media_type: string
  storage_key: string
  file_key: number
  wrapped_key: Uint8Array
  parts: Record<string, [number, number]>
  currency: string
  today: string
}
const tries_max = 3

const readReceipts =
  (files: Files, workers: WorkerPool): Task =>
  async (input, { sql }) => {
    const { company_id, id } = ReceiptInput.parse(input)
    const [begun] = await sql<
      ReadingAttempt[]
    >`select * from private.begin_reading(${company_id}, ${id})`
    if (!begun || begun.tries > tries_max) return
    const read = await readOnce(begun, files, workers)
    const reading = {
      read_amount_cents: read?.amount_cents ?? null,
      read_currency: read?.currency ?? null,
      read_on: read?.on ?? null,
      read_provider: read?.provider ?? null,
      read_marks: read?.marks ?? {},
    }
    await sql`select private.note_reading(${company_id}, ${id}, ${sql.json(reading)})`
  }

async function readOnce(
  begun: ReadingAttempt,
  files: Files,
  workers: WorkerPool,
): Promise<ReceiptReading | null> {
  const { media_type, currency, today } = begun
  const hints: ReadingHints = { currency, today, month_first: currency === 'USD' }
  try {
    const bytes = await files.open(begun, 'file')
    const { answer } = await workers.run({ what: 'read', media_type, hints }, bytes)
    return answer as ReceiptReading | null
  } catch (error) {
    // A file that can't be read is recorded as unreadable; if only the storage is away the job is tried again.
    if (error instanceof Problem && !passing.has(error.code)) return null
    throw error
  }
}

const passing = new Set<string>(['storage_away', 'unavailable', 'busy'])

const swept_at_once = 50

/** Files that no receipt names: first the file goes, then its name. */
export const sweepFiles =
  (files: Files): Task =>
  async (_, { sql }) => {
    for (;;) {
      const count = await sql.begin(async (tx) => {
        const due = await tx<{ storage_key: string }[]>`
          select storage_key from private.leftover_files where due_at <= now()
          order by due_at limit ${swept_at_once} for update skip locked`
        const keys = due.map(({ storage_key }) => storage_key)
        for (const key of keys) await files.remove(key)
        await tx`delete from private.leftover_files where storage_key = any (${keys})`
        return keys.length
      })
      if (count < swept_at_once) return
    }
  }

export const keepReceipts: Task = async (_, { sql }) => {
  await sql`select private.keep_receipts()`
}
