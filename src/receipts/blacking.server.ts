// A receipt's owner blacks out parts of it: the file is made again without them, and the earlier one is removed.
import { z } from 'zod'
import { row, type Tx } from '#lib/db.server.ts'
import type { Files, StoredFile } from '#lib/files.server.ts'
import type { Buckets } from '#lib/limits.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { WorkerPool } from '#lib/worker-pool.server.ts'
import { Problem } from '#problems.ts'
import { isOff, readsIn } from './black-parts.ts'
import type { FilePart } from './normalise.server.ts'
import { ReadMarks } from './marks.contract.ts'
import type { receipts } from './receipts.contract.ts'
import { find } from './rows.server.ts'

const BlackingInput = z.object({
  media_type: z.string(),
  pages: z.int(),
  storage_key: z.string(),
  file_key: z.int(),
  wrapped_key: z.instanceof(Uint8Array),
  parts: z.record(z.string(), z.tuple([z.int(), z.int()])),
  read_marks: ReadMarks,
  new_key: z.string(),
})
type BlackingInput = z.infer<typeof BlackingInput>

/**
 * The receipt always names one file: the old one until the new one is stored completely, then the new one alone. The file that it
 * does not name is written down as left over and swept, whichever process dies in between.
 */
export const blackOutHandler =
  (files: Files, workers: WorkerPool, buckets: Buckets): Handlers<typeof receipts>['black_out'] =>
  async ({ input: { id, blacked_times, parts }, within }) => {
    const opened = await within(async (tx, actor) => {
      if (!buckets.take(actor.id)) throw new Problem('too_many_requests')
      const found = await row(
        BlackingInput,
        tx`select * from open_blacking(${id}, ${blacked_times})`,
      )
      if (parts.some((part) => isOff(part, found.pages))) throw new Problem('blacked_off_page')
      return found
    })
    const { receipt, was } = await made(opened).catch(async (error: unknown) => {
      // The first error is the one to tell; what can't be dropped now is swept within the hour.
      await within((tx) => tx`select drop_upload(${opened.new_key})`).catch(() => {})
      throw error
    })
    // The old file is removed at once; if that fails, the sweep does it.
    await files.remove(was).catch(() => {})
    return receipt

    async function made(from: BlackingInput) {
      const job = { what: 'black_out', media_type: from.media_type, parts }
      const { answer, parts: fresh } = await workers.run(job, await files.open(from, 'file'))
      const place = await files.put(from.new_key, [
        ...(await untouched(files, from, fresh)),
        ...fresh,
      ])
      return within(async (tx) => {
        const size_bytes = fresh.find(({ name }) => name === 'file')?.bytes.length ?? 0
        const blacked_reads = readsIn(parts, from.read_marks)
        const kept = { ...(answer as object), size_bytes, blacked_times, blacked_reads }
        return { was: await keep(tx, id, kept, place), receipt: await find(tx, id) }
      })
    }
  }

/** The pictures of pages on which nothing was blacked out: they stay as they are. */
function untouched(files: Files, from: BlackingInput, fresh: FilePart[]): Promise<FilePart[]> {
  const names = Object.keys(from.parts).filter((name) => !fresh.some((part) => part.name === name))
  return Promise.all(names.map(async (name) => ({ name, bytes: await files.open(from, name) })))
}

async function keep(tx: Tx, id: string, made: object, place: StoredFile): Promise<string> {
  const wrapped_key = `\\x${Buffer.from(place.wrapped_key).toString('hex')}` // as PostgreSQL reads them
  const [kept] = await tx<[{ was: string }]>`
    select keep_blacking(${id}, ${tx.json({ ...made, ...place, wrapped_key })}) as was`
  return kept.was
}
