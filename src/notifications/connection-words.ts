// Notices about what connects a company's own systems, in words.
import type { NoticeWriter } from './by-the-clock.ts'

export const connection_notices: Record<string, NoticeWriter> = {
  api_key_made: ({ text }) => [
    `API key ${text('name')} was made`,
    'An admin of your company made it for one of your systems. Connections shows what it may do.',
  ],
  people_source_set: ({ text }) => [
    `Employees are fetched from ${text('host')}`,
    'An admin of your company set where their list comes from each day.',
  ],
  people_fetch_failed: ({ text }) => [
    `The list of employees at ${text('host')} can’t be fetched`,
    'It is tried again each day. You will be notified again only after it has worked in between.',
  ],
  people_fetched: () => [
    'A list of employees is waiting for you',
    'It was fetched and compared. Nothing has changed yet.',
  ],
  leaver_limit_raised: ({ number }) => [
    `From tomorrow employee files can end employment for ${number('percent')}% of your people in a day`,
    'An admin of your company raised the limit up to which no second admin is needed.',
  ],
  api_key_renewed: ({ text }) => [
    `API key ${text('name')} has a new secret`,
    'An admin of your company renewed it. Connections shows how long the old one still works.',
  ],
  api_key_ends: ({ text, day }) => [
    `API key ${text('name')} ends soon`,
    `Its last day is ${day(text('until'))}. Make another one before then, or whatever uses it stops working.`,
  ],
  api_key_stopped: ({ text }) => [
    `API key ${text('name')} has stopped`,
    'Whoever made it is no longer an active admin, or has no two-step verification. Make another one for whatever uses it.',
  ],
  domain_proven: ({ text }) => [
    `${text('domain')} is verified`,
    'From now on your company vouches for the addresses at this domain. Connections lists it.',
  ],
  sso_changed: () => [
    'Sign-in through your identity provider was changed',
    'If none of your admins did this, check it in Connections now.',
  ],
  sso_refused: () => [
    'Nobody can sign in through your identity provider',
    'It no longer accepts Healthfund’s client. Usually the client secret has expired: enter a new one in Connections.',
  ],
  webhook_made: ({ text }) => [
    `A webhook to ${text('host')} was made`,
    'An admin of your company made it: it notifies one of your systems of events. Connections lists them.',
  ],
  webhook_changed: ({ text }) => [
    `The webhook to ${text('host')} was changed`,
    'An admin of your company changed its address, its events or its secret.',
  ],
  webhook_stopped: ({ text }) => [
    `The webhook to ${text('host')} has stopped`,
    'Your system accepted nothing for three days, or said that it is gone. Once it is back, activate the webhook in Connections.',
  ],
}
