// Of what a webhook can be told: each event with its words, of which entries of the record of changes it is, and what is
// sent of it. No act writes an event: each writes the record, and this table reads it. Nothing that is sent says what
// health care was for, or a name: ids, states, days and amounts, of a claim its category.
import {
  claim,
  claimMade,
  claimNow,
  dependent,
  dependentMade,
  made,
  money,
  person,
  personChanged,
  personGone,
  personMade,
  picked,
  reviewedAgain,
  run,
  runNow,
  type Entry,
  type Event,
  type Fields,
} from './entries.ts'

const appealed = claimNow((now, was) => now['status'] === 'pending' && was['status'] === 'rejected')

export const events = {
  'claim.submitted': claimMade('Submitted', (entry) => made(entry) && !entry.now['appeal_of']),
  'claim.approved_first': claim(
    'Approved by the first of two',
    (now, was) => now['stage'] === 'second_review' && was['stage'] === 'first_review',
  ),
  'claim.question': claim('Employee asked', (now) => now['stage'] === 'information_asked'),
  'claim.answered': claim(
    'Employee answered',
    (now, was, entry) => reviewedAgain(now, was, entry) && entry.actor_role === 'employee',
  ),
  'claim.question_withdrawn': claim(
    'Question taken back',
    (now, was, entry) => reviewedAgain(now, was, entry) && entry.actor_role !== 'employee',
  ),
  'claim.approved': claim(
    'Approved',
    (now) => now['status'] === 'approved',
    'approved_cents',
    'automatic',
  ),
  'claim.rejected': claim('Rejected', (now) => now['status'] === 'rejected'),
  // The rest of a claim that was approved in part is claimed as one of its own.
  'claim.appealed': claimMade(
    'Appealed',
    (entry) => (made(entry) && Boolean(entry.now['appeal_of'])) || appealed(entry),
    'appeal_of',
  ),
  'claim.withdrawn': claim('Withdrawn', (now) => now['status'] === 'withdrawn'),
  'claim.paid': claim('Paid', (now) => now['payment'] === 'paid', 'approved_cents', 'paid_on'),
  'claim.payment_returned': claim(
    'Payment returned',
    (now) => now['payment'] === 'returned',
    'approved_cents',
  ),
  'claim.reversed': claim('Reversed', (now) => now['payment'] === 'reversed', 'approved_cents'),

  'payout.made': run('Made', made),
  'payout.released': run('Released', runNow('released')),
  'payout.cancelled': run('Cancelled', runNow('cancelled')),

  'person.added': personMade('Added'),
  'person.activated': person(
    'Account activated',
    (now, was) => now['status'] === 'active' && was['status'] === 'pending',
  ),
  'person.changed': personChanged('Details changed'),
  'person.role_changed': person('Role changed', (now) => 'role' in now),
  'person.leaving': person('Last day set', (now) => Boolean(now['left_on'])),
  'person.staying': person(
    'Last day taken back',
    (now) => 'left_on' in now && now['left_on'] === null,
  ),
  'person.left': person('Left', (now) => now['has_left'] === true),
  'person.suspended': person('Suspended', (now) => now['status'] === 'suspended'),
  'person.reactivated': person(
    'Reactivated',
    (now, was) => now['status'] === 'active' && was['status'] === 'suspended',
  ),
  'person.removed': personGone('Removed before they came', ({ act }) => act === 'delete'),
  // What the entry said was erased with the person.
  'person.erased': personGone('Erased on request', ({ about }) => about['erased'] === true),

  'dependent.added': dependentMade('Added', made),
  'dependent.approved': dependent('Approved', (now) => now['status'] === 'active'),
  'dependent.declined': dependent('Declined', (now) => now['status'] === 'declined'),
  'dependent.changed': dependent(
    'Relationship or first day changed',
    (now) => 'relationship' in now || 'covered_from' in now,
  ),
  'dependent.ended': dependent('Last day of cover set', (now) => Boolean(now['covered_to'])),
  'dependent.resumed': dependent(
    'Last day of cover taken back',
    (now) => 'covered_to' in now && now['covered_to'] === null,
  ),
  'dependent.withdrawn': dependent('Withdrawn', (now) => now['status'] === 'withdrawn'),

  'fund.contributed': money('Contribution recorded', 'contribution'),
  'fund.contribution_reversed': money('Contribution reversed', 'contribution_reversed'),
  'fund.overpayment_settled': money(
    'Overpayment settled',
    'overpaid_paid_back',
    'overpaid_written_off',
  ),
  'fund.year_added': {
    words: 'Plan year added',
    of: 'plan_years',
    when: made,
    says: ({ now }) => picked(now, 'starts_on', 'ends_on'),
  },

  'audit.entry': {
    words: 'Every entry of the audit',
    of: '',
    when: () => true,
    says: ({ audit_id: id, table_name: table, act, row_id, actor_id, actor_role }) => ({
      id,
      act,
      table,
      row_id,
      actor_id,
      actor_role,
    }),
  },
} as const satisfies Record<string, Event>

export type EventName = keyof typeof events
export const event_names = Object.keys(events) as [EventName, ...EventName[]]

/** Not in the table: nobody chooses it. */
export const test_event = 'webhook.test'

export const groups = {
  claim: 'Claims',
  payout: 'Payouts',
  person: 'People',
  dependent: 'Dependents',
  fund: 'Funds',
  audit: 'Audit',
} as const
export const groupOf = (name: EventName) => name.slice(0, name.indexOf('.')) as keyof typeof groups

/** What of the events that are wanted an entry is, each with the body that is sent. */
export function toldOf(
  entry: Entry,
  wanted: readonly string[],
): { event: EventName; body: string }[] {
  const chosen = event_names.filter((name) => {
    const { of, when }: Event = events[name]
    return wanted.includes(name) && (!of || of === entry.table_name) && when(entry)
  })
  return chosen.map((event) => ({
    event,
    body: bodyOf(event, entry.at, events[event].says(entry)),
  }))
}

export const bodyOf = (type: string, timestamp: string, data: Fields): string =>
  JSON.stringify({ type, timestamp, data })
