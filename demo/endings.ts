// Decisions and sentences of HR that fit what was claimed, so that its person can follow them.
import type { Random } from './random.ts'

/** `waits` is for those who come last. */
export type Ending =
  | { how: 'approved' | 'waits' | 'withdrawn' }
  | { how: 'part'; percent: number; text: string }
  | { how: 'rejected'; reason: Reason; text: string; appeals?: boolean }
  | { how: 'asked'; text: string; answer: string | null }
type Reason = 'not_covered' | 'no_receipt' | 'wrong_amount' | 'wrong_person'
type Rejected = Extract<Ending, { how: 'rejected' }>

const refusals: Rejected[] = [
  {
    how: 'rejected',
    reason: 'no_receipt',
    text: 'Payroll has no receipt for it. Please claim again and attach the receipt.',
  },
  {
    how: 'rejected',
    reason: 'wrong_amount',
    text: 'Your insurer pays a part of this. Please claim what is left for you to pay.',
    appeals: true,
  },
  {
    how: 'rejected',
    reason: 'wrong_person',
    text: 'The bill is in another name. Please ask the practice for one in yours, and claim again.',
  },
]

const not_covered: Record<string, string> = {
  Fitness: 'This is personal training, which our plan does not cover.',
  Medicine: 'These are food supplements, which our plan does not cover.',
  'Dental treatment': 'This is whitening, which our plan does not cover.',
  Specialist: 'This is a cosmetic treatment, which our plan does not cover.',
}

const less: Record<string, string> = {
  Fitness: 'The towel service is not covered; the rest is approved.',
  Medicine: 'The vitamins are not covered; the rest is approved.',
  'Glasses and lenses': 'The second frame is not covered; the rest is approved.',
}
const fee = 'The fee for the late payment is not covered; the rest is approved.'

/** Most are approved; those of the last days wait, some of them for too long, over the days off at Christmas, too. */
export function endingOf(chance: Random, type: string, days_ago: number): Ending {
  if (days_ago <= 4 || (days_ago <= 9 && chance.chance(25))) return { how: 'waits' }
  if (days_ago <= 16 && chance.chance(10)) return { how: 'waits' }
  const drawn = chance.whole(1, 100)
  if (drawn <= 7) return refusalOf(chance, type)
  if (drawn <= 10) return { how: 'withdrawn' }
  if (drawn <= 14) return { how: 'part', percent: 80, text: less[type] ?? fee }
  if (drawn > 18) return { how: 'approved' }
  const text = 'Did your insurer pay a part of this? The bill does not say.'
  return { how: 'asked', text, answer: days_ago < 20 ? null : 'No, I paid all of it myself.' }
}

function refusalOf(chance: Random, type: string): Ending {
  const refusal = chance.pick(refusals)
  const text = not_covered[type]
  return text && chance.chance(50) ? { how: 'rejected', reason: 'not_covered', text } : refusal
}
