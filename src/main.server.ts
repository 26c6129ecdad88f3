// The server: database, services, port, and an orderly way out.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { openServices, type Services } from '#services.server.ts'
import { demoIsOn, readConfig, warningsOf, whyNotAlone, type Config } from '#lib/config.server.ts'
import { openDatabase, type Database } from '#lib/database.server.ts'
import { faultText } from '#lib/faults.server.ts'
import { http_server } from '#lib/http-server.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { pagesOf } from '#lib/pages.server.ts'
import { openedDatabase, startProcesses } from '#lib/several-processes.server.ts'
import { stages } from '#lib/progress.mjs'
import { version } from '#lib/version.server.ts'
import { waitForDatabase, waitingRoom } from '#lib/wait-for-database.server.ts'
import { isPage } from '#paths.ts'
import { demoWorld } from '../demo/world.ts'

const exit_within_ms = 9_000
const progress = stages()

/** The parts open by now; a signal may come at any moment of the start. */
const opened: {
  database?: Promise<Database>
  services?: Services
  server?: Server
  processes?: Awaited<ReturnType<typeof startProcesses>>
} = {}

async function main() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void stop(0, signal))
  const config = readConfig(process.env)
  const url = openedDatabase()
  await (url ? answerBeside(config, url) : start(config))
  collectGarbage()
}

async function start(config: Config) {
  progress.now('Opening the database')
  // First of all: where another server has the port already, this one has been started by mistake and changes nothing.
  const door = { app: waitingRoom() }
  const server = (opened.server = await listen(door, config))
  const database = await (opened.database = openDatabase(config))
  await waitForDatabase(database.url, makeLog(config.LOG_LEVEL))
  if (demoIsOn(config)) progress.now('Making the demo world')
  const demo = await demoWorld(config, database.url)
  progress.now('Setting up the database')
  const services = (opened.services = await openServices(config, database.url, {
    worker: config.WORKER,
    answers: !isSeveral(config),
  }))
  if (isSeveral(config)) {
    await closeServer(server)
    opened.processes = await startProcesses(config.PROCESSES, database.url, services.log)
  } else {
    await pagesOf(services.app, { folder: 'dist', dev, isPage })
    door.app = services.app
  }
  const port = isSeveral(config) ? config.PORT : (server.address() as AddressInfo).port
  progress.done()
  await welcome(config, services, port, demo)
}

const dev = process.env.NODE_ENV === 'development'
/** In development there is one process, as it reloads. */
const isSeveral = ({ PROCESSES }: Config) => PROCESSES > 1 && !dev

/** Runs one of several processes: the first one opened the database, prints, and does the jobs. */
async function answerBeside(config: Config, url: string) {
  const services = (opened.services = await openServices(config, url, { visit: true }))
  await pagesOf(services.app, { folder: 'dist', dev: false, isPage })
  opened.server = await listen(services, config)
}

/** Memory that only the start needed is freed at once; otherwise it would stay until somebody asks for something. */
function collectGarbage() {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
}

/** Answers with the app that `door` has when somebody comes. */
function listen(door: { app: Hono }, config: Config): Promise<Server> {
  return new Promise((resolve, reject) => {
    const fetch: Hono['fetch'] = (request, env) => door.app.fetch(request, env)
    const { HOST: hostname, PORT: port } = config
    const options = { fetch, hostname, port, serverOptions: http_server }
    const server = serve(options, () => resolve(server)) as Server
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = `Port ${config.PORT} is taken. Choose another one: PORT=3001 npm start`
      reject(error.code === 'EADDRINUSE' ? new Error(taken) : error)
    })
  })
}

async function welcome(config: Config, services: Services, port: number, demo: string | undefined) {
  const at = `http://localhost:${port}`
  const lines = [`Healthfund ${version} is ready at ${at}`]
  if (!config.SMTP_URL && !whyNotAlone(config)) lines.push(`Mail lands at ${at}/dev/mailbox`)
  const setup = await services.setupLink()
  if (setup) lines.push(`No super admin yet. Make the first one, once: ${setup}`)
  if (demo) lines.push(demo)
  lines.push(...warningsOf(config))
  console.log(`\n${lines.join('\n')}\n`)
}

async function closeServer(server: Server) {
  const done = new Promise((resolve) => server.close(resolve))
  server.keepAliveTimeout = 1 // those that still answer, as soon as they have
  server.closeIdleConnections()
  await done
}

let stopping = false

/** Requests under way finish, new ones are refused, and everything that we started ends with us. */
async function stop(code: number, signal?: string) {
  if (stopping) return
  stopping = true
  progress.done()
  setTimeout(() => process.exit(1), exit_within_ms).unref()
  const { server, services, database, processes } = opened
  services?.log.info({ signal }, 'the server stops')
  services?.endStreams()
  await processes?.stop()
  if (server) await closeServer(server)
  await services?.close()
  const found = await database?.catch(() => undefined) // it may be starting
  await found?.stop()
  process.exit(code)
}

main().catch(async (error: unknown) => {
  if (stopping) return
  console.error(`\n${faultText(error)}\n`)
  await stop(1)
})
