// `npm run restore -- <folder>`: a backup into an empty place.
import path from 'node:path'
import { readManifest } from '#backups/archive.server.ts'
import { restore } from '#backups/restore.server.ts'
import { s3Storage } from '#lib/s3.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('restore', async ({ config, words }) => {
  const folder = path.resolve(words[0] ?? '')
  await readManifest(folder)
  await withDatabase(config, async (url) => {
    const { manifest, ledger } = await restore({
      url,
      data_folder: config.DATA_FOLDER,
      from: folder,
      key: config.INSTALLATION_KEY,
      bucket: s3Storage(config),
    })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const from = `${manifest.made_at}, made by version ${manifest.version}`
    console.log(`Restored as of ${from}: ${rows} rows, ${manifest.files.length} files.`)
    console.log(`Ledger: ${ledger}. Now npm start.`)
    if (manifest.receipts_on_s3)
      console.log('Its receipts are not in it but in their bucket: set S3_ENDPOINT to it.')
  })
})
