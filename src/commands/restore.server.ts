// `npm run restore -- <folder>`: a backup into an empty place.
import { restore } from '#backups/restore.server.ts'
import { privateKeysIn } from '#backups/sealed.server.ts'
import { withBackup } from '#backups/bucket.server.ts'
import { openPlace } from '#lib/database.server.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('restore', async ({ config, words, flags }) => {
  const file = flags['private-key']
  const private_keys = typeof file === 'string' ? await privateKeysIn(file) : []
  await withBackup(config, words[0] ?? '', (from) =>
    withDatabase(
      config,
      async (url) => {
        const { manifest, ledger } = await restore({
          url,
          data_folder: config.DATA_FOLDER,
          from,
          key: config.INSTALLATION_KEY,
          bucket: s3Storage(config),
          private_keys,
        })
        const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
        const made = `${manifest.made_at}, made by version ${manifest.version}`
        console.log(`Restored as of ${made}: ${rows} rows, ${manifest.files.length} files.`)
        console.log(`Ledger: ${ledger}. Now npm start.`)
        if (manifest.receipts_on_s3)
          console.log('Its receipts are not in it but in their bucket: set S3_ENDPOINT to it.')
      },
      openPlace,
    ),
  )
})
