// Real server processes on a database that is given, to be ended one way or another.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { contracts } from '#contracts.ts'
import { client } from '#lib/contract.ts'
import { freePort } from './free-port.ts'
import { password, type Api } from './scene.ts'

export const root = path.resolve(import.meta.dirname, '..')

export type Server = { process: ChildProcess; origin: string; said: string }
/** Without a url it has the embedded PostgreSQL, in its folder. */
type Place = { url?: string; folder: string; port?: number; env?: Record<string, string> }

export async function startServer({ url, folder, port, env = {} }: Place): Promise<Server> {
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
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (words: string) => (said += words))
  while (!said.includes('ready at')) {
    const [code] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
    if (typeof code === 'number') assert.fail(`It ended with ${code}: ${said}`)
  }
  return { process: child, origin: `http://localhost:${at}`, said }
}

/** Without a word to it, and begun again on the same port. */
export async function killAndRestart(server: Server, place: Omit<Place, 'port'>): Promise<Server> {
  const ended = once(server.process, 'exit')
  server.process.kill('SIGKILL')
  await ended
  return startServer({ ...place, port: Number(new URL(server.origin).port) })
}

async function enter({ origin }: Server, address: string, body: object) {
  const answer = await fetch(origin + address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const session = (await answer.json()) as { access_token: string; user: { id: string } }
  assert.equal(answer.status, 200, JSON.stringify(session))
  return { id: session.user.id, token: session.access_token }
}

export const signUp = (server: Server, email: string, data: object) =>
  enter(server, '/auth/v1/signup', { email, password, data })

export const signIn = (server: Server, email: string) =>
  enter(server, '/auth/v1/token?grant_type=password', { email, password })

export function apiOf({ origin }: Server, token: string): Api {
  const send = async (request: Request) => {
    request.headers.set('authorization', `Bearer ${token}`)
    return fetch(request)
  }
  const clients = Object.entries(contracts).map(([feature, contract]) => [
    feature,
    client(contract, send, origin),
  ])
  return Object.fromEntries(clients)
}
