// The shape of question and answer: one object from which the server validates, the client calls,
// the tests ask and the OpenAPI page is written.
import { z } from 'zod'
import { isProblemCode, Problem } from '#problems.ts'

/** Words for missing, too long and not a number, in place of the validator's. */
z.config({
  customError: (issue) => {
    if (issue.input === undefined) return 'Please fill in this field'
    const { inclusive } = issue
    if (issue.code === 'too_big') {
      return bound(inclusive ? 'At most' : 'Less than', issue['maximum'], issue['origin'])
    }
    if (issue.code === 'too_small') {
      return bound(inclusive ? 'At least' : 'More than', issue['minimum'], issue['origin'])
    }
    if (issue.code !== 'invalid_type') return undefined
    if (issue['expected'] === 'int') return 'Enter a whole number'
    return issue['expected'] === 'number' ? 'Enter a number' : undefined
  },
})

function bound(limit: string, value: unknown, of: unknown): string {
  const unit = of === 'string' ? (value === 1 ? ' character' : ' characters') : ''
  return `${limit} ${Number(value).toLocaleString('en-GB')}${unit}`
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * How question and answer travel: as JSON, as a file that is sent, received, or as live events. What is `stepwise` travels
 * as JSON, too: its handler does something between transactions that takes its time.
 */
type EndpointKind = 'json' | 'stepwise' | 'upload' | 'download' | 'stream'

export type Endpoint<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  K extends EndpointKind = EndpointKind,
> = { method: Method; path: string; input: I; output: O; kind: K } & Options

type Options = {
  /**
   * Accepts an Idempotency-Key: the same key with the same body gets the same answer. All that such an act does must be in its
   * transaction, since a retry begins it and rolls it back.
   */
  idempotent?: boolean
  /** A question whose handler tunes its transaction is alone in it (lib/tuning.server.ts). */
  alone?: boolean
  /** The largest body, in bytes. */
  limit_bytes?: number
  /** Reads much and may be a moment late: it is read on the standby, if there is one, and answers as of when. */
  long?: boolean
  /** The record of changes says that a download was taken, unless it is the reader's own. */
  recorded?: boolean
}

export type Contract = Record<string, Endpoint>

const json =
  <M extends Method>(method: M) =>
  <I extends z.ZodObject, O extends z.ZodType, A extends boolean = false>(
    path: string,
    input: I,
    output: O,
    options: Options & { alone?: A } = {},
  ): Endpoint<I, O, 'json'> & { method: M; alone?: A } => ({
    method,
    path,
    input,
    output,
    kind: 'json',
    ...options,
  })

export const get = json('GET')
export const post = json('POST')
export const put = json('PUT')
export const patch = json('PATCH')
export const del = json('DELETE')

export const stepwise = <I extends z.ZodObject, O extends z.ZodType>(
  path: string,
  input: I,
  output: O,
): Endpoint<I, O, 'stepwise'> => ({ method: 'POST', path, input, output, kind: 'stepwise' })

/** A file goes up as the body itself; the input's fields travel in the path and the query. */
export const upload = <I extends z.ZodObject, O extends z.ZodType>(
  path: string,
  input: I,
  output: O,
  options: Options = {},
): Endpoint<I, O, 'upload'> => ({ method: 'POST', path, input, output, kind: 'upload', ...options })

export const download = <I extends z.ZodObject>(
  path: string,
  input: I,
  options: Options = {},
): Endpoint<I, z.ZodType<File>, 'download'> => ({
  method: 'GET',
  path,
  input,
  output: z.instanceof(File),
  kind: 'download',
  ...options,
})

export const stream = <I extends z.ZodObject, O extends z.ZodType>(
  path: string,
  input: I,
  output: O,
): Endpoint<I, O, 'stream'> => ({ method: 'GET', path, input, output, kind: 'stream' })

export type CallOptions = {
  idempotency_key?: string
  signal?: AbortSignal
  file?: Blob
  /** Hears how much of the file is on its way, from 0 to 1. */
  progress?: (share: number) => void
}
type Call<E extends Endpoint> = ((
  input: z.input<E['input']>,
  options?: CallOptions,
) => Promise<z.output<E['output']>>) & { key: string }
export type Client<C extends Contract> = { [Name in keyof C]: Call<C[Name]> }
export type Send = (
  request: Request,
  options?: CallOptions,
  endpoint?: Endpoint,
) => Promise<Response>

export const API = '/api'
/** The address that answers several questions at once, and how many at most. */
export const together = '/together'
export const most_together = 24

export function client<C extends Contract>(contract: C, send: Send, origin: string): Client<C> {
  const calls = Object.values(contract).map((endpoint) => {
    const call = async (input: Record<string, unknown>, options: CallOptions = {}) =>
      readAnswer(
        endpoint,
        await send(toRequest(endpoint, origin, input, options), options, endpoint),
      )
    return Object.assign(call, { key: `${endpoint.method} ${endpoint.path}` })
  })
  const names = Object.keys(contract)
  return Object.fromEntries(names.map((name, at) => [name, calls[at]])) as unknown as Client<C>
}

export function toRequest(
  endpoint: Endpoint,
  origin: string,
  input: Record<string, unknown>,
  options: CallOptions = {},
): Request {
  const rest = { ...input }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const inQuery = endpoint.method === 'GET' || endpoint.kind === 'upload'
  const url = origin + API + path + (inQuery ? toQuery(rest) : '')
  const headers = new Headers()
  if (options.idempotency_key) headers.set('idempotency-key', options.idempotency_key)
  const request: RequestInit = { method: endpoint.method, headers }
  if (options.signal) request.signal = options.signal
  if (endpoint.kind === 'upload') {
    headers.set('content-type', options.file?.type || 'application/octet-stream')
    request.body = options.file ?? new Blob()
  } else if (!inQuery) {
    headers.set('content-type', 'application/json')
    request.body = JSON.stringify(rest)
  }
  return new Request(url, request)
}

function toQuery(values: Record<string, unknown>): string {
  const present = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  const pairs = present.map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

async function readAnswer(endpoint: Endpoint, response: Response): Promise<unknown> {
  if (!response.ok) throw await readProblem(response)
  if (endpoint.kind === 'download') return readFile(response)
  if (endpoint.kind === 'stream') return response.body
  return endpoint.output.parse(await response.json())
}

/** The file, under the name that the server gives it. */
async function readFile(response: Response): Promise<File> {
  const [, name = ''] =
    /filename\*=UTF-8''([^;]*)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  const content = await response.blob()
  const as_of = response.headers.get('as-of')
  const file = new File([content], decodeURIComponent(name), { type: content.type })
  return Object.assign(file, as_of && { as_of })
}

async function readProblem(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null)
  const { code, fields, facts } = ProblemBody.catch({ code: 'unavailable' }).parse(body)
  return new Problem(isProblemCode(code) ? code : 'internal', { fields, facts })
}

/** Why an act may not be done now, as its rule in SQL answers; null where it may. */
export const Refusal = z.string().refine(isProblemCode).nullable()

/** Typed into a search. */
export const SearchText = z.string().trim().max(100)

const ProblemBody = z.object({
  code: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
  facts: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})
