// A server that speaks S3 and checks its signatures, on a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

type Running = { close: () => Promise<void>; run: () => Promise<AddressInfo> }
type Options = {
  port: number
  address: string
  silent: boolean
  directory: string
  configureBuckets: { name: string }[]
}
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (o: Options) => Running

export async function openS3(port = 0, folder?: string) {
  const directory = folder ?? (await mkdtemp(path.join(tmpdir(), 'healthfund-s3-')))
  const server = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'receipts' }],
  })
  const { port: at } = await server.run()
  return {
    port: at,
    directory,
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${at}`,
      S3_BUCKET: 'receipts',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stop: () => server.close(),
    async close() {
      await server.close().catch(() => {}) // a test may have stopped it
      await rm(directory, { recursive: true, force: true })
    },
  }
}
