// A company's identity provider, as the server sees one: requests of SCIM with a key that has its right.
import assert from 'node:assert/strict'
import { problems, type ProblemCode } from '#problems.ts'
import type { JsonBody } from '../auth-service.ts'
import { keyOf } from './keys.ts'
import type { Company } from './people.ts'
import type { Scene } from './scene.ts'

export const user_schema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
export const group_schema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const patch_schema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

export type ScimAnswer = { status: number; body: JsonBody; headers: Headers }
export type ScimAsk = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<ScimAnswer>

export const scimClient =
  ({ services }: Scene, secret: string | undefined): ScimAsk =>
  async (method, path, body, headers = {}) => {
    const answer = await services.app.request(`http://127.0.0.1/scim/v2${path}`, {
      method,
      headers: {
        ...(secret ? { authorization: `Bearer ${secret}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (text) assert.match(answer.headers.get('content-type') ?? '', /^application\/scim\+json/)
    return { status: answer.status, body: text ? JSON.parse(text) : {}, headers: answer.headers }
  }

const ascending = (a: number, b: number) => a - b
/** The statuses of answers to simultaneous requests, sorted. */
export const scimStatusesOf = async (answer: Promise<ScimAnswer>[]) =>
  (await Promise.all(answer)).map(({ status }) => status).toSorted(ascending)

export type ScimProvider = Awaited<ReturnType<typeof providerOf>>

/** The identity provider of a company, whose domain is proven. */
export async function providerOf(scene: Scene, company: Company) {
  const key = await keyOf(scene, company.admin, ['people:provision'])
  const ask = scimClient(scene, key.secret)
  const patch = (path: string, ...Operations: JsonBody[]) =>
    ask('PATCH', path, { schemas: [patch_schema], Operations })
  let made = 0
  /** A person it makes, with what else is said of them. */
  const add = async (name = `Person ${(made += 1)}`, more: JsonBody = {}) => {
    const answer = await ask('POST', '/Users', newUser(company, name, more))
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body as JsonBody & { id: string }
  }
  const account_state = async (id: string) => {
    const [row] = await scene.sql<
      [{ account_state: string; left_on: string | null; department: string }]
    >`
      select account_state, left_on, department from profiles where id = ${id}`
    return row
  }
  return { key, ask, patch, add, account_state }
}

export function newUser({ domain }: Company, name: string, more: JsonBody = {}): JsonBody {
  const plain = name.normalize('NFD').replace(/[\u0300-\u036f]/g, '')
  const address = `${plain.toLowerCase().replace(/\W+/g, '.')}@${domain}`
  const [givenName, ...rest] = name.split(' ')
  return {
    schemas: [user_schema],
    userName: address,
    name: { givenName, familyName: rest.join(' ') || undefined },
    emails: [{ value: address, type: 'work', primary: true }],
    active: true,
    ...more,
  }
}

/** SCIM has one status and type for many problems: `code` says of which one the sentence is. */
export const assertScimRefused = (
  { status, body }: ScimAnswer,
  expected: number,
  scimType?: string,
  code?: ProblemCode,
) => {
  assert.deepEqual([status, body['scimType']], [expected, scimType], JSON.stringify(body))
  const sentence = code ? problems[code][1] : ''
  assert.equal(body['detail'].slice(0, sentence.length), sentence) // it may name a field behind it
  assert.deepEqual(body['schemas'], ['urn:ietf:params:scim:api:messages:2.0:Error'])
  assert.equal(body['status'], String(expected))
}

/** Somebody who has come in by the link of the mail. */
export async function markSignedIn({ sql }: Scene, id: string): Promise<void> {
  await sql`update auth.users set email_confirmed_at = now(), last_sign_in_at = now()
    where id = ${id}`
}
