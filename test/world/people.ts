// Companies and their people, who come by the front door of a server: one in this process, or one at an address. And how
// their acts end.
import { randomBytes } from 'node:crypto'
import assert from 'node:assert/strict'
import { contracts } from '#contracts.ts'
import { client, type Client } from '#lib/contract.ts'
import type { Sql } from '#lib/db.server.ts'
import type { Caller } from '#lib/transactions.server.ts'
import type { ProblemCode } from '#problems.ts'

type Contracts = typeof contracts
export type Api = { [Feature in keyof Contracts]: Client<Contracts[Feature]> }
export type Person = { id: string; email: string; token: string; api: Api }
export type Company = {
  id: string
  admin: Person
  domain: string
  hire: (name?: string) => Promise<Person>
  /** Another admin. */
  appoint: (name: string) => Promise<Person>
}
/** Its app, or where it listens. */
export type Front =
  | { app: { request: (request: Request) => Response | Promise<Response> } }
  | { origin: string }

const inside = 'http://127.0.0.1'
export const password = 'a quiet harbour at dawn'

const send = (front: Front, request: Request) =>
  'app' in front ? front.app.request(request) : fetch(request)
const originOf = (front: Front) => ('app' in front ? inside : front.origin)

/** A request outside of the contracts. */
export function postJson(
  front: Front,
  path: string,
  body: object,
  more: Record<string, string> = {},
) {
  const headers = { 'content-type': 'application/json', ...more }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  return send(front, new Request(originOf(front) + path, init))
}

export function apiFor(front: Front, token: string | undefined): Api {
  const ask = async (request: Request) => {
    if (token) request.headers.set('authorization', `Bearer ${token}`)
    return send(front, request)
  }
  const clients = Object.entries(contracts).map(([feature, contract]) => [
    feature,
    client(contract, ask, originOf(front)),
  ])
  return Object.fromEntries(clients)
}

class People {
  #count = 0
  readonly #front: Front
  readonly #sql: Sql

  constructor(front: Front, sql: Sql) {
    this.#front = front
    this.#sql = sql
  }

  signUp = async (
    email: string,
    role: string,
    more: Record<string, string> = {},
  ): Promise<Person> => {
    const data = { full_name: email.split('@')[0]!, role, ...more }
    return this.#enter('/auth/v1/signup', { email, password, data })
  }

  signIn = (email: string, word = password) =>
    this.#enter('/auth/v1/token?grant_type=password', { email, password: word })

  /** Gives the password once more, as dialogs ask for it; answers whether it was right. */
  confirm = async ({ token }: Person, secret = password): Promise<boolean> => {
    const bearer = { authorization: `Bearer ${token}` }
    return (await postJson(this.#front, '/auth/v1/confirmation', { password: secret }, bearer)).ok
  }

  /** Their sign-in is no fresh one any more. */
  stale = async ({ id }: Person) => {
    await this.#sql`
      update auth.amr_claims m set at = now() - interval '6 minutes'
        from auth.sessions s where s.id = m.session_id and s.user_id = ${id}`
  }

  superAdmin = async (): Promise<Person> => {
    const email = `provider${(this.#count += 1)}@healthfund.test`
    const person = await this.signUp(email, 'super_admin')
    await this.#sql`update profiles set status = 'active' where id = ${person.id}`
    return person
  }

  /** A company with one admin; `active` unless told otherwise, and its domain takes in whoever signs up. */
  company = async ({
    name = 'Acme',
    status = 'active',
    admin: full_name = 'admin',
    own_domain = '',
  } = {}): Promise<Company> => {
    this.#count += 1
    const domain = own_domain || `${name.toLowerCase().replace(/\W/g, '')}${this.#count}.test`
    const address = (who: string) => `${who.toLowerCase().replaceAll(' ', '.')}@${domain}`
    const more = { full_name, company_name: name }
    const admin = await this.signUp(address(full_name), 'company_admin', more)
    const [company] = await this.#sql<[{ id: string }]>`
      update companies set status = ${status}, domain_auto_register = true
      where domain = ${domain} returning id`
    await this.#countApart(company.id)
    let hired = 0
    const hire = (who?: string) =>
      this.signUp(address(who ?? `person${(hired += 1)}`), 'employee', {
        full_name: who ?? `Person ${hired}`,
      })
    const appoint = async (who: string) => {
      const { id, email } = await hire(who)
      await this.#sql`update profiles set role = 'company_admin' where id = ${id}`
      return this.signIn(email)
    }
    return { id: company.id, admin, domain, hire, appoint }
  }

  /** So that a number of one company is never by chance another's: what finds something by it is wrong. */
  async #countApart(company_id: string) {
    for (const thing of ['claims', 'pay_runs']) {
      const numbers = `private.${thing}_of_${company_id.replaceAll('-', '')}`
      await this.#sql.unsafe(`create sequence ${numbers}`)
      await this.#sql`select setval(${numbers}, ${1000 * this.#count})`
    }
  }

  /** Confirms by the code in the mail, where sign-ups are not confirmed automatically. */
  async #confirm(email: string): Promise<Person> {
    const mailbox = new Request(`${originOf(this.#front)}/dev/mailbox.json`)
    const mails = await (await send(this.#front, mailbox)).json()
    const { text } = mails.find((mail: { to: string }) => mail.to === email)
    const token = /\b\d{6}\b/.exec(text)?.[0]
    return this.#enter('/auth/v1/verify', { type: 'signup', email, token, password })
  }

  async #enter(path: string, body: object): Promise<Person> {
    const answer = await postJson(this.#front, path, body)
    const session = await answer.json()
    assert.equal(answer.status, 200, JSON.stringify(session))
    if (!session.access_token) return this.#confirm(session.email)
    return personOf(this.#front, session)
  }
}

export async function crowdOf(company: Pick<Company, 'hire'>, size: number) {
  const crowd: Person[] = []
  for (let at = 0; at < size; at += 1) crowd.push(await company.hire())
  return crowd
}

export function peopleAt(front: Front, sql: Sql) {
  const { signUp, signIn, superAdmin, company, confirm, stale } = new People(front, sql)
  return { signUp, signIn, superAdmin, company, confirm, stale }
}

export type AuthSession = { access_token: string; user: { id: string; email: string } }

export const personOf = (front: Front, { access_token: token, user }: AuthSession): Person => ({
  id: user.id,
  email: user.email,
  token,
  api: apiFor(front, token),
})

/** The act is refused, for just this reason. */
export async function refuses(code: ProblemCode, act: Promise<unknown>) {
  await assert.rejects(act, (error: { code?: string; message: string }) => {
    assert.equal(error.code, code, `${error.code}: ${error.message}`)
    return true
  })
}

/** Acts that were sent at the same moment: the answers of those that were done, the codes of those refused. */
export const won = <T>(all: readonly PromiseSettledResult<T>[]): T[] =>
  all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
export const lost = (all: readonly PromiseSettledResult<unknown>[]): string[] =>
  all.flatMap((one) => (one.status === 'rejected' ? [one.reason.code as string] : []))

export const aKey = () => randomBytes(12).toString('hex')

type AccessClaims = {
  sub: string
  session_id: string
  amr: [{ method: string; timestamp: number; provider?: string }]
  iat: number
  exp: number
  app_metadata: Record<string, unknown>
  [claim: string]: unknown
}
/** A token's claims about its bearer. */
export const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as AccessClaims

/** The bearer of a person's token, for acts beside the contracts. */
export const callerOf = ({ id, token }: Person): Caller => ({
  user_id: id,
  session_id: claimsOf(token)['session_id'],
  address: '',
  request_id: '',
})
