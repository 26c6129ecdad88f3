// docs/api.md: every act on one line, so that a review sees what a change adds to the API.
import { contracts } from '#contracts.ts'
import { openapi } from '#lib/openapi.ts'
import type { Callers } from '#permissions/callers.ts'
import { callers } from '#policy.ts'
import { fresh_sign_in_acts } from '#permissions/fresh.ts'
import { public_contracts } from '#permissions/key-rights.ts'

const head = `# API

Every act of the product. The shapes of question and answer are served at \`/api/openapi.json\`. What wants a fresh sign-in is
refused (\`password_needed\`) unless the session's password, or its sign-in at the company's provider, was given in the last 5
minutes.

| act | method | path | who may call it | fresh sign-in |
|---|---|---|---|---|
`

export function apiList(): string {
  const by_act: Record<string, Callers> = callers
  const wants: Partial<Record<string, string>> = fresh_sign_in_acts
  const lines = Object.entries(contracts).flatMap(([feature, contract]) =>
    Object.entries(contract).map(([name, { method, path }]) => {
      const act = `${feature}.${name}`
      return `| ${act} | ${method} | \`/api${path}\` | ${written(by_act[act] ?? [])} | ${wants[act] ?? ''} |\n`
    }),
  )
  return head + lines.join('')
}

/** The promises of /api/v1, kept so that a change of them is seen. */
export const publicApi = () => `${JSON.stringify(openapi(public_contracts, '/api/v1'), null, 1)}\n`

const written = (who: Callers) => (typeof who === 'string' ? who : who.join(', '))
