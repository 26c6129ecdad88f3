// What the mails of notifications say. Never health content: sentences come from acts that know that.
import { write } from '#lib/letter.server.ts'
import type { Mail } from '#lib/mail.server.ts'
import type { Notification } from './notifications.contract.ts'
import { switchNames, type Switch, type Unsubscribing } from './unsubscribe.server.ts'

export type Recipient = {
  id: string
  email: string
  full_name: string
  company_name: string | null
}
type Told = Pick<Notification, 'kind' | 'path'> & { title: string; sentence: string }
type Places = { site_url: string; links: Unsubscribing }

const shown_max = 20

const switchOf: Record<Told['kind'], Switch> = {
  claims: 'claim_updates',
  funds: 'fund_alerts',
  health: 'health_tips',
  account: 'email_notifications',
}

/** One thing is said as itself; several are one mail with a list. */
export function digest(person: Recipient, told: Told[], { site_url, links }: Places): Mail {
  const kinds = new Set(told.map(({ kind }) => kind))
  const [only] = kinds
  const which = kinds.size === 1 && only ? switchOf[only] : 'email_notifications'
  const unsubscribe = links.linkFor(person.id, which)
  const [first, ...others] = told
  const more = told.length - shown_max
  const letter =
    first && others.length === 0
      ? {
          subject: first.title,
          says: [`Hello ${person.full_name},`, first.sentence].filter(Boolean),
          link: { label: 'Open in Healthfund', address: site_url + first.path },
        }
      : {
          subject: `${told.length} updates: ${first?.title}, …`,
          says: [`Hello ${person.full_name},`, 'This happened since our last mail:'],
          items: told.slice(0, shown_max).map(({ title, sentence, path }) => ({
            title,
            text: sentence,
            label: 'Open',
            address: site_url + path,
          })),
          ...(more > 0 ? { end: `And ${more} more, under the bell in Healthfund.` } : {}),
        }
  const foot = {
    text: reasonFor(person, which),
    links: [
      { label: 'Email preferences', address: `${site_url}/dashboard/settings#notifications` },
      { label: 'Unsubscribe', address: unsubscribe },
    ],
  }
  return write(
    person.email,
    { ...letter, foot },
    {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  )
}

const reasonFor = ({ company_name }: Recipient, which: Switch) =>
  `You get this mail because you have a Healthfund account${
    company_name ? ` at ${company_name}` : ''
  } and “${switchNames[which]}” is on in its settings.`
