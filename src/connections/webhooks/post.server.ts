// One try to deliver: within a time and a size, and never to an address that is not public.
import http from 'node:http'
import https from 'node:https'
import {
  isRefused,
  lookupWithin,
  refuseAddress,
  type AllowList,
  type Resolve,
} from '#lib/addresses.server.ts'

const most_ms = 15_000
/** How much of an answer is read, and how much of that is kept. */
const read_bytes = 2000
const kept_characters = 300

type PostFault = 'answer' | 'redirect' | 'time' | 'address' | 'name' | 'certificate' | 'connection'
export type PostOutcome = {
  code: number | null
  fault: PostFault | null
  took_ms: number
  answer: string | null
}
type PostRequest = {
  url: string
  headers: Record<string, string>
  body: string
  allowed: AllowList
  ending: AbortSignal
  resolve?: Resolve | undefined
  within_ms?: number
}

/** The outcome; undefined if it was given up because the worker ends. */
export async function postDelivery(request: PostRequest): Promise<PostOutcome | undefined> {
  const began = performance.now()
  const time = AbortSignal.timeout(request.within_ms ?? most_ms)
  const outcome = await attempt(request, time).catch((error: unknown) => ({
    code: null,
    fault: time.aborted ? ('time' as const) : faultOf(error),
    answer: null,
  }))
  if (request.ending.aborted && outcome.code === null) return undefined
  return { ...outcome, took_ms: Math.round(performance.now() - began) }
}

async function attempt(request: PostRequest, time: AbortSignal) {
  const { allowed, body, headers, resolve } = request
  const url = new URL(request.url)
  // The operator may have allowed it once, and not any more.
  refuseAddress(url, allowed)
  const { promise, resolve: answered, reject } = Promise.withResolvers<http.IncomingMessage>()
  const outgoing = (url.protocol === 'https:' ? https : http).request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent: false, // a connection of its own, looked at again, and by no proxy of the environment
    lookup: lookupWithin(allowed, resolve),
    signal: AbortSignal.any([time, request.ending]),
    maxHeaderSize: 16_384,
  })
  // The connection closed without an answer or an error, as when the other side switches protocols.
  const closed = () => reject(new Error('closed'))
  outgoing.on('response', answered).on('error', reject).on('close', closed).end(body)
  try {
    const response = await promise
    const code = response.statusCode ?? 0
    return { code, fault: faultOfCode(code), answer: await beginningOf(response) }
  } finally {
    outgoing.destroy()
  }
}

function faultOfCode(code: number): PostFault | null {
  if (code >= 200 && code < 300) return null
  return code >= 300 && code < 400 ? 'redirect' : 'answer'
}

/** A body that comes too slowly or breaks off changes nothing: the status has come. */
async function beginningOf(response: http.IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size >= read_bytes) break
    }
  } catch {
    // as far as it came
  }
  const text = Buffer.concat(parts)
    .subarray(0, read_bytes)
    .toString('utf8')
    .replaceAll(/[\p{Cc}\p{Cf}\ufffd\s]+/gu, ' ')
    .trim()
  return Array.from(text).slice(0, kept_characters).join('') || null
}

function faultOf(error: unknown): PostFault {
  const { code = '' } = error as { code?: string }
  if (isRefused(error)) return 'address'
  if (/^(ENOTFOUND|EAI_|ENODATA)/.test(code)) return 'name'
  return /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code) ? 'certificate' : 'connection'
}
