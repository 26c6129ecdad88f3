// The settings as the provider may read them: no password, key or token among them.
import type { Config } from '#lib/config.server.ts'
import { version } from '#lib/version.server.ts'
import type { Installation } from './system.contract.ts'

export function installationOf(config: Config): Installation {
  const { S3_ENDPOINT, S3_BUCKET, BACKUP_S3_ENDPOINT, BACKUP_S3_BUCKET } = config
  return {
    version,
    operator: {
      name: config.OPERATOR_NAME ?? null,
      address: config.OPERATOR_ADDRESS ?? null,
      email: config.OPERATOR_EMAIL ?? null,
      country: config.OPERATOR_COUNTRY ?? null,
    },
    site_url: config.SITE_URL ?? null,
    mail: {
      server: config.SMTP_URL ? new URL(config.SMTP_URL).host : null,
      from: config.MAIL_FROM,
    },
    files: S3_ENDPOINT ? `${S3_BUCKET} at ${placeOf(S3_ENDPOINT)}` : config.DATA_FOLDER,
    backups: {
      schedule: config.BACKUP_SCHEDULE ?? null,
      keep: config.BACKUP_KEEP,
      place: BACKUP_S3_ENDPOINT
        ? `${BACKUP_S3_BUCKET} at ${placeOf(BACKUP_S3_ENDPOINT)}`
        : config.BACKUP_FOLDER,
      encrypted: config.BACKUP_ENCRYPT_TO.length > 0,
      drill: config.BACKUP_SCHEDULE && config.BACKUP_DRILL !== 'off' ? config.BACKUP_DRILL : null,
    },
    limits: {
      session_days: config.SESSION_DAYS,
      session_idle_days: config.SESSION_IDLE_DAYS,
      admin_session_hours: config.ADMIN_SESSION_HOURS,
      admin_idle_minutes: config.ADMIN_IDLE_MINUTES,
      mail_per_hour: config.AUTH_MAIL_PER_HOUR,
    },
  }
}

/** The host of an address, without a login in it. */
const placeOf = (address: string) => new URL(address).host
