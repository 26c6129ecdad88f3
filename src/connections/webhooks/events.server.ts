// The events that webhooks get: which entries of the record of changes each event is, and what is sent. No act writes an event;
// this table reads the record. What is sent never says what care was for, nor a name: ids, states, days, amounts, and a claim's
// category.
import {
  claim,
  claimMade,
  claimNow,
  dependent,
  dependentMade,
  isInsert,
  moneyEvent,
  personEvent,
  personChanged,
  personGone,
  personMade,
  pick,
  isBackInReview,
  run,
  runNow,
  type RecordedEntry,
  type WebhookEvent,
  type RowValues,
} from './entries.server.ts'
import { event_names, type EventName } from './events.ts'

const appealed = claimNow((now, was) => now['status'] === 'pending' && was['status'] === 'rejected')

const table: Record<EventName, WebhookEvent> = {
  'claim.submitted': claimMade((entry) => isInsert(entry) && !entry.now['appeal_of']),
  'claim.approved_step': claim(
    (now) => Array.isArray(now['passed_by']) && now['passed_by'].length > 0,
  ),
  'claim.question': claim((now) => now['stage'] === 'information_asked'),
  'claim.answered': claim(
    (now, was, entry) => isBackInReview(now, was, entry) && entry.actor_role === 'employee',
  ),
  'claim.question_withdrawn': claim(
    (now, was, entry) => isBackInReview(now, was, entry) && entry.actor_role !== 'employee',
  ),
  'claim.approved': claim((now) => now['status'] === 'approved', 'approved_cents', 'automatic'),
  'claim.rejected': claim((now) => now['status'] === 'rejected'),
  // The rest of a claim that was approved in part is claimed as one of its own.
  'claim.appealed': claimMade(
    (entry) => (isInsert(entry) && Boolean(entry.now['appeal_of'])) || appealed(entry),
    'appeal_of',
  ),
  'claim.withdrawn': claim((now) => now['status'] === 'withdrawn'),
  'claim.paid': claim((now) => now['payment'] === 'paid', 'approved_cents', 'paid_on'),
  'claim.payment_returned': claim((now) => now['payment'] === 'returned', 'approved_cents'),
  'claim.reversed': claim((now) => now['payment'] === 'reversed', 'approved_cents'),

  'payout.made': run(isInsert),
  'payout.released': run(runNow('released')),
  'payout.cancelled': run(runNow('cancelled')),

  'person.added': personMade,
  'person.activated': personEvent(
    (now, was) => now['status'] === 'active' && was['status'] === 'pending',
  ),
  'person.changed': personChanged,
  'person.role_changed': personEvent((now) => 'role' in now),
  'person.leaving': personEvent((now) => Boolean(now['left_on'])),
  'person.staying': personEvent((now) => 'left_on' in now && now['left_on'] === null),
  'person.left': personEvent((now) => now['has_left'] === true),
  'person.suspended': personEvent((now) => now['status'] === 'suspended'),
  'person.reactivated': personEvent(
    (now, was) => now['status'] === 'active' && was['status'] === 'suspended',
  ),
  'person.removed': personGone(({ act }) => act === 'delete'),
  // The content of the entry was erased with the person.
  'person.erased': personGone(({ about }) => about['erased'] === true),

  'dependent.added': dependentMade(isInsert),
  'dependent.approved': dependent((now) => now['status'] === 'active'),
  'dependent.declined': dependent((now) => now['status'] === 'declined'),
  'dependent.changed': dependent((now) => 'relationship' in now || 'covered_from' in now),
  'dependent.ended': dependent((now) => Boolean(now['covered_to'])),
  'dependent.resumed': dependent((now) => 'covered_to' in now && now['covered_to'] === null),
  'dependent.withdrawn': dependent((now) => now['status'] === 'withdrawn'),

  'fund.contributed': moneyEvent('contribution'),
  'fund.contribution_reversed': moneyEvent('contribution_reversed'),
  'fund.overpayment_settled': moneyEvent('overpaid_paid_back', 'overpaid_written_off'),
  'fund.year_added': {
    of: 'plan_years',
    when: isInsert,
    dataOf: ({ now }) => pick(now, 'starts_on', 'ends_on'),
  },

  'audit.entry': {
    of: '',
    when: () => true,
    dataOf: ({ audit_id: id, table_name: table, act, row_id, actor_id, actor_role }) => ({
      id,
      act,
      table,
      row_id,
      actor_id,
      actor_role,
    }),
  },
}

/** The selected events that an entry stands for, each with the body that is sent. */
export function eventsOf(
  entry: RecordedEntry,
  events: readonly string[],
): { event: EventName; body: string }[] {
  const chosen = event_names.filter((name) => {
    const { of, when } = table[name]
    return events.includes(name) && (!of || of === entry.table_name) && when(entry)
  })
  return chosen.map((event) => ({
    event,
    body: bodyOf(event, entry.at, table[event].dataOf(entry)),
  }))
}

export const bodyOf = (type: string, timestamp: string, data: RowValues): string =>
  JSON.stringify({ type, timestamp, data })
