// The API as a page to read: every act, what it takes, what it answers, who may call it.
import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import type { Contract } from '#lib/contract.ts'
import { callers } from '#policy.ts'
import { rightsFor } from '#permissions/key-rights.ts'

/** `prefix`: the screens' own, or the public one, which keys ask. */
export const docsPage =
  (contracts: Record<string, Contract>, prefix: Prefix = '/api') =>
  (c: Context) => {
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
                <h3><code>${method} ${prefix}${path}</code></h3>
                <p>${feature}.${name} · ${who[prefix](`${feature}.${name}`)} · ${kind}</p>
                <details>
                  <summary>Takes</summary>
                  <pre>${shape(input)}</pre>
                </details>
                <details>
                  <summary>Answers</summary>
                  <pre>${kind === 'download' || kind === 'stream' ? kind : shape(output)}</pre>
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
                Send <code>Authorization: Bearer &lt;${bearers[prefix]}&gt;</code>. A refusal
                answers <code>{ code, title, status, fields?, facts? }</code>. Machine-readable:
                <a href="${prefix}/openapi.json">${prefix}/openapi.json</a>
              </p>
              <p>${promises[prefix]}</p>
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

type Prefix = '/api' | '/api/v1'
const bearers: Record<Prefix, string> = { '/api': 'access token', '/api/v1': 'API key' }
const promises: Record<Prefix, string> = {
  '/api': 'This is what the screens ask, and it changes with them. For your own systems: /api/v1',
  '/api/v1':
    'For your own systems. Within v1 nothing is removed, renamed or newly required; new acts, new optional fields, ' +
    'new fields in answers and new values may come. Company admins make API keys under Settings, Connections.',
}

const who: Record<Prefix, (act: string) => string> = {
  '/api': callersOf,
  '/api/v1': (act) => rightsFor(act).join(' or '),
}

function callersOf(act: string): string {
  const may = (callers as Record<string, string | readonly string[]>)[act] ?? []
  if (may === 'anyone') return 'anyone'
  if (may === 'signed_in') return 'anyone signed in'
  return typeof may === 'string' ? may : may.join(', ')
}
