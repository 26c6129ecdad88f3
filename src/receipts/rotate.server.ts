// `npm run keys -- rotate`: another key wraps the keys of all files.
import { renewFileKey } from '#lib/file-keys.server.ts'
import { openFiles } from '#lib/files.server.ts'
import type { Config } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'

const batch_files = 500

type RotatedFile = {
  company_id: string
  id: string
  storage_key: string
  file_key: number
  wrapped_key: Uint8Array
}

/**
 * The files stay as they are. What is cut short is done by the next rotation, or by `rewrapFiles`. A retired key
 * is dropped a day later: another server may have used it a moment ago.
 */
export async function rotateFileKeys(config: Config, sql: Sql, installation_key: Buffer) {
  await renewFileKey(sql, installation_key)
  const rewrapped = await rewrapFiles(config, sql, installation_key)
  const dropped = await sql`
    delete from private.file_keys k where retired_at < now() - interval '1 day'
      and not exists (select from receipts r where r.file_key = k.id)
      -- exports are gone in a week, so theirs are not wrapped again
      and not exists (select from data_export_parts p where p.file_key = k.id)`.affected()
  return { rewrapped, dropped }
}

/** The rows that do not name the key in use, a batch per transaction. */
async function rewrapFiles(config: Config, sql: Sql, installation_key: Buffer) {
  const files = openFiles({ config, sql, installation_key })
  let count = 0
  for (;;) {
    const done = await sql.begin(async (tx) => {
      const rows = await tx<RotatedFile[]>`
        select company_id, id, storage_key, file_key, wrapped_key from receipts
        where file_key < (select id from private.file_keys where retired_at is null)
        order by file_key, company_id, id limit ${batch_files} for no key update`
      for (const row of rows) {
        const { file_key, wrapped_key } = await files.rewrap(row)
        await tx`update receipts set file_key = ${file_key}, wrapped_key = ${wrapped_key}
          where company_id = ${row.company_id} and id = ${row.id}`
      }
      return rows.length
    })
    if (done === 0) return count
    count += done
  }
}
