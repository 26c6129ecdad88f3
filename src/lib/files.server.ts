// Files, encrypted at rest: each with a key of its own, on disk or on S3-compatible storage. One stored object
// holds all parts of a file (its pictures, itself), so it is there as a whole or not at all.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Problem } from '#problems.ts'
import type { Config } from './config.server.ts'
import { fileKeys } from './file-keys.server.ts'
import type { Sql } from './db.server.ts'
import { causeOf } from './faults.server.ts'
import { s3Storage, type Storage } from './s3.server.ts'
import { decrypt, encrypt } from './sealing.server.ts'

/** The start and the length of each part, sealed. */
type FileParts = Record<string, readonly [at: number, length: number]>
export type StoredFile = {
  storage_key: string
  file_key: number
  wrapped_key: Uint8Array
  parts: FileParts
}
export type Files = ReturnType<typeof openFiles>

const [probes, draft_end] = ['probe/', '.draft']

/** A backup leaves out the probe's few bytes and files that are still being written. */
export const isKeptFile = (key: string) => !key.startsWith(probes) && !key.endsWith(draft_end)

type FilesOptions = {
  config: Config
  /** The owner's connection: nobody else can read the keys. */
  sql: Sql
  installation_key: Buffer
  storage?: Storage
}

export function openFiles({ config, sql, installation_key, storage }: FilesOptions) {
  const keys = fileKeys(sql, installation_key)
  const kept = storage ?? storageOf(config)
  return {
    /** Encrypts the parts and stores them under one key. */
    put: async (
      storage_key: string,
      parts: { name: string; bytes: Uint8Array }[],
    ): Promise<StoredFile> => {
      const key = randomBytes(32)
      const wrapping = await keys.newest()
      const sealed = parts.map(({ name, bytes }) => ({
        name,
        bytes: encrypt(key, bytes, `${storage_key} ${name}`),
      }))
      await kept.put(storage_key, Buffer.concat(sealed.map(({ bytes }) => bytes)))
      const places: Record<string, [number, number]> = {}
      let at = 0
      for (const { name, bytes } of sealed) {
        places[name] = [at, bytes.length]
        at += bytes.length
      }
      const wrapped_key = encrypt(wrapping.key, key, storage_key)
      return { storage_key, file_key: wrapping.id, wrapped_key, parts: places }
    },

    /** Opens one part, decrypted; a file that was changed on the storage is refused. */
    async open({ storage_key, file_key, wrapped_key, parts }: StoredFile, name: string) {
      const part = parts[name]
      if (!part) throw new Problem('not_found')
      const wrapping = await keys.byId(file_key)
      const sealed = await kept.read(storage_key, ...part)
      try {
        const key = decrypt(wrapping, wrapped_key, storage_key)
        return decrypt(key, sealed, `${storage_key} ${name}`)
      } catch {
        throw new Problem('file_damaged')
      }
    },

    remove: (storage_key: string) => kept.remove(storage_key),

    /** Wraps the file's key by the newest key; the file itself stays as it is. */
    async rewrap({ storage_key, file_key, wrapped_key }: Omit<StoredFile, 'parts'>) {
      const key = decrypt(await keys.byId(file_key), wrapped_key, storage_key)
      const newest = await keys.newest()
      return { file_key: newest.id, wrapped_key: encrypt(newest.key, key, storage_key) }
    },

    /** Writes, reads back and removes a few bytes: whether files can be kept, and how quickly. */
    async probe(): Promise<{ kind: 'disk' | 's3'; ok: boolean; ms: number; reason?: string }> {
      const kind = config.S3_ENDPOINT ? 's3' : 'disk'
      const began = performance.now()
      const key = `${probes}${randomUUID()}`
      const probe = randomBytes(32)
      try {
        await kept.put(key, probe)
        const read = await kept.read(key, 0, probe.length)
        await kept.remove(key)
        const ok = probe.equals(read)
        const ms = performance.now() - began
        return ok ? { kind, ok, ms } : { kind, ok, ms, reason: 'It gave back other bytes' }
      } catch (error) {
        return { kind, ok: false, ms: performance.now() - began, reason: reasonOf(error) }
      }
    },
  }
}

/** A storage that does not answer may be a wrong setting, which the cause names. */
const reasonOf = (error: unknown) =>
  error instanceof Problem && error.code !== 'storage_away' ? error.message : causeOf(error)

const storageOf = (config: Config): Storage =>
  s3Storage(config) ?? diskStorage(path.join(config.DATA_FOLDER, 'files'))

type DraftFile = Pick<FileHandle, 'writeFile' | 'sync' | 'close'>
const newFile = (file: string): Promise<DraftFile> => open(file, 'w', 0o600)

/** Stores `<folder>/<key>`: written beside it, flushed, then renamed. `draft` opens the file that is written. */
export function diskStorage(
  folder: string,
  draft: (file: string) => Promise<DraftFile> = newFile,
): Storage {
  const fileOf = (key: string) => path.join(folder, ...key.split('/'))
  return {
    async put(key, bytes) {
      const file = fileOf(key)
      try {
        await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
        const handle = await draft(file + draft_end)
        try {
          await handle.writeFile(bytes)
          await handle.sync()
        } finally {
          await handle.close()
        }
        await rename(file + draft_end, file)
        await flushFolder(path.dirname(file))
      } catch (error) {
        await rm(file + draft_end, { force: true }).catch(() => {}) // the first error is the one to tell
        throw toProblem(error)
      }
    },
    async read(key, at, length) {
      let handle: FileHandle | undefined
      try {
        handle = await open(fileOf(key))
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, at)
        return buffer.subarray(0, bytesRead)
      } catch (error) {
        throw toProblem(error)
      } finally {
        await handle?.close()
      }
    },
    whole: (key) =>
      readFile(fileOf(key)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw toProblem(error)
      }),
    async remove(key) {
      try {
        await rm(fileOf(key), { force: true })
        await rm(fileOf(key) + draft_end, { force: true })
      } catch (error) {
        throw toProblem(error)
      }
    },
  }
}

/** A rename survives a power cut once its folder is flushed. Windows has no such call. */
async function flushFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function toProblem(error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException
  const problem =
    code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'
      ? new Problem('storage_full')
      : new Problem(code === 'ENOENT' ? 'file_damaged' : 'storage_away')
  return Object.assign(problem, { cause: error })
}
