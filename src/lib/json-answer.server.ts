// JSON answers, compressed for clients that accept it: a page of the queue is eight times smaller on its way to a phone. No page
// of another site can make a browser ask for one, as no cookie signs anybody in, so the length of an answer gives nothing away.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Context } from 'hono'

/** Ten packets are sent before any is acknowledged: below that a smaller answer arrives no sooner, and compressing costs. */
const packed_from_bytes = 14_000

/** The quickest of each. Handing a text of this size to another thread would cost more than packing it. */
const packings = {
  br: (text: string) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (text: string) => gzipSync(text, { level: 1 }),
}

export function jsonAnswer(c: Context, answer: unknown, headers?: Record<string, string>) {
  const text = JSON.stringify(answer)
  const as_json = { 'content-type': 'application/json', ...headers }
  if (text.length < packed_from_bytes) return c.body(text, 200, as_json)
  const vary = 'accept-encoding'
  for (const [encoding, pack] of Object.entries(packings)) {
    if (takes(c, encoding))
      return c.body(pack(text), 200, { ...as_json, vary, 'content-encoding': encoding })
  }
  return c.body(text, 200, { ...as_json, vary })
}

export const takes = (c: Context, encoding: string) =>
  (c.req.header('accept-encoding') ?? '').split(',').some((one) => {
    const [name = '', q = ''] = one.split(';')
    return name.trim() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(q)
  })
