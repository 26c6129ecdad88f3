// `npm run ledger:verify`: changes nothing, so it may be asked at any time, and reads on the standby where one is set.
import { verifyAll } from '#funds/ledger/verify.server.ts'
import { connect } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { Standby, standbyIn, type ReadAsOf } from '#lib/standby.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('ledger:verify', ({ config }) =>
  withDatabase(config, async (url) => {
    const name = 'healthfund ledger:verify'
    const sql = connect(url, { max: 1, name })
    const log = makeLog(config.LOG_LEVEL)
    const standby = new Standby({ primary: sql, settings: standbyIn(config), name, log })
    const read_at: ReadAsOf[] = []
    try {
      const [table] = await sql<[{ there: boolean }]>`
        select to_regclass('public.transfers') is not null as there`
      if (!table.there) throw new Error('This database is empty: npm start sets it up.')
      const { good, sentence } = await verifyAll(sql, {
        read: (work) =>
          standby.read((tx, at) => {
            read_at.push(at)
            return work(tx)
          }),
      })
      console.log(`${sentence}${whereOf(read_at)}`)
      if (!good) process.exitCode = 1
    } finally {
      await standby.close()
      await sql.end({ timeout: 5 })
    }
  }),
)

/** The first of several moments is shown: nothing older was read. */
function whereOf(read_at: ReadAsOf[]): string {
  const there = read_at.filter(({ standby }) => standby).map(({ as_of }) => as_of)
  return there.length > 0 ? `, as of ${there.toSorted()[0]}, read from the standby` : ''
}
