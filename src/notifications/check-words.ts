// Notifications about health checks. A part of words.contract.ts.
import type { NoticeFacts, NoticeWriter } from './by-the-clock.ts'

function released({ text, day }: NoticeFacts): string {
  if (text('by') === 'provider') return 'was cancelled by the provider.'
  if (text('by') !== 'company') return 'is free for somebody else.'
  return text('left_on')
    ? `was released, as it is after your last day at the company, ${day(text('left_on'))}.`
    : 'was released as your access ended.'
}

export const check_notices: Record<string, NoticeWriter> = {
  check_booked: ({ when }) => ['Your health check is booked', `You are expected on ${when()}.`],
  check_moved: ({ when }) => ['Your health check was moved', `You are now expected on ${when()}.`],
  check_place_changed: ({ when }) => [
    'Your health check is at another place',
    `Open it to see where you are expected on ${when()}.`,
  ],
  check_today: ({ when }) => ['Your health check is today', `You are expected on ${when()}.`],
  check_tomorrow: ({ when }) => ['Your health check is tomorrow', `You are expected on ${when()}.`],
  check_cancelled: (facts) => [
    'Your health check is cancelled',
    `The time on ${facts.when()} ${released(facts)}`,
  ],
  check_due: () => [
    'It’s time for a health check',
    'One a year is recommended, and you have none booked.',
  ],
}
