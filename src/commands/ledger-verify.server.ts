// `npm run ledger:verify`: changes nothing, so it may be asked at any time.
import { verifyAll } from '#funds/verify.server.ts'
import { connect } from '#lib/db.server.ts'
import { command, withDatabase } from './command.server.ts'

await command('ledger:verify', ({ config }) =>
  withDatabase(config, async (url) => {
    const sql = connect(url, { max: 1, name: 'healthfund ledger:verify' })
    try {
      const [table] = await sql<[{ there: boolean }]>`
        select to_regclass('public.transfers') is not null as there`
      if (!table.there) throw new Error('This database is empty: npm start sets it up.')
      const { good, sentence } = await verifyAll(sql)
      console.log(sentence)
      if (!good) process.exitCode = 1
    } finally {
      await sql.end({ timeout: 5 })
    }
  }),
)
