// Answers a contract: reads the question, opens the transaction as the person who asks, tells the answer.
import type { Context, Hono } from 'hono'
import { z } from 'zod'
import type { Actor } from '#actor.ts'
import { Problem, type ProblemCode } from '#problems.ts'
import { AnsweredBefore, performOnce } from './idempotency.server.ts'
import { start, type Transactions, type Caller } from './transactions.server.ts'
import type { Contract, Endpoint } from './contract.ts'
import { toProblem } from './failures.server.ts'
import { readElsewhere, type Elsewhere } from './standby-reads.server.ts'
import { fileResponse, type FileAnswer } from './file-answer.server.ts'
import { originOf, type RequestPlace } from './hosts.server.ts'
import { parse } from './input.server.ts'
import { jsonAnswer } from './json-answer.server.ts'
import type { Tx } from './db.server.ts'
import type { OwnTx } from './tuning.server.ts'

/** A question's transaction may be shared with others, unless it is asked alone. */
type TxOf<E extends Endpoint> = E extends { method: 'GET'; kind: 'json' }
  ? E extends { alone?: true }
    ? OwnTx
    : Tx
  : OwnTx
type RequestArgs<E extends Endpoint> = RequestPlace & {
  tx: TxOf<E>
  actor: Actor
  input: z.output<E['input']>
  /** The time of an answer that was read on a standby. */
  as_of?: string
}
type StepwiseArgs<E extends Endpoint> = {
  input: z.output<E['input']>
  /** One transaction as the person who asks; an upload may need several. */
  within: <T>(work: (tx: Tx, actor: Actor) => Promise<T>) => Promise<T>
}
type UploadArgs<E extends Endpoint> = StepwiseArgs<E> & { body: ReadableStream<Uint8Array> }
type StreamArgs<E extends Endpoint> = {
  actor: Actor
  input: z.output<E['input']>
  signal: AbortSignal
  /** The actor as they are now; undefined once their session has ended. */
  again: () => Promise<Actor | undefined>
}

type UploadHandler<E extends Endpoint> = (args: UploadArgs<E>) => Promise<z.input<E['output']>>
type StepwiseHandler<E extends Endpoint> = (args: StepwiseArgs<E>) => Promise<z.input<E['output']>>
type StreamHandler<E extends Endpoint> = (args: StreamArgs<E>) => ReadableStream<Uint8Array>
type DownloadHandler<E extends Endpoint> = (args: RequestArgs<E>) => Promise<FileAnswer>
export type JsonHandler<E extends Endpoint> = (
  args: RequestArgs<E>,
) => Promise<z.input<E['output']>>
type Handler<E extends Endpoint> = {
  upload: UploadHandler<E>
  stepwise: StepwiseHandler<E>
  stream: StreamHandler<E>
  download: DownloadHandler<E>
  json: JsonHandler<E>
}[E['kind']]
export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> }

export type ServeTools = {
  app: Hono
  /** The beginning of every address. */
  prefix: string
  transactions: Transactions<Actor>
  /** The caller, or undefined for a visitor; throws where there is a token that is not valid. */
  caller: (c: Context) => Promise<Caller | undefined>
  /** Why this person may not call this act at all. */
  refusal: (actor: Actor, act: string) => ProblemCode | undefined
  seat: (actor: Actor, act: string) => Actor
  openToAll: (act: string) => boolean
  isLocal: (c: Context) => boolean
  publish: (topics: string[]) => void
  /** The place where what is `long` may be read. */
  elsewhere?: Elsewhere | undefined
}

const body_limit_bytes = 1024 * 1024

export function serve<C extends Contract>(
  tools: ServeTools,
  feature: string,
  contract: C,
  handlers: Handlers<C>,
) {
  for (const [name, endpoint] of Object.entries(contract)) {
    const handler = handlers[name] as Handler<Endpoint>
    const act = `${feature}.${name}`
    tools.app.on(endpoint.method, `${tools.prefix}${endpoint.path}`, (c) =>
      answer(tools, c, act, endpoint, handler),
    )
  }
}

/** Checks first of all, before any input is read, whether the actor may call an act; then the seat in which they do. */
export function admissionTo(tools: ServeTools, act: string, signed_in: boolean) {
  if (!signed_in && !tools.openToAll(act)) throw new Problem('not_signed_in')
  const check = (actor: Actor) => {
    const reason = tools.refusal(actor, act)
    if (reason) throw new Problem(reason)
  }
  const seat = (actor: Actor) => {
    check(actor)
    return tools.seat(actor, act)
  }
  const enter = (tx: Tx, actor: Actor) => {
    const seated = seat(actor)
    takeSeat(tx, actor, seated)
    return seated
  }
  return { check, seat, enter }
}

/** Makes the rest of the transaction act from this seat. */
export function takeSeat(tx: Tx, actor: Actor, seated: Actor) {
  if (seated.key) void start(tx`select act_with(${seated.key.right ?? ''})`)
  else if (seated !== actor) void start(tx`select act_as_employee()`)
}

async function answer(
  tools: ServeTools,
  c: Context,
  act: string,
  endpoint: Endpoint,
  handler: Handler<Endpoint>,
): Promise<Response> {
  const caller = await tools.caller(c)
  const { check, enter } = admissionTo(tools, act, caller !== undefined)
  if (endpoint.kind === 'upload') {
    const within = transactionsOf(tools, caller, enter)
    return receive(c, endpoint, handler as UploadHandler<Endpoint>, within)
  }
  if (endpoint.kind === 'stepwise') {
    const within = transactionsOf(tools, caller, enter)
    await within(async () => undefined) // who may not is told that first
    const input = parse(endpoint, await readInput(c, endpoint))
    return jsonAnswer(c, await (handler as StepwiseHandler<Endpoint>)({ input, within }))
  }
  const input = await readInput(c, endpoint)
  if (endpoint.kind === 'stream') {
    const who = async () =>
      (await tools.transactions.run(caller, async (_, actor) => actor, { reads: true })).answer
    const actor = await who()
    check(actor)
    const again = () => who().catch(nobodyIfSignedOut)
    const open = handler as StreamHandler<Endpoint>
    const { signal } = c.req.raw
    return streamResponse(open({ actor, input: parse(endpoint, input), signal, again }))
  }
  const place = { is_local: tools.isLocal(c), origin: originOf(c) }
  const act_on = (tx: Tx, actor: Actor, as_of?: string) =>
    (handler as AnyHandler)({
      tx: tx as OwnTx,
      actor,
      input: parse(endpoint, input),
      ...place,
      ...(as_of && { as_of }),
    })
  const call = { act, endpoint, input, caller, enter, act_on }
  if (endpoint.long && tools.elsewhere && !caller?.key) {
    const found = await fromElsewhere(tools, tools.elsewhere, call)
    if (found) return respond(c, endpoint, found.answer, found.as_of)
  }
  return respond(c, endpoint, await fromHere(tools, c, call))
}

type AnyHandler = (args: RequestArgs<Endpoint>) => Promise<unknown>
type ServedCall = {
  act: string
  endpoint: Endpoint
  input: Record<string, unknown>
  caller: Caller | undefined
  enter: Enter
  act_on: (tx: Tx, actor: Actor, as_of?: string) => Promise<unknown>
}

function respond(c: Context, { kind }: Endpoint, answer: unknown, as_of?: string) {
  const headers: Record<string, string> = as_of ? { 'as-of': as_of } : {}
  return kind === 'download'
    ? fileResponse(answer as FileAnswer, headers)
    : jsonAnswer(c, answer, headers)
}

async function fromHere(tools: ServeTools, c: Context, call: ServedCall): Promise<unknown> {
  const { act, endpoint, input, caller, enter, act_on } = call
  const key = endpoint.idempotent ? c.req.header('idempotency-key') : undefined
  const reads = endpoint.method === 'GET' && endpoint.kind === 'json'
  const work = tools.transactions.run(
    caller,
    async (tx, who, later) => {
      const actor = enter(tx, who)
      if (isRecorded(endpoint)) later(recordOf(tx, act, input))
      if (key === undefined) return act_on(tx, actor)
      return performOnce({ tx, actor, later }, { key, act, input }, () => act_on(tx, actor))
    },
    { reads },
  )
  const done = await work.catch((error: unknown) => {
    if (error instanceof AnsweredBefore) return { answer: error.answer, published: [] }
    throw error
  })
  tools.publish(done.published)
  return done.answer
}

async function fromElsewhere(tools: ServeTools, elsewhere: Elsewhere, call: ServedCall) {
  const { act, endpoint, input, caller, enter, act_on } = call
  const within = transactionsOf(tools, caller, enter)
  const found = await readElsewhere(elsewhere, { caller, within }, (tx, who, as_of) =>
    act_on(tx, enter(tx, who), as_of),
  )
  if (found && isRecorded(endpoint))
    await within(async (tx) => void (await recordOf(tx, act, input)))
  return found
}

const isRecorded = ({ kind, recorded }: Endpoint) => kind === 'download' && recorded !== false

/** A recorded download names its file, not the search behind it, which may be about health. */
const recordOf = (tx: Tx, act: string, { id, month, format }: Record<string, unknown>) => tx`
  select record_download(${act}, ${tx.json({ id, month, format })})`

type Enter = (tx: Tx, actor: Actor) => Actor
const transactionsOf =
  (tools: ServeTools, caller: Caller | undefined, enter: Enter): StepwiseArgs<Endpoint>['within'] =>
  async (work) => {
    const done = await tools.transactions.run(caller, async (tx, actor) =>
      work(tx, enter(tx, actor)),
    )
    tools.publish(done.published)
    return done.answer
  }

async function receive(
  c: Context,
  endpoint: Endpoint,
  handler: UploadHandler<Endpoint>,
  within: ReturnType<typeof transactionsOf>,
) {
  await within(async () => undefined) // who may not upload is told before the body is read
  const limit = endpoint.limit_bytes ?? body_limit_bytes
  if (Number(c.req.header('content-length') ?? 0) > limit) throw new Problem('too_large')
  const input = parse(endpoint, { ...c.req.query(), ...c.req.param() })
  const body = (c.req.raw.body ?? new Blob().stream()).pipeThrough(noMoreThan(limit))
  return jsonAnswer(c, await handler({ input, body, within }))
}

async function readInput(c: Context, endpoint: Endpoint): Promise<Record<string, unknown>> {
  const travelling = { ...c.req.query(), ...c.req.param() }
  if (endpoint.method === 'GET') return travelling
  const body = await readJson(c, endpoint.limit_bytes ?? body_limit_bytes)
  return { ...body, ...travelling }
}

const json = /^application\/json\b/i

export async function readJson(c: Context, limit_bytes: number, accepted = json) {
  if (Number(c.req.header('content-length') ?? 0) > limit_bytes) throw new Problem('too_large')
  const type = c.req.header('content-type') ?? ''
  // A request with a content length can send no more than that; one without is counted.
  const declared = c.req.header('content-length')
  if (declared === undefined && !c.req.raw.body) return {}
  if (type && !accepted.test(type)) throw new Problem('unsupported_media_type')
  const bytes = await (declared === undefined ? readCounted(c, limit_bytes) : c.req.arrayBuffer())
  if (bytes.byteLength === 0) return {}
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem('malformed_json')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Problem('malformed_json')
  }
  return body as Record<string, unknown>
}

const readCounted = (c: Context, limit_bytes: number) =>
  new Response(c.req.raw.body?.pipeThrough(noMoreThan(limit_bytes))).arrayBuffer()

function noMoreThan(limit_bytes: number) {
  let total = 0
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      total += chunk.byteLength
      if (total > limit_bytes) controller.error(new Problem('too_large'))
      else controller.enqueue(chunk)
    },
  })
}

function nobodyIfSignedOut(error: unknown): undefined {
  if (toProblem(error).code !== 'not_signed_in') throw error
}

function streamResponse(body: ReadableStream<Uint8Array>): Response {
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
  return new Response(body, { headers: { ...headers, 'x-accel-buffering': 'no' } })
}
