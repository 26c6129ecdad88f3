// What one act did, told as one line: a payout that is released changes a row for each claim in it, and is one thing.
import { counted } from '#ui/figures.ts'
import type { AuditEntry } from './audit.contract.ts'
import { actorOf, roleWord, thingOf } from './words.ts'

/** Entries of one act, newest first; the lead is what the act is told by. */
export type Story = { id: string; lead: AuditEntry; entries: AuditEntry[]; text: string }

/** What others follow from comes first: a payout before its payments, a claim before its receipts. */
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
]
const rankOf = ({ table_name }: AuditEntry) => {
  const at = leading.indexOf(table_name)
  return at < 0 ? leading.length : at
}

/** Entries that one person wrote in one moment are one act. */
export function inActs(entries: readonly AuditEntry[]): Story[] {
  const acts: { lead: AuditEntry; entries: AuditEntry[] }[] = []
  for (const entry of entries) {
    const last = acts.at(-1)
    if (last && isOneAct(last.lead, entry)) {
      last.entries.push(entry)
      if (rankOf(entry) <= rankOf(last.lead)) last.lead = entry
    } else acts.push({ lead: entry, entries: [entry] })
  }
  return acts.map(({ lead, entries: act }) => ({
    id: String(lead.id),
    lead,
    entries: act,
    text: textOf(lead, act),
  }))
}

const isOneAct = (one: AuditEntry, other: AuditEntry) =>
  one.at === other.at &&
  one.actor_id === other.actor_id &&
  one.actor_role === other.actor_role &&
  one.company_name === other.company_name

/** 'Ana released payout 31 (35 claims)' */
function textOf(lead: AuditEntry, act: readonly AuditEntry[]): string {
  const alike = act.filter((entry) => isLike(lead, entry))
  const came = alike.length === 1 && cameHow(lead)
  if (came) return `${lead.subject} ${came}`
  return `${actorOf(lead)} ${alike.length > 1 ? many(lead, alike.length) : one(lead, act)}`
}

/** Nobody is signed in who signs up: it is not the system that comes. */
function cameHow({ table_name, act, actor_role, after, subject }: AuditEntry) {
  if (table_name !== 'profiles' || actor_role !== 'system' || !subject) return undefined
  if (after?.['asked_at']) return 'asked to join'
  return act === 'insert' ? 'signed up' : undefined
}

const isLike = (one: AuditEntry, other: AuditEntry) =>
  one.table_name === other.table_name && one.act === other.act && verbOf(one) === verbOf(other)

const verbs = { insert: 'added', update: 'changed', delete: 'removed' } as const

const nounOf = (entry: AuditEntry) => {
  const word = entry.table_name === 'pay_runs' ? 'Payout' : thingOf(entry)
  return word.charAt(0).toLowerCase() + word.slice(1)
}

const plurals: Record<string, string> = {
  person: 'people',
  'type of claim': 'types of claim',
  'file of people': 'files of people',
}

function many(lead: AuditEntry, count: number): string {
  const noun = nounOf(lead)
  const { verb, after = '' } = verbOf(lead)
  return `${verb} ${counted(count, noun, plurals[noun] ?? `${noun}s`)}${after && ` ${after}`}`
}

function one(lead: AuditEntry, act: readonly AuditEntry[]): string {
  const { verb, after } = verbOf(lead)
  const subject = subjectOf(lead)
  const what = lead.table_name === 'profiles' && subject ? subject : nounOf(lead)
  const named = !subject ? withArticle(lead, what) : what === subject ? what : `${what} ${subject}`
  const claims = act.filter(({ table_name }) => table_name === 'claims').length
  const of_claims = lead.table_name === 'pay_runs' && claims > 0 && `(${counted(claims, 'claim')})`
  return [verb, named, after, of_claims].filter(Boolean).join(' ')
}

/** 'a receipt', 'an absence', 'rules for families', but 'the statement' that was downloaded */
function withArticle({ table_name }: AuditEntry, noun: string): string {
  if (table_name === 'downloads') return `the ${noun}`
  return /^\w+s\b/.test(noun) ? noun : `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

function subjectOf({ table_name, subject, after }: AuditEntry): string | null | undefined {
  if (table_name === 'pay_runs') return subject?.replace('#', '')
  // The number is that of the reversal.
  return after?.['event'] === 'contribution_reversed' ? null : subject
}

type Verb = { verb: string; after?: string }
const said = new Map<string, Verb>()
/** Each verb is one object, so that what was done alike can be told by it. */
const say = (verb: string, after?: string): Verb => {
  const key = `${verb} ${after ?? ''}`
  const known = said.get(key) ?? { verb, ...(after ? { after } : {}) }
  said.set(key, known)
  return known
}

function verbOf({ act, table_name, before, after }: AuditEntry): Verb {
  const now = { ...after }
  const was = { ...before }
  const text = act === 'insert' ? madeOf(table_name, now) : changes[table_name]?.(now, was)
  return act !== 'delete' && text ? text : say(verbs[act])
}

const made: Record<string, Verb> = {
  pay_runs: say('made'),
  claims: say('submitted'),
  receipts: say('uploaded'),
  dependents: say('registered'),
  check_bookings: say('booked'),
  imports: say('uploaded'),
  erasures: say('made'),
  person_notes: say('wrote'),
  reports: say('generated'),
  downloads: say('downloaded'),
}

/** What was done with money, by its event. */
const moved: Record<string, Verb> = {
  contribution: say('recorded'),
  contribution_reversed: say('reversed'),
  overpaid_paid_back: say('marked', 'as paid back'),
  overpaid_written_off: say('wrote off'),
}

const madeOf = (table: string, { event }: Fields): Verb | undefined =>
  table === 'transfers' ? moved[String(event)] : made[table]

type Fields = Record<string, unknown>
const changes: Record<string, (now: Fields, was: Fields) => Verb | undefined> = {
  pay_runs: ({ status }) => (typeof status === 'string' ? say(status) : undefined),
  claims: claimVerb,
  profiles: personVerb,
  companies: ({ status, domain_auto_register: auto }) =>
    status === 'active'
      ? say('activated')
      : status === 'suspended'
        ? say('suspended')
        : typeof auto === 'boolean'
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

function claimVerb(now: Fields, was: Fields): Verb | undefined {
  const { status, stage, payment, attempt, passed_by } = now
  if (payment === 'reversed') return say('reversed')
  if (status === 'approved') return say('approved')
  if (status === 'rejected') return say('rejected')
  if (status === 'withdrawn') return say('withdrew')
  if (attempt) return say('appealed')
  if (stage === 'information_asked') return say('asked about')
  if (was['stage'] === 'information_asked') return say('answered about')
  if (Array.isArray(passed_by) && passed_by.length > 0) return say('approved a step of')
  if (payment === 'paid') return say('paid')
  if (payment === 'returned') return say('marked the payment of', 'returned')
  return undefined
}

function personVerb(now: Fields, was: Fields): Verb | undefined {
  const { role, status, left_on } = now
  if (typeof role === 'string') return say('made', `a ${roleWord(role)}`)
  if (status === 'suspended') return say('suspended')
  if (status === 'active') return say(was['status'] === 'suspended' ? 're-activated' : 'admitted')
  if ('company_id' in now && now['company_id'] === null) return say('declined')
  if ('left_on' in now)
    return left_on ? say('set the last day of') : say('cancelled the departure of')
  return undefined
}

/** Whether the line says all there is; else what changed stands below it. */
export const isPlain = ({ lead }: Story): boolean =>
  verbOf(lead).verb === verbs.update && !cameHow(lead)
