// A screen's questions of one turn are answered in one transaction: the caller is looked up once, and all answers are of
// one moment. Each question is one of the contracts', refused, measured and answered as if it had come alone.
import type { Context } from 'hono'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { most_together, together, type Contract, type Endpoint } from './contract.ts'
import { problemBody, toProblem } from './failures.server.ts'
import { parse } from './input.server.ts'
import type { Log } from './log.server.ts'
import { entering, type Handlers, type JsonHandler, type Serving } from './serve.server.ts'
import { failed_already, start } from './transactions.server.ts'
import type { Tx } from './db.server.ts'

type Question = {
  act: string
  endpoint: Endpoint
  handler: JsonHandler<Endpoint>
  address: RegExp
}
type Asking = { serving: Serving; c: Context; log: Log; is_local: boolean; signed_in: boolean }
export type Feature = [name: string, contract: Contract, handlers: Handlers<Contract>]
/** The outcome of one question, for the metrics. */
export type AnsweredPart = { route: string; status: number; seconds: number }

export function serveTogether(serving: Serving, features: Feature[], log: Log) {
  const questions = features.flatMap(([feature, contract, handlers]) =>
    Object.entries(contract).flatMap(([name, endpoint]) => {
      if (endpoint.method !== 'GET' || endpoint.kind !== 'json') return []
      const address = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
      const handler = handlers[name] as JsonHandler<Endpoint>
      return [{ act: `${feature}.${name}`, endpoint, handler, address }]
    }),
  )
  serving.app.get(serving.prefix + together, async (c: Context) => {
    const addresses = askedTogether(c)
    if (addresses.length > most_together) throw new Problem('invalid_input')
    const caller = await serving.caller(c)
    const is_local = serving.isLocal(c)
    const asking = { serving, c, log, is_local, signed_in: caller !== undefined }
    const { answer } = await serving.transactions.run(
      caller,
      async (tx, actor) => {
        void start(tx`savepoint asked`)
        const parts: AnsweredPart[] = []
        const answers: { status: number; answer: unknown }[] = []
        for (const address of addresses) {
          const began = performance.now()
          const [route, status, answer] = await answerTo(asking, questions, tx, actor, address)
          answers.push({ status, answer })
          parts.push({ route, status, seconds: (performance.now() - began) / 1000 })
          // Settings made for one question end with it, and so does its failure.
          void start(tx`rollback to savepoint asked`)
        }
        c.set('parts', parts)
        return answers
      },
      { reads: true },
    )
    return c.json(answer)
  })
}

/** Each without what all addresses begin with: `/funds?plan_year=2026-01-01`. */
export const askedTogether = (c: Context) => c.req.queries('ask') ?? []

type RouteAnswer = [route: string, status: number, answer: unknown]

async function answerTo(
  asking: Asking,
  questions: Question[],
  tx: Tx,
  actor: Actor,
  address: string,
): Promise<RouteAnswer> {
  const { serving, c, log, is_local, signed_in } = asking
  const [path = '', query] = address.split('?', 2)
  const question = questions.find((one) => one.address.test(path))
  const route = question ? serving.prefix + question.endpoint.path : `${serving.prefix}/*`
  try {
    if (!question) throw new Problem('not_found')
    const { act, endpoint, handler } = question
    const seated = entering(serving, act, signed_in).enter(tx, actor)
    const in_path = Object.entries(question.address.exec(path)?.groups ?? {})
    const input = Object.fromEntries([
      ...new URLSearchParams(query),
      ...in_path.map(([name, value]) => [name, decoded(value)]),
    ])
    const ask = { tx, actor: seated, input: parse(endpoint, input), is_local }
    return [route, 200, await handler(ask)]
  } catch (error) {
    // Then it is none of this question's: the transaction failed, or there is no database.
    if ((error as { code?: string }).code === failed_already) throw error
    if (toProblem(error).code === 'unavailable') throw error
    const body = problemBody(error, c, log, route)
    return [route, body.status, body]
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new Problem('not_found')
  }
}
