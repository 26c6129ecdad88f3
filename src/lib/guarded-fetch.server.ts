// A fetch to an address that somebody in a company entered: never to one that is not public, without redirects, within a time and
// a size.
import http from 'node:http'
import https from 'node:https'
import { lookupWithin, refuseAddress, type AllowList } from './addresses.server.ts'

const most_bytes = 1024 * 1024
const within_ms = 5000

type FetchOptions = { method?: string; headers?: HeadersInit; body?: unknown }

export const fetchWithin =
  (allowed: AllowList) =>
  async (
    address: string | URL,
    { method = 'GET', headers, body }: FetchOptions = {},
  ): Promise<Response> => {
    const url = new URL(address)
    refuseAddress(url, allowed)
    const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      agent: false, // a connection of its own, looked at again, and by no proxy of the environment
      lookup: lookupWithin(allowed),
      signal: AbortSignal.timeout(within_ms),
      maxHeaderSize: 16_384,
    })
    const sent =
      body === undefined || body === null ? undefined : await new Response(body as never).text()
    request.on('response', resolve).on('error', reject).end(sent)
    try {
      const answer = await promise
      const parts: Buffer[] = []
      let size = 0
      for await (const part of answer as AsyncIterable<Buffer>) {
        size += part.length
        if (size > most_bytes) throw new Error('more than was asked for')
        parts.push(part)
      }
      const status = answer.statusCode ?? 500
      const empty = [204, 205, 304].includes(status)
      return new Response(empty ? null : Buffer.concat(parts), {
        status,
        headers: Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        ),
      })
    } finally {
      request.destroy()
    }
  }
