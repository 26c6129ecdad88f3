// Whether files can be kept: written, read back and with room left.
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import path from 'node:path'

export type StorageFinding = {
  ok: boolean
  fault: string | null
  free_bytes: number | null
  size_bytes: number | null
}

export async function probeStorage(folder: string): Promise<StorageFinding> {
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
  ENOENT: 'the folder is not there',
  ENOTDIR: 'the folder is not there',
  EEXIST: 'the folder is not there',
  EIO: 'the disk fails',
}
const reasonOf = (error: unknown) => {
  const { code, message } = error as NodeJS.ErrnoException
  return (code && reasons[code]) ?? message
}
