// The auth service alone, in process, on a database of its own: entered by HTTP and by the browser's client, with a clock
// that can be put forward and the mails at hand.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { AuthClient } from '@supabase/auth-js'
import { Hono } from 'hono'
import { anonAndServiceKeys } from '#gotrue/secrets.server.ts'
import { authService } from '#gotrue/service.server.ts'
import type { AuthOptions, GivenSettings } from '#gotrue/settings.server.ts'
import { connect } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { poster } from '#lib/mail.server.ts'
import { urlFor } from '#lib/migrate.server.ts'
import { testDatabase } from './database.ts'
import { opened } from './world/opened.ts'
import { password } from './world/people.ts'

export const auth_site = 'http://localhost:3000'

export type JsonBody = Record<string, any> // oxlint-disable-line typescript/no-explicit-any
export type AuthAnswer = { status: number; body: JsonBody; headers: Headers }
type AuthQuestion = {
  body?: unknown
  token?: string
  headers?: Record<string, string>
  raw?: string
}

/** Settings that let tests through without waiting; each test that means a limit sets its own. */
const lenient = {
  site_url: auth_site,
  mail_per_hour: 10_000,
  mail_every_seconds: 0,
  request_seconds: 200, // fifty ask at once, on slow machines
  password_memory_mib: 19,
}

export async function openAuthService(own_settings: Partial<GivenSettings> = {}) {
  const database = await testDatabase()
  const owner = connect(database.url, { max: 4 })
  const sql = connect(urlFor('healthfund_auth', database.url), { max: 8 })
  const installation_key = randomBytes(32)
  let ahead_ms = 0
  const base = {
    sql,
    keys: { installation_key },
    post: poster(false),
    log: makeLog('silent'),
    now: () => new Date(Date.now() + ahead_ms),
  }
  const keys = await anonAndServiceKeys(installation_key)
  const services: { finished: () => Promise<void> }[] = []
  const open = (settings: Partial<GivenSettings>) => {
    const options: AuthOptions = { ...base, settings: { ...lenient, ...settings } }
    const one = serviceOf(options, keys.anon_key)
    services.push(one)
    return one
  }
  /** Mails that were asked for are posted. */
  const finished = async () => {
    for (const one of services) await one.finished()
  }
  return {
    ...open(own_settings),
    ...keys,
    owner,
    installation_key,
    /** The same installation under other settings, or another process of it. */
    under: (settings: Partial<GivenSettings>) => open({ ...own_settings, ...settings }),
    pass: (seconds: number) => void (ahead_ms += seconds * 1000),
    now: base.now,
    async mails(): Promise<{ to: string; subject: string; text: string; html: string }[]> {
      await finished()
      return owner`select recipient as to, subject, text, html from mails order by id desc`
    },
    async mailTo(email: string) {
      const found = (await this.mails()).find(({ to }) => to === email)
      assert.ok(found, `a mail to ${email}`)
      return found
    },
    async close() {
      await finished()
      await Promise.all([sql.end(), owner.end()])
      await database.drop()
    },
  }
}

export type AuthService = Awaited<ReturnType<typeof openAuthService>>
export const openedAuthService = (settings?: Partial<GivenSettings>): AuthService =>
  opened(() => openAuthService(settings))

function serviceOf(options: AuthOptions, anon_key: string) {
  const { service, finished } = authService(options)
  const app = new Hono().route('/auth/v1', service)
  async function ask(route: string, question: AuthQuestion = {}): Promise<AuthAnswer> {
    const [method = 'GET', path = ''] = route.split(' ')
    const { body, token, raw } = question
    const headers = new Headers({
      ...(method === 'GET' ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...question.headers,
    })
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const init = { method, headers, ...(sent === undefined ? {} : { body: sent }) }
    const response = await app.request(`http://auth.test/auth/v1${path}`, init)
    const text = await response.text()
    const is_json = response.headers.get('content-type')?.includes('json')
    return {
      status: response.status,
      body: is_json ? (JSON.parse(text) as JsonBody) : { text },
      headers: response.headers,
    }
  }
  return { app, options, ask, finished, client: (key = anon_key) => clientOf(app, key) }
}

function clientOf(app: Hono, key: string) {
  const kept = new Map<string, string>()
  return new AuthClient({
    url: 'http://auth.test/auth/v1',
    headers: { apikey: key, Authorization: `Bearer ${key}` },
    fetch: async (url, init) => app.request(url instanceof Request ? url : url.toString(), init),
    autoRefreshToken: false,
    detectSessionInUrl: false,
    storageKey: randomBytes(8).toString('hex'),
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
  })
}

/** The outcomes of a race, in order. */
export const statusesOf = (all: readonly { status: number }[]) =>
  all.map(({ status }) => status).sort((a, b) => a - b)

let count = 0
export const newEmail = (name = 'ana') => `${name}.${++count}@example.com`

/** Refused with this status and code, in the older format. */
export function assertRefused(answer: AuthAnswer, status: number, code: string, message?: string) {
  assert.deepEqual([answer.status, answer.body['error_code']], [status, code], answer.body['msg'])
  assert.equal(answer.body['code'], status)
  assert.equal(answer.headers.get('x-sb-error-code'), code)
  if (message !== undefined) assert.equal(answer.body['msg'], message)
}

/** A confirmed account made by an administrator, signed in. */
export async function person(stage: Pick<AuthService, 'ask' | 'service_key'>, email = newEmail()) {
  const made = await stage.ask('POST /admin/users', {
    token: stage.service_key,
    body: { email, password, email_confirm: true },
  })
  assert.equal(made.status, 200, made.body['msg'])
  return { id: made.body['id'] as string, email, ...(await signIn(stage, email)) }
}

/** The acts of a super admin on somebody. */
export const suspend = ({ owner }: Pick<AuthService, 'owner'>, id: string) => owner`
  update profiles set role = 'super_admin', status = 'suspended' where id = ${id}`

export async function signIn(stage: Pick<AuthService, 'ask'>, email: string, word = password) {
  const { status, body } = await stage.ask('POST /token?grant_type=password', {
    body: { email, password: word },
  })
  assert.equal(status, 200, body['msg'])
  return {
    token: body['access_token'] as string,
    refresh_token: body['refresh_token'] as string,
    body,
  }
}

export const codeIn = ({ text }: { text: string }) => /\b\d{6}\b/.exec(text)?.[0] ?? ''
export function linkIn({ text }: { text: string }) {
  const url = new URL(/\bhttps?:\S+\/auth\/verify\?\S+/.exec(text)?.[0] ?? '')
  const { token = '', type = '', redirect_to = '' } = Object.fromEntries(url.searchParams)
  return { url, token, type, redirect_to }
}
