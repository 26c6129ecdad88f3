// A company's own system that is told by webhooks: it proves each signature as Standard Webhooks say.
import assert from 'node:assert/strict'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = {
  path: string
  id: string
  headers: IncomingHttpHeaders
  body: string
  type: string
  data: Record<string, unknown>
}

/** Written from the specification, without code of the product. */
export function isSignedBy(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>) {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  assert.match(timestamp, /^\d{10}$/)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const signatures = String(headers['webhook-signature']).split(' ')
  return signatures.some((one) => {
    const [version, signature = ''] = one.split(',')
    const sent = Buffer.from(signature, 'base64')
    return version === 'v1' && sent.length === expected.length && timingSafeEqual(sent, expected)
  })
}

type Answering = (received: Received, answer: ServerResponse) => void

/** Answers 200 unless it is told otherwise. */
export async function openReceiver() {
  const received: Received[] = []
  let answering: Answering = (_, answer) => answer.end()
  const server = createServer((request, answer) => {
    const parts: Buffer[] = []
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        const body = Buffer.concat(parts).toString()
        const { type, data } = JSON.parse(body || '{}')
        const { headers } = request
        const one = {
          path: request.url!,
          id: String(headers['webhook-id']),
          headers,
          body,
          type,
          data,
        }
        received.push(one)
        answering(one, answer)
      })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** The types at one path, in the order they came. */
    types: (path: string) => received.filter((one) => one.path === path).map(({ type }) => type),
    at: (path: string) => received.filter((one) => one.path === path),
    answer(how: Answering | number) {
      answering =
        typeof how === 'number' ? (_, answer) => answer.writeHead(how).end(`I say ${how}`) : how
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
