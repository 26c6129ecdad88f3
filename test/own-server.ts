// A server process of its own on the database it is given: to be killed.
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { openHouse } from '#house.server.ts'
import { readConfig } from '#lib/config.server.ts'

const config = readConfig(process.env)
if (!config.DATABASE_URL) throw new Error('Say which database')
const house = await openHouse(config, config.DATABASE_URL, { worker: config.WORKER })
const server = serve({ fetch: house.app.fetch, hostname: '127.0.0.1', port: 0 }, () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit(0))
