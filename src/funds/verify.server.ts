// Proves the ledgers of all companies from their rows, or names the first bad entry.
import type { Sql } from '#lib/db.server.ts'
import { sentenceOf } from './check.ts'

type Found = Parameters<typeof sentenceOf>[0]

/** The one sentence for all companies, or for some at random, and whether all is good. */
export async function verifyAll(
  sql: Sql,
  some?: number,
): Promise<{ good: boolean; sentence: string }> {
  const companies = await sql<{ id: string; name: string }[]>`
    select id, name from companies
    order by ${some ? sql`random()` : sql`created_at, id`} limit ${some ?? null}`
  const sum = { transfers: 0, accounts: 0, fault: null, transfer_id: null, account_id: null }
  for (const { id, name } of companies) {
    const [found] = await sql<[Found]>`select * from verify_ledger(${id})`
    if (found.fault) return { good: false, sentence: `${name} (${id}): ${sentenceOf(found)}` }
    sum.transfers += found.transfers
    sum.accounts += found.accounts
  }
  return { good: true, sentence: sentenceOf(sum) }
}
