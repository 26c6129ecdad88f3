// A part of a backup on its way to the folder: encrypted where that is wanted, hashed as it lies there.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sealed_ending, type Through } from './sealed.server.ts'

export type BackupDraft = { folder: string; seal: Through | undefined }

export async function writePart({ folder, seal }: BackupDraft, name: string, source: Readable) {
  const file = seal ? `${name}${sealed_ending}` : name
  const to = path.join(folder, file)
  await mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(seal ? await seal(source) : source, hashed, createWriteStream(to, { mode: 0o600 }))
  return { file, sha256: hash.digest('hex') }
}
