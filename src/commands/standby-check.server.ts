// The doctor's check of a standby, where one is set.
import type { Config } from '#lib/config.server.ts'
import type { Sql } from '#lib/db.server.ts'
import { makeLog } from '#lib/log.server.ts'
import { Standby, standbyIn } from '#lib/standby.server.ts'
import { good, warn, type DoctorFinding } from './findings.server.ts'

export async function standby({
  config,
  sql,
}: {
  config: Config
  sql: Sql
}): Promise<DoctorFinding[]> {
  const settings = standbyIn(config)
  if (!settings) return []
  const log = makeLog('silent')
  const there = new Standby({ primary: sql, settings, name: 'healthfund doctor', log, max: 1 })
  try {
    const { as_of, fault } = (await there.look()) ?? { as_of: null, fault: null }
    if (fault)
      return [
        warn(
          'Standby',
          `${fault}, so reports, exports and backups read the database itself`,
          'look at DATABASE_READ_URL and at its machine',
        ),
      ]
    return [good('Standby', `it can be read as of ${as_of}`)]
  } finally {
    await there.close()
  }
}
