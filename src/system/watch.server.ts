// Each server and worker checks itself every few seconds and writes the result to the database, so that any server can answer for
// all.
import { randomUUID } from 'node:crypto'
import type { Sql } from '#lib/db.server.ts'
import type { Files } from '#lib/files.server.ts'
import type { Log } from '#lib/log.server.ts'
import type { Standby } from '#lib/standby.server.ts'
import { probeMail, type MailFinding } from './mail-probe.server.ts'
import type { ResponseTimes } from './response-times.server.ts'
import { probeStorage, type StorageFinding } from './storage.server.ts'

const every_ms = 10_000
/** Outside services are asked less often. */
const outside_every_ms = 60_000

type Beat = { look: () => Promise<void>; close: () => Promise<void> }
type Watched = { sql: Sql; log: Log; files: Files; folder: string; smtp_url: string | undefined }

type WatchedServer = Watched & { times: ResponseTimes; standby: Standby }

export function watchServer(watched: WatchedServer): Beat {
  const { sql, files, folder, smtp_url, times, standby } = watched
  const id = randomUUID()
  let outside: { mail: MailFinding; storage: StorageFinding } | undefined
  let asked_at = -Infinity
  return beat(watched, id, async (fresh) => {
    if (fresh || performance.now() - asked_at > outside_every_ms || !outside) {
      asked_at = performance.now()
      const found = await Promise.all([probeMail(smtp_url), probeStorage(files, folder)])
      outside = { mail: found[0], storage: found[1] }
    } else if (outside.storage.free_bytes !== null || !outside.storage.ok) {
      outside.storage = await probeStorage(files, folder)
    }
    const { mail, storage } = outside
    await sql`select private.record_heartbeat(${id}, 'server', '{}', ${sql.json(storage)}, ${sql.json(mail)})`
    await recordTimes(sql, id, times)
    await standby.look()
  })
}

/**
 * `locks`: the names under which its jobs are locked. It also frees the jobs of dead workers, and corrects times of a wrong
 * clock.
 */
export function watchWorker(watched: { sql: Sql; log: Log; locks: () => string[] }): Beat {
  const { sql, locks } = watched
  const id = randomUUID()
  return beat(watched, id, async () => {
    await sql`select private.record_heartbeat(${id}, 'worker', ${locks()}::text[], null, null)`
    await sql`select private.correct_future_times()`
    await sql`select private.release_stale_jobs()`
  })
}

function beat(
  { sql, log }: { sql: Sql; log: Log },
  id: string,
  record: (fresh: boolean) => Promise<void>,
): Beat {
  let going: Promise<void> = Promise.resolve()
  const poll = (fresh: boolean) => {
    going = going.then(() => record(fresh))
    return going
  }
  const byTheClock = () => {
    poll(false).catch((error: unknown) => {
      going = Promise.resolve()
      log.warn({ err: error }, 'could not tell how this process stands')
    })
  }
  const timer = setInterval(byTheClock, every_ms)
  timer.unref()
  byTheClock()
  return {
    look: () => poll(true),
    async close() {
      clearInterval(timer)
      await going.catch(() => {}) // it was logged
      await sql`delete from private.processes where id = ${id}`.catch((error: unknown) =>
        log.warn({ err: error }, 'could not take leave'),
      )
    },
  }
}

/** Whole minutes replace each other, so that saving twice counts once. */
async function recordTimes(sql: Sql, server: string, times: ResponseTimes) {
  const minutes = times.unsaved()
  for (const { minute, counts, faults } of minutes) {
    await sql`
      insert into private.response_minutes (minute, server, counts, faults)
      values (${minute}, ${server}, ${counts}, ${faults})
      on conflict (minute, server) do update set counts = excluded.counts, faults = excluded.faults`
  }
  times.saved(minutes)
}
