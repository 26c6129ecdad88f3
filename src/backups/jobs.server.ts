// Backups by themselves: made by the clock, kept for as long as the settings say, told to whoever watches.
import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '#lib/config.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { backUp } from './backup.server.ts'
import { outdated, stampOf } from './keeping.ts'

const cut_short_after_ms = 86_400_000

export const makeBackup =
  (config: Config, url: string): Task =>
  async (_, { log }) => {
    const to = path.join(path.resolve(config.BACKUP_FOLDER), stampOf(new Date()))
    const made = await backUp({
      url,
      data_folder: config.DATA_FOLDER,
      to,
      key: config.INSTALLATION_KEY,
      with_key: config.BACKUP_WITH_KEY,
      bucket: s3Storage(config),
    })
    // Only now: a backup that fails must not cost one that is there.
    const gone = await tidy(config)
    log.info({ to, tables: made.tables.length, files: made.files.length, gone }, 'backed up')
    if (made.lost.length > 0) throw new Error(`${made.lost.length} files were lost before`)
  }

async function tidy({ BACKUP_FOLDER, BACKUP_KEEP }: Config): Promise<string[]> {
  const names = await readdir(BACKUP_FOLDER)
  const gone = outdated(names, BACKUP_KEEP)
  for (const name of names.filter((one) => one.endsWith('.part'))) {
    const { mtimeMs } = await stat(path.join(BACKUP_FOLDER, name))
    if (Date.now() - mtimeMs > cut_short_after_ms) gone.push(name)
  }
  for (const name of gone) await rm(path.join(BACKUP_FOLDER, name), { recursive: true })
  return gone
}
