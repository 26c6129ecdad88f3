// A worker alone: does the jobs of a database that servers elsewhere fill.
import { openWorker } from '#worker.server.ts'
import { openDatabase } from '#lib/database.server.ts'
import { connect } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { migrate } from '#lib/migrate.server.ts'
import { waitForDatabase } from '#lib/wait-for-database.server.ts'
import { untilDemoIsThere } from '../../demo/world.ts'
import { command } from './command.server.ts'

/** The parts open by now, in the order of opening; a signal may come at any moment of the start. */
const closing: (() => Promise<void>)[] = []
const close = async () => {
  for (const act of closing.splice(0).toReversed()) await act()
}
let stopping = false

await command('worker', async ({ config }) => {
  const log = makeLog(config.LOG_LEVEL)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stopping = true
      log.info({ signal }, 'the worker stops')
      void close().then(() => process.exit())
    })
  try {
    const database = await openDatabase(config)
    closing.push(() => database.stop())
    await waitForDatabase(database.url, log)
    await migrate(database.url)
    const sql = connect(database.url, { max: 4, name: 'healthfund worker' })
    closing.push(() => sql.end({ timeout: 5 }))
    await untilDemoIsThere(config, sql, log)
    const worker = await openWorker(config, database.url, sql, log)
    closing.push(() => worker.stop())
    log.info('the worker waits for jobs')
  } catch (error) {
    if (stopping) return // its connection was taken away from what it waited for
    await close()
    throw error
  }
})
