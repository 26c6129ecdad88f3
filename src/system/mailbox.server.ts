// The installation's own mailbox, where no mail server is set: for the people who set it up.
import { Hono, type Context } from 'hono'
import { html, raw } from 'hono/html'
import type { Sql } from '#lib/db.server.ts'
import { readMail, readMailbox } from '#lib/mail.server.ts'
import { Problem } from '#problems.ts'

const css = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; frame-src 'self'"

/** The mailbox holds everybody's links, so only `isLocal` requests see it; for others it is not there. */
export function mailbox(sql: Sql, isLocal: (c: Context) => boolean): Hono {
  const app = new Hono()
  app.use('/mailbox*', async (c, next) => {
    if (!isLocal(c)) throw new Problem('not_found')
    await next()
  })
  app.get('/mailbox.json', async (c) => {
    const mails = await readMailbox(sql)
    return c.json(
      mails.map(({ to, subject, text, html: body }) => ({ to, subject, text, html: body })),
    )
  })
  app.get('/mailbox', async (c) => {
    const mails = await readMailbox(sql)
    c.header('content-security-policy', css)
    return c.html(page(mails))
  })
  app.get('/mailbox/:id{[0-9]+}', async (c) => {
    c.header('content-security-policy', css)
    c.header('x-frame-options', 'SAMEORIGIN')
    return c.html(raw((await readMail(sql, Number(c.req.param('id')))).html))
  })
  return app
}

const page = (mails: Awaited<ReturnType<typeof readMailbox>>) =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Mailbox · Healthfund</title>
        <link rel="stylesheet" href="/plain.css" />
      </head>
      <body>
        <main>
          <h1>Mailbox</h1>
          <p>No mail server is set, so mail stays here. Newest first.</p>
          ${mails.length === 0 ? html`<p>No mail yet.</p>` : ''}
          ${mails.map(
            ({ to, subject, text, at }) =>
              html`<article>
                <h2>${subject}</h2>
                <p>
                  To ${to} · <time datetime="${at}">${at.replace('T', ' ').slice(0, 19)} UTC</time>
                </p>
                <pre>${linked(text)}</pre>
              </article>`,
          )}
        </main>
      </body>
    </html>`

const linked = (text: string) =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
