// Files on S3-compatible storage.
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { Problem } from '#problems.ts'
import type { Config } from './config.server.ts'

const usual_ms = 15_000

export type Storage = {
  /** All or nothing; what is there under this key is replaced. */
  put(key: string, bytes: Uint8Array): Promise<void>
  read(key: string, at: number, length: number): Promise<Uint8Array>
  /** All of it, sealed as it lies there; nothing where there is none. */
  whole(key: string): Promise<Uint8Array | undefined>
  /** Removes an object, also what a failed put left. A missing one is no error. */
  remove(key: string): Promise<void>
}

export type Bucket = Storage & {
  /** Sends any length, without holding it in memory. */
  send(key: string, bytes: Blob): Promise<void>
  open(key: string): Promise<Readable>
  /** All keys that begin so. */
  keys(prefix: string): Promise<string[]>
}

type BucketPlace = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  within_ms?: number
}

/** The bucket of receipts, if the settings name one. */
export function s3Storage(config: Config): Bucket | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = config
  if (!endpoint) return undefined
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (!bucket || !accessKeyId || !secretAccessKey) {
    throw new Error('S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, too')
  }
  return bucketAt({ endpoint, bucket, region: config.S3_REGION, accessKeyId, secretAccessKey })
}

export function bucketAt(place: BucketPlace): Bucket {
  const { endpoint, bucket, within_ms = usual_ms, ...login } = place
  const aws = new AwsClient({ ...login, service: 's3', retries: 2 })
  const base = `${endpoint.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`

  async function answerTo(
    method: string,
    key: string,
    init: { body?: Uint8Array | Blob; headers?: HeadersInit } = {},
  ) {
    try {
      const signal = AbortSignal.timeout(within_ms)
      // A request about the bucket itself has no slash before its query; servers differ on that.
      const address = key.startsWith('?') ? `${base}${key}` : `${base}/${key}`
      const answer = await aws.fetch(address, { method, signal, ...init } as RequestInit)
      if (answer.ok || (method === 'DELETE' && answer.status === 404)) return answer
      throw refused(answer.status, await answer.text())
    } catch (error) {
      throw away(error)
    }
  }
  const ask = async (...question: Parameters<typeof answerTo>) => {
    const answer = await answerTo(...question)
    try {
      return Buffer.from(await answer.arrayBuffer())
    } catch (error) {
      throw away(error)
    }
  }

  async function keys(prefix: string): Promise<string[]> {
    const found: string[] = []
    for (let token = ''; ;) {
      const query = new URLSearchParams({ 'list-type': '2', prefix })
      if (token) query.set('continuation-token', token)
      const text = String(await ask('GET', `?${query}`))
      for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) found.push(unescaped(key))
      token = unescaped(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '')
      if (!token) return found
    }
  }

  return {
    async put(key, bytes) {
      await ask('PUT', key, { body: bytes })
    },
    read: (key, at, length) =>
      ask('GET', key, { headers: { range: `bytes=${at}-${at + length - 1}` } }),
    whole: (key) =>
      ask('GET', key).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'file_damaged') return undefined
        throw error
      }),
    async remove(key) {
      await ask('DELETE', key)
    },
    async send(key, bytes) {
      await ask('PUT', key, { body: bytes })
    },
    async open(key) {
      const { body } = await answerTo('GET', key)
      return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([])
    },
    keys,
  }
}

const away = (error: unknown) =>
  error instanceof Problem ? error : Object.assign(new Problem('storage_away'), { cause: error })

/** XML escapes some signs that stand for themselves elsewhere. */
const unescaped = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** A wrong key or bucket is for the operator to see: it is in the log with its cause. */
function refused(status: number, body: string): Problem {
  const full = status === 507 || /StorageFull|QuotaExceeded/.test(body)
  const gone = /NoSuchKey/.test(body)
  const code = full ? 'storage_full' : gone ? 'file_damaged' : 'storage_away'
  const cause = new Error(`S3 answered ${status}: ${/<Code>(\w+)/.exec(body)?.[1] ?? ''}`)
  return Object.assign(new Problem(code), { cause })
}
