// Workload 8: signing in costs the password's hash and nothing else; a token check costs next to nothing.
import { hashPassword, matches } from '#auth/passwords.server.ts'
import { completeSettings } from '#auth/settings.server.ts'
import { httpRate, rate, record, waitsOf } from './measure.ts'
import { ask, type Stage } from './stage.ts'

const email = 'bench@harbour.test'
const password = 'a quiet harbour at dawn'

export async function signIn({ origin }: Stage, seconds: number) {
  const data = { full_name: 'Bench Person', role: 'employee' }
  const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data })
  const auth = { settings: completeSettings({ site_url: origin }) }
  const kept = await hashPassword(auth, password)
  const enter = () => ask(origin, '/auth/v1/token?grant_type=password', { email, password })
  const asking = async () => (await fetch(`${origin}/bare`)).text()
  const idle = await waitsOf(asking, 10, AbortSignal.timeout(2000))
  // In turns: a noisy neighbour meets both.
  const [alone, signed]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round += 1) {
    alone.push((await rate(() => matches(auth, password, kept), 32, seconds)).per_second)
    signed.push((await rate(enter, 32, seconds)).per_second)
  }
  const signing = rate(enter, 32, seconds)
  // One who asks now and then: asking without a pause would take half a core from those who sign in.
  const meanwhile = await waitsOf(asking, 10, AbortSignal.timeout((seconds - 1) * 1000))
  await signing
  record({
    workload: '8',
    name: 'sign-in by 32 clients, beside the hash alone',
    value: middle(signed),
    unit: '/s',
    beside: middle(alone),
    goal: '≥ 0.9',
    holds: (ratio) => ratio >= 0.9,
  })
  record({
    workload: '8',
    name: `another request meanwhile, p99 (idle ${idle.p99_ms.toFixed(1)} ms)`,
    value: meanwhile.p99_ms,
    unit: 'ms',
    goal: '≤ 50 ms: never blocked',
    holds: (_, value) => value <= 50,
  })
  await tokenCheck(origin, String(access_token), seconds)
}

const middle = (all: number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!

async function tokenCheck(origin: string, token: string, seconds: number) {
  const headers = { authorization: `Bearer ${token}` }
  const bare = await httpRate({ url: `${origin}/bare`, headers }, 32, seconds)
  const checked = await httpRate({ url: `${origin}/checked`, headers }, 32, seconds)
  record({
    workload: '8',
    name: 'token check, beside a bare Hono answer',
    value: checked.per_second,
    unit: '/s',
    beside: bare.per_second,
    goal: '≥ 0.5',
    holds: (ratio) => ratio >= 0.5,
  })
  const me = await httpRate({ url: `${origin}/api/me`, headers }, 32, seconds)
  record({
    workload: '8',
    name: 'who am I: token, session, role and row from the database',
    value: me.per_second,
    unit: '/s',
    beside: bare.per_second,
    goal: 'told only',
    holds: () => true,
  })
}
