// A company with an identity provider, and people who come by it.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { oidc_client, openOidc } from '../oidc-provider.ts'
import { postJson, type Company, type AuthSession as SignedIn } from './people.ts'
import type { Scene } from './scene.ts'

export const home = 'http://127.0.0.1/auth'

/** The values that the browser's client keeps and sends. */
export function newChallenge() {
  const code_verifier = randomBytes(48).toString('base64url')
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')
  return { code_verifier, pkce: { code_challenge, code_challenge_method: 's256' } }
}

export async function postAuth(scene: Scene, path: string, body?: object, token?: string) {
  const version = {
    'x-supabase-api-version': '2024-01-01',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  const answer = await postJson(scene.services, `/auth/v1${path}`, body ?? {}, version)
  const text = await answer.text()
  return { status: answer.status, json: text ? JSON.parse(text) : {} }
}

/** Where an address leads, and what the browser needs to come back; `fresh`: they are to prove it again there. */
export async function begin(scene: Scene, domain: string, fresh = false) {
  const { code_verifier, pkce } = newChallenge()
  const redirect_to = 'http://127.0.0.1/auth/sso'
  const body = { domain, redirect_to, skip_http_redirect: true, fresh, ...pkce }
  const { status, json } = await postAuth(scene, '/sso', body)
  assert.equal(status, 200, JSON.stringify(json))
  return { url: String(json.url), code_verifier }
}

/** Back at the page that they came from: with a code, or with what was wrong. */
export async function followBack(scene: Scene, address: string, form?: URLSearchParams) {
  const { pathname, search } = new URL(address)
  const request = form ? { method: 'POST', body: form } : {}
  const answer = await scene.services.app.request(pathname + search, request)
  assert.equal(answer.status, 303, await answer.text())
  const there = new URL(answer.headers.get('location')!)
  assert.equal(there.origin + there.pathname, 'http://127.0.0.1/auth/sso')
  return Object.fromEntries(there.searchParams) as { code?: string; error_code?: string }
}

export const exchange = (scene: Scene, auth_code: string | undefined, code_verifier: string) =>
  postAuth(scene, '/token?grant_type=pkce', { auth_code, code_verifier })

/** Confirms the existing session, which goes on. */
export const postConfirmation = (
  scene: Scene,
  { access_token }: SignedIn,
  proof: { auth_code: string | undefined; code_verifier: string },
) => postAuth(scene, '/confirmation', proof, access_token)

/** Nothing of them. */
export const open_rules = {
  required: false,
  break_glass_id: null,
  second_step_by: [],
  department_rules: [],
}

export type SsoSession = SignedIn & {
  user: {
    app_metadata: { provider: string; providers: string[] }
    identities: { provider: string; id: string; identity_data: Record<string, unknown> }[]
  }
}

/** Tested and switched on, as it is by the job and by HR. */
export async function switchOn(scene: Scene, { id, admin }: Company) {
  await scene.sql`select private.note_provider_check(${id}, null)`
  await admin.api.sso.switch({ enabled: true })
}

/** A company whose people come by a real provider of OpenID Connect, which is to be closed. */
export async function companyByOidc(scene: Scene) {
  const acme = await scene.company()
  const { addresses } = await acme.admin.api.sso.find({})
  const there = await openOidc([addresses.oidc])
  await scene.confirm(acme.admin)
  await acme.admin.api.sso.connect_oidc({ issuer: there.issuer, ...oidc_client })
  await switchOn(scene, acme)
  return { acme, there, addresses }
}
