// `npm run backup`: a backup of everything, in the backup folder or in a new folder that is named.
import path from 'node:path'
import { backUp } from '#backups/backup.server.ts'
import { nextBackup } from '#backups/jobs.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { standbyIn } from '#lib/standby.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('backup', async ({ config, words, flags }) => {
  const parts = {
    with_key: !flags['without-key'] && (words[0] !== undefined || config.BACKUP_WITH_KEY),
    with_receipts: !flags['without-receipts'],
    log: makeLog(config.LOG_LEVEL),
  }
  await withDatabase(config, async (url) => {
    const began = Date.now()
    const { to, made, gone } = words[0]
      ? await named(words[0])
      : await nextBackup(config, url, parts)
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
    const took = ((Date.now() - began) / 1000).toFixed(1)
    console.log(`${to}: ${rows} rows, ${made.files.length} files, in ${took} s`)
    if (!words[0] && config.BACKUP_S3_ENDPOINT)
      console.log(`Copied to ${config.BACKUP_S3_BUCKET} as ${path.basename(to)}`)
    if (gone.length > 0) console.log(`Outdated and removed: ${[...new Set(gone)].join(', ')}`)
    if (made.sealed_to.length > 0) console.log(`Encrypted to ${made.sealed_to.join(', ')}`)
    if (made.read_from === 'standby') console.log(`As of ${made.as_of}, read from the standby`)
    console.log(about(made))
    if (made.receipts_on_s3)
      console.log('Receipts stayed in their bucket and are not in it: version that bucket.')
    for (const key of made.lost) console.error(`Lost before this backup: ${key}`)
    if (made.lost.length > 0) process.exitCode = 1

    async function named(folder: string) {
      const to = path.resolve(folder)
      const { DATA_FOLDER: data_folder, INSTALLATION_KEY: key } = config
      const seal = { seal_to: config.BACKUP_ENCRYPT_TO, late_after_hours: config.BACKUP_LATE_HOURS }
      const place = {
        url,
        data_folder,
        to,
        key,
        bucket: s3Storage(config),
        standby: standbyIn(config),
      }
      return { to, made: await backUp({ ...place, ...parts, ...seal }), gone: [] }
    }
  })
})

function about({ key, sealed_to }: Awaited<ReturnType<typeof backUp>>): string {
  if (!key.included)
    return 'Without the installation’s key: keep that elsewhere, or nobody can read the receipts.'
  return sealed_to.length > 0
    ? 'The installation’s key is in it, encrypted like the rest.'
    : 'The installation’s key is in it: guard it like the data, or take it out (--without-key).'
}
