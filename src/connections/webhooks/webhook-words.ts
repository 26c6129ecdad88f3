// Webhooks in words.
import type { BadgeTone } from '#ui/Badge.tsx'
import { counted } from '#ui/figures.ts'
import { events, groupOf, event_groups } from './events.ts'
import type { Delivery, Webhook } from './webhooks.contract.ts'

export const hostOf = (url: string): string => new URL(url).host

export function webhookState({ status, failing_since }: Webhook): [word: string, tone: BadgeTone] {
  if (status === 'paused') return ['Paused', 'neutral']
  if (status === 'stopped') return ['Stopped', 'bad']
  return failing_since ? ['Failing', 'bad'] : ['Active', 'good']
}

/** 'Claims (12) · Payouts': a group that is chosen whole has no figure. */
export const eventsInWords = (chosen: Webhook['events']): string =>
  Object.entries(event_groups)
    .map(([group, word]) => {
      const all = Object.keys(events).filter((name) => name.startsWith(`${group}.`)).length
      const some = chosen.filter((name) => groupOf(name) === group).length
      return some === 0 ? '' : some === all ? word : `${word}: ${counted(some, 'event')}`
    })
    .filter(Boolean)
    .join(' · ')

export const eventWords = (event: string): string => {
  const name = event as keyof typeof events
  if (!(event in events)) return 'Test event'
  return name === 'audit.entry' ? 'Audit entry' : `${event_groups[groupOf(name)]}: ${events[name]}`
}

const faults: Record<NonNullable<Delivery['fault']>, string> = {
  answer: 'Not accepted',
  redirect: 'Redirects are not followed',
  time: 'No answer in time',
  address: 'The address is not public',
  name: 'The host name can’t be resolved',
  certificate: 'No secure connection',
  connection: 'No connection',
}

/** 'Answer 200 · 84 ms', 'No answer in time · 15,000 ms' */
export function deliveryOutcome({ code, fault, took_ms }: Delivery): string {
  const parts = [
    fault && fault !== 'answer' && faults[fault],
    code !== null && `answer ${code}`,
    took_ms !== null && `${took_ms.toLocaleString()} ms`,
  ].filter(Boolean)
  const [first = '', ...more] = parts as string[]
  return [first.charAt(0).toUpperCase() + first.slice(1), ...more].join(' · ')
}

export const deliveryWords: Record<Delivery['status'], [word: string, tone: BadgeTone]> = {
  waiting: ['Waiting', 'accent'],
  delivered: ['Delivered', 'good'],
  failed: ['Failed', 'bad'],
}
