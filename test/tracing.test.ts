// Traces, as a receiver of OpenTelemetry gets them over HTTP.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { openWorker } from '#worker.server.ts'
import { readConfig } from '#lib/config.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { openTracer } from '#lib/tracing.server.ts'
import { version } from '#lib/version.server.ts'
import { openScene, type Scene } from './world/scene.ts'
import { until } from './until.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status: { code?: number }
}
type TraceExport = {
  resourceSpans: [{ resource: { attributes: Attribute[] }; scopeSpans: [{ spans: Span[] }] }]
}

async function openReceiver() {
  const exports: { request: IncomingMessage; body: string }[] = []
  let status = 200
  async function take(request: IncomingMessage, response: ServerResponse) {
    exports.push({ request, body: await text(request) })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = createServer((request, response) => void take(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    exports,
    refuse: () => (status = 503),
    traces: () => exports.map(({ body }) => JSON.parse(body) as TraceExport),
    spans: () =>
      exports.flatMap(({ body }) =>
        (JSON.parse(body) as TraceExport).resourceSpans.flatMap(
          ({ scopeSpans: [{ spans }] }) => spans,
        ),
      ),
    close: () => new Promise((closed) => server.close(closed)),
  }
}
const valuesOf = ({ attributes }: { attributes: Attribute[] }) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

describe('traces', () => {
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let scene: Scene
  let closed = false
  const close = async () => {
    if (!closed) await scene.close() // sends what is waiting
    closed = true
  }
  before(async () => {
    receiver = await openReceiver()
    scene = await openScene({
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret',
        OTEL_SERVICE_NAME: 'fund',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      },
    })
  })
  after(async () => {
    await close()
    await receiver.close()
  })

  test('of requests, their transactions and jobs arrive, below the span of the proxy, without a person', async () => {
    const boss = await scene.superAdmin()
    const company = await scene.company({ name: 'Traced Works' })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const headers = { authorization: `Bearer ${boss.token}`, traceparent }
    const place = `http://127.0.0.1/api/companies/${company.id}`
    assert.equal((await scene.services.app.request(place, { headers })).status, 200)
    const refused = { authorization: `Bearer ${company.admin.token}` }
    const health = 'http://127.0.0.1/api/system/health?who=Nora+Secret'
    assert.equal((await scene.services.app.request(health, { headers: refused })).status, 403)
    const worker = await openWorker(scene.config, scene.database_url, scene.sql, makeLog('fatal'))
    await scene.sql`select add_job('claims:count', key => 'traced')`
    const left = () => scene.sql`select from graphile_worker.jobs where key = 'traced'`
    await until(async () => (await left()).length === 0, 'the end of the job')
    await worker.stop()
    await close()

    const spans = receiver.spans()
    const span = spans.find(({ name }) => name === 'GET /api/companies/:id')
    assert.ok(span, spans.map(({ name }) => name).join(', '))
    assert.deepEqual(
      [span.traceId, span.parentSpanId, span.kind],
      ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331', 2],
    )
    assert.deepEqual(valuesOf(span), {
      'http.request.method': 'GET',
      'http.route': '/api/companies/:id',
      'http.response.status_code': 200,
    })
    assert.ok(BigInt(span.endTimeUnixNano) > BigInt(span.startTimeUnixNano))
    const below = spans.filter(({ parentSpanId }) => parentSpanId === span.spanId)
    assert.deepEqual(
      below.map(({ name, traceId }) => [name, traceId === span.traceId]),
      [['transaction', true]],
    )
    const forbidden = spans.find(({ name }) => name === 'GET /api/system/health')
    assert.equal(forbidden && valuesOf(forbidden)['error.type'], 'forbidden')
    assert.ok(spans.some(({ name, kind }) => name === 'job claims:count' && kind === 5))

    for (const { request } of receiver.exports) {
      assert.deepEqual(
        [
          request.method,
          request.url,
          request.headers.authorization,
          request.headers['content-type'],
        ],
        ['POST', '/v1/traces', 'Bearer secret', 'application/json'],
      )
    }
    const [{ resourceSpans }] = receiver.traces() as [TraceExport]
    assert.deepEqual(valuesOf(resourceSpans[0].resource), {
      'service.name': 'fund',
      'service.version': version,
      'deployment.environment.name': 'test',
    })
    const all = receiver.exports.map(({ body }) => body).join('')
    const personal = [boss.email, boss.id, company.id, company.admin.id, company.domain, boss.token]
    for (const word of [...personal, 'Traced Works', 'Nora', 'healthfund.test'])
      assert.ok(!all.includes(word), word)
  })
})

describe('a tracer', () => {
  const tracerOf = (env: Record<string, string>, log = makeLog('fatal')) =>
    openTracer(readConfig(env), log)

  test('is not there unless a receiver is named', () => {
    assert.equal(tracerOf({}), undefined)
    assert.equal(tracerOf({ OTEL_SERVICE_NAME: 'fund' }), undefined)
  })

  test('draws as few as it is told, and follows the proxy', async () => {
    const receiver = await openReceiver()
    const none = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '0' }
    const tracer = tracerOf(none)!
    const trace = (name: string, traceparent?: string) =>
      tracer.within({ name, kind: 'server', ...(traceparent ? { traceparent } : {}) }, async () =>
        tracer.within({ name: `${name} below`, kind: 'internal' }, async () => undefined),
      )
    await trace('undrawn')
    await trace('nonsense', '00-nonsense')
    await trace('left out', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00')
    await trace('wanted', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01')
    await tracer.close()
    assert.deepEqual(
      receiver.spans().map(({ name }) => name),
      ['wanted below', 'wanted'],
    )
    await receiver.close()
  })

  test('passes faults on, marks the span, and says once that nobody takes it', async () => {
    const receiver = await openReceiver()
    receiver.refuse()
    const lines: string[] = []
    const log = makeLog('warn', { write: (line: string) => void lines.push(line) })
    const tracer = tracerOf({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, log)!
    const fail = async () => {
      throw new Error('the secret of Nora')
    }
    await assert.rejects(tracer.within({ name: 'fails', kind: 'server' }, fail), /secret of Nora/)
    await tracer.close()
    const [span] = receiver.spans()
    assert.deepEqual(span?.status, { code: 2 })
    assert.doesNotMatch(receiver.exports[0]?.body ?? '', /Nora/)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /traces could not be sent.*|it answered 503/)
    await receiver.close()
  })
})
