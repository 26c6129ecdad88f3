// A worker alone: does the jobs of a database that servers elsewhere fill.
import { openWorker } from '#house.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { openDatabase } from '#lib/database.server.ts'
import { connect } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { migrate } from '#lib/migrate.server.ts'
import { untilThere } from '#lib/waiting.server.ts'

const config = readConfig(process.env)
const log = makeLog(config.LOG_LEVEL)
const database = await openDatabase(config)
await untilThere(database.url, log, async () => async () => {})
await migrate(database.url)
const sql = connect(database.url, { max: 4, name: 'healthfund worker' })
const worker = await openWorker(config, database.url, sql, log)
log.info('the worker waits for jobs')

async function stop() {
  await worker.stop()
  await sql.end({ timeout: 5 })
  await database.stop()
  process.exit(0)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
