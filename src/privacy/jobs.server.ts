// Background work for privacy: exports, and the traces that an erasure has to look for.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Sql } from '#lib/db.server.ts'
import type { Files } from '#lib/files.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { Standby } from '#lib/standby.server.ts'
import type { Days } from '#lib/retention.ts'
import { Archive, zip_bytes } from './archive.server.ts'
import { writeAll } from './export.server.ts'

const tries_max = 3
const Export = z.object({ person_id: z.uuid(), id: z.uuid() })
type ExportRun = z.infer<typeof Export> & { run: string; days: Days }

/** `days`: how long the installation keeps what. */
type ExportOptions = { days: Days; room_bytes?: number; standby?: Standby | undefined }

/** If its worker is killed another one begins again; after three times the export has failed. */
export const makeExport =
  (files: Files, options: ExportOptions): Task =>
  async (input, { sql, log }) => {
    const { room_bytes = zip_bytes, standby, days } = options
    const begun: ExportRun = { ...Export.parse(input), run: randomUUID(), days }
    const { person_id, id, run } = begun
    const [{ tries }] = await sql<[{ tries: number | null }]>`
      select private.begin_export(${person_id}, ${id}, ${run}) as tries`
    if (tries === null) return
    if (tries > tries_max) {
      return endExport(sql, begun, 'It was begun three times and never finished.')
    }
    try {
      await make({ sql, files, reads: standby ?? Standby.none(sql, log) }, begun, room_bytes)
      await endExport(sql, begun, null)
    } catch (error) {
      if (error instanceof TakenOver) return
      if (tries < tries_max) throw error // the queue tries again, a little later each time
      log.error({ err: error, export: id }, 'an export of personal data could not be made')
      await endExport(sql, begun, 'Something went wrong while it was made. It has been recorded.')
    }
  }

/** Another worker has it now, or the person is gone. */
class TakenOver extends Error {}

type Tools = { sql: Sql; files: Files; reads: Standby }

async function make({ sql, files, reads }: Tools, begun: ExportRun, room_bytes: number) {
  let reported = 0
  const progress = async (percent: number) => {
    if (percent - reported < 2) return
    reported = percent
    const { person_id, id, run } = begun
    const [{ ours }] = await sql<[{ ours: boolean }]>`
      select private.note_export(${person_id}, ${id}, ${run}, ${percent}) as ours`
    if (!ours) throw new TakenOver()
  }
  // One snapshot: later changes are not in it. If it has to begin again on the primary, its first piece replaces all kept ones.
  await reads.read(async (tx, { as_of }) => {
    const place = `exports/${begun.person_id}/${randomUUID()}`
    const keep = (number: number, bytes: Uint8Array) =>
      keepPiece({ sql, files }, begun, { storage_key: `${place}-${number}`, number }, bytes)
    const archive = new Archive(keep, room_bytes)
    await writeAll(tx, files, archive, { ...begun, as_of }, progress)
    await archive.end()
  })
}

async function keepPiece(
  { sql, files }: Pick<Tools, 'sql' | 'files'>,
  { person_id, id, run }: ExportRun,
  { storage_key, number }: { storage_key: string; number: number },
  bytes: Uint8Array,
) {
  await sql`select private.name_export_part(${storage_key})`
  const place = await files.put(storage_key, [{ name: 'zip', bytes }])
  const part = {
    person_id,
    export_id: id,
    number,
    size_bytes: bytes.length,
    ...place,
    wrapped_key: `\\x${Buffer.from(place.wrapped_key).toString('hex')}`,
  }
  const [{ ours }] = await sql<[{ ours: boolean }]>`
    select private.keep_export_part(${run}, ${sql.json(part)}) as ours`
  if (!ours) throw new TakenOver()
}

const endExport = async (sql: Sql, begun: ExportRun, fault: string | null) => {
  const { person_id, id, run, days } = begun
  await sql`select private.end_export(${person_id}, ${id}, ${run}, ${fault}, ${days.exports})`
}

/**
 * Resumes exports and erasures that were cut short, removes exports whose days are over, and passes erasures on that nobody is
 * left to decide.
 */
export const keepPrivacy: Task = async (_, { sql }) => {
  await sql`select private.send_erasures_to_provider()`
  await sql`select private.keep_exports()`
  await sql`select private.resume_forgetting()`
}

const PersonInput = z.object({ person_id: z.uuid() })

/** Erases the data that is kept about a person outside of their own rows; `mails_it`: a last mail says that it is done. */
export const forgetEverywhere =
  (mails_it: boolean): Task =>
  async (input, { sql }) => {
    const { person_id } = PersonInput.parse(input)
    for (let more = true; more;) {
      const [done] = await sql<[{ more: boolean }]>`
        select private.erase_traces(${person_id}, ${mails_it}) as more`
      more = done.more
    }
  }
