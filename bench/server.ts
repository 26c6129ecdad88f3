// The server that is measured, in a process of its own, beside a bare Hono answer in the same process.
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openAuth } from '#gotrue/auth.server.ts'
import { signAccessToken } from '#gotrue/tokens.server.ts'
import { openServices } from '#services.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { pagesOf } from '#lib/pages.server.ts'
import { isPage } from '#paths.ts'
import type { CpuFigures } from './cpu.ts'

const config = readConfig(process.env)
if (!config.DATABASE_URL) throw new Error('The bench names its database')
const services = await openServices(config, config.DATABASE_URL, { worker: config.WORKER })
await pagesOf(services.app, { folder: 'dist', dev: false, isPage })
const bare = new Hono()
bare.get('/bare', (c) => c.json({ ok: true }))
bare.get('/checked', async (c) => {
  const token = c.req.header('authorization')?.slice(7) ?? ''
  return (await services.verify(token)) ? c.json({ ok: true }) : c.json({ ok: false }, 401)
})
// The same rows by a plain statement, with nothing around it.
bare.get('/bare/person/:id', async (c) =>
  c.json((await services.sql.owner`select * from profiles where id = ${c.req.param('id')}`)[0]),
)
bare.get('/bare/claims/:company/:person', async (c) => {
  const { company, person } = c.req.param()
  return c.json(
    await services.sql.owner`
      select id, version, category, type_name, for_whom, provider, service_on, bill_cents,
        amount_cents, approved_cents, status, stage, payment, paid_on, submitted_at, reviewed_at,
        receipts, automatic
      from claims where company_id = ${company} and person_id = ${person} order by id desc limit 21`,
  )
})
bare.get('/memory', (c) => c.json(process.memoryUsage()))
const [{ backend }] = await services.sql.owner<[{ backend: number }]>`
  select pg_backend_pid() as backend`
bare.get('/cpu', (c) => {
  const { user, system } = process.cpuUsage()
  const loop = performance.eventLoopUtilization()
  return c.json({ cpu_ms: (user + system) / 1000, loop, backend } satisfies CpuFigures)
})
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
/** The waits of the event loop since somebody last asked. */
bare.get('/loop', (c) => {
  const p99_ms = loop.percentile(99) / 1e6
  loop.reset()
  return c.json({ p99_ms })
})
// Sessions of many people without their passwords' hashes: signing in is another workload.
const auth = openAuth({
  sql: services.sql.auth,
  settings: { site_url: 'http://127.0.0.1', client_address: () => undefined },
  keys: { installation_key: services.installation_key },
  post: async () => {},
  log: services.log,
})
bare.post('/sessions', async (c) => {
  const people: string[] = await c.req.json()
  const made = await services.sql.owner<{ id: string; user_id: string }[]>`
    insert into auth.sessions (user_id, refresh_key, refreshed_at)
    select id, decode(repeat('00', 32), 'hex'), now() from unnest(${people}::uuid[]) p (id)
    returning id, user_id`
  const session_of = new Map(made.map(({ id, user_id }) => [user_id, id]))
  const now = Math.floor(Date.now() / 1000)
  const tokens = people.map(async (sub) => {
    const content = {
      sub,
      aud: 'authenticated',
      email: '',
      phone: '',
      role: 'authenticated',
      app_metadata: {},
      user_metadata: {},
      aal: 'aal1',
      amr: [],
      session_id: session_of.get(sub) ?? '',
      is_anonymous: false,
    }
    return (await signAccessToken(auth, content, { issued_at: now, is_admin: false })).token
  })
  return c.json(await Promise.all(tokens))
})
const own = new Set(bare.routes.map(({ path }) => path))
// The product answers by itself: what stands in front of it here would be measured with it.
const fetch: typeof services.app.fetch = (request, env) => {
  const { pathname } = new URL(request.url)
  const is_ours = own.has(pathname) || pathname.startsWith('/bare/')
  const answer = (is_ours ? bare : services.app).fetch(request, env)
  return request.headers.has('x-traced') ? traceable(answer) : answer
}
/** While it is traced, Chromium (147 and 156) gives up each page that names a referrer policy, whichever. */
async function traceable(answer: Response | Promise<Response>): Promise<Response> {
  const { status, headers, body } = await answer
  const others = [...headers].filter(([name]) => name !== 'referrer-policy')
  return new Response(body, { status, headers: others })
}
const server = serve({ fetch, hostname: '127.0.0.1', port: 0 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit(0))
process.once('SIGTERM', () => process.exit(0))
