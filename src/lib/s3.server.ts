// Files on S3-compatible storage.
import { AwsClient } from 'aws4fetch'
import { Problem } from '#problems.ts'
import type { Config } from './config.server.ts'
import type { Storage } from './files.server.ts'

const within_ms = 15_000

/** Where the settings name one. */
export function s3Storage(config: Config): Storage | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket } = config
  if (!endpoint) return undefined
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (!bucket || !accessKeyId || !secretAccessKey) {
    throw new Error('S3_ENDPOINT needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, too')
  }
  const region = config.S3_REGION
  const aws = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 2 })
  const base = `${endpoint.replace(/\/$/, '')}/${encodeURIComponent(bucket)}`

  async function ask(
    method: string,
    key: string,
    init: { body?: Uint8Array; headers?: HeadersInit },
  ) {
    try {
      const signal = AbortSignal.timeout(within_ms)
      const answer = await aws.fetch(`${base}/${key}`, { method, signal, ...init } as RequestInit)
      if (answer.ok || (method === 'DELETE' && answer.status === 404)) {
        return Buffer.from(await answer.arrayBuffer())
      }
      throw refused(answer.status, await answer.text())
    } catch (error) {
      if (error instanceof Problem) throw error
      throw Object.assign(new Problem('storage_away'), { cause: error })
    }
  }

  return {
    async put(key, bytes) {
      await ask('PUT', key, { body: bytes })
    },
    read: (key, at, length) =>
      ask('GET', key, { headers: { range: `bytes=${at}-${at + length - 1}` } }),
    whole: (key) =>
      ask('GET', key, {}).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'file_damaged') return undefined
        throw error
      }),
    async remove(key) {
      await ask('DELETE', key, {})
    },
  }
}

/** A wrong key or bucket is for the operator to see: it is in the log with its cause. */
function refused(status: number, said: string): Problem {
  const full = status === 507 || /StorageFull|QuotaExceeded/.test(said)
  const gone = /NoSuchKey/.test(said)
  const code = full ? 'storage_full' : gone ? 'file_damaged' : 'storage_away'
  const cause = new Error(`S3 answered ${status}: ${/<Code>(\w+)/.exec(said)?.[1] ?? ''}`)
  return Object.assign(new Problem(code), { cause })
}
