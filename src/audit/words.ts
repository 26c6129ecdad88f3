// The record of changes in the trade's words: what a row is, what its fields mean, what was and is.
import { categoryNames } from '#categories.ts'
import { retention_rules } from '#lib/retention.ts'
import { policyChangesOf } from '#claims/policies/policy-words.contract.ts'
import { PolicyTerms } from '#claims/policies/policies.contract.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { reasonNames } from '#claims/words.contract.ts'
import { capitalise } from '#ui/figures.ts'
import { right_words } from '#users/rights.contract.ts'
import type { AuditAct, AuditEntry, SignIn } from './audit.contract.ts'

export const subjectWords: Record<string, string> = {
  companies: 'Company',
  company_rights: 'Company right',
  profiles: 'Person',
  imports: 'Employee file',
  plan_years: 'Plan year',
  group_plans: 'Group plan',
  grants: 'Allowance',
  claims: 'Claim',
  claim_types: 'Claim type',
  claim_limits: 'Policy limit',
  claim_policies: 'Claim policy',
  pay_runs: 'Payout',
  receipts: 'Receipt',
  person_notes: 'Note about a person',
  employee_groups: 'Employee group',
  employee_group_people: 'Group member',
  saved_views: 'Saved view',
  dependents: 'Dependent',
  family_rules: 'Family rules',
  check_providers: 'Health check provider',
  check_slots: 'Health check time',
  check_bookings: 'Health check booking',
  bank_accounts: 'Bank account',
  company_accounts: 'Company’s bank account',
  pay_items: 'Payment',
  payment_blocks: 'Payment block',
  balance_adjustments: 'Balance adjustment',
  settled_overpayments: 'Overpayment settlement',
  book_codes: 'Wage type or account',
  transfers: 'Transfer',
  absences: 'Absence',
  preferences: 'Notification switches',
  inquiries: 'Contact request',
  reports: 'Report',
  report_schedules: 'Report schedule',
  erasures: 'Erasure request',
  audit_erasures: 'Record erasure',
  downloads: 'Download',
  drops: 'Deletion by retention',
  audit_cuts: 'Cut of the record',
  api_keys: 'API key',
  api_key_secrets: 'API key secret',
  scim_settings: 'SCIM',
  scim_groups: 'Identity provider group',
  company_domains: 'Domain',
  domain_requests: 'Unverified domain',
  identity_providers: 'Identity provider',
  people_lists: 'Employee file settings',
  people_sources: 'Employee list source',
  webhooks: 'Webhook',
  webhook_secrets: 'Webhook secret',
  webhook_deliveries: 'Webhook delivery',
}

const fileWords: Record<string, string> = {
  'audit.export': 'Record of changes',
  'audit.export_sign_ins': 'Sign-in list',
  'books.journal': 'Journal',
  'books.wages': 'Payroll file by wage type',
  'employees.export': 'Employee list',
  'funds.export_statement': 'Statement',
  'imports.rejected': 'Rejected rows of an employee file',
  'payouts.bank_file': 'Bank file',
  'payouts.payroll_file': 'Payroll file',
  'reports.file': 'Report',
}

export const wordOf = (table: string): string => subjectWords[table] ?? capitalise(plain(table))

/** Words for moved money by its event: a transfer is a contribution, an allocation or a payment. */
const moneyWords: Record<string, string> = {
  contribution: 'Contribution',
  contribution_reversed: 'Contribution',
  allocation: 'Allocation',
  deallocation: 'Deallocation',
  rebalance: 'Transfer between categories',
  rebalance_undone: 'Transfer between categories',
  overpaid_paid_back: 'Overpayment',
  overpaid_written_off: 'Overpayment',
}

export const thingOf = ({ table_name, after }: Pick<AuditEntry, 'table_name' | 'after'>): string =>
  (table_name === 'downloads' && (fileWords[String(after?.['file'])] ?? 'File')) ||
  (table_name === 'transfers' && moneyWords[String(after?.['event'])]) ||
  wordOf(table_name)

export const actWords: Record<AuditAct, string> = {
  insert: 'Added',
  update: 'Changed',
  delete: 'Removed',
}

export const signInWords: Record<SignIn['act'], string> = {
  login: 'Signed in',
  logout: 'Signed out',
}

const roleWords: Record<string, string> = {
  super_admin: 'Super Admin',
  company_admin: 'Company Admin',
  employee: 'Employee',
  waiting: 'Account waiting for approval',
  system: 'System',
  api_key: 'API key',
}
export const roleWord = (role: string): string => roleWords[role] ?? plain(role)

const fieldWords: Record<string, string> = {
  full_name: 'Name',
  left_on: 'Last day',
  key_id: 'API key',
  url: 'Address',
  domain_proven_at: 'Domain verified',
  domain_auto_register: 'Domain auto-registration',
  starts_on: 'Begins',
  requested_company: 'Company requested',
  of_company: 'Company',
  run_id: 'Payout',
  plan_group: 'Group plan',
  cents: 'Amount',
  claims_cents: 'Claims amount',
  ended_by_hr: 'Ended by HR',
  hr_id: 'Decided for HR by',
  hr_at: 'HR decided',
  provider_id: 'Decided for the provider by',
  provider_at: 'Provider decided',
  gone: 'Erased',
}

const plain = (name: string) => name.replaceAll('_', ' ')
/** A word as it stands within a sentence; 'API key' and 'SCIM' stay. */
export const lowered = (word: string) => word.replace(/^[A-Z](?![A-Z])/, (one) => one.toLowerCase())

/** Fields that mean something else in this table than in others. */
const fieldWordsOf: Record<string, Record<string, string>> = {
  imports: {
    left_on: 'Last day of people not in the file',
    leaves: 'People not in the file leave',
  },
  drops: { rule: 'Deleted', rows: 'Entries', days: 'Kept for days' },
}

const fieldWord = (field: string, table = ''): string =>
  fieldWordsOf[table]?.[field] ??
  fieldWords[field] ??
  capitalise(plain(field.replace(/_(cents|at|on|id)$/, '')))

/** Fields that mean nothing to a reader. */
const technical = new Set(['id', 'version', 'created_at', 'company_id', 'content'])
/** A field for the ledger alone: the act says what was undone. */
const unseen = 'undone'

/** `is_fact`: shown beside the changes, though it did not change. */
export type EntryChange = {
  field: string
  before: string | null
  after: string | null
  is_fact?: true
}

/** Whether a value replaced another one. */
export const isBeforeAndAfter = (act: AuditAct, { before, is_fact }: EntryChange): boolean =>
  !is_fact && (act === 'update' || (act === 'insert' && before !== null))

/** How times and amounts are written for whoever reads them. */
export type Formats = {
  time: (time: string) => string
  amount: (cents: number, currency: string) => string
}

export function changesOf(entry: Entry, names: Names, written: Formats): EntryChange[] {
  const { before, after, currency } = entry
  if (entry.table_name === 'claim_policies' && after) return policyChanges(entry, names)
  const fields = Object.keys({ ...before, ...after }).filter((field) => field !== unseen)
  const shown = entry.act === 'update' ? fields : fields.filter((field) => !technical.has(field))
  const word = (side: AuditEntry['before'], field: string) =>
    side && field in side ? valueWord(field, side[field], { currency, names, written }) : null
  const changes = shown.map((field) => ({
    field: fieldWord(field, entry.table_name),
    before: word(before, field),
    after: word(after, field),
  }))
  return [...changes, ...whyOf(entry, word)].filter(
    (change) => change.before !== null || change.after !== null,
  )
}

type Entry = Pick<AuditEntry, 'act' | 'table_name' | 'before' | 'after' | 'context' | 'currency'>
type Say = (side: AuditEntry['before'], field: string) => string | null

/** The amount that a decision was on, and its reason. */
function whyOf({ table_name, context }: Entry, say: Say): EntryChange[] {
  if (table_name !== 'claims' || !context) return []
  const { reason, text } = context
  const why = [reason && reasonNames[reason as keyof typeof reasonNames], text].filter(Boolean)
  return [
    { field: 'Amount claimed', before: null, after: say(context, 'amount_cents'), is_fact: true },
    { field: 'Reason', before: null, after: why.join(': ') || null, is_fact: true },
  ]
}

/** A version of the policy, as its own page tells it. */
function policyChanges({ before, after, currency }: Entry, names: Names): EntryChange[] {
  // The record leaves out what is empty.
  const termsOf = (side: AuditEntry['before']) => {
    const steps = [side?.['steps']].flat().map((step) => ({ ...plain_step, ...(step as object) }))
    return PolicyTerms.safeParse({ ...side, steps }).data
  }
  const now = termsOf(after)
  const changes = now ? policyChangesOf(now, termsOf(before), currency ?? 'EUR', names) : []
  const note = after?.['note']
  return [
    ...changes.map((change) => ({
      field: change.name,
      before: change.before ?? null,
      after: change.after,
    })),
    { field: 'Note', before: null, after: typeof note === 'string' ? note : null },
  ].filter((change) => change.after !== null)
}

type Names = Readonly<Record<string, string>>
type Wording = {
  currency: string | null
  names: Names
  written: Formats
}
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/
const time = /^\d{4}-\d\d-\d\d($|T\d\d:\d\d)/
/** Fields whose values are words of ours. */
const worded = new Set(['status', 'stage', 'payment', 'kind', 'reason', 'event'])
const valueWords: Record<string, Record<string, string>> = {
  kind: {
    per_year: 'most in a plan year',
    per_dependent: 'most in a plan year for each dependent',
    frequency: 'number of claims in a period',
    waiting: 'not in the first months after joining',
    ...Object.fromEntries(
      Object.entries(right_words).map(([kind, [title]]) => [kind, title.toLowerCase()]),
    ),
  },
  category: { ...categoryNames },
  file: fileWords,
  format: { csv: 'CSV', datev: 'DATEV', pdf: 'PDF', xlsx: 'Excel' },
  payment: { in_run: 'being paid out' },
  rule: Object.fromEntries(Object.entries(retention_rules).map(([rule, { what }]) => [rule, what])),
  suspended_by: { company: 'the company', provider: 'the provider' },
  reminded: { 0: 'nobody', 1: 'the reviewers', 2: 'the owner' },
}

function valueWord(field: string, value: unknown, wording: Wording): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number') {
    if (field === 'run_id') return `#${value}`
    return /(^|_)cents$/.test(field) && wording.currency
      ? wording.written.amount(value, wording.currency)
      : (valueWords[field]?.[value] ?? String(value))
  }
  if (typeof value !== 'string') return cut(partsOf(field, value, wording).join(', ')) || null
  if (uuid.test(value)) return wording.names[value] ?? value.slice(0, 8)
  if (time.test(value)) return wording.written.time(value)
  if (field === 'role') return roleWord(value)
  return valueWords[field]?.[value] ?? (worded.has(field) ? plain(value) : cut(value))
}

/** The parts of a list in words, or those of an object with the field's name before each. */
const partsOf = (field: string, value: object, wording: Wording): string[] =>
  Object.entries(value).flatMap(([name, part]) => {
    const text = valueWord(Array.isArray(value) ? field : name, part, wording)
    if (text === null) return []
    return Array.isArray(value) ? text : `${lowered(fieldWord(name))} ${text}`
  })

const cut = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text)

/** Tables whose word has this in it, so that 'plan' finds plan years. */
export const tablesLike = (word: string): string[] =>
  Object.keys(subjectWords).filter((table) => wordOf(table).toLowerCase().includes(word))
