// Workload 8: signing in costs the password's hash and nothing else; a token check costs next to nothing.
import { hashPassword } from '#auth/passwords.server.ts'
import { completeSettings } from '#auth/settings.server.ts'
import { httpRate, rate, record, waitsOf } from './measure.ts'
import { ask, type Stage } from './stage.ts'

const email = 'bench@harbour.test'
const password = 'a quiet harbour at dawn'

export async function signIn({ origin }: Stage, seconds: number) {
  const data = { full_name: 'Bench Person', role: 'employee' }
  const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data })
  const auth = { settings: completeSettings({ site_url: origin }) }
  const hashes = await rate(() => hashPassword(auth, password), 32, seconds)
  const url = `${origin}/auth/v1/token?grant_type=password`
  const headers = { 'content-type': 'application/json' }
  const asking = async () => (await fetch(`${origin}/bare`)).text()
  const idle = await waitsOf(asking, 10, 1)
  const signing = httpRate(
    { url, method: 'POST', headers, body: JSON.stringify({ email, password }) },
    32,
    seconds,
  )
  // One who asks now and then: asking without a pause would take half a core from those who sign in.
  const meanwhile = await waitsOf(asking, 50, seconds - 1)
  const signed = await signing
  record({
    workload: '8',
    name: `sign-in by 32 clients, beside the hash alone (${signed.failed} failed)`,
    value: signed.per_second,
    unit: '/s',
    beside: hashes.per_second,
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
