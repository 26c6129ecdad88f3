// /scim/v2: what a company's identity provider asks, by a key with a right of its own (docs/identity.md).
import type { Context, Hono } from 'hono'
import { siteUrl, type Config } from '#lib/config.server.ts'
import type { Sql, Tx } from '#lib/db.server.ts'
import { toProblem } from '#lib/failures.server.ts'
import { originOf } from '#lib/hosts.server.ts'
import type { Log } from '#lib/log.server.ts'
import { readJson } from '#lib/serve.server.ts'
import { start, type Caller, type Transactions } from '#lib/transactions.server.ts'
import type { Actor } from '#actor.ts'
import { Problem, problems, type ProblemCode } from '#problems.ts'
import { configOf, schemasOf, typesOf, urn } from './schemas.ts'
import type { Resource } from './patch.ts'
import { listAll, listed, listGroups, listScimUsers } from './reading.server.ts'
import type { ScimChange } from './scim.contract.ts'
import { groupActs, userActs, type ScimHandler, type ScimResponse } from './acts.server.ts'

type ScimServing = {
  app: Hono
  config: Config
  log: Log
  sql: { owner: Sql }
  transactions: Transactions<Actor>
  caller: (c: Context) => Promise<Caller>
  publish: (topics: string[]) => void
}

const prefix = '/scim/v2'
const body_limit_bytes = 4 * 1024 * 1024
const accepted = /^application\/(scim\+)?json\b/i
const right = 'people:provision'

export function serveScim(scim: ScimServing) {
  scim.app.all(`${prefix}/*`, async (c) => {
    try {
      const [place = '', id, ...rest] = partsOf(c)
      if (rest.length > 0) throw new Problem('not_found')
      return discovery(c, scim.config, place, id) ?? (await resources(scim, c, place, id))
    } catch (error) {
      return refusal(scim.log, c, error)
    }
  })
}

const partsOf = (c: Context) =>
  c.req.path.slice(prefix.length).split('/').filter(Boolean).map(decoded)

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Problem('not_found')
  }
}

/** The address to enter at the identity provider; answers contain it. */
export const baseAddress = (config: Config, origin: string) => siteUrl(config, origin) + prefix

/** SCIM's description of itself, open to everybody. */
function discovery(c: Context, config: Config, place: string, id?: string): Response | undefined {
  const base = baseAddress(config, originOf(c))
  const list: Resource[] | undefined =
    place === 'Schemas' ? schemasOf(base) : place === 'ResourceTypes' ? typesOf(base) : undefined
  if (!list && place !== 'ServiceProviderConfig') return undefined
  if (c.req.method !== 'GET') throw new Problem('method_not_allowed')
  if (c.req.query('filter')) throw new Problem('forbidden') // RFC 7644, 4
  if (!list) return jsonResponse(200, configOf(base))
  if (id === undefined) return jsonResponse(200, listed(list.length, 0, list))
  const one = list.find((found) => found['id'] === id)
  if (!one) throw new Problem('not_found')
  return jsonResponse(200, one)
}

/** Thrown to roll back a dry run, with the answer that it would have had. */
class DryRun extends Error {
  readonly answer: ScimResponse

  constructor(answer: ScimResponse) {
    super('dry run')
    this.answer = answer
  }
}

async function resources(
  scim: ScimServing,
  c: Context,
  place: string,
  id?: string,
): Promise<Response> {
  const caller = await scim.caller(c)
  const searches = (id ?? place) === '.search' && c.req.method === 'POST'
  const reads = c.req.method === 'GET' || searches
  const path = c.req.path.slice(prefix.length).slice(0, 200)
  const called = { method: c.req.method, path, dry_run: false, code: null, changes: [] }
  const note = (status: number, more: Partial<Noted> = {}) =>
    scim.sql.owner`select private.note_scim_call(${caller.key ?? null},
      ${scim.sql.owner.json({ ...called, status, ...more })})`
  try {
    const work = workOf(c, place, searches ? undefined : id, searches)
    const body = c.req.method === 'GET' ? {} : await readJson(c, body_limit_bytes, accepted)
    const run = scim.transactions.run(
      caller,
      async (tx, actor) => {
        const dry_run = await enter(tx, actor, reads)
        const company_id = actor.company_id ?? '' // every key has one
        const base = baseAddress(scim.config, originOf(c))
        const answer = await work({ tx, company_id, body, c, base, id })
        if (dry_run) throw new DryRun(answer)
        return answer
      },
      { reads },
    )
    const done = await run.catch((error: unknown) => {
      if (error instanceof DryRun) return { answer: error.answer, published: [], dry_run: true }
      throw error
    })
    const { answer, published } = done
    if (!reads) {
      await note(answer.status, { changes: answer.changes ?? [], dry_run: 'dry_run' in done })
    }
    scim.publish(published)
    return jsonResponse(answer.status, answer.body, answer.headers)
  } catch (error) {
    const { code } = toProblem(error)
    await note(statusOf(code), { code })
    throw error
  }
}

type Noted = { dry_run: boolean; code: string | null; changes: ScimChange[] }

async function enter(tx: Tx, actor: Actor, reads: boolean): Promise<boolean> {
  if (!actor.key?.rights.includes(right)) throw new Problem('key_right_missing')
  void start(tx`select act_with(${right})`)
  if (reads) return false
  const [{ dry_run }] = await tx<[{ dry_run: boolean }]>`select scim_dry_run() as dry_run`
  return dry_run
}

function workOf(c: Context, place: string, id: string | undefined, searches: boolean): ScimHandler {
  if (searches && place === '.search') {
    return async (request) => ({ status: 200, body: await listAll(request, request.body) })
  }
  const acts = place === 'Users' ? userActs : place === 'Groups' ? groupActs : undefined
  if (place === 'Me' || place === 'Bulk') throw new Problem('scim_not_offered')
  if (!acts) throw new Problem('not_found')
  if (searches || (id === undefined && c.req.method === 'GET')) {
    const list = place === 'Users' ? listScimUsers : listGroups
    return async (request) => ({
      status: 200,
      body: await list(request, searches ? request.body : c.req.query()),
    })
  }
  const method = c.req.method as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  const act = id === undefined ? (method === 'POST' ? acts.POST : undefined) : acts[method]
  if (!act || (id !== undefined && method === 'POST')) throw new Problem('method_not_allowed')
  return act
}

function jsonResponse(
  status: number,
  body?: Resource,
  headers: Record<string, string> = {},
): Response {
  if (!body) return new Response(null, { status, headers })
  const type = { 'content-type': 'application/scim+json; charset=utf-8' }
  return new Response(JSON.stringify(body), { status, headers: { ...type, ...headers } })
}

/** SCIM knows no 422. */
const statusOf = (code: ProblemCode) => (problems[code][0] === 422 ? 400 : problems[code][0])

const types: Partial<Record<ProblemCode, string>> = {
  scim_filter: 'invalidFilter',
  scim_path: 'invalidPath',
  scim_syntax: 'invalidSyntax',
  malformed_json: 'invalidSyntax',
  scim_value: 'invalidValue',
  invalid_input: 'invalidValue',
  no_such_member: 'invalidValue',
  outside_proven_domains: 'invalidValue',
  scim_no_target: 'noTarget',
  address_in_use: 'mutability',
  user_name_taken: 'uniqueness',
  group_taken: 'uniqueness',
  personnel_number_taken: 'uniqueness',
  email_taken: 'uniqueness',
  already_here: 'uniqueness',
}

function refusal(log: Log, c: Context, error: unknown): Response {
  const { code, facts } = toProblem(error)
  const status = statusOf(code)
  const request_id = c.get('request_id')
  if (status >= 500 && status !== 501) {
    log.error({ err: error, request_id, path: c.req.path }, code)
  }
  c.set('refused', code)
  if (status === 401 || status === 403)
    log.info({ code, route: prefix, who: c.get('caller'), request_id }, 'refused')
  const name = facts?.['name']
  const detail = `${problems[code][1]}${name ? `: ${name}` : ''}`
  const body = { schemas: [urn.error], status: String(status), scimType: types[code], detail }
  const headers: Record<string, string> = {
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    ...(status === 503 ? { 'retry-after': '2' } : {}),
    ...(status === 429 ? { 'retry-after': '1' } : {}),
  }
  return jsonResponse(status, body, headers)
}
