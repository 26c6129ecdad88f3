// Unsubscribing from mails with one press, signed in or not: the link is signed, so it works for its person alone.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import type { Sql } from '#lib/db.server.ts'

export type MailSwitch = 'email_notifications' | 'claim_updates' | 'fund_alerts' | 'health_tips'

export const switchNames: Record<MailSwitch, string> = {
  email_notifications: 'Email notifications',
  claim_updates: 'Claim status updates',
  fund_alerts: 'Fund balance alerts',
  health_tips: 'Health tips and reminders',
}

export type UnsubscribeLinks = ReturnType<typeof unsubscribeLinks>

export function unsubscribeLinks(installation_key: Buffer, site_url: string) {
  const key = Buffer.from(hkdfSync('sha256', installation_key, '', 'healthfund unsubscribe', 32))
  const sign = (payload: string) => createHmac('sha256', key).update(payload).digest('base64url')
  return {
    linkFor(person_id: string, which: MailSwitch): string {
      const payload = `${person_id}.${which}`
      return `${site_url}${place}?token=${payload}.${sign(payload)}`
    },
    read(token: string | undefined): { person_id: string; which: MailSwitch } | undefined {
      const [person_id = '', which = '', signature = ''] = (token ?? '').split('.')
      const sent = Buffer.from(signature)
      const right = Buffer.from(sign(`${person_id}.${which}`))
      if (sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined
      return { person_id, which: which as MailSwitch }
    },
  }
}

export const place = '/mail/unsubscribe'

const csp =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Opening the link changes nothing, since mail scanners open links; the button or the mail program posts. */
export function unsubscribePages(links: UnsubscribeLinks, sql: Sql): Hono {
  const app = new Hono()
  const settings = '/dashboard/settings#notifications'
  app.use(async (c, next) => {
    await next()
    c.header('content-security-policy', csp)
  })
  app.get('/', (c) => {
    const read = links.read(c.req.query('token'))
    if (!read) return refused(c)
    return c.html(
      page(
        'Unsubscribe',
        html`<p>Get no more mails of this kind: <strong>${switchNames[read.which]}</strong>?</p>
          <form method="post">
            <button type="submit">Unsubscribe</button>
          </form>
          <p>Everything stays under the bell in Healthfund.</p>`,
      ),
    )
  })
  app.post('/', async (c) => {
    const read = links.read(c.req.query('token'))
    if (!read) return refused(c)
    await sql`select private.switch_off(${read.person_id}, ${read.which})`
    return c.html(
      page(
        'Done',
        html`<p>${switchNames[read.which]}: off. We mail you no more of these.</p>
          <p><a href="${settings}">Choose in Settings</a> what you want to hear of.</p>`,
      ),
    )
  })
  return app
}

const refused = (c: Context) =>
  c.html(
    page(
      'This link is not complete',
      html`<p>
        Copy it whole from the mail, or choose your mails in
        <a href="/dashboard/settings#notifications">Settings</a>.
      </p>`,
    ),
    400,
  )

const page = (title: string, content: ReturnType<typeof html>) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>${title} · Healthfund</title>
        <link rel="stylesheet" href="/plain.css" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`
