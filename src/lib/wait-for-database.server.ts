// A process whose database is not there yet, or is just starting itself: it waits, and begins by itself.
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { refuseHalf } from './database.server.ts'
import { connect } from './db.server.ts'
import type { Log } from './log.server.ts'
import { version } from './version.server.ts'

const look_every_ms = 500
/** Errors that pass, unlike those that an operator has to fix, such as a wrong password. */
const away = /^(ECONN|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EPIPE|CONNECT_TIMEOUT|CONNECTION_|57P0|53300)/

export async function waitForDatabase(url: string, log: Log): Promise<void> {
  const reason = await absenceOf(url)
  if (!reason) return
  log.error(
    { reason, database: new URL(url).host },
    'the database does not answer: waiting until it does',
  )
  while (await absenceOf(url)) await pause(look_every_ms)
  log.info('the database answers')
}

async function absenceOf(url: string): Promise<string | undefined> {
  const sql = connect(url, { max: 1, connect_timeout_ms: 5_000 })
  try {
    await refuseHalf(sql, url)
    return undefined
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (away.test(code)) return code
    throw error
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** The answer to everybody until the server is ready. */
export function waitingRoom(): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'ok', version }))
  app.all('*', (c) => {
    c.header('retry-after', '2')
    c.header('cache-control', 'no-store')
    const title = 'Healthfund is starting'
    return c.json({ code: 'unavailable', title, status: 503 }, 503)
  })
  return app
}
