// Proves the audit of all companies and the provider's own, as the owner.
import type { Sql } from '#lib/db.server.ts'
import { auditSentence } from './audit-sentence.ts'

type AuditResult = Parameters<typeof auditSentence>[0]

export async function verifyAudits(sql: Sql): Promise<{ good: boolean; sentence: string }> {
  const [found] = await sql<[AuditResult]>`select * from verify_audit(null)`
  return { good: !found.fault, sentence: auditSentence(found) }
}
