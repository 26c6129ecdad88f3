// The server's own metrics, in Prometheus' format.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { version } from './version.server.ts'

export type Metrics = ReturnType<typeof makeMetrics>

export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  new Gauge({
    name: 'healthfund_info',
    help: 'One, with the version that runs.',
    labelNames: ['version'],
    registers,
    aggregator: 'first',
  }).set({ version }, 1)
  return {
    registry,
    requests: new Histogram({
      name: 'http_request_seconds',
      help: 'How long answers took, by route and status.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    faults: new Counter({
      name: 'http_faults_total',
      help: 'Answers of 500 and above.',
      registers,
    }),
    refused: new Counter({
      name: 'http_refused_busy_total',
      help: 'Requests that were refused at once because the server was overloaded.',
      registers,
    }),
    mails_refused: new Counter({
      name: 'account_mails_refused_total',
      help: 'Account mails that were asked for and refused, by the share of the hour that was used up.',
      labelNames: ['share'],
      registers,
    }),
    refusals: new Counter({
      name: 'http_refusals_total',
      help: 'Requests that were refused, by the problem’s code.',
      labelNames: ['code'],
      registers,
    }),
    sign_ins: new Counter({
      name: 'healthfund_sign_ins_total',
      help: 'Sign-ins that were tried, by how and by what came of it.',
      labelNames: ['by', 'outcome'],
      registers,
    }),
    /** All else of several processes at one port is added up. */
    memory: new Gauge({
      name: 'healthfund_process_memory_bytes',
      help: 'How much memory each process takes that answers at this port.',
      labelNames: ['pid'],
      registers,
      collect() {
        this.set({ pid: process.pid }, process.memoryUsage.rss())
      },
    }),
    streams: new Gauge({ name: 'live_streams', help: 'Open live streams.', registers }),
  }
}
