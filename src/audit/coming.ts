// How people come to the product, in words: nobody has let them in yet, and a request is their own act.
import { withArticle } from '#ui/figures.ts'
import type { AuditEntry } from './audit.contract.ts'
import { roleWord } from './words.ts'

/** 'asked to join Acme': a person who signs up is not signed in, so the entry's actor is the system. */
export function comingWords(entry: AuditEntry): string | undefined {
  const { table_name, act, actor_role, before, after } = entry
  if (table_name !== 'profiles') return undefined
  if (actor_role === 'waiting' && entry.actor_id === entry.row_id) return requestWords(entry)
  if (actor_role !== 'system') return undefined
  if (after?.['requested_at']) return `asked to join${ofCompany(' ', entry)}`
  if (before?.['status'] === 'pending' && after?.['status'] === 'active')
    return `joined${ofCompany(' ', entry)}`
  return act === 'insert' ? 'signed up' : undefined
}

const ofCompany = (between: string, { company_name }: AuditEntry) =>
  company_name ? `${between}${company_name}` : ''

/** A person who waits for approval changes their request, never what they are. */
function requestWords(entry: AuditEntry): string | undefined {
  const { role, status, company_id, requested_at, declined_company_id } = { ...entry.after }
  if (declined_company_id) return `said they don’t belong to ${entry.company_name ?? 'a company'}`
  if (status === 'active') return `joined${ofCompany(' ', entry)}`
  if (role === 'super_admin') return `asked to be ${withArticle(roleWord(role))}`
  if (role === 'company_admin') {
    return `asked to be ${withArticle(roleWord(role))}${ofCompany(' of ', entry)}`
  }
  if (company_id && requested_at) return `asked to join${ofCompany(' ', entry)}`
  return 'changed their request'
}

/** A person who belongs to none of the reader's companies is not named. */
export const unnamedSubject = (came: string): string =>
  came.startsWith('asked to') ? 'Somebody' : 'Somebody who asked to join'
