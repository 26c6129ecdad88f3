// The result of verifying the record, in one sentence.
import { countedInEnglish, countInEnglish } from '#lib/counted.ts'

type AuditResult = {
  entries: number
  waiting: number
  erased: number
  fault: string | null
  audit_id: number | null
}

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

export function auditSentence({ entries, waiting, erased, fault, audit_id }: AuditResult): string {
  if (fault) return sentences[fault]?.(audit_id) ?? fault
  const parts = [`${countedInEnglish(entries, 'entry', 'entries')}, all good`]
  if (waiting > 0) parts.push(`${countInEnglish(waiting)} of the last seconds not sealed yet`)
  if (erased > 0) parts.push(`${countInEnglish(erased)} erased at a person’s request`)
  return parts.join('; ')
}
