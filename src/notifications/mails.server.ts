// The mails of notifications. They have no health content, as the acts behind them put none into the facts.
import { z } from 'zod'
import { write } from '#lib/mail-text.server.ts'
import type { Mail } from '#lib/mail.server.ts'
import { in_mails } from '#lib/writing.ts'
import { countOf, needText, type Need } from './needs.contract.ts'
import type { Notification } from './notifications.contract.ts'
import { switchNames, type MailSwitch, type UnsubscribeLinks } from './unsubscribe.server.ts'

export type Recipient = {
  id: string
  email: string
  full_name: string
  company_name: string | null
  time_zone: string
}

/** The switches under which something is mailed; `always` and `security` have no switch but that of all mails, if any. */
export type MailReason = z.infer<typeof MailReason>
export const MailReason = z.enum([
  'claim_updates',
  'fund_alerts',
  'health_tips',
  'always',
  'security',
])

type DigestItem = Pick<Notification, 'path'> & {
  title: string
  sentence: string
  switch: MailReason
}
type NeedLine = Omit<Need, 'subject_id' | 'version' | 'who' | 'rights' | 'given_by'>
type MailLinks = { site_url: string; links: UnsubscribeLinks }

const shown_max = 20

const silencedBy = (which: MailReason): MailSwitch =>
  which === 'always' || which === 'security' ? 'email_notifications' : which

/** One notice is a mail of its own; several are one mail with a list, the first of them in its subject. */
export function digest(person: Recipient, items: DigestItem[], places: MailLinks): Mail {
  const { site_url } = places
  const kinds = new Set(items.map((one) => silencedBy(one.switch)))
  const [only] = kinds
  const which = kinds.size === 1 && only ? only : 'email_notifications'
  const [first, ...others] = items
  const more = items.length - shown_max
  const body =
    first && others.length === 0
      ? {
          subject: first.title,
          paragraphs: [first.sentence || `${first.title}.`],
          link: { label: 'Open in Healthfund', address: site_url + first.path },
        }
      : {
          subject: `${items.length} updates: ${first?.title}, …`,
          paragraphs: [`${first?.title}, and ${others.length} more since our last email.`],
          items: items.slice(0, shown_max).map((one) => itemOf(one, site_url)),
          ...(more > 0 ? { end: `And ${more} more, under the bell in Healthfund.` } : {}),
        }
  return addressed(person, body, which, places)
}

/** A daily mail with all that waits for a person, the oldest first, and notices; none if all was done meanwhile. */
export function morningMail(
  person: Recipient,
  lines: NeedLine[],
  news: DigestItem[],
  places: MailLinks,
): Mail | undefined {
  if (lines.length === 0 && news.length === 0) return undefined
  const { site_url } = places
  const things = lines.reduce((sum, { items }) => sum + items, 0)
  const [oldest] = lines
  const items = [
    ...lines.map((line) => {
      const { title, does, to } = needText(line)
      return {
        title,
        text: whenOf(line, person.time_zone),
        label: does || 'Open',
        address: site_url + to,
      }
    }),
    ...news.map((one) => itemOf(one, site_url)),
  ]
  const [only] = items
  const title = oldest ? needText(oldest).title : news[0]?.title
  const body = {
    subject:
      items.length === 1 && only
        ? only.title
        : oldest
          ? `${countOf(things)} ${things === 1 ? 'thing needs' : 'things need'} you at ${person.company_name ?? 'Healthfund'}`
          : `${news.length} updates: ${title}, …`,
    paragraphs: [
      oldest
        ? `${title}${things > oldest.items ? `, and ${countOf(things - oldest.items)} more. The oldest come first` : ''}.`
        : `${title}.`,
    ],
    items,
    ...(oldest
      ? { link: { label: 'Open “Needs you”', address: `${site_url}/dashboard/needs-you` } }
      : {}),
  }
  return addressed(person, body, 'email_notifications', places)
}

const itemOf = ({ title, sentence, path }: DigestItem, site_url: string) => ({
  title,
  text: sentence,
  label: 'Open',
  address: site_url + path,
})

const dayOf = (at: string, time_zone: string) =>
  in_mails.day(new Date(at).toLocaleDateString('sv-SE', { timeZone: time_zone }))

function whenOf({ items, since, due_at, overdue }: NeedLine, time_zone: string): string {
  const waits =
    since &&
    `${items > 1 ? 'The oldest has been waiting' : 'Waiting'} since ${dayOf(since, time_zone)}.`
  const due = due_at && (overdue ? 'Overdue since' : 'Due by')
  return [waits, due && `${due} ${dayOf(due_at, time_zone)}.`].filter(Boolean).join(' ')
}

type MailBody = Omit<Parameters<typeof write>[1], 'foot' | 'company'>

function addressed(person: Recipient, body: MailBody, which: MailSwitch, places: MailLinks): Mail {
  const { site_url, links } = places
  const unsubscribe = links.linkFor(person.id, which)
  const foot = {
    text: reasonFor(person, which),
    links: [
      { label: 'Email preferences', address: `${site_url}/dashboard/settings#notifications` },
      { label: 'Unsubscribe', address: unsubscribe },
    ],
  }
  return write(
    person.email,
    { ...body, foot, ...(person.company_name ? { company: person.company_name } : {}) },
    {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  )
}

const reasonFor = ({ full_name, company_name }: Recipient, which: MailSwitch) =>
  `${full_name}, you get this email because you have a Healthfund account${
    company_name ? ` at ${company_name}` : ''
  } and “${switchNames[which]}” is on in its settings.`
