// Answers a screen's questions of one turn in one transaction: the caller is looked up once, and their queries travel together.
// Each question is checked, measured and answered as if it came alone.
import type { Context } from 'hono'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { most_together, together, type Contract, type Endpoint } from './contract.ts'
import { problemBody, toProblem } from './failures.server.ts'
import { originOf, type RequestPlace } from './hosts.server.ts'
import { parse } from './input.server.ts'
import { jsonAnswer } from './json-answer.server.ts'
import type { Log } from './log.server.ts'
import {
  admissionTo,
  takeSeat,
  type Handlers,
  type JsonHandler,
  type ServeTools,
} from './serve.server.ts'
import { already_failed } from './pg-query.server.ts'
import { start } from './transactions.server.ts'
import type { OwnTx } from './tuning.server.ts'
import type { Tx } from './db.server.ts'

type ActQuestion = {
  act: string
  endpoint: Endpoint
  handler: JsonHandler<Endpoint>
  address: RegExp
}
type TogetherRequest = {
  tools: ServeTools
  questions: ActQuestion[]
  c: Context
  log: Log
  place: RequestPlace
  signed_in: boolean
}
export type Feature = [name: string, contract: Contract, handlers: Handlers<Contract>]
/** The outcome of one question, for the metrics. */
export type AnsweredPart = { route: string; status: number; seconds: number }
type AnsweredQuestion = AnsweredPart & { answer: unknown }
/** A question that the caller may ask, and the seat for it. */
type Admitted = { at: number; question: ActQuestion; seated: Actor; ask: () => Promise<unknown> }

export function serveTogether(tools: ServeTools, features: Feature[], log: Log) {
  const questions = features.flatMap(([feature, contract, handlers]) =>
    Object.entries(contract).flatMap(([name, endpoint]) => {
      if (endpoint.method !== 'GET' || endpoint.kind !== 'json') return []
      const address = new RegExp(`^${endpoint.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
      const handler = handlers[name] as JsonHandler<Endpoint>
      return [{ act: `${feature}.${name}`, endpoint, handler, address }]
    }),
  )
  tools.app.get(tools.prefix + together, async (c: Context) => {
    const addresses = askedAddresses(c)
    if (addresses.length > most_together) throw new Problem('invalid_input')
    const caller = await tools.caller(c)
    const place = { is_local: tools.isLocal(c), origin: originOf(c) }
    const request = { tools, questions, c, log, place, signed_in: caller !== undefined }
    const all = async (one_by_one: boolean) => {
      const { answer } = await tools.transactions.run(
        caller,
        (tx, actor) => answersTo(request, addresses, tx, actor, one_by_one),
        { reads: true },
      )
      return answer
    }
    // A database failure takes the transaction with it: then the questions are asked one by one.
    const answers = await all(false).catch((error: unknown) => {
      if (concernsAll(error)) throw error
      return all(true)
    })
    c.set('parts', answers)
    return jsonAnswer(
      c,
      answers.map(({ status, answer }) => ({ status, answer })),
    )
  })
}

/** The addresses of the questions, without the common beginning: `/funds?plan_year=2026-01-01`. */
export const askedAddresses = (c: Context) => c.req.queries('ask') ?? []

/** Whether a failure concerns all questions: there is no database, or nobody is signed in any more. */
const concernsAll = (error: unknown) =>
  ['unavailable', 'not_signed_in'].includes(toProblem(error).code)

async function answersTo(
  request: TogetherRequest,
  addresses: string[],
  tx: Tx,
  actor: Actor,
  one_by_one: boolean,
): Promise<AnsweredQuestion[]> {
  const answers: AnsweredQuestion[] = []
  const admitted = addresses.flatMap((address, at) => {
    const found = admit(request, tx, actor, address)
    if (!('answer' in found)) return [{ ...found, at }]
    answers[at] = found
    return []
  })
  const batches = batchesOf(admitted, one_by_one)
  for (const [nth, batch] of batches.entries()) {
    const [first] = batch
    const more = nth < batches.length - 1
    // A savepoint ends a failure, a seat or tuning with the batch that had it.
    const apart = more && (batch.length === 1 || first.seated !== actor)
    if (apart) void start(tx`savepoint before`)
    takeSeat(tx, actor, first.seated)
    const answer = async (one: Admitted) => {
      answers[one.at] = await answerTo(request, one, one_by_one)
    }
    await Promise.all(batch.map(answer))
    if (apart) void start(tx`rollback to savepoint before`)
  }
  return answers
}

/**
 * Questions from one seat share a batch. A question is alone in its batch in the second round, or if it tunes the transaction.
 */
function batchesOf(admitted: Admitted[], one_by_one: boolean) {
  const batches = new Map<string, [Admitted, ...Admitted[]]>()
  for (const one of admitted) {
    const name =
      one_by_one || one.question.endpoint.alone ? String(one.at) : JSON.stringify(one.seated)
    const batch = batches.get(name)
    if (batch) batch.push(one)
    else batches.set(name, [one])
  }
  // The largest batches come first, and the last one needs no savepoint, as nothing comes behind it.
  return [...batches.values()].sort((a, b) => b.length - a.length)
}

function admit(request: TogetherRequest, tx: Tx, actor: Actor, address: string) {
  const { tools, questions, place, signed_in } = request
  const began = performance.now()
  const [path = '', query] = address.split('?', 2)
  const question = questions.find((one) => one.address.test(path))
  try {
    if (!question) throw new Problem('not_found')
    const { act, endpoint, handler } = question
    const seated = admissionTo(tools, act, signed_in).seat(actor)
    const in_path = Object.entries(question.address.exec(path)?.groups ?? {})
    const input = Object.fromEntries([
      ...new URLSearchParams(query),
      ...in_path.map(([name, value]) => [name, decoded(value)]),
    ])
    const parsed = parse(endpoint, input)
    // The handler's own transaction, as far as its contract has it so: `batchesOf`.
    const ask = () => handler({ tx: tx as OwnTx, actor: seated, input: parsed, ...place })
    return { question, seated, ask }
  } catch (error) {
    return failure(request, routeOf(request, question), began, error)
  }
}

async function answerTo(
  request: TogetherRequest,
  { question, ask }: Admitted,
  one_by_one: boolean,
): Promise<AnsweredQuestion> {
  const began = performance.now()
  const route = routeOf(request, question)
  try {
    const answer = await ask()
    return { route, status: 200, seconds: secondsSince(began), answer }
  } catch (error) {
    // In the one-by-one round, "the transaction has failed" and "there is no database" are not this question's own failures.
    const of_all = (error as { code?: string }).code === already_failed || concernsAll(error)
    if (of_all || !(one_by_one || error instanceof Problem)) throw error
    return failure(request, route, began, error)
  }
}

const secondsSince = (began: number) => (performance.now() - began) / 1000

const routeOf = ({ tools }: TogetherRequest, question: ActQuestion | undefined) =>
  question ? tools.prefix + question.endpoint.path : `${tools.prefix}/*`

function failure(
  { c, log }: TogetherRequest,
  route: string,
  began: number,
  error: unknown,
): AnsweredQuestion {
  const answer = problemBody(error, c, log, route)
  return { route, status: answer.status, seconds: secondsSince(began), answer }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    throw new Problem('not_found')
  }
}
