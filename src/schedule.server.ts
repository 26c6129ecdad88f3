// The jobs by the clock: `minute hour day month weekday task`, in UTC.
import type { Config } from '#lib/config.server.ts'

const schedule = [
  '17 * * * * housekeeping',
  '* * * * * keep_people',
  '* * * * * people:due',
  '* * * * * notifications:mail ?jobKey=notifications:mail',
  '* * * * * decisions:notify ?jobKey=decisions:notify',
  '* * * * * funds:seal ?jobKey=funds:seal',
  '23 * * * * funds:years ?jobKey=funds:years',
  '17 6 * * * funds:expiry ?jobKey=funds:expiry',
  '*/5 * * * * claims:keep',
  '* * * * * claims:count ?jobKey=claims:count',
  '53 2 * * * holidays:keep ?jobKey=holidays:keep',
  '31 * * * * dependents:keep ?jobKey=dependents:keep',
  '*/10 * * * * health_checks:remind',
  '27 6 * * * health_checks:due ?jobKey=health_checks:due',
  '* * * * * receipts:keep',
  '* * * * * privacy:keep',
  '* * * * * audit:seal ?jobKey=audit:seal',
  '47 * * * * audit:log_seals',
  '53 * * * * connections:keep',
  // When the month is over everywhere.
  '7 12 1 * * reports:monthly ?fill=5d&jobKey=reports:monthly',
  '41 3 * * * system:advisories ?jobKey=system:advisories',
]

/** A backup is made by one worker alone, whose folder is the one that the operator means. */
export function scheduleOf({ BACKUP_SCHEDULE, BACKUP_DRILL }: Config): string[] {
  if (!BACKUP_SCHEDULE) return schedule
  const lines = [...schedule, `${BACKUP_SCHEDULE} backups:make ?jobKey=backups:make`]
  if (BACKUP_DRILL !== 'off')
    lines.push(`${BACKUP_DRILL} backups:drill ?fill=5d&max=3&jobKey=backups:drill`)
  return lines
}
