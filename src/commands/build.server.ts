// `npm run build`: the screens, if they are stale.
import path from 'node:path'
import { buildIfStale } from '#lib/build-screens.server.ts'
import { command } from './command.server.ts'

await command('build', () => buildIfStale(path.resolve(import.meta.dirname, '../..')))
