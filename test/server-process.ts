// Real server processes on a database that is given, to be ended one way or another.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { freePort } from './free-port.ts'

export const root = path.resolve(import.meta.dirname, '..')

export type Server = { process: ChildProcess; origin: string; output: string }
/** Without a url it has the embedded PostgreSQL, in its folder. */
type ServerPlace = { url?: string; folder: string; port?: number; env?: Record<string, string> }

export async function startServer({ url, folder, port, env = {} }: ServerPlace): Promise<Server> {
  const at = port ?? (await freePort())
  const { NODE_TEST_CONTEXT: _, ...rest } = process.env
  const child = spawn(process.execPath, ['src/main.server.ts'], {
    cwd: root,
    env: {
      ...rest,
      PORT: String(at),
      ...(url && { DATABASE_URL: url }),
      DATA_FOLDER: folder,
      LOG_LEVEL: 'fatal',
      AUTH_AUTOCONFIRM: 'on',
      PROVIDER_TWO_STEP: 'off',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'], // not our own: whoever outlives us would keep it open
  })
  child.stderr.pipe(process.stderr)
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (words: string) => (output += words))
  while (!output.includes('ready at')) {
    const [code] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (typeof code === 'number') assert.fail(`It ended with ${code}: ${output}`)
  }
  return { process: child, origin: `http://localhost:${at}`, output }
}

/** Kills a server without warning, and starts it again on the same port. */
export async function killAndRestart(
  server: Server,
  place: Omit<ServerPlace, 'port'>,
): Promise<Server> {
  const ended = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await ended
  return startServer({ ...place, port: Number(new URL(server.origin).port) })
}
