// Where the tests' PostgreSQL and browsers have their files.
import { createHash } from 'node:crypto'
import { statfsSync } from 'node:fs'
import path from 'node:path'

const memory = '/dev/shm'
const wanted_bytes = 4 * 2 ** 30

/**
 * A folder in memory, if there is plenty. A database is a thousand files, made and removed for each test file, and ext4 checks
 * all files removed within the last minutes before it makes a new one: half a second each.
 */
export function roomFor(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  return memoryIsPlenty() ? path.join(memory, `healthfund-test-${name}`) : folder
}

/** Browsers use it, too: their processes share the pictures of frames, which they otherwise write into files. */
export const memoryIsPlenty = () =>
  process.availableMemory() > 2 * wanted_bytes && freeIn(memory) > wanted_bytes

function freeIn(place: string): number {
  try {
    const { bavail, bsize } = statfsSync(place)
    return bavail * bsize
  } catch {
    return 0 // only Linux has it
  }
}
