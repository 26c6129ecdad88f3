// Whether files can be kept: written, read back and with room left.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Files } from '#lib/files.server.ts'

export type StorageFinding = {
  ok: boolean
  fault: string | null
  free_bytes: number | null
  size_bytes: number | null
}

/** The state of the file storage, with its fault; on a disk also how much room is left. */
export async function probeStorage(files: Files, folder: string): Promise<StorageFinding> {
  const [kept, disk] = await Promise.all([files.probe(), probeFolder(folder)])
  const fault = kept.ok ? null : (kept.reason ?? 'it fails')
  if (kept.kind === 's3') return { ok: kept.ok, fault, free_bytes: null, size_bytes: null }
  return disk.ok ? { ...disk, ok: kept.ok, fault } : disk
}

async function probeFolder(folder: string): Promise<StorageFinding> {
  try {
    await mkdir(folder, { recursive: true })
    const file = path.join(folder, `.probe-${randomUUID()}`)
    const written = randomUUID()
    try {
      await writeFile(file, written, { flush: true })
      if ((await readFile(file, 'utf8')) !== written)
        throw new Error('What was written reads other')
    } finally {
      await rm(file, { force: true })
    }
    const { bavail, blocks, bsize } = await statfs(folder)
    return { ok: true, fault: null, free_bytes: bavail * bsize, size_bytes: blocks * bsize }
  } catch (error) {
    return { ok: false, fault: reasonOf(error), free_bytes: null, size_bytes: null }
  }
}

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EACCES: 'the folder may not be written to',
  EPERM: 'the folder may not be written to',
  EROFS: 'the disk is read-only',
  ENOENT: 'the folder does not exist',
  ENOTDIR: 'the folder does not exist',
  EEXIST: 'the folder does not exist',
  EIO: 'the disk fails',
}
const reasonOf = (error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException
  return (code && reasons[code]) ?? message
}
