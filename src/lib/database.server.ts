// Where the data is: the database that was given, or one of our own beside the code.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from './config.server.ts'

export type Database = { url: string; embedded: boolean; stop: () => Promise<void> }

export async function openDatabase(config: Config): Promise<Database> {
  if (config.DATABASE_URL) {
    await noteUse(config, config.DATABASE_URL)
    return { url: config.DATABASE_URL, embedded: false, stop: async () => {} }
  }
  const { startEmbedded } = await import('./embedded.server.ts')
  const { url, stop } = await startEmbedded({
    folder: path.resolve(config.DATA_FOLDER, 'postgres'),
  })
  return { url, embedded: true, stop }
}

/** Names the database that was given, whose files and key lie in this folder, so that no reset takes them. */
export const usedBy = (folder: string) => path.join(folder, 'used-by')

async function noteUse({ DATA_FOLDER, INSTALLATION_KEY, S3_ENDPOINT }: Config, url: string) {
  if (INSTALLATION_KEY && S3_ENDPOINT) return // nothing of it lies here
  const { host, pathname } = new URL(url)
  await mkdir(DATA_FOLDER, { recursive: true, mode: 0o711 })
  await writeFile(usedBy(DATA_FOLDER), `the database ${pathname.slice(1)} at ${host}\n`)
}
