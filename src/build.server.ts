// Builds the screens if they are stale.
import path from 'node:path'
import { buildIfStale } from '#lib/built.server.ts'

await buildIfStale(path.resolve(import.meta.dirname, '..'))
