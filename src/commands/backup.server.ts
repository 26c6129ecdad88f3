// `npm run backup`: everything into a folder that is not there yet.
import path from 'node:path'
import { backUp } from '#backups/backup.server.ts'
import { stampOf } from '#backups/keeping.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('backup', async ({ config, words, flags }) => {
  const to = path.resolve(words[0] ?? path.join(config.BACKUP_FOLDER, stampOf(new Date())))
  await withDatabase(config, async (url) => {
    const began = Date.now()
    const made = await backUp({
      url,
      data_folder: config.DATA_FOLDER,
      to,
      key: config.INSTALLATION_KEY,
      with_key: !flags['without-key'],
      bucket: s3Storage(config),
      with_receipts: !flags['without-receipts'],
    })
    const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
    const took = ((Date.now() - began) / 1000).toFixed(1)
    console.log(`${to}: ${rows} rows, ${made.files.length} files, in ${took} s`)
    console.log(
      made.key.included
        ? 'The installation’s key is in it: guard it like the data, or take it out (--without-key).'
        : 'Without the installation’s key: keep that elsewhere, or nobody can read the receipts.',
    )
    if (made.receipts_on_s3)
      console.log('Receipts stayed in their bucket and are not in it: version that bucket.')
    for (const key of made.lost) console.error(`Lost before this backup: ${key}`)
    if (made.lost.length > 0) process.exitCode = 1
  })
})
