// Where the data is: the database that was given, or one of our own beside the code.
import path from 'node:path'
import type { Config } from './config.server.ts'

export type Database = { url: string; embedded: boolean; stop: () => Promise<void> }

export async function openDatabase(config: Config): Promise<Database> {
  if (config.DATABASE_URL) {
    return { url: config.DATABASE_URL, embedded: false, stop: async () => {} }
  }
  const { startEmbedded } = await import('./embedded.server.ts')
  const { url, stop } = await startEmbedded({
    folder: path.resolve(config.DATA_FOLDER, 'postgres'),
  })
  return { url, embedded: true, stop }
}
