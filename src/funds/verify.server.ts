// `npm run ledger:verify`: proves the ledgers of all companies from their rows, or names the first bad entry.
import { readConfig } from '#lib/config.server.ts'
import { openDatabase } from '#lib/database.server.ts'
import { connect, type Sql } from '#lib/db.server.ts'
import { migrate } from '#lib/migrate.server.ts'
import { sentenceOf } from './check.ts'

type Found = Parameters<typeof sentenceOf>[0]

/** The one sentence for all companies, and whether all is good. */
export async function verifyAll(sql: Sql): Promise<{ good: boolean; sentence: string }> {
  const companies = await sql<{ id: string; name: string }[]>`
    select id, name from companies order by created_at, id`
  const sum = { transfers: 0, accounts: 0, fault: null, transfer_id: null, account_id: null }
  for (const { id, name } of companies) {
    const [found] = await sql<[Found]>`select * from verify_ledger(${id})`
    if (found.fault) return { good: false, sentence: `${name} (${id}): ${sentenceOf(found)}` }
    sum.transfers += found.transfers
    sum.accounts += found.accounts
  }
  return { good: true, sentence: sentenceOf(sum) }
}

async function main() {
  const database = await openDatabase(readConfig(process.env))
  const sql = connect(database.url, { max: 1, name: 'healthfund ledger:verify' })
  try {
    await migrate(database.url)
    const { good, sentence } = await verifyAll(sql)
    console.log(sentence)
    if (!good) process.exitCode = 1
  } finally {
    await sql.end({ timeout: 5 })
    await database.stop()
  }
}

if (import.meta.main) await main()
