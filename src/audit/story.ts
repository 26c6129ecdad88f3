// One act as one line: releasing a payout changes a row for each claim in it, and is one thing.
import { counted, money, withArticle } from '#ui/figures.ts'
import type { AuditEntry } from './audit.contract.ts'
import { comingWords, unnamedSubject } from './coming.ts'
import {
  approvedBy,
  factsOf,
  particular_sentences,
  isApprovedInPart,
  rightsOf,
  undoneOf,
  type Particulars,
} from './particulars.ts'
import { actorNameOf } from './words.contract.ts'
import { roleWord, lowered, thingOf } from './words.ts'

/** Entries of one act, newest first; the lead is what the act is told by. */
export type AuditStory = { id: string; lead: AuditEntry; entries: AuditEntry[]; text: string }

/** Causes come first: a payout before its payments, a claim before its receipts. */
const leading = [
  'pay_runs',
  'erasures',
  'imports',
  'claim_policies',
  'transfers',
  'claims',
  'plan_years',
  'companies',
  'profiles',
  'dependents',
  'drops',
]
/** A founded company leads its act, as all else follows from it; a verified domain comes last. */
const rankOf = ({ table_name, act, after }: AuditEntry) => {
  if (table_name === 'companies' && act === 'insert') return -1
  if (table_name === 'companies' && isOnly(after, 'domain_proven_at')) return leading.length
  const at = leading.indexOf(table_name)
  return at < 0 ? leading.length : at
}

const isOnly = (after: AuditEntry['after'], field: string) =>
  Object.keys({ ...after }).join() === field

/** Acts in the order of their newest entries: entries of two acts that ran at once alternate. */
export function actsOf(entries: readonly AuditEntry[]): AuditStory[] {
  const acts = new Map<string, { lead: AuditEntry; entries: AuditEntry[] }>()
  for (const entry of entries) {
    const key = JSON.stringify([entry.act_id, entry.actor_role, entry.company_name])
    const act = acts.get(key)
    if (act) {
      act.entries.push(entry)
      if (rankOf(entry) <= rankOf(act.lead)) act.lead = entry
    } else acts.set(key, { lead: entry, entries: [entry] })
  }
  return [...acts.values()].map(({ lead, entries: act }) => ({
    id: String(lead.id),
    lead,
    entries: act,
    text: textOf(lead, act),
  }))
}

/** 'Ana released payout 31 (35 claims)' */
function textOf(lead: AuditEntry, act: readonly AuditEntry[]): string {
  const alike = act.filter((entry) => isLike(lead, entry))
  const rows = new Set(alike.map(rowOf)).size
  const came = rows === 1 && comingWords(mergedEntry({ lead, entries: act }))
  if (came) return `${lead.subject ?? unnamedSubject(came)} ${came}`
  return `${actorNameOf(lead)} ${rows > 1 ? sentenceOfMany(lead, alike, rows) : sentenceOfOne(lead, act)}`
}

const isLike = (one: AuditEntry, other: AuditEntry) =>
  one.table_name === other.table_name && one.act === other.act && verbOf(one) === verbOf(other)

const verbs = { insert: 'added', update: 'changed', delete: 'removed' } as const

const nounOf = (entry: AuditEntry) =>
  entry.table_name === 'pay_runs' ? 'payout' : lowered(thingOf(entry))

/** 'people', 'companies', 'claim types', 'wage types or accounts' */
const pluralOf = (noun: string): string =>
  noun.replace(/^.+?(?= (?:about|between|for|in|of|or|to) |$)|(?<= or ).+/g, (word) =>
    word === 'person' ? 'people' : `${word.replace(/(?<![aeiou])y$/, 'ie').replace(/s$/, '')}s`,
  )

function sentenceOfMany(lead: AuditEntry, alike: readonly AuditEntry[], count: number): string {
  const of_one = lead.subject && alike.every(({ subject }) => subject === lead.subject)
  if (lead.table_name === 'company_rights' && of_one) {
    const kinds = alike.map((entry) => String(factsOf(entry)['kind']))
    return rightsOf(lead, verbOf(lead).verb, kinds)
  }
  const noun = nounOf(lead)
  const { verb, after = '' } = verbOf(lead)
  return `${verb} ${counted(count, noun, pluralOf(noun))}${after && ` ${after}`}`
}

function sentenceOfOne(lead: AuditEntry, act: readonly AuditEntry[]): string {
  const { verb, after } = verbOf(lead)
  const own = particular_sentences[lead.table_name]?.(verb, lead, nounOf(lead))
  if (own) return own
  const subject = subjectOf(lead)
  const what = lead.table_name === 'profiles' && subject ? subject : nounOf(lead)
  const named = !subject ? oneOf(what) : what === subject ? what : `${what} ${subject}`
  const of_claims = lead.table_name === 'pay_runs' && claimsOf(act)
  const amount = amountOf(lead)
  return [verb, named, after, of_claims, amount].filter(Boolean).join(' ')
}

/** How many claims a payout has: as its own row counts them, if it does. */
function claimsOf(act: readonly AuditEntry[]): string | undefined {
  const counts = act.map(({ table_name, after }) => table_name === 'pay_runs' && after?.['claims'])
  const claims =
    counts.find((claims) => typeof claims === 'number' && claims > 0) ||
    act.filter(({ table_name }) => table_name === 'claims').length
  return claims ? `(${counted(Number(claims), 'claim')})` : undefined
}

/** 'a receipt', 'a bank account', but 'family rules' */
const oneOf = (noun: string): string => (noun.endsWith('s') ? noun : withArticle(noun))

const subjectOf = ({ table_name, subject }: AuditEntry): string | null | undefined =>
  table_name === 'pay_runs' ? subject?.replace('#', '') : subject

/** '(€60.00)' that came in, '(€60.00 of €90.00)' that was approved */
function amountOf({ table_name, after, context, currency }: AuditEntry) {
  const cents = (side: AuditEntry['after'], field = 'amount_cents') => {
    const value = side?.[field]
    return typeof value === 'number' && currency ? money(value, currency) : undefined
  }
  if (table_name === 'transfers') return cents(after) && `(${cents(after)})`
  const part = { ...context, ...after }
  if (table_name !== 'claims' || !isApprovedInPart(part)) return undefined
  return `(${cents(after, approvedBy(part))} of ${cents(context)})`
}

type Verb = { verb: string; after?: string }
const verbs_by_key = new Map<string, Verb>()
/** One object for each verb, so that entries with the same verb compare equal. */
const say = (verb: string, after?: string): Verb => {
  const key = `${verb} ${after ?? ''}`
  const known = verbs_by_key.get(key) ?? { verb, ...(after ? { after } : {}) }
  verbs_by_key.set(key, known)
  return known
}

function verbOf(entry: AuditEntry): Verb {
  const { act, table_name } = entry
  const context = { ...entry.context }
  const now = { ...entry.after }
  const was = { ...entry.before }
  const text =
    act === 'insert' ? verbOfInsert(entry, now) : changes[table_name]?.(now, was, context)
  return act !== 'delete' && text ? text : say(verbs[act])
}

const made: Record<string, Verb> = {
  pay_runs: say('made'),
  claims: say('submitted'),
  claim_policies: say('saved'),
  balance_adjustments: say('proposed'),
  receipts: say('uploaded'),
  dependents: say('registered'),
  check_bookings: say('booked'),
  imports: say('uploaded'),
  erasures: say('made'),
  audit_erasures: say('made'),
  person_notes: say('wrote'),
  reports: say('generated'),
  downloads: say('downloaded'),
}

const moved: Record<string, Verb> = {
  contribution: say('recorded'),
  contribution_reversed: say('reversed'),
  allocation: say('made'),
  deallocation: say('made'),
  rebalance: say('made'),
  rebalance_undone: say('undid'),
  overpaid_paid_back: say('marked', 'as paid back'),
  overpaid_written_off: say('wrote off'),
}

function verbOfInsert(
  { table_name, actor_role, actor_name }: AuditEntry,
  { event, confirmed_at }: Particulars,
) {
  // A person who founds a company by signing up is not signed in.
  if (table_name === 'companies' && actor_role === 'system' && actor_name) return say('founded')
  if (table_name === 'company_rights') return say(confirmed_at ? 'gave' : 'proposed')
  return table_name === 'transfers' ? moved[String(event)] : made[table_name]
}

const changes: Record<
  string,
  (now: Particulars, was: Particulars, context: Particulars) => Verb | undefined
> = {
  balance_adjustments: ({ status }) =>
    typeof status === 'string' ? say(status === 'withdrawn' ? 'withdrew' : status) : undefined,
  company_rights: ({ confirmed_at, ended_at }) =>
    ended_at ? say('ended') : confirmed_at ? say('confirmed') : undefined,
  // Claims of a payout are counted when they are in it, which is still part of making it.
  pay_runs: ({ status }, { claims }) =>
    typeof status === 'string' ? say(status) : claims === 0 ? say('made') : undefined,
  claims: claimVerb,
  profiles: personVerb,
  // A change of the domain turns auto-registration off as well.
  companies: ({ status, domain, domain_auto_register: auto }) =>
    status === 'active'
      ? say('activated')
      : status === 'suspended'
        ? say('suspended')
        : typeof auto === 'boolean' && domain === undefined
          ? say(`turned auto-registration ${auto ? 'on' : 'off'} for`)
          : undefined,
  dependents: ({ status, covered_to }) =>
    status === 'active'
      ? say('approved')
      : status === 'declined'
        ? say('declined')
        : status === 'withdrawn'
          ? say('withdrew')
          : covered_to
            ? say('set the last day of')
            : undefined,
}

function claimVerb(now: Particulars, was: Particulars, context: Particulars): Verb | undefined {
  const { status, stage, payment, run_id, attempt, passed_by, undone, reminded } = now
  const in_part = isApprovedInPart({ ...context, ...now }) ? 'in part' : undefined
  if (undone) return say(undoneOf(was))
  if (payment === 'reversed') return say('reversed')
  if (status === 'approved') return say('approved', in_part)
  if (status === 'rejected') return say('rejected')
  if (status === 'withdrawn') return say('withdrew')
  if (attempt) return say('appealed')
  if (stage === 'information_asked') return say('asked about')
  if (was['stage'] === 'information_asked') return say('answered about')
  if (Array.isArray(passed_by) && passed_by.length > 0) return say('approved a step of', in_part)
  if (payment === 'in_run') return say('added', `to payout ${Number(run_id)}`)
  if (was['payment'] === 'in_run' && payment !== 'paid') {
    return say('removed', `from payout ${Number(was['run_id'])}`)
  }
  if (payment === 'paid') return say('paid')
  if (payment === 'returned') return say('marked the payment of', 'returned')
  return reminded ? say(`reminded ${reminded === 2 ? 'the owner' : 'the reviewers'} of`) : undefined
}

function personVerb(now: Particulars, was: Particulars): Verb | undefined {
  const { role, status, suspended_by, left_on } = now
  if (typeof role === 'string') return say('made', withArticle(roleWord(role)))
  if (status === 'suspended') return say('suspended')
  if (suspended_by === 'provider') return say('took over the suspension of')
  if (status === 'active') return say(was['status'] === 'suspended' ? 're-activated' : 'admitted')
  if ('company_id' in now && now['company_id'] === null) return say('declined')
  if ('left_on' in now)
    return left_on ? say('set the last day of') : say('cancelled the departure of')
  return undefined
}

/** 'Paid claim #7' */
export function actText(entry: AuditEntry): string {
  const done = comingWords(entry) ?? sentenceOfOne(entry, [entry])
  return done.charAt(0).toUpperCase() + done.slice(1)
}

type ActEntries = { lead: AuditEntry; entries: readonly AuditEntry[] }

/** The lead with all that the act changed in its row. */
export function mergedEntry({ lead, entries }: ActEntries): AuditEntry {
  // Entries are newest first: `before` is that of the oldest one, `after` that of the newest.
  const of_row = entries.filter((entry) => isOfRow(lead, entry))
  return {
    ...lead,
    before: Object.assign({}, ...of_row.map(({ before }) => before)) as AuditEntry['before'],
    after: Object.assign(
      {},
      ...of_row.toReversed().map(({ after }) => after),
    ) as AuditEntry['after'],
  }
}

const rowOf = ({ row_id, id }: AuditEntry) => row_id || `entry ${id}`
export const isOfRow = (one: AuditEntry, other: AuditEntry) =>
  one.table_name === other.table_name && rowOf(one) === rowOf(other) && one.act === other.act

/** Whether the line says all there is; else the changes stand below it. */
export const isPlain = ({ lead }: AuditStory): boolean =>
  lead.table_name === 'claim_policies' || (verbOf(lead).verb === verbs.update && !comingWords(lead))
