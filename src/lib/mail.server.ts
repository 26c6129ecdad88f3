// Mail: written in the transaction that causes it, sent by a job, or kept in the built-in mailbox.
import { createTransport } from 'nodemailer'
import { z } from 'zod'
import { row, type Sql, type Tx } from './db.server.ts'
import type { Task } from './jobs.server.ts'

export type Mail = { to: string; subject: string; text: string; html: string }
export type Post = (tx: Tx | Sql, mail: Mail) => Promise<void>

export const poster =
  (has_server: boolean): Post =>
  async (tx, { to, subject, text, html }) => {
    await tx`select post_mail(${to}, ${subject}, ${text}, ${html}, ${has_server})`
  }

const Letter = z.object({
  id: z.int(),
  at: z.string(),
  recipient: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})

/** Sends one mail over SMTP and forgets it. A failed one is tried again by the job queue. */
export function mailTask(smtp_url: string, from: string): Task {
  const transport = createTransport(smtp_url)
  return async ({ id }, { sql }) => {
    const found = await sql`select * from mails where id = ${Number(id)}`
    if (found.length === 0) return
    const { recipient, subject, text, html } = Letter.parse(found[0])
    await transport.sendMail({ from, to: recipient, subject, text, html })
    await sql`delete from mails where id = ${Number(id)}`
    await sql`update wall.mail_sent set at = now()`
  }
}

/** What landed in the built-in mailbox, newest first. */
export async function readMailbox(sql: Sql): Promise<(Mail & { at: string })[]> {
  const letters = z.array(Letter).parse(await sql`select * from mails order by id desc limit 200`)
  return letters.map(({ recipient: to, subject, text, html, at }) => ({
    to,
    subject,
    text,
    html,
    at,
  }))
}

export const readLetter = (sql: Sql, id: number) =>
  row(Letter, sql`select * from mails where id = ${id}`)
