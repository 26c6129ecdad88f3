// Whether the server is well: alive, ready, and its figures.
import { timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { AggregatorRegistry } from 'prom-client'
import { isAtThisMachine } from '#lib/hosts.server.ts'
import type { AppOptions } from '#app-options.server.ts'
import { knownFingerprint } from '#lib/keys.server.ts'
import { gatherFromAll } from '#lib/several-processes.server.ts'
import { makeMeasuring } from './measured.server.ts'
import { version } from '#lib/version.server.ts'

export function health({ config, sql, metrics, live, log, key_fingerprint }: AppOptions): Hono {
  const app = new Hono()
  const isLocal = isAtThisMachine(config)
  const { owner, request, key } = sql
  const pools = { owner, request, key }
  const measure = makeMeasuring({ registry: metrics.registry, pools, folder: config.DATA_FOLDER })
  const figures = gatherFromAll(async () => {
    metrics.streams.set(live.streams())
    await measure()
    return metrics.registry.getMetricsAsJSON()
  })
  app.get('/healthz', (c) => c.json({ status: 'ok', version }))

  app.get('/readyz', async (c) => {
    try {
      const [known] = await Promise.all([knownFingerprint(sql.owner), sql.request`select 1`])
      if (known === key_fingerprint) return c.json({ status: 'ready' })
      const reason = 'INSTALLATION_KEY is not the key that this database was set up with'
      log.error({ reason }, 'not ready')
      return c.json({ status: 'unavailable', reason }, 503)
    } catch (error) {
      log.warn({ err: error }, 'not ready')
      c.header('retry-after', '2')
      return c.json({ status: 'unavailable', reason: 'The database does not answer' }, 503)
    }
  })

  app.get('/metrics', async (c) => {
    if (!(config.METRICS_TOKEN ? hasToken(c, config.METRICS_TOKEN) : isLocal(c)))
      return c.json({ status: 'forbidden' }, 403)
    const all = await figures()
    const registry = all.length > 1 ? AggregatorRegistry.aggregate(all) : metrics.registry
    c.header('content-type', registry.contentType)
    return c.body(await registry.metrics())
  })
  return app
}

function hasToken(c: Context, token: string): boolean {
  const sent = Buffer.from((c.req.header('authorization') ?? '').replace(/^bearer /i, ''))
  const expected = Buffer.from(token)
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}
