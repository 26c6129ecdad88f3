// People and companies to tell stories with: the whole server in process, on a database of its own, entered
// by its front door with the browser's own clients.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import assert from 'node:assert/strict'
import { openServices, type Services } from '#services.server.ts'
import { contracts } from '#contracts.ts'
import type { Tx } from '#lib/db.server.ts'
import type { Caller } from '#lib/transactions.server.ts'
import { client, type Client } from '#lib/contract.ts'
import { readConfig } from '#lib/config.server.ts'
import type { ProblemCode } from '#problems.ts'
import { testDatabase } from './database.ts'

type Contracts = typeof contracts
export type Api = { [Feature in keyof Contracts]: Client<Contracts[Feature]> }
export type Person = { id: string; email: string; token: string; api: Api }
export type Company = {
  id: string
  admin: Person
  domain: string
  hire: (name?: string) => Promise<Person>
}

const origin = 'http://127.0.0.1'
export const password = 'a quiet harbour at dawn'

type SceneOptions = {
  env?: Record<string, string> | ((database_url: string) => Record<string, string>)
  worker?: boolean
  /** Preparation before the first request, such as building the screens. */
  furnish?: (services: Services) => Promise<void>
}

export async function openScene({ env = {}, worker = false, furnish }: SceneOptions = {}) {
  const database = await testDatabase()
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-scene-'))
  const given = {
    DATA_FOLDER: folder,
    LOG_LEVEL: 'fatal',
    AUTH_AUTOCONFIRM: 'on',
    BUSY_AFTER_MS: '60000', // tests press all at once, on slow machines, and mean it
    AUTH_PASSWORD_MEMORY_MIB: '19',
    ADVISORY_REGISTRY: 'off', // no test talks to the outside
    SITE_URL: origin,
    ...(typeof env === 'function' ? env(database.url) : env),
  }
  // Less than an operator may choose: thousands of people enter here, each with a hash of their own.
  const config = { ...readConfig(given), AUTH_PASSWORD_MEMORY_MIB: 1 }
  const services = await openServices(config, database.url, { worker })
  await furnish?.(services)
  const stage = new Stage(services)
  return {
    services,
    config,
    /** The settings as they were given, for another server beside this one. */
    env: given,
    database_url: database.url,
    sql: services.sql.owner,
    /** As jobs are given them. */
    tools: { sql: services.sql.owner, log: services.log },
    visitor: apiOf(services, undefined),
    /** Straight SQL of a person, as the login that requests use. */
    straight: <T>(person: Person, work: (tx: Tx) => Promise<T>): Promise<T> =>
      services.transactions.run(callerOf(person), (tx) => work(tx)).then(({ answer }) => answer),
    signUp: stage.signUp,
    signIn: stage.signIn,
    superAdmin: stage.superAdmin,
    company: stage.company,
    confirm: stage.confirm,
    stale: stage.stale,
    /** As if the company had counted in it from the beginning: with money recorded nobody changes it. */
    countsIn: (company_id: string, currency: string) =>
      services.sql.owner.begin(async (tx) => {
        await tx`alter table companies disable trigger keep_currency`
        await tx`update companies set currency = ${currency} where id = ${company_id}`
        await tx`alter table companies enable trigger keep_currency`
      }),
    /** The time for undoing what was decided is over: people are told of it. */
    told: () => services.sql.owner`select private.notify_decisions('infinity')`,
    /** The mails in the built-in mailbox, newest first. */
    async mailbox(): Promise<{ to: string; subject: string; text: string; html: string }[]> {
      await services.posted()
      return (await services.app.request('/dev/mailbox.json')).json()
    },
    async close() {
      await services.close(60_000) // the process goes on: nothing may come back to a database that is gone
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
export type Scene = Awaited<ReturnType<typeof openScene>>

class Stage {
  #count = 0
  readonly #services: Services

  constructor(services: Services) {
    this.#services = services
  }

  signUp = async (
    email: string,
    role: string,
    more: Record<string, string> = {},
  ): Promise<Person> => {
    const data = { full_name: email.split('@')[0]!, role, ...more }
    return this.#enter('/auth/v1/signup', { email, password, data })
  }

  signIn = (email: string) => this.#enter('/auth/v1/token?grant_type=password', { email, password })

  /** Gives the password once more, as dialogs ask for it; answers whether it was right. */
  confirm = async ({ token }: Person, given = password): Promise<boolean> => {
    const answer = await this.#services.app.request('/auth/v1/confirmation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ password: given }),
    })
    return answer.ok
  }

  /** Their sign-in is no fresh one any more. */
  stale = async ({ id }: Person) => {
    await this.#services.sql.owner`
      update auth.amr_claims m set at = now() - interval '6 minutes'
        from auth.sessions s where s.id = m.session_id and s.user_id = ${id}`
  }

  superAdmin = async (): Promise<Person> => {
    const email = `provider${(this.#count += 1)}@healthfund.test`
    const person = await this.signUp(email, 'super_admin')
    await this.#services.sql.owner`update profiles set status = 'active' where id = ${person.id}`
    return person
  }

  /** A company with one admin; `active` unless told otherwise, and its domain takes in whoever signs up. */
  company = async ({ name = 'Acme', status = 'active' } = {}): Promise<Company> => {
    const domain = `${name.toLowerCase().replace(/\W/g, '')}${(this.#count += 1)}.test`
    const admin = await this.signUp(`admin@${domain}`, 'company_admin', { company_name: name })
    const [company] = await this.#services.sql.owner<[{ id: string }]>`
      update companies set status = ${status}, domain_auto_register = true
      where domain = ${domain} returning id`
    await this.#countApart(company.id)
    let hired = 0
    const hire = (who?: string) =>
      this.signUp(`${who?.toLowerCase() ?? `person${(hired += 1)}`}@${domain}`, 'employee', {
        full_name: who ?? `Person ${hired}`,
      })
    return { id: company.id, admin, domain, hire }
  }

  /** So that a number of one company is never by chance another's: what finds something by it is wrong. */
  async #countApart(company_id: string) {
    const { owner } = this.#services.sql
    for (const thing of ['claims', 'pay_runs']) {
      const numbers = `private.${thing}_of_${company_id.replaceAll('-', '')}`
      await owner.unsafe(`create sequence ${numbers}`)
      await owner`select setval(${numbers}, ${1000 * this.#count})`
    }
  }

  /** By the code in the mail, where sign-ups are not confirmed by themselves. */
  async #confirm(email: string): Promise<Person> {
    const mails = await (await this.#services.app.request('/dev/mailbox.json')).json()
    const { text } = mails.find((mail: { to: string }) => mail.to === email)
    const token = /\b\d{6}\b/.exec(text)?.[0]
    return this.#enter('/auth/v1/verify', { type: 'signup', email, token, password })
  }

  async #enter(address: string, body: object): Promise<Person> {
    const headers = { 'content-type': 'application/json' }
    const answer = await this.#services.app.request(address, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    const session = await answer.json()
    assert.equal(answer.status, 200, JSON.stringify(session))
    if (!session.access_token) return this.#confirm(session.email)
    const { access_token: token, user } = session
    return { id: user.id, email: user.email, token, api: apiOf(this.#services, token) }
  }
}

export function apiOf(services: Services, token: string | undefined): Api {
  const send = async (request: Request) => {
    if (token) request.headers.set('authorization', `Bearer ${token}`)
    return services.app.request(request)
  }
  const clients = Object.entries(contracts).map(([feature, contract]) => [
    feature,
    client(contract, send, origin),
  ])
  return Object.fromEntries(clients)
}

/** The act is refused, for just this reason. */
export async function refuses(code: ProblemCode, act: Promise<unknown>) {
  await assert.rejects(act, (error: { code?: string; message: string }) => {
    assert.equal(error.code, code, `${error.code}: ${error.message}`)
    return true
  })
}

export const aKey = () => randomBytes(12).toString('hex')

/** The bearer of a person's token, for acts beside the contracts. */
export function callerOf({ id, token }: Person): Caller {
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
  return { user_id: id, session_id: claims.session_id, address: '', request_id: '' }
}
