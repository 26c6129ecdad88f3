// Mails of notifications, as the table in work.sql says: at once (the first one soon, further ones gathered for half
// an hour), or one in the morning with all that waits.
import { z } from 'zod'
import { rows, type Tx } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Post } from '#lib/mail.server.ts'
import { in_mails } from '#lib/writing.ts'
import { digest, morningMail, MailReason, type Recipient } from './mails.server.ts'
import { Need } from './needs.contract.ts'
import { Notification } from './notifications.contract.ts'
import type { UnsubscribeLinks } from './unsubscribe.server.ts'
import { inWords } from './words.contract.ts'

const people_at_once = 200

/**
 * Notifies people of decisions that can't be undone any more, and runs again when the next one is due. The schedule starts it if
 * it was not running.
 */
export const notifyDecisions: Task = async (_, { sql }) => {
  await sql`select private.notify_decisions(now())`
  await sql`
    select add_job('decisions:notify', key => 'decisions:notify', run_at => private.next_decision_due())`
}

type MailTools = { site_url: string; post: Post; links: UnsubscribeLinks }

/** Runs each minute. Half an hour passes between two mails to one person. */
export const mailNotifications =
  (tools: MailTools): Task =>
  async (_, { sql }) => {
    for (;;) {
      const due = await sql<{ id: string }[]>`
        select due as id from private.due_digests(now(), ${people_at_once}) due`
      for (const { id } of due) await sql.begin((tx) => mailOne(tools, tx, id))
      if (due.length < people_at_once) return
    }
  }

const Kept = Notification.pick({ kind: true, code: true, facts: true, path: true }).extend({
  switch: MailReason,
  pace: z.enum(['at_once', 'morning']),
  is_work: z.boolean(),
})
const NeedLine = Need.omit({
  subject_id: true,
  version: true,
  who: true,
  rights: true,
  given_by: true,
})

/** Taken and posted in one transaction, so that no mail is sent twice or lost. */
async function mailOne({ site_url, post, links }: MailTools, tx: Tx, person_id: string) {
  const kept = await rows(Kept, tx`select * from private.take_digest(${person_id}, now())`)
  if (kept.length === 0) return
  const worded = kept.map((one) => ({ ...one, ...inWords(one, in_mails) }))
  const [person] = await tx<[Recipient]>`
    select p.id, p.email, p.full_name, c.name as company_name,
      coalesce(c.time_zone, 'UTC') as time_zone
    from profiles p left join companies c on c.id = p.company_id where p.id = ${person_id}`
  const places = { site_url, links }
  const at_once = worded.filter(({ pace }) => pace === 'at_once')
  if (at_once.length > 0) await post(tx, digest(person, at_once, places))
  const gathered = worded.filter(({ pace }) => pace === 'morning')
  if (gathered.length === 0) return
  const waiting = await rows(
    NeedLine,
    tx`select kind, items, number, cents, since, due_at, coalesce(due_at < now(), false) as overdue, path
      from private.need_lines(${person_id})
      where private.has_switched_on(${person_id}, private.switch_of_need(kind))`,
  )
  const news = gathered.filter(({ is_work }) => !is_work)
  const mail = morningMail(person, waiting, news, places)
  if (mail) await post(tx, mail)
}
