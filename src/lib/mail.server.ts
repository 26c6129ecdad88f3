// Mail: written in the transaction that causes it, sent by a job, or kept in the built-in mailbox.
import { z } from 'zod'
import { row, type Sql, type Tx } from './db.server.ts'
import type { Task } from './jobs.server.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** Further headers. */
  headers?: Record<string, string>
}
export type Post = (tx: Tx, mail: Mail) => Promise<void>

export const poster =
  (has_server: boolean): Post =>
  async (tx, { to, subject, text, html, headers }) => {
    const [posted] = await tx<[{ id: number }]>`
      select post_mail(${to}, ${subject}, ${text}, ${html}, ${has_server}) as id`
    // Only the owner of the table may write headers, so only jobs of ours do.
    if (headers) await tx`update mails set headers = ${tx.json(headers)} where id = ${posted.id}`
  }

/**
 * A mail to somebody of a company names the company as its sender, by way of this installation. A company that waits for
 * activation is not named, as nobody has checked it; and no character of a name can end the line or change its direction.
 */
export function senderOf(from: string, company: string | null) {
  const [, ours = '', address = from] = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  const name = company?.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return name ? { name: `${name} via ${ours || 'Healthfund'}`, address } : from
}

const StoredMail = z.object({
  id: z.int(),
  at: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  headers: z.record(z.string(), z.string()),
})

const MailToSend = StoredMail.extend({ company: z.string().nullable() })

const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 }
/** Marks the mail as automatic, so that mailboxes send no out-of-office replies. */
const of_a_machine = { 'Auto-Submitted': 'auto-generated' }

/**
 * Sends one mail over SMTP and deletes it. The job queue tries a failed one again, later and later, as servers ask strangers to
 * come back. A mail to an address that does not exist is deleted at once.
 */
export function mailTask(smtp_url: string, from: string): Task {
  // Loaded with the first mail: a server that only answers sends none.
  const opened = async () =>
    (await import('nodemailer')).createTransport({ url: smtp_url, ...patience })
  let transport: ReturnType<typeof opened> | undefined
  return async ({ id }, { sql, log }) => {
    const found = await sql`
      select m.*, c.name as company from mails m left join profiles p on p.id = m.person_id
        left join companies c on c.id = p.company_id and c.status = 'active'
      where m.id = ${Number(id)}`
    if (found.length === 0) return
    const { recipient, subject, text, html, headers, company } = MailToSend.parse(found[0])
    const mail = { from: senderOf(from, company), to: recipient, subject, text, html }
    try {
      await (
        await (transport ??= opened())
      ).sendMail({ ...mail, headers: { ...of_a_machine, ...headers } })
    } catch (error) {
      if (!isNobody(error)) throw error
      log.warn({ mail: Number(id) }, 'a mail was refused for ever: nobody has its address')
    }
    await sql`delete from mails where id = ${Number(id)}`
    await sql`update private.mail_sent set at = now()`
  }
}

function isNobody(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string }
  return command === 'RCPT TO' && responseCode >= 550 && responseCode <= 553
}

/** The mails in the built-in mailbox, newest first. */
export async function readMailbox(sql: Sql): Promise<(Mail & { at: string })[]> {
  const mails = z.array(StoredMail).parse(await sql`select * from mails order by id desc limit 200`)
  return mails.map(({ recipient: to, subject, text, html, at }) => ({
    to,
    subject,
    text,
    html,
    at,
  }))
}

export const readMail = (sql: Sql, id: number) =>
  row(StoredMail, sql`select * from mails where id = ${id}`)
