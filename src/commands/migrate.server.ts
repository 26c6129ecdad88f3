// `npm run migrate`: the database as this version wants it, before any server of it starts.
import { openDatabase } from '#lib/database.server.ts'
import { connect } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { migrate, migrationState } from '#lib/migrate.server.ts'
import { version } from '#lib/version.server.ts'
import { waitForDatabase } from '#lib/wait-for-database.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('migrate', ({ config }) =>
  withDatabase(
    config,
    async (url) => {
      await waitForDatabase(url, makeLog(config.LOG_LEVEL))
      const sql = connect(url, { max: 1, name: 'healthfund migrate' })
      try {
        const before = await migrationState(sql)
        await migrate(url)
        const state = before === 'current' ? 'was up to date' : 'is up to date now'
        console.log(`The database ${state}: version ${version}.`)
      } finally {
        await sql.end({ timeout: 5 })
      }
    },
    openDatabase,
  ),
)
