// The installation's own key: made at the first start, readable by the owner alone, never in the database.
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

export async function installationKey(folder: string, given?: string): Promise<Buffer> {
  if (given) return Buffer.from(given, 'base64')
  const file = path.join(folder, 'installation.key')
  await mkdir(folder, { recursive: true, mode: 0o711 })
  await writeOnce(file, randomBytes(32).toString('base64'))
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== 32) throw new Error(`${file} is damaged: it must hold 32 bytes in base64`)
  return key
}

/** Of two servers that start together one writes the file, whole, and both read the same. */
async function writeOnce(file: string, content: string) {
  const draft = `${file}.${process.pid}`
  await writeFile(draft, content, { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
}
