// The record of changes, as its reader may see it: found, told in words, exported, proven.
import { byte_order_mark, csv_entries_max, csvLine } from '#lib/csv.ts'
import { row, rows } from '#lib/db.server.ts'
import { patternOf, searchWords } from '#lib/keyset.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { allowLongStatements } from '#lib/tuning.server.ts'
import { Problem } from '#problems.ts'
import { audit, type AuditCheck, type AuditEntry } from './audit.contract.ts'
import { AuditResult, auditSentence } from './audit-sentence.ts'
import { listEntries } from './entries.server.ts'
import { asInFiles } from './in-files.ts'
import { signInHandlers } from './sign-ins.server.ts'
import { actorNameOf } from './words.contract.ts'
import { actWords, changesOf, isBeforeAndAfter, roleWord, wordOf, type Formats } from './words.ts'

const export_batch = 2_000

export const auditHandlers: Handlers<typeof audit> = {
  ...signInHandlers,

  list: ({ tx, actor, input }) => listEntries(tx, actor, input),

  actors: ({ tx, actor, input }) => {
    const patterns = searchWords(input.search).map(patternOf)
    return rows(
      audit.actors.output.element,
      tx`select id, name, note from (
          select id, full_name as name, email as note, sort_name, role = 'employee' as last
            from profiles where ${
              actor.role === 'super_admin'
                ? tx`role = 'super_admin'`
                : tx`company_id = ${actor.company_id}`
            } and search_text like all (${patterns})
          union all select id, name, 'API key', lower(name), false from api_keys
            where company_id = ${actor.company_id} and lower(name) like all (${patterns})) a
        ${input.actor_id ? tx`where id = ${input.actor_id}` : tx``}
        order by last, sort_name, id limit 20`,
    )
  },

  export: async ({ tx, actor, input }) => {
    const [place] = await tx<[{ time_zone: string }]>`
      select coalesce((select time_zone from companies where id = ${actor.company_id}), 'UTC')
        as time_zone`
    const written_as = asInFiles(place.time_zone)
    const parts = [byte_order_mark + csvLine(audit_columns)]
    let after: string | undefined
    let written = 0
    do {
      const page = await listEntries(tx, actor, { ...input, after, limit: export_batch })
      for (const entry of page.entries) parts.push(csvLine(cellsOf(entry, page.names, written_as)))
      written += page.entries.length
      if (written > csv_entries_max) throw new Problem('too_many_entries')
      after = page.next ?? undefined
    } while (after)
    return { name: 'audit.csv', type: 'text/csv; charset=utf-8', body: parts.join('') }
  },

  verify: async ({ tx, actor, as_of }) => {
    await allowLongStatements(tx)
    const company = actor.role === 'super_admin' ? null : actor.company_id
    const found = await row(AuditResult, tx`select *, now() as as_of from verify_audit(${company})`)
    return {
      entries: found.entries,
      good: !found.fault,
      sentence: auditSentence(found),
      audit_id: found.audit_id,
      as_of: as_of ?? found.as_of,
    } satisfies AuditCheck
  },
}

const audit_columns = [
  'entry',
  'at',
  'who',
  'role',
  'from address',
  'company',
  'act',
  'what',
  'name',
  'changes',
]

function cellsOf(entry: AuditEntry, names: Record<string, string>, written_as: Formats) {
  const changes = changesOf(entry, names, written_as)
  return [
    entry.id,
    entry.at,
    actorNameOf(entry),
    roleWord(entry.actor_role),
    entry.address,
    entry.company_name,
    actWords[entry.act],
    wordOf(entry.table_name),
    entry.subject,
    entry.erased === 'all'
      ? 'Erased at the person’s request'
      : changes
          .map((change) =>
            isBeforeAndAfter(entry.act, change)
              ? `${change.field}: ${change.before ?? 'nothing'} → ${change.after ?? 'nothing'}`
              : `${change.field}: ${change.after ?? change.before}`,
          )
          .join('; '),
  ]
}
