// Builds the screens if they are stale.
import path from 'node:path'
import { buildIfStale } from '#lib/built.server.ts'

try {
  await buildIfStale(path.resolve(import.meta.dirname, '..'))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
