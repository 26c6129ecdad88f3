// Overload: four times as many requests as the server can answer. Those it takes are served about as soon as
// ever, the others learn at once that it is busy.
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { rate, record } from './measure.ts'
import { ask, type BenchStage } from './stage.ts'

const password = 'a quiet harbour at dawn'
const clients = 32
type TimedAnswer = { status: number; took: number }

export async function overload({ origin }: BenchStage, seconds: number) {
  const data = { full_name: 'Crowd', role: 'company_admin', company_name: 'Crowd' }
  const email = 'hr@crowd.test'
  const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data })
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const headers = { authorization: `Bearer ${String(access_token)}` }
  // Timed from when it is sent: waiting for a socket in this process is the bench's own delay.
  const get = () =>
    new Promise<TimedAnswer>((resolve, reject) => {
      let began = 0
      const sent = request(`${origin}/api/employees?search=x`, { agent, headers }, (answer) => {
        const took = performance.now() - began
        answer.resume().once('end', () => resolve({ status: answer.statusCode ?? 0, took }))
      })
      sent.once('socket', () => (began = performance.now()))
      sent.once('error', reject).end()
    })
  const normal = await rate(get, clients, seconds)
  const crowd = await atRate(get, normal.per_second * 4, seconds)
  agent.destroy()
  const at = (of: number[], share: number) =>
    of.toSorted((a, b) => a - b)[Math.floor(of.length * share)] ?? 0
  record({
    workload: 'overload',
    name: `asked ${Math.round(crowd.per_second)}/s where ${Math.round(normal.per_second)}/s are served at full load: p99 of those served (${crowd.served.length}), beside its p99 at full load`,
    value: at(crowd.served, 0.99),
    unit: 'ms',
    baseline: normal.p99_ms,
    goal: '≤ 3',
    holds: (ratio) => ratio <= 3,
  })
  record({
    workload: 'overload',
    name: `p99 of those refused (${crowd.refused.length}), beside the same`,
    value: at(crowd.refused, 0.99),
    unit: 'ms',
    baseline: normal.p99_ms,
    goal: '≤ 3: quick',
    holds: (ratio) => ratio <= 3 && crowd.other === 0,
  })
  record({
    workload: 'overload',
    name: 'served meanwhile, beside its rate at full load',
    value: crowd.served.length / crowd.seconds,
    unit: '/s',
    baseline: normal.per_second,
    goal: '≥ 0.7',
    holds: (ratio) => ratio >= 0.7,
  })
}

/** New requests come at their rate, whether or not earlier ones are answered. */
async function atRate(get: () => Promise<TimedAnswer>, per_second: number, seconds: number) {
  const served: number[] = []
  const refused: number[] = []
  let other = 0
  const send = async () => {
    const { status, took } = await get().catch(() => ({ status: 0, took: 0 }))
    if (status === 200) served.push(took)
    else if (status === 503) refused.push(took)
    else other += 1
  }
  const began = performance.now()
  const under_way: Promise<void>[] = []
  for (let sent = 0; performance.now() - began < seconds * 1000;) {
    const due = ((performance.now() - began) / 1000) * per_second
    for (; sent < due; sent += 1) under_way.push(send())
    await pause(1)
  }
  await Promise.all(under_way)
  const took = (performance.now() - began) / 1000
  return { served, refused, other, seconds: took, per_second: under_way.length / took }
}
