// A server process of its own on the database it is given: to be killed.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { openServices } from '#services.server.ts'
import { readConfig } from '#lib/config.server.ts'

const config = readConfig(process.env)
if (!config.DATABASE_URL) throw new Error('Say which database')
const services = await openServices(config, config.DATABASE_URL, { worker: config.WORKER })
const server = serve({ fetch: services.app.fetch, hostname: '127.0.0.1', port: 0 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit(0))
