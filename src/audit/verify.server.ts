// Proves the audit of all companies and the provider's own, as the owner.
import type { Sql } from '#lib/db.server.ts'
import { checkSentence } from './check.ts'

type Found = Parameters<typeof checkSentence>[0]

export async function verifyAudits(sql: Sql): Promise<{ good: boolean; sentence: string }> {
  const [found] = await sql<[Found]>`select * from verify_audit(null)`
  return { good: !found.fault, sentence: checkSentence(found) }
}
