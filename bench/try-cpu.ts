import { randomUUID } from 'node:crypto'
import { rate } from './measure.ts'
import { cpuOf } from './cpu.ts'
import { openRaw, rawSubmit, rawApprove } from './raw-claims.ts'
import { httpRate } from './measure.ts'
import { openPool, openStage } from './stage.ts'
import { openWorld } from './world.ts'
const stage = await openStage()
const sql = openPool(stage.url, 2)
const clients = Number(process.env.CLIENTS ?? 32)
try {
  const world = await openWorld(stage, sql, { companies: 5, people: 200, signed: 50, name: 'x' })
  await openRaw(sql)
  const all = world.companies.flatMap(({ people }) => people)
  const type_of = new Map(world.companies.map(({ id, type_id }) => [id, type_id]))
  const today = new Date().toISOString().slice(0, 10)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!
  const submitting = (seconds: number) => httpRate({ url: stage.origin, requests: [{ setupRequest: (request) => {
    const person = pick(all)
    return { ...request, method: 'POST', path: '/api/claims', headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ category: 'treatment', type_id: type_of.get(person.company_id), provider: 'Harbour Clinic', service_on: today, bill_cents: 10 + Math.floor(Math.random() * 90), amount_cents: 10, receipt_ids: [] }) }
  } }] }, clients, seconds)
  const getting = (path: string, seconds: number) => httpRate({ url: stage.origin, requests: [{ setupRequest: (request) => {
    const person = pick(all)
    return { ...request, method: 'GET', path, headers: { authorization: `Bearer ${person.token}` } }
  } }] }, clients, seconds)
  const measure = async (name: string, work: () => Promise<{ per_second: number; failed: number; p50_ms: number }>, seconds: number) => {
    const a = cpuOf(stage.pid)
    const r = await work()
    const b = cpuOf(stage.pid)
    const n = r.per_second * seconds
    const ms = (k: 'postgres' | 'server' | 'driver') => ((b[k] - a[k]) / n * 1000).toFixed(2)
    console.log(name.padEnd(14), r.per_second.toFixed(0).padStart(6), '/s  p50', r.p50_ms.toFixed(0), 'failed', r.failed, ' cpu ms each: postgres', ms('postgres'), 'server', ms('server'), 'driver', ms('driver'))
  }
  const raw = openPool(stage.url, clients)
  const S = Number(process.env.S ?? 4)
  await submitting(2); await rate(() => rawSubmit(raw, pick(all), type_of), clients, 2)
  for (let i = 0; i < (process.env.FUNCS || process.env.PROF ? 0 : 3); i++) {
    await measure('submit', () => submitting(S), S)
    await measure('raw submit', () => rate(() => rawSubmit(raw, pick(all), type_of), clients, S), S)
  }
  if (process.env.PROF) { await submitting(8); await stage.close(); process.exit(0) }
  if (process.env.FUNCS) {
    await sql`alter system set track_functions = 'all'`; await sql`select pg_reload_conf()`
    await submitting(1); await sql`select pg_stat_reset()`
    const r = await submitting(6)
    await new Promise((ok) => setTimeout(ok, 1500))
    console.log('requests', r.per_second * 6)
    console.table((await sql`select schemaname||'.'||funcname as f, calls::int, (self_time / ${r.per_second * 6} * 1000)::int as self_us_per_request, (total_time / ${r.per_second * 6} * 1000)::int as total_us from pg_stat_user_functions order by self_time desc limit 30`).map((x) => ({ ...x })))
    throw new Error('enough')
  }
  await measure('me', () => getting('/api/me', S), S)
  await measure('bare', () => getting('/bare', S), S)
  await measure('mine', () => getting('/api/claims/mine', S), S)
  await raw.end()
} finally { await sql.end(); await stage.close() }
