// `npm run drill`: a backup restored for trial, and its result told and kept.
import { newestBackup } from '#backups/backup.server.ts'
import { withBackup } from '#backups/bucket.server.ts'
import { drill } from '#backups/drill.server.ts'
import { freshDrill } from '#backups/jobs.server.ts'
import { privateKeysIn } from '#backups/sealed.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('drill', async ({ config, words, flags }) => {
  if (flags.fresh && (words[0] || flags['private-key']))
    throw new Error('--fresh makes the backup that it tries: name no other one, and no key.')
  const report = ({ good, sentence }: { good: boolean; sentence: string }) => {
    if (!good) throw new Error(sentence)
    console.log(sentence)
  }
  if (flags.fresh) {
    return withDatabase(config, async (url) => report(await freshDrill(config, url)))
  }
  const file = flags['private-key']
  const private_keys = typeof file === 'string' ? await privateKeysIn(file) : []
  const newest = words[0] ?? (await newestBackup(config.BACKUP_FOLDER))?.folder
  if (!newest) throw new Error(`There is no backup in ${config.BACKUP_FOLDER}: npm run backup.`)
  return withBackup(config, newest, (from) =>
    withDatabase(config, async (url) => report(await drill(config, url, { from, private_keys }))),
  )
})
