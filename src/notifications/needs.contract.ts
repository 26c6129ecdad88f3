// The words of needs: the same for the page, the dashboards and the morning's mail. Never health content.
import { z } from 'zod'
import { unless_added } from '#claims/sent-words.contract.ts'
import { get } from '#lib/contract.ts'
import { CompanyRight, rightNames } from '#users/rights.contract.ts'
import { gapWords, type NeedWords } from './gap-needs.ts'

const claims = '/dashboard/claims'
const payouts = '/dashboard/claims/payouts'
const my_claims = '/dashboard/my-claims'
const employees = '/dashboard/employees'
const users = '/dashboard/users?status=pending'

export const needWords = {
  claim_submitted: {
    one: (number) => `Claim #${number} to review`,
    many: (count) => `${count} claims to review`,
    does: 'Review',
    list: claims,
  },
  claim_answered: {
    one: (number) => `Claim #${number} was answered`,
    many: (count) => `${count} claims were answered`,
    does: 'Decide',
    list: claims,
  },
  claim_appealed: {
    one: (number) => `An appeal to decide: claim #${number}`,
    many: (count) => `${count} appeals to decide`,
    does: 'Decide',
    list: claims,
  },
  claim_approved_step: {
    one: (number) => `Claim #${number} needs another approval`,
    many: (count) => `${count} claims need another approval`,
    does: 'Decide',
    list: claims,
  },
  claim_waits_a_day: {
    one: (number) => `Claim #${number} waits until your right to review is a day old`,
    many: (count) => `${count} claims wait until your right to review is a day old`,
    does: 'View claim',
    list: claims,
  },
  claim_needs_second_admin: {
    one: (number) => `Claim #${number} needs a second reviewer: invite one in Settings`,
    many: (count) => `${count} claims need a second reviewer: invite one in Settings`,
    does: 'Invite admin',
    list: '/dashboard/settings#rights',
  },
  claim_lacks_reviewer: {
    one: (number) =>
      `Claim #${number} needs a second reviewer: an owner can give somebody the right`,
    many: (count) => `${count} claims need a second reviewer: an owner can give somebody the right`,
    does: 'View claim',
    list: claims,
  },
  pay_run_made: {
    one: (number) => `Payout ${number} to release`,
    many: (count) => `${count} payouts to release`,
    does: 'Release',
    list: payouts,
  },
  payout_to_make: {
    one: () => 'An approved claim to pay out',
    many: (count) => `${count} approved claims to pay out`,
    does: 'Make payout',
    list: payouts,
  },
  withheld_to_give_back: {
    one: () => 'Withheld money to give back to a person',
    many: (count) => `Withheld money to give back to ${count} people`,
    does: 'Make payout',
    list: payouts,
  },
  overpayment: {
    one: () => 'An overpayment to settle: the person has left',
    many: (count) => `${count} overpayments to settle: the people have left`,
    does: 'Settle',
    list: payouts,
  },
  join_requested: {
    one: () => 'A request to join your company',
    many: (count) => `${count} requests to join your company`,
    does: 'Decide',
    list: employees,
  },
  admin_requested: {
    one: () => 'A request to be a Company Admin',
    many: (count) => `${count} requests to be a Company Admin`,
    does: 'Decide',
    list: employees,
  },
  dependent_waits: {
    one: () => 'A dependent to approve',
    many: (count) => `${count} dependents to approve`,
    does: 'Decide',
    list: employees,
  },
  erasure_waits: {
    one: () => 'An erasure request to decide',
    many: (count) => `${count} erasure requests to decide`,
    does: 'Decide',
    list: '/dashboard/erasures',
  },
  right_waits: {
    one: () => 'A right to confirm',
    many: (count) => `${count} rights to confirm`,
    does: 'Confirm',
    list: '/dashboard/settings#rights',
  },
  ...gapWords,
  company_inactive: {
    one: () => 'The provider has not activated your company yet: it can’t receive money',
    many: () => '',
    does: '',
    list: '/dashboard/company-admin',
  },
  people_missing: {
    one: () => 'Your company has no employees yet',
    many: () => '',
    does: 'Add employees',
    list: employees,
  },
  money_to_allocate: {
    one: () => 'Money has come in that is not in a category yet: allocate it',
    many: () => '',
    does: 'Allocate',
    list: '/dashboard/funds',
  },
  adjustment_waits: {
    one: () => 'A balance adjustment to confirm',
    many: (count) => `${count} balance adjustments to confirm`,
    does: 'Decide',
    list: '/dashboard/funds',
  },
  grants_wait: {
    one: () => '1 person is waiting for funds: allocate more',
    many: (count) => `${count} people are waiting for funds: allocate more`,
    does: 'Allocate',
    list: '/dashboard/funds',
  },
  company_account: {
    one: () => 'The account your payouts are paid from is missing',
    many: () => '',
    does: 'Add account',
    list: payouts,
  },
  import_waits: {
    one: () => 'An employee file to approve: it ends employment for many people',
    many: (count) => `${count} employee files to approve: they end employment for many people`,
    does: 'Decide',
    list: '/dashboard/employees/file',
  },
  company_founded: {
    one: () => 'A company to activate',
    many: (count) => `${count} companies to activate`,
    does: 'Activate',
    list: '/dashboard/companies?status=pending',
  },
  super_requested: {
    one: () => 'A request to be a Super Admin',
    many: (count) => `${count} requests to be a Super Admin`,
    does: 'Decide',
    list: users,
  },
  inquiry: {
    one: () => 'An inquiry to answer',
    many: (count) => `${count} inquiries to answer`,
    does: 'Open',
    list: '/dashboard/inquiries?state=open',
  },
  question_asked: {
    one: (number) => `HR has a question about claim #${number}`,
    many: (count) => `HR has questions about ${count} claims`,
    does: 'Answer',
    list: my_claims,
  },
  account_missing: {
    one: () => `An approved claim is ${unless_added}`,
    many: (count) => `${count} approved claims are ${unless_added}`,
    does: 'Add account',
    list: my_claims,
  },
  payment_returned: {
    one: () => 'Your bank returned a payment: check your bank account',
    many: () => '',
    does: 'Check account',
    list: my_claims,
  },
  appeal_ends: {
    one: (number) => `Claim #${number} was rejected: the time to appeal ends soon`,
    many: (count) => `${count} claims were rejected: the time to appeal ends soon`,
    does: 'Open',
    list: my_claims,
  },
  data_ready: {
    one: () => 'Your data is ready to download',
    many: () => '',
    does: 'Download',
    list: '/dashboard/settings#data',
  },
} satisfies Record<string, NeedWords>

export type NeedKind = keyof typeof needWords
const needKinds = Object.keys(needWords) as [NeedKind, ...NeedKind[]]

/** Counts stop here and are shown as '99+'. */
const counted_max = 100

export type Need = z.infer<typeof Need>
export const Need = z.object({
  kind: z.enum(needKinds),
  items: z.int().min(1),
  /** The number of the claim or the payout, where the line is about one. */
  number: z.int().nullable(),
  /** The object of an act in place. */
  subject_id: z.uuid().nullable(),
  /** The version that was seen, if one press is safe without a closer look; otherwise null. */
  version: z.int().nullable(),
  cents: z.int().nullable(),
  since: z.iso.datetime().nullable(),
  due_at: z.iso.datetime().nullable(),
  overdue: z.boolean(),
  /** The page of the thing itself; null for several, which have a list. */
  path: z.string().nullable(),
  /** The person who waits, for readers who may see them. */
  who: z.string().nullable(),
  /** A person's rights that wait, and who gave them, the provider without a name. */
  rights: z.object({ id: z.uuid(), kind: CompanyRight }).array().nullable(),
  given_by: z.string().nullable().array().nullable(),
})

export const needs = {
  list: get('/needs', z.object({}), z.object({ things: z.int(), lines: Need.array() })),
}

type NeedFacts = Pick<Need, 'kind' | 'items' | 'number' | 'path'> & Partial<Pick<Need, 'rights'>>

/** '12', or '99+' */
export const countOf = (items: number) => (items >= counted_max ? '99+' : String(items))

export function needText({ kind, items, number, path, rights }: NeedFacts) {
  const words: NeedWords = needWords[kind]
  const several = path === null || items > 1
  const names = rights && path !== null && rightNames(rights.map((right) => right.kind))
  return {
    title: names
      ? `${several ? 'Rights' : 'Right'} to confirm: ${names}`
      : several
        ? words.many(countOf(items))
        : words.one(number ?? 0),
    does: words.does,
    to: path ?? words.list,
  }
}
