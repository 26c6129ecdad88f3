// Workloads 9 and 10: how soon the first answer comes, and how much memory waiting costs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/free-port.ts'
import { record } from './measure.ts'

const root = path.resolve(import.meta.dirname, '..')

export async function measureStart() {
  const folder = await mkdtemp(path.join(tmpdir(), 'healthfund-bench-start-'))
  try {
    const first = await start(folder)
    await first.stop()
    record({
      workload: '9',
      name: 'first start with the demo world, until the first answer',
      value: first.seconds,
      unit: 's',
      goal: '≤ 15 s',
      holds: (_, value) => value <= 15,
    })
    const second = await start(folder)
    record({
      workload: '9',
      name: 'start on an existing database, until the first answer',
      value: second.seconds,
      unit: 's',
      goal: '≤ 2 s',
      holds: (_, value) => value <= 2,
    })
    await pause(10_000) // what the start took is given back while nobody asks
    record({
      workload: '10',
      name: 'memory of the idle server process',
      value: await residentMegabytes(second.port),
      unit: 'MB',
      goal: '≤ 150 MB',
      holds: (_, value) => value <= 150,
    })
    await second.stop()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function start(folder: string) {
  const port = await freePort()
  const began = performance.now()
  const { DATABASE_URL: _, ...rest } = process.env
  const env = { ...rest, PORT: String(port), DATA_FOLDER: folder, LOG_LEVEL: 'fatal' }
  const child = spawn('npm', ['start'], { cwd: root, env, stdio: 'ignore' })
  await firstAnswer(`http://127.0.0.1:${port}/`)
  const seconds = (performance.now() - began) / 1000
  const stop = async () => {
    child.kill('SIGINT')
    await once(child, 'exit')
  }
  return { port, seconds, stop }
}

async function firstAnswer(url: string) {
  const until = performance.now() + 120_000
  while (performance.now() < until) {
    const answered = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (answered) return
    await pause(10)
  }
  throw new Error(`${url} did not answer within two minutes`)
}

/** Memory by the server's own metrics: the process behind `npm start` is not our child. */
async function residentMegabytes(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20
}
