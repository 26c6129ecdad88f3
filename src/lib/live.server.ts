// Live screens: what an act told is passed to every open stream it concerns, on every server.
import { randomUUID } from 'node:crypto'
import type { Sql } from './db.server.ts'
import { Watches, type StreamOwner } from './live-watch.server.ts'
import type { Log } from './log.server.ts'
import { Recent } from './recent.ts'

type Listener = (topics: string[]) => void
type Streams = { listeners: Map<string, Set<Listener>>; published_at: Map<string, number> }

export type Live = Awaited<ReturnType<typeof openLive>>

const channel = 'healthfund_published'
const batch_ms = 40
const retry_ms = 500
const heartbeat_ms = 25_000
/** A topic for the server itself, not for screens. */
const of_sessions = 'session:'
const payload_max = 7000 // NOTIFY takes 8000 bytes
/** A screen reads its data a moment before its stream is open, so topics published in between are delivered when it opens. */
const remembered_ms = 10_000

/** Acts of this server are published at once here, and to the other servers in one NOTIFY per batch. */
export async function openLive(sql: Sql, log: Log) {
  const listeners = new Map<string, Set<Listener>>()
  const published_at = new Recent<string, number>(20_000)
  const watches = new Watches(log)
  const ending = new AbortController()
  const process_id = randomUUID()
  let batch = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function deliver(topics: Iterable<string>) {
    const concerned = new Map<Listener, string[]>()
    for (const topic of topics) {
      published_at.set(topic, performance.now())
      if (topic.startsWith(of_sessions)) watches.look(topic.slice(of_sessions.length))
      for (const listener of listeners.get(topic) ?? [])
        concerned.set(listener, [...(concerned.get(listener) ?? []), topic])
    }
    for (const [listener, topics_published] of concerned) listener(topics_published)
  }

  async function pass() {
    timer = undefined
    const topics = [...batch]
    batch = new Set()
    try {
      for (const payload of payloads(process_id, topics))
        await sql`select pg_notify(${channel}, ${payload})`
    } catch (error) {
      log.warn({ err: error }, 'the other servers were not told: they will be')
      for (const topic of topics) batch.add(topic)
      if (!ending.signal.aborted) timer ??= setTimeout(() => void pass(), retry_ms)
    }
  }

  /** A broken connection may have missed any topic, so all listeners are told. */
  const missed = () => deliver([...listeners.keys()])
  const subscription = await sql.listen(
    channel,
    (payload) => {
      const [from, ...topics] = payload.split(' ')
      if (from !== process_id) deliver(topics)
    },
    missed,
  )

  return {
    publish(topics: string[]) {
      if (topics.length === 0) return
      deliver(topics)
      for (const topic of topics) batch.add(topic)
      timer ??= setTimeout(() => void pass(), batch_ms)
    },
    stream(topics: string[], signal: AbortSignal, whose?: StreamOwner) {
      const over = new AbortController()
      const closed = whose && watches.add(whose, () => over.abort())
      const all = AbortSignal.any([signal, ending.signal, over.signal])
      return eventStream({ listeners, published_at }, topics, all, closed)
    },
    /** Open streams would keep a server that stops from ever stopping. */
    end: () => ending.abort(),
    streams: () => new Set([...listeners.values()].flatMap((set) => [...set])).size,
    async close() {
      ending.abort()
      clearTimeout(timer)
      await pass()
      await subscription.unlisten()
    },
  }
}

function* payloads(process_id: string, topics: string[]) {
  let payload = process_id
  for (const topic of topics) {
    if (payload.length + topic.length > payload_max) {
      yield payload
      payload = process_id
    }
    payload += ` ${topic}`
  }
  if (payload !== process_id) yield payload
}

function eventStream(
  { listeners, published_at }: Streams,
  topics: string[],
  signal: AbortSignal,
  closed?: () => void,
) {
  const encoder = new TextEncoder()
  let close = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const write = (text: string) => {
        try {
          controller.enqueue(encoder.encode(text))
        } catch {
          close() // the reader went away between two events
        }
      }
      const listener: Listener = (topics_published) =>
        write(`data: ${JSON.stringify({ topics: topics_published })}\n\n`)
      for (const topic of topics)
        listeners.set(topic, (listeners.get(topic) ?? new Set()).add(listener))
      const heartbeat = setInterval(() => write(': still here\n\n'), heartbeat_ms)
      let over = false
      close = () => {
        over = true
        clearInterval(heartbeat)
        closed?.()
        for (const topic of topics) {
          listeners.get(topic)?.delete(listener)
          if (listeners.get(topic)?.size === 0) listeners.delete(topic)
        }
      }
      signal.addEventListener(
        'abort',
        () => {
          if (over) return // the reader left by itself
          close()
          controller.close()
        },
        { once: true },
      )
      write('retry: 1000\n\n')
      const since = performance.now() - remembered_ms
      const missed = topics.filter((topic) => (published_at.get(topic) ?? -Infinity) >= since)
      if (missed.length > 0) listener(missed)
    },
    cancel: () => close(),
  })
}
