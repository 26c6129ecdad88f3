// Errors as problems: one of ours, one of the database's, or one that nobody foresaw.
import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isProblemCode, Problem, problems } from '#problems.ts'
import type { Log } from './log.server.ts'

/** Every error becomes a problem; what nobody foresaw is logged once, under the request's id. */
export function toResponse(error: unknown, c: Context, log: Log): Response {
  const body = problemBody(error, c, log, c.req.routePath)
  if (body.status === 503) c.header('retry-after', '2')
  return c.json(body, body.status as ContentfulStatusCode)
}

/** The problem of one question among several. */
export function problemBody(error: unknown, c: Context, log: Log, route: string) {
  const request_id = c.get('request_id') ?? randomUUID()
  const problem = toProblem(error)
  const [status, title] = problems[problem.code]
  if (status >= 500) log.error({ err: error, request_id, path: c.req.path, route }, problem.code)
  const { code, fields, facts } = problem
  c.set('refused', code)
  // Refusals are logged, so that probing leaves a trail: the person's id and the route's pattern, without its values.
  if (status === 401 || status === 403)
    log.info({ code, route, who: c.get('caller'), request_id }, 'refused')
  return { code, title, status, fields, facts, ...(status === 500 ? { request_id } : {}) }
}

type DatabaseError = { code?: string; constraint?: string; message?: string }

export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code = '', constraint, message } = (error ?? {}) as DatabaseError
  if (isProblemCode(constraint)) return new Problem(constraint)
  // `raise exception 'claim_already_decided' using errcode = 'HF422'` in a function of ours
  if (code === 'HF422' && isProblemCode(message)) return new Problem(message)
  if (code === 'HF401') return new Problem('not_signed_in')
  if (code.startsWith('22')) return new Problem('invalid_input') // a value no column can hold
  if (code === '53100') return new Problem('storage_full') // the disk of the database
  if (away.test(code)) return new Problem('unavailable')
  if (code === '25006') return new Problem('unavailable') // a primary that has become a standby
  if (code === '57014' || code === '55P03' || code === '40P01') return new Problem('busy')
  return new Problem('internal')
}

/** The database is not there, is going away or takes no more connections. */
const away = /^(08|53|57P0|CONNECT|CONNECTION_|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|3D000|28)/
