// Notifications because of the day: deadlines of claims, and absences. A part of words.contract.ts.
import { countedInEnglish } from '#lib/counted.ts'
import type { Writing } from '#lib/writing.ts'

export type NoticeFacts = {
  number: (name: string) => number
  text: (name: string) => string
  sum: (name: string) => string
  category: () => string
  when: () => string
  /** The name, for readers who may see it, on screen only. */
  who: string
} & Writing
export type NoticeWriter = (facts: NoticeFacts) => [title: string, sentence: string]

const waiting = (claims: number) => `${countedInEnglish(claims, 'claim is', 'claims are')} waiting.`

export const byTheClock: Record<string, NoticeWriter> = {
  claims_half_way: ({ number }) => [
    number('claims') === 1
      ? `Claim #${number('claim')} is half-way to its deadline`
      : `${number('claims')} claims are half-way to their deadline`,
    'Half of the review target of your policy has passed, and nobody has decided yet.',
  ],
  claims_twice_overdue: ({ number }) => [
    number('claims') === 1
      ? `Claim #${number('claim')} has waited twice the review target`
      : `${number('claims')} claims have waited twice the review target`,
    'Nobody has decided, although your reviewers were notified. You get this as an owner of the company.',
  ],
  claims_overdue: ({ number }) => [
    number('claims') === 1
      ? `Claim #${number('claim')} is overdue`
      : `${number('claims')} claims are overdue`,
    'The review target of your policy has passed, and employees are waiting for a decision.',
  ],
  standing_in: ({ who, number, text, day }) => [
    'You are standing in for a colleague',
    `${who} is away until ${day(text('until'))}, and you have their work until then. ` +
      waiting(number('claims')),
  ],
  stood_in: ({ who }) => [
    'You are no longer standing in for a colleague',
    `${who} is back earlier than planned and has their own work again.`,
  ],
  step_away: ({ who }) => [
    'Claims wait for somebody who is away',
    `A step of your policy asks ${who}, who is away with no deputy who can decide.`,
  ],
  absence_entered: ({ who, text, day }) => [
    'Your absence was entered for you',
    `${text('by_provider') === 'true' ? 'The provider' : who} says you are away from ` +
      `${day(text('from'))} to ${day(text('until'))}. ` +
      'End it in your settings if that is wrong.',
  ],
  back_again: ({ number }) => [
    'Your work is back with you',
    `Your absence is over. ${waiting(number('claims'))}`,
  ],
}
