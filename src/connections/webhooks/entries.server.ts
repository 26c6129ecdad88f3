// An entry of the record of changes, and which event it is and what the event says.

export type RowValues = Readonly<Record<string, unknown>>

export type RecordedEntry = {
  audit_id: number
  at: string
  actor_id: string | null
  actor_role: string
  act: 'insert' | 'update' | 'delete'
  table_name: string
  row_id: string
  /** The fields that changed, as they were. */
  was: RowValues
  /** The same fields, as they became. */
  now: RowValues
  /** Other facts of the thing: those that stay the same, and whether the decision was undone. */
  about: RowValues
}

export type WebhookEvent = {
  /** The table of the entry; empty for all tables. */
  of: string
  when: (entry: RecordedEntry) => boolean
  dataOf: (entry: RecordedEntry) => RowValues
}

type EntryTest = (now: RowValues, was: RowValues, entry: RecordedEntry) => boolean

export const pick = (from: RowValues, ...names: string[]): RowValues =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name] ?? null]] : [])))

export const isInsert = ({ act }: RecordedEntry) => act === 'insert'
const isUpdateThat =
  (is: EntryTest) =>
  (entry: RecordedEntry): boolean =>
    entry.act === 'update' && is(entry.now, entry.was, entry)

const ofClaim =
  (more: string[]) =>
  ({ row_id, about, now }: RecordedEntry): RowValues => ({
    id: Number(row_id),
    ...pick(about, 'person_id', 'category', 'plan_year', 'amount_cents', 'currency'),
    ...pick({ ...about, ...now }, ...more),
  })

export const claimMade = (when: WebhookEvent['when'], ...more: string[]): WebhookEvent => ({
  of: 'claims',
  when,
  dataOf: ofClaim(more),
})

/** Neither an undone decision nor its undo is sent. */
export const claimNow = (is: EntryTest): WebhookEvent['when'] =>
  isUpdateThat(
    (now, was, entry) => !('undone' in now) && !entry.about['undone'] && is(now, was, entry),
  )
export const claim = (is: EntryTest, ...more: string[]): WebhookEvent =>
  claimMade(claimNow(is), ...more)

/** The claim is back with its reviewers, with an answer or without. */
export const isBackInReview: EntryTest = (now, was) =>
  was['stage'] === 'information_asked' &&
  (now['stage'] === 'first_review' || now['stage'] === 'further_review')

export const run = (when: WebhookEvent['when']): WebhookEvent => ({
  of: 'pay_runs',
  when,
  dataOf: ({ row_id, about }) => ({ id: Number(row_id), ...about }),
})
export const runNow = (status: string) => isUpdateThat((now) => now['status'] === status)

const personal = ['full_name', 'email', 'phone', 'department', 'joined_on']
const isPersonal: EntryTest = (now) => personal.some((name) => name in now)
const ofPerson = ({ row_id, about, now }: RecordedEntry): RowValues => ({
  id: row_id,
  ...pick({ ...about, ...now }, 'role', 'account_state', 'joined_on', 'left_on'),
})

/** Changes made by an erasure are sent as an erasure. */
export const personEvent = (is: EntryTest): WebhookEvent => ({
  of: 'profiles',
  when: isUpdateThat((now, was, entry) => !entry.about['erased'] && is(now, was, entry)),
  dataOf: ofPerson,
})
const joined = personEvent((now) => Boolean(now['company_id']))
export const personMade: WebhookEvent = {
  ...joined,
  when: (entry) => isInsert(entry) || joined.when(entry),
}
/** The names of the changed fields, not their values. */
export const personChanged: WebhookEvent = {
  ...personEvent(isPersonal),
  dataOf: (entry) => ({
    ...ofPerson(entry),
    changed: personal.filter((name) => name in entry.now),
  }),
}
export const personGone = (when: WebhookEvent['when']): WebhookEvent => ({
  of: 'profiles',
  when,
  dataOf: ({ row_id }) => ({ id: row_id }),
})

export const dependentMade = (when: WebhookEvent['when']): WebhookEvent => ({
  of: 'dependents',
  when,
  dataOf: ({ row_id, about, now }) => ({
    id: row_id,
    ...pick({ ...about, ...now }, 'person_id', 'status', 'covered_from', 'covered_to'),
  }),
})
export const dependent = (is: EntryTest): WebhookEvent =>
  dependentMade(isUpdateThat((now, was, entry) => !entry.about['undone'] && is(now, was, entry)))

export const moneyEvent = (...events: string[]): WebhookEvent => ({
  of: 'transfers',
  when: (entry) => isInsert(entry) && events.includes(String(entry.now['event'])),
  dataOf: ({ now, about }) => ({
    ...pick(now, 'id', 'plan_year', 'amount_cents', 'occurred_on'),
    ...pick(about, 'currency'),
  }),
})
