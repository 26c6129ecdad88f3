// The result of verifying the record, in one sentence.
import { z } from 'zod'
import { countedInEnglish, countInEnglish } from '#lib/counted.ts'
import { AuditCheck } from './audit.contract.ts'

export const AuditResult = AuditCheck.omit({ good: true, sentence: true }).extend({
  waiting: z.int(),
  erased: z.int(),
  fault: z.string().nullable(),
})
type AuditFound = Omit<z.output<typeof AuditResult>, 'as_of'>

const sentences: Record<string, (id: number | null) => string> = {
  seal_missing: (id) =>
    id === null
      ? 'The chain is broken at its end: the last seal is missing'
      : `The chain is broken before entry ${id}: a seal is missing`,
  seal_changed: (id) => `The seal of entry ${id} was changed`,
  entry_changed: (id) => `Entry ${id} was changed after it was sealed`,
  entry_deleted: (id) => `Entry ${id} was deleted`,
  erasure_not_requested: (id) => `Entry ${id} was erased without a granted request`,
  entry_inserted: (id) => `Entry ${id} was inserted from outside`,
}

export function auditSentence({ entries, waiting, erased, fault, audit_id }: AuditFound): string {
  if (fault) return sentences[fault]?.(audit_id) ?? fault
  const parts = [`${countedInEnglish(entries, 'entry', 'entries')}, all good`]
  if (waiting > 0) parts.push(`${countInEnglish(waiting)} of the last seconds not sealed yet`)
  if (erased > 0) parts.push(`${countInEnglish(erased)} erased at a person’s request`)
  return parts.join('; ')
}
