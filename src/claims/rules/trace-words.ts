// The words of each step of a decision: to the employee about their own claim, to HR about a named person's.
import { frequencyText } from './limits.ts'
import type { TraceRule, TraceStep } from '#claims/words.contract.ts'

/** The reader, and how sums and days are written for them. */
type TraceReader = {
  /** The claimant's name; null if they read it themselves. */
  person: string | null
  money: (cents: number) => string
  day: (day: string) => string
}
type StepText = { title: string; sentence: string }

type StepFacts = {
  fine: boolean
  text: (fact: string) => string
  cents: (fact: string) => string
  count: (fact: string) => number
  on: (fact: string) => string
  /** 'You were' or 'Ana was'. */
  who: (verb: keyof typeof verbs) => string
  reader: TraceReader
  facts: TraceStep['facts']
}

const verbs = { were: ['were', 'was'], had: ['had', 'had'] } as const

export function stepText({ rule, outcome, facts }: TraceStep, reader: TraceReader): StepText {
  const { person, money, day } = reader
  const text = (fact: string) => String(facts[fact] ?? '')
  const count = (fact: string) => Number(facts[fact] ?? 0)
  const [title, sentence] = words[rule]({
    fine: outcome === 'fine',
    text,
    count,
    cents: (fact) => money(count(fact)),
    on: (fact) => (text(fact) ? day(text(fact)) : ''),
    who: (verb) => `${person ?? 'You'} ${verbs[verb][person === null ? 0 : 1]}`,
    reader,
    facts,
  })
  return { title, sentence }
}

/** The title of a failed check says that it failed. */
const words: Record<TraceRule, (step: StepFacts) => [title: string, sentence: string]> = {
  amount_and_bill: ({ cents }) => [
    'Amount and bill',
    `${cents('amount_cents')} claimed of a bill of ${cents('bill_cents')}`,
  ],
  type_of_claim: ({ text }) => ['Claim type', `Your company pays for ${text('type')}`],
  for_oneself: ({ reader: { person } }) => [
    'Who it is for',
    `For ${person ?? 'you'}, not a dependent`,
  ],
  dependent: ({ text }) => ['Dependent', `For ${text('name')}`],
  dependent_covered: ({ fine, text, on }) => [
    'Dependent’s cover',
    `${text('name')} was ${fine ? '' : 'not '}covered on ${on('service_on')}`,
  ],
  service_date: ({ on }) => ['Service date', `The service was on ${on('service_on')}`],
  plan_year: ({ on }) => ['Plan year', `Belongs to the plan year from ${on('plan_year')}`],
  employment: ({ fine, who, on }) => [
    'Employment',
    `${who('were')} ${fine ? '' : 'not '}employed on ${on('service_on')}`,
  ],
  filing_deadline: ({ on }) => [
    'Filing deadline',
    `Submitted in time: the last day is ${on('filing_ends_on')}`,
  ],
  available_balance: ({ who, cents, text, on }) => [
    'Available balance',
    `${who('had')} ${cents('left_cents')} available` +
      (text('plan_group') ? ` by the ${text('plan_group')} group plan` : '') +
      (text('more_on') ? `, ${cents('more_cents')} more on ${on('more_on')}` : ''),
  ],
  waiting_time: ({ text, on }) => [
    'Waiting time',
    `${text('scope')}: could be claimed from ${on('begins_on')}`,
  ],
  frequency: ({ text, count }) => [
    'How often',
    `${text('scope')}: ${frequencyText(count('claims'), count('months'))}, kept with this one`,
  ],
  yearly_limit: limitWording('Yearly limit'),
  dependent_limit: limitWording('Limit for each dependent'),
  receipt: ({ count }) => ['Receipt', receipts(count('receipts'))],
  receipt_is_new: () => ['Receipt', 'Not used on another claim'],
  automatic_limit: ({ fine, cents }) => [
    fine ? 'Automatic approval limit' : 'Above the automatic approval limit',
    fine
      ? `${cents('amount_cents')} is within the limit of ${cents('auto_approve_cents')}`
      : `Up to ${cents('auto_approve_cents')} is approved automatically. A person decides on ${cents('amount_cents')}`,
  ],
  receipt_match: (step) => [step.fine ? 'Receipt match' : 'Receipt', matchText(step)],
  duplicates: ({ fine }) =>
    fine
      ? ['Possible duplicates', 'No similar claim found']
      : ['Possible duplicate', 'It looks like a claim made before'],
  automatic_this_month: ({ fine, count }) =>
    fine
      ? [
          'Automatic approvals this month',
          `${count('this_month')} of at most ${count('at_most')} this month`,
        ]
      : [
          'No automatic approval left this month',
          `${count('this_month')} this month, and the limit is ${count('at_most')}`,
        ],
  spot_check: ({ fine, count }) => [
    'Spot check',
    fine
      ? 'Not selected for a spot check'
      : `Selected for a spot check, as ${count('below')}% of claims are`,
  ],
  people_decide: () => ['A person decides', 'A person has looked at it, so a person decides'],
  own_policy: ({ reader: { person } }) => [
    'A person decides',
    `No rule approves a claim of whoever wrote the policy, and ${person ?? 'you'} did`,
  ],
  automatic_approval: ({ cents }) => ['Automatic approval', `${cents('amount_cents')} approved`],
  approvals_needed: ({ count }) => [
    'Approvals needed',
    count('approvers') > 1
      ? `${count('approvers')} different people must approve`
      : 'One reviewer decides',
  ],
  approval_step: (step) => [
    `Approval step ${step.count('step')} of ${step.count('of')}`,
    [stepPeople(step), ...stepReasons(step)].join(', '),
  ],
  further_approval: (step) => ['Approval, not the last', approvedText(step)],
  decision: (step) => ['Decision', approvedText(step)],
  rejection: ({ text }) => ['Decision', `${deciderName(text)} rejected it${because(text)}`],
  reversal: ({ text }) => [
    'Reversal',
    `${deciderName(text)} reversed the approval${because(text)}`,
  ],
}

function limitWording(title: string) {
  return ({ text, cents }: StepFacts): [title: string, sentence: string] => [
    title,
    `${text('scope')}: ${cents('left_cents')} of ${cents('limit_cents')} was left in the plan year`,
  ]
}

const receipts = (count: number) =>
  count === 0
    ? 'Not needed for this amount'
    : count === 1
      ? '1 receipt attached'
      : `${count} receipts attached`

function matchText({ text, cents, on, facts }: StepFacts) {
  switch (text('found')) {
    case 'agrees':
      return 'Amount and date match the receipt'
    case 'one_agrees':
      return 'Amount and date match one of the receipts'
    case 'agree_together':
      return 'The receipts come to the amount together, and the date matches'
    case 'one_differs':
      return oneDiffers({ cents, on, facts })
    case 'one_day_unread':
      return 'The receipts come to the amount together, but the date of one could not be read'
    case 'another_differs':
      return `Amount and date match one of the receipts, but another ${differingIn({ text, cents, on, facts })}`
    case 'none':
      return 'No receipt to compare with'
    case 'being_read':
      return 'The receipt was not read yet'
    case 'other_currency':
      return 'The receipt is in another currency'
    case 'other_amount':
      return facts['read_amount_cents'] === null
        ? 'The amount blacked out on the receipt is another one'
        : `The receipt says ${cents('read_amount_cents')}, the claim ${cents('bill_cents')}`
    case 'other_day':
      return facts['read_on'] === null
        ? 'The date blacked out on the receipt is another one'
        : `The receipt says ${on('read_on')}, the claim ${on('service_on')}`
    case 'other_provider':
      return 'The receipt names another provider'
    case 'unreadable':
      return `${unreadIn(facts)} could not be read from the receipt`
    default:
      return 'The receipt differs from the claim, or could not be read'
  }
}

/** How another of several receipts differs; blacked out values are not named. */
function differingIn({
  text,
  cents,
  on,
  facts,
}: Pick<StepFacts, 'text' | 'cents' | 'on' | 'facts'>): string {
  switch (text('how')) {
    case 'other_currency':
      return 'is in another currency'
    case 'other_amount':
      return `says ${facts['read_amount_cents'] === null ? 'another amount' : cents('read_amount_cents')}`
    case 'other_day':
      return `is of ${facts['read_on'] === null ? 'another day' : on('read_on')}`
    default:
      return 'names another provider'
  }
}

/** The receipt, of several, that belongs to another visit; blacked out values are not named. */
function oneDiffers({ cents, on, facts }: Pick<StepFacts, 'cents' | 'on' | 'facts'>): string {
  const which =
    facts['read_amount_cents'] === null ? 'one' : `the one of ${cents('read_amount_cents')}`
  const day = facts['read_on'] === null ? 'another day' : on('read_on')
  const of_day = facts['other_day'] && `is of ${day}, the claim of ${on('service_on')}`
  const provider = facts['other_provider'] && 'names another provider'
  const how = [of_day, provider].filter((one) => typeof one === 'string').join(', and ')
  return `The receipts come to the amount together, but ${which} ${how}`
}

/** Which of the two compared values could not be read. */
function unreadIn({ read_amount_cents, read_on }: TraceStep['facts']): string {
  if (typeof read_amount_cents === 'number') return 'The date'
  return typeof read_on === 'string' ? 'The amount' : 'The amount and the date'
}

function stepPeople({ text, count, facts }: StepFacts) {
  const people = count('people')
  if (text('who') === 'manager') return 'The manager approves'
  if (text('who') === 'owners') return 'Any owner approves'
  if (text('who') === 'reviewers') return 'Any reviewer approves'
  if (people === 1) return 'A named person approves'
  return facts['together']
    ? `${people} named people approve together`
    : `One of ${people} named people approves`
}

const stepReasons = ({ facts, cents }: StepFacts) =>
  [
    facts['above_cents'] !== null && `above ${cents('above_cents')}`,
    facts['kind'] && 'for this type of claim',
    facts['department'] && 'for these employees',
    facts['new_provider'] && 'for a new provider',
    facts['most_cents'] !== null && `up to ${cents('most_cents')}`,
  ].filter((reason) => typeof reason === 'string')

const deciderName = (text: StepFacts['text']) => text('by_name') || 'HR'
const because = (text: StepFacts['text']) => (text('text') ? `: ${text('text')}` : '')

const approvedText = ({ text, count, cents }: StepFacts) =>
  count('approved_cents') < count('claimed_cents')
    ? `${cents('claimed_cents')} claimed, ${cents('approved_cents')} approved by ${deciderName(text)}${because(text)}`
    : `${deciderName(text)} approved ${cents('approved_cents')}${because(text)}`
