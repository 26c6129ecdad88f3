// The words of notifications: stored are a code and its facts. One place for the bell and for mails.
import { countedInEnglish } from '#lib/counted.ts'
import { categoryNames, type Category } from '#categories.ts'
import { answer_days } from '#claims/words.contract.ts'
import type { Writing } from '#lib/writing.ts'
import { byTheClock, type NoticeFacts, type NoticeWriter } from './by-the-clock.ts'
import { check_notices } from './check-words.ts'
import { connection_notices } from './connection-words.ts'
import { fund_notices } from './fund-words.ts'
import { right_notices } from './right-words.ts'
import { security } from './security-words.ts'
import type { Notification } from './notifications.contract.ts'

type NotificationFacts = Pick<Notification, 'code' | 'facts'> & { about_name?: string | null }

const claims: Record<string, NoticeWriter> = {
  claim_approved: ({ number, sum }) => [
    `Claim #${number('claim')} was approved`,
    `${sum('approved_cents')} was approved. Open it to see when you’ll be paid.`,
  ],
  claim_approved_in_part: ({ number, sum }) => [
    `Claim #${number('claim')} was approved in part`,
    `${sum('approved_cents')} of ${sum('claimed_cents')} was approved. Open it to read why.`,
  ],
  claim_rejected: ({ number }) => [
    `Claim #${number('claim')} was rejected`,
    'Open it to read why, and what you can do.',
  ],
  claim_reversed: ({ number }) => [
    `The approval of claim #${number('claim')} was reversed`,
    'Open it to read why.',
  ],
  receipts_opened: ({ number }) => [
    `A reviewer opened the receipts of claim #${number('claim')}`,
    'They are restricted. Open the claim to read who it was, and why.',
  ],
  claim_expired: ({ number, text }) => [
    `Claim #${number('claim')} was withdrawn`,
    `HR’s question stayed unanswered for ${answer_days} days. ` +
      (text('again') ? 'It is too late to claim it again.' : 'You can claim again.'),
  ],
  question_asked: ({ number }) => [
    `HR has a question about claim #${number('claim')}`,
    `HR can’t decide without your answer. After ${answer_days} days the claim is withdrawn.`,
  ],
  claim_needs_second_admin: ({ number }) => [
    `Claim #${number('claim')} needs a second reviewer`,
    'Two different reviewers must approve it, and your company has one. An owner can give somebody the right.',
  ],
  payment_returned: ({ text }) =>
    text('by') === 'payroll'
      ? [
          'Payroll could not make a payment to you',
          'The next payout pays what is still approved of it.',
        ]
      : [
          'Your bank returned a payment',
          'Check your account on My Claims. What is still approved will be paid again.',
        ],
  paid_out: (facts) => ['A payout is on its way to you', payoutSentence(facts)],
  settled: (facts) => ['Your claims were settled', payoutSentence(facts)],
  payment_blocked: ({ number }) => [
    number('claim') > 0 ? `The payment of claim #${number('claim')} waits` : 'Your payments wait',
    'Your company keeps it out of payouts for now. HR can tell you more.',
  ],
  payment_unblocked: ({ number }) => [
    number('claim') > 0
      ? `The payment of claim #${number('claim')} continues`
      : 'Your payments continue',
    'You’ll be paid in one of the next payouts.',
  ],
  overpayment_settled: ({ sum }) => [
    'Your overpayment is settled',
    `${sum('cents')} is no longer withheld from your payouts.`,
  ],
}

function payoutSentence({ number, sum, money, text }: NoticeFacts): string {
  const of = number('claims') > 0 ? ` for ${countedInEnglish(number('claims'), 'claim')}` : ''
  const withheld = number('withheld_cents')
  if (withheld === 0) return `${sum('cents')}${of}.`
  const part = money(Math.abs(withheld), text('currency'))
  return withheld > 0
    ? `${sum('cents')}${of}. ${part} was withheld for a claim that was reversed after its release.`
    : `${sum('cents')}${of}, with ${part} that was withheld for a payment that never reached you.`
}

const family: Record<string, NoticeWriter> = {
  dependent_waits: ({ who }) => [
    'A dependent is waiting for your approval',
    `${who} asks for cover of a family member.`,
  ],
  cover_changed: () => [
    'The cover of a dependent was changed',
    'HR changed when the cover of a family member ends.',
  ],
  dependent_approved: () => [
    'A dependent was approved',
    'HR approved the cover of a family member.',
  ],
  dependent_declined: () => [
    'A dependent was declined',
    'HR declined the cover of a family member. You can read why under Dependents.',
  ],
  child_ages_out: ({ text, number, day }) => [
    'Cover of a child will end',
    `A child of yours is covered until ${day(text('until'))}, the end of the month in which they turn ${number('age')}. ` +
      'Bills from before can still be claimed afterwards.',
  ],
}

/** The last day, as HR set it. */
const leaving: Record<string, NoticeWriter> = {
  last_day_set: ({ text, day }) => [
    `Your last day at the company ${text('is_over') === 'true' ? 'was' : 'is'} ${day(text('left_on'))}`,
    'You can still sign in and claim for services until that day' +
      (text('filing_ends_on') ? `, by ${day(text('filing_ends_on'))}.` : '.') +
      ' Ask HR if the day is wrong.',
  ],
  last_day_removed: () => [
    'You stay with the company',
    'HR removed your last day. You can claim as before.',
  ],
}

const account: Record<string, NoticeWriter> = {
  account_approved: ({ text }) => [
    'Your account was approved',
    text('role') === 'super_admin'
      ? 'You can administer Healthfund now.'
      : text('role') === 'company_admin'
        ? 'You can administer your company in Healthfund now.'
        : 'You can use everything your company offers you in Healthfund now.',
  ],
  account_declined: ({ text }) => [
    'Your request was declined',
    'The account stays yours. If this is a mistake, ask ' +
      (text('role') === 'super_admin' ? 'a Super Admin.' : 'the HR team of your company.'),
  ],
  inquiry: ({ who, text, number }) => [
    `New inquiry from ${text('company')}`,
    `${who}, ${countedInEnglish(number('people'), 'person', 'people')}, wrote on the contact page.`,
  ],
  admin_made: ({ text }) => [
    'A company has a new admin',
    `An admin of ${text('company')} made somebody else an admin. ` +
      'From a day after their first sign-in they can act as the second approver.',
  ],
  admin_removed: ({ text }) => [
    'A company removed an admin',
    `An admin of ${text('company')} removed another admin. For a day nobody there can decide alone what two people must decide.`,
  ],
  report_ready: ({ text }) => [
    `${text('title')} is ready`,
    'Your monthly report is ready to download.',
  ],
  data_ready: () => [
    'Your data is ready',
    'Download the ZIP in Settings, which also says how long it is available.',
  ],
  data_failed: () => ['Your data could not be exported', 'Open Settings to try again.'],
  erasure_waits: () => [
    'An erasure request is waiting for you',
    'Open it to see who asked, and decide.',
  ],
  erasure_granted: () => [
    'An erasure request was granted',
    'The person is erased. What the ledger must keep no longer has a name.',
  ],
  erasure_refused: () => ['Your erasure request was refused', 'Open Settings to read why.'],
}

/** Work that comes to wait for somebody: work.sql says who is notified. */
const work: Record<string, NoticeWriter> = {
  claim_submitted: () => [
    'New claims to review',
    'At least one was submitted since you last looked.',
  ],
  claim_answered: ({ number }) => [
    `Claim #${number('number')} was answered`,
    'The employee answered the question. The claim can be decided now.',
  ],
  claim_appealed: ({ number }) => [
    `An appeal to decide: claim #${number('number')}`,
    'The employee asks for another decision, by a different reviewer if there is one.',
  ],
  claim_approved_step: ({ number }) => [
    `Claim #${number('number')} needs another approval`,
    'One approval is given; another reviewer has to give the next.',
  ],
  pay_run_made: ({ number }) => [
    `Payout ${number('number')} is waiting for release`,
    'Somebody else with Finance must release it before its day of payment.',
  ],
  adjustment_waits: ({ who }) => [
    'A balance adjustment is waiting for you',
    `Somebody else with Finance proposed it for ${who}. It needs a second yes.`,
  ],
  import_waits: () => [
    'An employee file is waiting for a second admin',
    'It ends employment for more people than one admin may decide alone.',
  ],
  join_requested: ({ who }) => [
    'A request to join your company',
    `${who} signed up and is waiting for your approval.`,
  ],
  admin_requested: ({ who }) => [
    'A request to be a Company Admin',
    `${who} signed up as a Company Admin and is waiting for your approval.`,
  ],
  company_founded: ({ who, text }) => [
    `New company: ${text('company')}`,
    `${who} founded it. It can’t receive money until you activate it.`,
  ],
  super_requested: ({ who }) => [
    'A request to be a Super Admin',
    `${who} signed up as a Super Admin and is waiting for your approval.`,
  ],
}

export const words: Readonly<Record<string, NoticeWriter>> = {
  ...claims,
  ...byTheClock,
  ...fund_notices,
  ...family,
  ...leaving,
  ...check_notices,
  ...security,
  ...connection_notices,
  ...account,
  ...right_notices,
  ...work,
}

/** A code of a newer version has no words here yet. */
const unknown: NoticeWriter = () => ['Something happened in Healthfund', 'Open it to see what.']

export function inWords({ code, facts, about_name }: NotificationFacts, writing: Writing) {
  const number = (name: string) => Number(facts[name] ?? 0)
  const text = (name: string) => String(facts[name] ?? '')
  const [title, sentence] = (words[code] ?? unknown)({
    ...writing,
    number,
    text,
    sum: (name) => writing.money(number(name), text('currency')),
    category: () => categoryNames[text('category') as Category] ?? text('category'),
    when: () => writing.moment(text('starts_at'), text('time_zone')),
    who: about_name ?? 'Somebody',
  })
  return { title, sentence }
}
