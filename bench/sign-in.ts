// Workload 8: signing in costs the password's hash and nothing else; a token check costs next to nothing.
import { once } from 'node:events'
import { Agent, request, type IncomingMessage } from 'node:http'
import { hashPassword, matches } from '#gotrue/passwords.server.ts'
import { completeSettings } from '#gotrue/settings.server.ts'
import { httpRate, rate, record, waitsOf } from './measure.ts'
import { ask, type BenchStage } from './stage.ts'

const emailOf = (client: number) => `bench${client}@harbour.test`
const password = 'a quiet harbour at dawn'

export async function signIn({ origin }: BenchStage, seconds: number) {
  const data = { full_name: 'Bench Person', role: 'employee' }
  const tokens: string[] = []
  for (let client = 0; client < 32; client += 1) {
    const email = emailOf(client)
    const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data })
    tokens.push(String(access_token))
  }
  const auth = { settings: completeSettings({ site_url: origin }) }
  const kept = await hashPassword(auth, password)
  const enter = () => signedIn(origin, seconds)
  const getBare = async () => (await fetch(`${origin}/bare`)).text()
  const idle = await waitsOf(getBare, 10, AbortSignal.timeout(2000))
  // The two alternate, so that a noisy neighbour disturbs both.
  const [alone, signed]: [number[], number[]] = [[], []]
  for (let round = 0; round < 3; round += 1) {
    alone.push((await rate(() => matches(auth, password, kept), 32, seconds)).per_second)
    signed.push(await enter())
  }
  const signing = enter()
  // One who asks now and then: asking without a pause would take half a core from those who sign in.
  const meanwhile = await waitsOf(getBare, 10, AbortSignal.timeout((seconds - 1) * 1000))
  await signing
  record({
    workload: '8',
    name: 'sign-in by 32 clients, beside the hash alone',
    value: middle(signed),
    unit: '/s',
    baseline: middle(alone),
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
  await tokenCheck(origin, tokens[0] ?? '', seconds)
}

/** The plainest client there is: what a costlier one takes would be taken from the hashes. */
async function signedIn(origin: string, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const headers = { 'content-type': 'application/json' }
  const address = new URL('/auth/v1/token?grant_type=password', origin)
  const { per_second } = await rate(
    async (client) => {
      const request_sent = request(address, { agent, method: 'POST', headers })
      request_sent.end(JSON.stringify({ email: emailOf(client), password }))
      const [answer] = (await once(request_sent, 'response')) as [IncomingMessage]
      await once(answer.resume(), 'end')
      if (answer.statusCode !== 200) throw new Error(`sign-in: ${answer.statusCode}`)
    },
    32,
    seconds,
  )
  agent.destroy()
  return per_second
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
    cost: checked.cost,
    unit: '/s',
    baseline: bare.per_second,
    goal: '≥ 0.5',
    holds: (ratio) => ratio >= 0.5,
  })
  const me = await httpRate({ url: `${origin}/api/me`, headers }, 32, seconds)
  record({
    workload: '8',
    name: 'who am I: token, session, role and row from the database',
    value: me.per_second,
    cost: me.cost,
    unit: '/s',
    baseline: bare.per_second,
    goal: 'told only',
    holds: () => true,
  })
}
