// The events that webhooks can get, in words. Only the server knows which entries of the record they are: events.server.ts.

export const events = {
  'claim.submitted': 'Submitted',
  'claim.approved_step': 'Approved, with another approval to come',
  'claim.question': 'Employee asked',
  'claim.answered': 'Employee answered',
  'claim.question_withdrawn': 'Question withdrawn',
  'claim.approved': 'Approved',
  'claim.rejected': 'Rejected',
  'claim.appealed': 'Appealed',
  'claim.withdrawn': 'Withdrawn',
  'claim.paid': 'Paid',
  'claim.payment_returned': 'Payment returned',
  'claim.reversed': 'Reversed',

  'payout.made': 'Made',
  'payout.released': 'Released',
  'payout.cancelled': 'Cancelled',

  'person.added': 'Added',
  'person.activated': 'Account activated',
  'person.changed': 'Details changed',
  'person.role_changed': 'Role changed',
  'person.leaving': 'Last day set',
  'person.staying': 'Last day removed',
  'person.left': 'Left',
  'person.suspended': 'Suspended',
  'person.reactivated': 'Reactivated',
  'person.removed': 'Removed before they came',
  'person.erased': 'Erased on request',

  'dependent.added': 'Added',
  'dependent.approved': 'Approved',
  'dependent.declined': 'Declined',
  'dependent.changed': 'Relationship or first day changed',
  'dependent.ended': 'Last day of cover set',
  'dependent.resumed': 'Last day of cover removed',
  'dependent.withdrawn': 'Withdrawn',

  'fund.contributed': 'Contribution recorded',
  'fund.contribution_reversed': 'Contribution reversed',
  'fund.overpayment_settled': 'Overpayment settled',
  'fund.year_added': 'Plan year added',

  'audit.entry': 'Every entry of the audit',
} as const

export type EventName = keyof typeof events
export const event_names = Object.keys(events) as [EventName, ...EventName[]]

/** The event of a test delivery. Nobody chooses it, so it is not in the table. */
export const test_event = 'webhook.test'

export const event_groups = {
  claim: 'Claims',
  payout: 'Payouts',
  person: 'People',
  dependent: 'Dependents',
  fund: 'Funds',
  audit: 'Audit',
} as const
export const groupOf = (name: EventName) =>
  name.slice(0, name.indexOf('.')) as keyof typeof event_groups
