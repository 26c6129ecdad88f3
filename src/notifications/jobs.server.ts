// Mails of notifications: the first one soon, further ones gathered for half an hour.
import { rows, type Tx } from '#lib/db.server.ts'
import type { Task } from '#lib/jobs.server.ts'
import type { Post } from '#lib/mail.server.ts'
import { in_mails } from '#lib/writing.ts'
import { digest, type Recipient } from './mails.server.ts'
import { Notification } from './notifications.contract.ts'
import type { Unsubscribing } from './unsubscribe.server.ts'
import { inWords } from './words.contract.ts'

const people_at_once = 200

type Mailing = { site_url: string; post: Post; links: Unsubscribing }

/** By the clock, each minute. Who had a mail within half an hour waits until that is over. */
export const mailNotifications =
  (mailing: Mailing): Task =>
  async (_, { sql }) => {
    for (;;) {
      const due = await sql<{ id: string }[]>`
        select due as id from private.due_digests(now(), ${people_at_once}) due`
      for (const { id } of due) await sql.begin((tx) => mailOne(mailing, tx, id))
      if (due.length < people_at_once) return
    }
  }

const Kept = Notification.pick({ kind: true, code: true, facts: true, path: true })

/** Taken and posted in one transaction: never twice, and never lost. */
async function mailOne({ site_url, post, links }: Mailing, tx: Tx, person_id: string) {
  const kept = await rows(Kept, tx`select * from private.take_digest(${person_id}, now())`)
  if (kept.length === 0) return
  const told = kept.map((one) => ({ ...one, ...inWords(one, in_mails) }))
  const [person] = await tx<[Recipient]>`
    select p.id, p.email, p.full_name, c.name as company_name
    from profiles p left join companies c on c.id = p.company_id where p.id = ${person_id}`
  await post(tx, digest(person, told, { site_url, links }))
}
