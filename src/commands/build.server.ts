// `npm run build`: the screens, if they are stale.
import path from 'node:path'
import { buildIfStale } from '#lib/built.server.ts'
import { command } from './command.server.ts'

await command('build', () => buildIfStale(path.resolve(import.meta.dirname, '../..')))
