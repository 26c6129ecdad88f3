// A company with an identity provider, and people who come by it.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { apiOf, type Company, type Person, type Scene } from './scene.ts'

export const home = 'http://127.0.0.1/auth'

/** The values that the browser's client keeps and sends. */
export function newChallenge() {
  const code_verifier = randomBytes(48).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return { code_verifier, pkce: { code_challenge, code_challenge_method: 's256' } }
}

export async function asked(scene: Scene, path: string, body?: object) {
  const answer = await scene.services.app.request(`/auth/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
    body: JSON.stringify(body ?? {}),
  })
  const text = await answer.text()
  return { status: answer.status, said: text ? JSON.parse(text) : {} }
}

/** Where an address leads, and what the browser needs to come back. */
export async function begin(scene: Scene, domain: string) {
  const { code_verifier, pkce } = newChallenge()
  const redirect_to = 'http://127.0.0.1/auth/sso'
  const body = { domain, redirect_to, skip_http_redirect: true, ...pkce }
  const { status, said } = await asked(scene, '/sso', body)
  assert.equal(status, 200, JSON.stringify(said))
  return { url: String(said.url), code_verifier }
}

/** Back at the page that they came from: with a code, or with what was wrong. */
export async function back(scene: Scene, address: string, form?: URLSearchParams) {
  const { pathname, search } = new URL(address)
  const request = form ? { method: 'POST', body: form } : {}
  const answer = await scene.services.app.request(pathname + search, request)
  assert.equal(answer.status, 303, await answer.text())
  const there = new URL(answer.headers.get('location')!)
  assert.equal(there.origin + there.pathname, 'http://127.0.0.1/auth/sso')
  return Object.fromEntries(there.searchParams) as { code?: string; error_code?: string }
}

export const exchange = (scene: Scene, auth_code: string | undefined, code_verifier: string) =>
  asked(scene, '/token?grant_type=pkce', { auth_code, code_verifier })

/** Nothing of them. */
export const open_rules = {
  required: false,
  break_glass_id: null,
  second_step_by: [],
  department_rules: [],
}

export type Session = {
  access_token: string
  user: {
    id: string
    email: string
    app_metadata: { provider: string; providers: string[] }
    identities: { provider: string; id: string; identity_data: Record<string, unknown> }[]
  }
}

export function personOf(scene: Scene, { access_token: token, user }: Session): Person {
  return { id: user.id, email: user.email, token, api: apiOf(scene.services, token) }
}

export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
    aal: string
    amr: { method: string; timestamp: number; provider?: string }[]
  }

/** Tested and switched on, as it is by the job and by HR. */
export async function switchOn(scene: Scene, { id, admin }: Company) {
  await scene.sql`select private.provider_checked(${id}, null)`
  await admin.api.sso.switch({ enabled: true })
}
