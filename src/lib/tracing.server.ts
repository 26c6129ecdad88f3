// Traces for whoever watches several programs at once: spans of requests, their transactions and jobs, sent in OTLP's JSON
// over HTTP. Off unless OTEL_EXPORTER_OTLP_ENDPOINT is set. A span has patterns and codes, never ids, addresses or words.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Config } from './config.server.ts'
import type { Log } from './log.server.ts'
import { version } from './version.server.ts'

const send_every_ms = 5_000
const at_once = 512
/** Traces that the receiver does not accept in time are dropped: they must not cost the server's memory. */
const most_waiting = 4_096
const send_within_ms = 10_000

type AttributeValue = string | number | boolean
type Kind = 'server' | 'internal' | 'consumer'
const span_kinds: Record<Kind, number> = { internal: 1, server: 2, consumer: 5 }

type Span = { set: (name: string, value: AttributeValue) => void; fail: () => void }
type SpanContext = { trace_id: string; span_id: string; sampled: boolean }
type SpanOptions = {
  name: string
  kind: Kind
  /** The caller's trace, where a proxy before us sends one. */
  traceparent?: string
}
export type Tracer = NonNullable<ReturnType<typeof openTracer>>

export function openTracer(config: Config, log: Log) {
  if (!config.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined
  const outlet = openOutlet(config, log)
  const current = new AsyncLocalStorage<SpanContext>()

  return {
    /** Does the work as a span, below the one that is under way. */
    async within<T>({ name, kind, traceparent }: SpanOptions, work: (span: Span) => Promise<T>) {
      const parent = current.getStore() ?? read(traceparent)
      const trace_id = parent?.trace_id ?? randomBytes(16).toString('hex')
      const sampled = parent?.sampled ?? isDrawn(trace_id, config.OTEL_TRACES_SAMPLER_ARG)
      const begun = { trace_id, span_id: randomBytes(8).toString('hex'), sampled }
      if (!sampled) return current.run(begun, () => work(silent))
      const attributes = new Map<string, AttributeValue>()
      const began_ns = now_ns()
      let failed = false
      let title = name
      const span: Span = {
        set: (key, value) =>
          void (key === 'name' ? (title = String(value)) : attributes.set(key, value)),
        fail: () => void (failed = true),
      }
      try {
        return await current.run(begun, () => work(span))
      } catch (error) {
        failed = true
        throw error
      } finally {
        outlet.add({
          traceId: trace_id,
          spanId: begun.span_id,
          ...(parent ? { parentSpanId: parent.span_id } : {}),
          name: title,
          kind: span_kinds[kind],
          startTimeUnixNano: String(began_ns),
          endTimeUnixNano: String(now_ns()),
          attributes: listed(attributes),
          status: failed ? { code: 2 } : {},
        })
      }
    },
    close: () => outlet.close(),
  }
}

const silent: Span = { set() {}, fail() {} }

/** The clock may be set to another day; within a process it does not go back. */
const epoch_ns = BigInt(Date.now()) * 1_000_000n - process.hrtime.bigint()
const now_ns = () => epoch_ns + process.hrtime.bigint()

/** W3C Trace Context: `00-<trace>-<span>-<flags>`. */
function read(traceparent = ''): SpanContext | undefined {
  const [, trace_id, span_id, flags] =
    /^00-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})$/.exec(traceparent) ?? []
  if (!trace_id || !span_id || !flags) return undefined
  return { trace_id, span_id, sampled: (parseInt(flags, 16) & 1) === 1 }
}

/** The trace alone decides, so that every server draws the same. */
const isDrawn = (trace_id: string, share: number) =>
  parseInt(trace_id.slice(-8), 16) / 0x1_0000_0000 < share

const listed = (attributes: Iterable<readonly [string, AttributeValue]>) =>
  [...attributes].map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(Math.round(value)) }
        : typeof value === 'boolean'
          ? { boolValue: value }
          : { stringValue: value },
  }))

function openOutlet(config: Config, log: Log) {
  const url = `${config.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '')}/v1/traces`
  const headers = {
    'content-type': 'application/json',
    ...pairsIn(config.OTEL_EXPORTER_OTLP_HEADERS),
  }
  const resource = {
    attributes: listed([
      ['service.name', config.OTEL_SERVICE_NAME],
      ['service.version', version],
      ...Object.entries(pairsIn(config.OTEL_RESOURCE_ATTRIBUTES)),
    ]),
  }
  let waiting: object[] = []
  let going: Promise<void> = Promise.resolve()
  let fault_logged = false

  async function send() {
    const spans = waiting.splice(0)
    if (spans.length === 0) return
    const scope = { name: 'healthfund', version }
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] })
    try {
      const signal = AbortSignal.timeout(send_within_ms)
      const answer = await fetch(url, { method: 'POST', headers, body, signal })
      await answer.arrayBuffer()
      if (!answer.ok) throw new Error(`it answered ${answer.status}`)
      fault_logged = false
    } catch (error) {
      if (!fault_logged) log.warn({ err: error, spans: spans.length }, 'traces could not be sent')
      fault_logged = true
    }
  }
  const flush = () => (going = going.then(send))
  const timer = setInterval(() => void flush(), send_every_ms)
  timer.unref()
  return {
    add(span: object) {
      if (waiting.length < most_waiting) waiting.push(span)
      if (waiting.length === at_once) void flush()
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** `a=1,b=2`, percent-encoded, as the standard has it. */
const pairsIn = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((pair) => pair.split(/=(.*)/))
      .flatMap(([key = '', value]) =>
        key.trim() && value !== undefined ? [[key.trim(), decodeURIComponent(value.trim())]] : [],
      ),
  )
