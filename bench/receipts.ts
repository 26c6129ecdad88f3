// Workload 13: a phone's photo and a PDF are taken in and read while the server answers others.
import { setTimeout as pause } from 'node:timers/promises'
import { pharmacy, receiptPdf, receiptPhoto } from '../test/world/papers.ts'
import { httpRate, record } from './measure.ts'
import { ask, openPool, type BenchStage } from './stage.ts'

const password = 'a quiet harbour at dawn'

export async function receipts(stage: BenchStage, seconds: number) {
  const { origin, url } = stage
  const token = await employee(origin, url)
  const photo = await receiptPhoto(pharmacy)
  const pdf = await receiptPdf(pharmacy)
  await through(origin, token, pdf) // the processes are up
  await through(origin, token, photo)
  const one = await through(origin, token, photo)
  const other = await through(origin, token, pdf)
  const idle = await answers(origin, token, seconds, async () => pause(seconds * 1000))
  const busy = await answers(origin, token, seconds, async () => {
    const until = performance.now() + seconds * 1000
    while (performance.now() < until) await through(origin, token, photo)
  })
  record({
    workload: '13',
    name: 'a photo of 12 megapixels, until it is kept',
    value: one.kept_ms,
    unit: 'ms',
    goal: '≤ 2000 ms',
    holds: (_, value) => value <= 2000,
  })
  record({
    workload: '13',
    name: 'a photo of 12 megapixels, until it is read',
    value: one.read_ms,
    unit: 'ms',
    goal: '≤ 5000 ms',
    holds: (_, value) => value <= 5000,
  })
  record({
    workload: '13',
    name: 'a PDF, until it is read',
    value: other.read_ms,
    unit: 'ms',
    goal: '≤ 1000 ms',
    holds: (_, value) => value <= 1000,
  })
  record({
    workload: '13',
    name: 'the event loop’s longest waits (p99) while photos are read, beside idle',
    value: busy.loop_p99_ms,
    unit: 'ms',
    baseline: idle.loop_p99_ms,
    goal: '≤ 50 ms',
    holds: (_, value) => value <= 50,
  })
  record({
    workload: '13',
    name: 'other requests (p99) while photos are read, beside idle',
    value: busy.p99_ms,
    unit: 'ms',
    baseline: idle.p99_ms,
    goal: '≤ 3 × idle',
    holds: (ratio) => ratio <= 3,
  })
}

/** An employee of a company whose domain takes in whoever signs up. */
async function employee(origin: string, url: string): Promise<string> {
  const sql = openPool(url, 1)
  try {
    const data = { full_name: 'Photo Admin', role: 'company_admin', company_name: 'Photos' }
    await ask(origin, '/auth/v1/signup', { email: 'hr@photos.test', password, data })
    await sql`
      update companies set status = 'active', domain_auto_register = true
      where domain = 'photos.test'`
    const email = 'ana@photos.test'
    const own = { full_name: 'Photo Person', role: 'employee' }
    const { access_token } = await ask(origin, '/auth/v1/signup', { email, password, data: own })
    return String(access_token)
  } finally {
    await sql.end()
  }
}

type SentReceipt = { id: string; read_state: string }

/** Uploads a receipt, waits until it is read, and removes it. */
async function through(origin: string, token: string, file: Buffer) {
  const headers = { authorization: `Bearer ${token}` }
  const callReceipts = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${origin}/api/receipts${path}`, { ...init, headers })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as SentReceipt
  }
  const began = performance.now()
  const body = new Blob([new Uint8Array(file)])
  const { id } = await callReceipts('?file_name=receipt', { method: 'POST', body })
  const kept_ms = performance.now() - began
  while ((await callReceipts(`/${id}`)).read_state !== 'read') await pause(20)
  const read_ms = performance.now() - began
  await callReceipts(`/${id}`, { method: 'DELETE' })
  return { kept_ms, read_ms }
}

/** Response times for somebody else meanwhile, and how long the event loop was held up. */
async function answers(
  origin: string,
  token: string,
  seconds: number,
  work: () => Promise<unknown>,
) {
  const headers = { authorization: `Bearer ${token}` }
  await loopWaits(origin)
  const working = work()
  const { p99_ms } = await httpRate({ url: `${origin}/api/me`, headers }, 1, seconds)
  const { p99_ms: loop_p99_ms } = await loopWaits(origin)
  await working
  return { p99_ms, loop_p99_ms }
}

const loopWaits = async (origin: string) =>
  (await (await fetch(`${origin}/loop`)).json()) as { p99_ms: number }
