// Labels of the money’s terms on screen.
import { type Category, categoryNames } from '#categories.ts'
import { type AccountKind, type FundEvent } from './terms.contract.ts'

const kindNames: Record<AccountKind, string> = {
  funding: 'Funding',
  unallocated: 'Unallocated',
  pool: 'Pool',
  forfeited: 'Forfeited',
  available: 'Available',
  held: 'On hold',
  payable: 'Payable',
  paid: 'Paid',
  overpaid: 'Overpaid',
}

export const accountName = (account: { kind: AccountKind; category: Category | null }) =>
  account.category
    ? `${categoryNames[account.category]} · ${kindNames[account.kind].toLowerCase()}`
    : kindNames[account.kind]

/** Names of accounts for the employee: all but their own are the company's. */
const ownKindNames: Partial<Record<AccountKind, string>> = {
  funding: 'Your company',
  unallocated: 'Your company',
  pool: 'Your company',
  forfeited: 'Your company',
  payable: 'To be paid to you',
  // A payment is on its way until its pay day, and paid from then on.
  paid: 'Sent to you',
}

export const ownAccountName = (account: { kind: AccountKind; category: Category | null }) => {
  const own = ownKindNames[account.kind]
  if (own === 'Your company') return own
  const name = own ?? kindNames[account.kind]
  return account.category ? `${categoryNames[account.category]}, ${name.toLowerCase()}` : name
}

const eventNames: Record<FundEvent, string> = {
  contribution: 'Contribution',
  contribution_reversed: 'Contribution reversed',
  allocation: 'Allocated',
  deallocation: 'Returned to unallocated',
  rebalance: 'Rebalanced',
  rebalance_undone: 'Rebalance undone',
  grant: 'Granted',
  grant_lowered: 'Grant lowered',
  adjusted_up: 'Balance raised',
  adjusted_down: 'Balance lowered',
  claim_held: 'Claim submitted',
  claim_appealed: 'Appeal submitted',
  claim_released: 'Back in the fund',
  release_undone: 'On hold again',
  claim_approved: 'Claim approved',
  claim_undone: 'Approval undone',
  claim_paid: 'Payment sent',
  payment_returned: 'Payment returned',
  claim_reversed: 'Claim reversed',
  overpaid_recovered: 'Overpayment recovered',
  overpaid_paid_back: 'Overpayment paid back',
  overpaid_written_off: 'Overpayment written off',
  written_off_returned: 'Written-off payment returned',
  left: 'Left the company',
  expired: 'Expired',
  carried_over: 'Carried over',
  year_closed: 'Year closed',
}

const ownEventNames: Record<FundEvent, string> = {
  ...eventNames,
  grant: 'Allowance',
  grant_lowered: 'Allowance lowered',
  claim_paid: 'Payment sent: claim',
  claim_released: 'Back in your fund: claim',
  claim_reversed: 'Approval reversed: claim',
  claim_appealed: 'Appeal submitted: claim',
  claim_undone: 'Approval undone: claim',
  release_undone: 'Decision undone: claim',
  overpaid_recovered: 'Withheld from a payout for an overpayment',
  overpaid_paid_back: 'You paid an overpayment back',
  left: 'You left the company',
}

type NamedEntry = { event: FundEvent; claim_id: number | null }

/** A payment that came back after its claim was reversed recovers the overpayment, so nothing was withheld for it. */
const nameIn =
  (names: Record<FundEvent, string>) =>
  ({ event, claim_id }: NamedEntry): string =>
    event === 'overpaid_recovered' && claim_id !== null
      ? 'Payment returned: reversed claim'
      : names[event]

export const nameOfEntry = nameIn(eventNames)
export const nameOfOwnEntry = nameIn(ownEventNames)

/** The effect of an entry on what its person can claim, where the event does not say it. */
export const ownEffects: Partial<Record<FundEvent, string>> = {
  grant: 'yours to claim',
  claim_held: 'on hold until it is decided',
  claim_appealed: 'on hold until it is decided',
  claim_released: 'yours to claim again',
  release_undone: 'on hold until it is decided again',
  claim_approved: 'to be paid to you',
  claim_undone: 'on hold until it is decided again',
  payment_returned: 'to be paid to you again',
}

export const grantedOptions = {
  year: 'All of it at once',
  month: 'A twelfth at the start of each month',
} as const

export const planName = (group: string) => `${group} group plan`

/** The note beside an entry: a typed one, or the plan of a grant. */
export function noteText({ event, note }: { event: FundEvent; note: string | null }): string {
  if (note === null || (event !== 'grant' && event !== 'grant_lowered')) return note ?? ''
  const [kind, group] = [note.split(' ', 1)[0], note.slice(note.indexOf(' ') + 1)]
  return kind === 'group_plan' ? planName(group) : 'Company plan'
}

type MemberUse = { dependent_id: string | null; name: string | null; claims: number }

/** The person a claim was for; the written-off rest of a reversed claim belongs to no claim. */
export const memberName = ({ name, dependent_id, claims }: MemberUse, self: string) =>
  name ?? (dependent_id ? 'Family member' : claims > 0 ? self : 'Overpaid and written off')

/** Few people ever are: the others need no column for it. */
export const wasOverpaid = (balances: readonly { overpaid_cents: number }[]) =>
  balances.some(({ overpaid_cents }) => overpaid_cents !== 0)
