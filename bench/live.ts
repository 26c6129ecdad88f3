// Workload 11: two thousand open screens; a change is on those it concerns within a second.
import { setTimeout as pause } from 'node:timers/promises'
import { recordNotMeasured, record } from './measure.ts'
import { ask, openPool, type BenchStage } from './stage.ts'

const goal = '≤ 1 s at p99'
const streams = 2_000
/** The most streams that one person may have open (src/lib/live-watch.server.ts): earlier ones are ended. */
const of_one = 10
const companies = streams / of_one
const password = 'a quiet harbour at dawn'
/** Requests that a screen of HR’s repeats when it is told of a change. */
const on_screen = ['/api/employees/summary', '/api/company/domain']

type Admin = { token: string }

export async function live(stage: BenchStage, seconds: number) {
  const admins: Admin[] = []
  while (admins.length < companies) {
    const next = Array.from({ length: 20 }, (_, at) => found(stage, admins.length + at))
    admins.push(...(await Promise.all(next)))
  }
  const ending = new AbortController()
  const hall = new Hall(stage.origin, ending.signal)
  try {
    await hall.open(admins, of_one)
    await changes(stage, admins, hall, seconds)
    const delays = hall.took.toSorted((a, b) => a - b)
    if (delays.length === 0)
      return recordNotMeasured('11', 'live updates', goal, 'nothing was heard')
    const at = (share: number) => (delays[Math.floor(delays.length * share)] ?? 0) / 1000
    record({
      workload: '11',
      name: `a change on screen, asked again and answered, ${hall.count} open streams, p99 of ${delays.length} (p50 ${at(0.5).toFixed(3)} s)`,
      value: at(0.99),
      unit: 's',
      goal,
      holds: (_, value) => value <= 1 && hall.count === streams && hall.missed === 0,
    })
    record({
      workload: '11',
      name: 'screens that were not told of a change of theirs',
      value: hall.missed,
      unit: 'screens',
      goal: '0',
      holds: (_, value) => value === 0,
    })
  } finally {
    ending.abort()
  }
}

async function found({ origin, url }: BenchStage, at: number): Promise<Admin> {
  const email = `hr@live${at}.test`
  const data = { full_name: 'Live Admin', role: 'company_admin', company_name: `Live ${at}` }
  const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data })
  const sql = openPool(url, 1)
  await sql`update companies set status = 'active' where domain = ${`live${at}.test`}`
  await sql.end()
  return { token: String(access_token) }
}

/** One change after another, each at a company of its own turn. */
async function changes({ origin }: BenchStage, admins: Admin[], hall: Hall, seconds: number) {
  const until = performance.now() + seconds * 1000
  for (let n = 0; performance.now() < until; n += 1) {
    const at = n % admins.length
    const { token } = admins[at]!
    const delivery = hall.expect(at)
    const answer = await fetch(`${origin}/api/company/domain-registration`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: Math.floor(n / admins.length) % 2 === 0 }),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    await Promise.race([delivery, pause(5_000)])
  }
  hall.close()
}

/** All the screens: each listens, and asks again when it hears of a change. */
class Hall {
  readonly took: number[] = []
  count = 0
  missed = 0
  readonly #origin: string
  readonly #signal: AbortSignal
  #expected: { company: number; began: number; left: number; done: () => void } | undefined
  #each = 0

  constructor(origin: string, signal: AbortSignal) {
    this.#origin = origin
    this.#signal = signal
  }

  async open(admins: Admin[], each: number) {
    this.#each = each
    for (const [company, admin] of admins.entries())
      await Promise.all(Array.from({ length: each }, () => this.#listen(admin, company)))
  }

  expect(company: number): Promise<void> {
    this.close()
    return new Promise((done) => {
      this.#expected = { company, began: performance.now(), left: this.#each, done }
    })
  }

  close() {
    this.missed += this.#expected?.left ?? 0
    this.#expected = undefined
  }

  async #listen(admin: Admin, company: number) {
    const headers = { authorization: `Bearer ${admin.token}` }
    const answer = await fetch(`${this.#origin}/api/live`, { headers, signal: this.#signal })
    if (!answer.ok || !answer.body) throw new Error(`A stream did not open: ${answer.status}`)
    this.count += 1
    void this.#follow(answer.body, admin, company).catch(() => {})
  }

  async #follow(body: ReadableStream<Uint8Array>, admin: Admin, company: number) {
    const decoder = new TextDecoder()
    for await (const chunk of body) {
      const expected = this.#expected
      if (!decoder.decode(chunk).includes('data:') || expected?.company !== company) continue
      const headers = { authorization: `Bearer ${admin.token}` }
      await Promise.all(
        on_screen.map(async (path) => (await fetch(this.#origin + path, { headers })).json()),
      )
      this.took.push(performance.now() - expected.began)
      expected.left -= 1
      if (expected.left === 0) expected.done()
    }
  }
}
