// The server that is measured, in a process of its own, beside a bare Hono answer in the same process.
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openHouse } from '#house.server.ts'
import { readConfig } from '#lib/config.server.ts'

const config = readConfig(process.env)
if (!config.DATABASE_URL) throw new Error('The bench names its database')
const house = await openHouse(config, config.DATABASE_URL, { worker: config.WORKER })
const bare = new Hono()
bare.get('/bare', (c) => c.json({ ok: true }))
bare.get('/checked', async (c) => {
  const token = c.req.header('authorization')?.slice(7) ?? ''
  return (await house.verify(token)) ? c.json({ ok: true }) : c.json({ ok: false }, 401)
})
bare.get('/memory', (c) => c.json(process.memoryUsage()))
const loop = monitorEventLoopDelay({ resolution: 1 })
loop.enable()
/** The waits of the event loop since somebody last asked. */
bare.get('/loop', (c) => {
  const p99_ms = loop.percentile(99) / 1e6
  loop.reset()
  return c.json({ p99_ms })
})
bare.mount('/', house.app.fetch)
const server = serve({ fetch: bare.fetch, hostname: '127.0.0.1', port: 0 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit(0))
