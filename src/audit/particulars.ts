// The particulars of an act: whom it was for, how much, which days, which file.
import { categoryNames } from '#categories.ts'
import { dateText } from '#ui/date-words.ts'
import { counted, money, signedMoney } from '#ui/figures.ts'
import { rightNames } from '#users/rights.contract.ts'
import { retention_rules, type RetentionRule } from '#lib/retention.ts'
import type { AuditEntry } from './audit.contract.ts'
import { lowered } from './words.ts'

export type Particulars = Record<string, unknown>
export const factsOf = ({ before, after, context }: AuditEntry): Particulars => ({
  ...context,
  ...before,
  ...after,
})

const categoryOf = (category: unknown): string | undefined =>
  categoryNames[category as keyof typeof categoryNames]

type InWords = (verb: string, entry: AuditEntry, noun: string) => string | null | undefined
/** Acts that are told by more than a verb and a name. */
export const particular_sentences: Record<string, InWords> = {
  balance_adjustments: (verb, entry) => {
    const { subject, act, currency } = entry
    const { cents, category } = factsOf(entry)
    if (typeof cents !== 'number' || !currency || !subject) return undefined
    const amount = signedMoney(cents, currency)
    const of = categoryOf(category)
    const article = act === 'insert' ? 'a' : 'the'
    return `${verb} ${article} balance adjustment of ${amount} for ${subject} (${of})`
  },
  payment_blocks: (_, entry) => {
    const { claim_id, removed_at } = factsOf(entry)
    const of = typeof claim_id === 'number' ? `the payment of claim #${claim_id}` : 'all payments'
    const does = removed_at ? 'removed the block on' : 'blocked'
    return entry.subject && entry.act !== 'delete' ? `${does} ${of} to ${entry.subject}` : undefined
  },
  absences: (verb, entry) => {
    const { from_on, to_on } = factsOf(entry)
    const { subject } = entry
    if (typeof from_on !== 'string' || typeof to_on !== 'string' || !subject) return undefined
    return `${verb} the absence of ${subject}, ${dateText(from_on)} to ${dateText(to_on)}`
  },
  company_rights: (verb, entry) =>
    entry.subject && rightsOf(entry, verb, [String(factsOf(entry)['kind'])]),
  transfers: (_, entry) => {
    const { event, amount_cents, from_category, to_category } = factsOf(entry)
    const [from, to] = [categoryOf(from_category), categoryOf(to_category)]
    if (typeof amount_cents !== 'number' || !entry.currency || !(from || to)) return undefined
    return movedMoney[String(event)]?.(money(amount_cents, entry.currency), from, to)
  },
  drops: (_, entry) => {
    const { rule, rows, days } = factsOf(entry)
    const what = retention_rules[rule as RetentionRule]?.what
    return (
      what &&
      `deleted ${counted(Number(rows), 'entry', 'entries')} after ${Number(days)} days: ${lowered(what)}`
    )
  },
  audit_cuts: () => 'deleted the oldest entries of the record',
  downloads: (verb, entry, noun) => {
    const { file, month, format } = factsOf(entry)
    const of_run =
      /^(?:books|payouts)\./.test(String(file)) &&
      entry.subject &&
      `of payout ${entry.subject.replace('#', '')}`
    const name = of_run || entry.subject
    const of_month = typeof month === 'string' && `of ${dateText(`${month}-01`, 'month')}`
    const kind = typeof format === 'string' && `(${format.toUpperCase()})`
    return [verb, 'the', noun, name, of_month, kind].filter(Boolean).join(' ')
  },
}

const movedMoney: Record<string, (amount: string, from?: string, to?: string) => string> = {
  allocation: (amount, _, to) => `allocated ${amount} to ${to}`,
  deallocation: (amount, from) => `returned ${amount} from ${from}`,
  rebalance: (amount, from, to) => `moved ${amount} from ${from} to ${to}`,
  rebalance_undone: (amount, from, to) => `moved ${amount} back from ${from} to ${to}`,
}

/** 'gave Ana the Owner, Finance rights' */
export function rightsOf({ subject }: AuditEntry, verb: string, kinds: readonly string[]): string {
  const rights = `the ${rightNames(kinds)} right${kinds.length > 1 ? 's' : ''}`
  if (verb === 'gave') return `gave ${subject} ${rights}`
  return `${verb} ${rights} ${verb === 'proposed' ? 'for' : 'of'} ${subject}`
}

/** The last approval has no further one after it. */
export const approvedBy = ({ approved_cents }: Particulars) =>
  typeof approved_cents === 'number' ? 'approved_cents' : 'passed_cents'

export function isApprovedInPart(facts: Particulars): boolean {
  const { amount_cents: claimed } = facts
  const approved = facts[approvedBy(facts)]
  return typeof approved === 'number' && typeof claimed === 'number' && approved < claimed
}

export function undoneOf({ status, stage, passed_by }: Particulars): string {
  if (status === 'rejected') return 'undid the rejection of'
  if (status === 'approved') return 'undid the approval of'
  if (stage === 'information_asked') return 'withdrew the question about'
  return passed_by ? 'undid the approval of a step of' : 'undid the decision on'
}
