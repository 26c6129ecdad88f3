// The API as a page to read: every act, what it takes, what it answers, who may call it.
import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Contract } from '#lib/contract.ts'
import { callers } from '#policy.ts'

export const docsPage = (contracts: Record<string, Contract>) => (c: Context) => {
  c.header(
    'content-security-policy',
    "default-src 'none'; style-src 'self'; frame-ancestors 'none'",
  )
  const features = Object.entries(contracts).map(
    ([feature, contract]) =>
      html`<section id="${feature}">
        <h2>${feature}</h2>
        ${Object.entries(contract).map(
          ([name, { method, path, input, output, kind }]) =>
            html`<article>
              <h3><code>${method} /api${path}</code></h3>
              <p>${feature}.${name} · ${who(`${feature}.${name}`)} · ${kind}</p>
              <details>
                <summary>Takes</summary>
                <pre>${shape(input)}</pre>
              </details>
              <details>
                <summary>Answers</summary>
                <pre>${kind === 'json' || kind === 'upload' ? shape(output) : kind}</pre>
              </details>
            </article>`,
        )}
      </section>`,
  )
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width" />
          <title>Healthfund API</title>
          <link rel="stylesheet" href="/plain.css" />
        </head>
        <body>
          <main>
            <h1>Healthfund API</h1>
            <p>
              Send <code>Authorization: Bearer &lt;access token&gt;</code>. A refusal answers
              <code>{ code, title, status, fields?, facts? }</code>. Machine-readable:
              <a href="/api/openapi.json">/api/openapi.json</a>
            </p>
            ${features}
          </main>
        </body>
      </html>`,
  )
}

const shape = (type: z.ZodType) => {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
  return JSON.stringify(schema, null, 2)
}

function who(act: string): string {
  const may = (callers as Record<string, string | readonly string[]>)[act] ?? []
  if (may === 'anyone') return 'anyone'
  if (may === 'signed_in') return 'anyone signed in'
  return typeof may === 'string' ? may : may.join(', ')
}
